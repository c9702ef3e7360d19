//! Many points, four at a time.

use costate_numerics::scalar::LANES;

/// Gives every point, `states` numbers of `x`, its result, `width` numbers of `results`: `in_lanes` does so for up to
/// four and says for which, `single` for the others.
pub(super) fn by_fours<P, E>(
    process: &mut P,
    x: &[f64],
    states: usize,
    results: &mut [f64],
    width: usize,
    mut in_lanes: impl FnMut(&mut P, &[f64], &mut [f64]) -> [bool; LANES],
    mut single: impl FnMut(&mut P, &[f64], &mut [f64]) -> Result<(), E>,
) -> Result<(), E> {
    let (states, width) = (states.max(1), width.max(1));
    for (four, results) in x.chunks(LANES * states).zip(results.chunks_mut(LANES * width)) {
        let done = in_lanes(process, four, results);
        let pairs = four.chunks_exact(states).zip(results.chunks_exact_mut(width));
        for ((x, result), _) in pairs.zip(done).filter(|(_, done)| !done) {
            single(process, x, result)?;
        }
    }
    Ok(())
}
