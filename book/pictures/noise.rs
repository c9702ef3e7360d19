//! Noise that is the same in every run.

/// White noise with the standard deviation 1.
pub fn noise(mut state: u64) -> impl FnMut() -> f64 {
    let mut even = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / 2f64.powi(31)
    };
    // the sum of twelve even numbers between 0 and 1 is nearly normal
    move || (0..12).map(|_| even()).sum::<f64>() - 6.0
}
