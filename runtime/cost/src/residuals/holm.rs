//! Probabilities of many tests at once.

/// Holm's adjusted probabilities, in the order of the given ones: those below a level name hypotheses that can be
/// rejected together with at most that probability of rejecting a true one, however tests depend on each other (Holm,
/// Scand. J. Statist. 6, 1979).
///
/// The smallest of m probabilities is multiplied by m, the next by m - 1 and so on; none is smaller than one before it,
/// and none exceeds 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut before = 0.0_f64;
    for (rank, &at) in order.iter().enumerate() {
        let p_value = if p_values[at].is_nan() { 1.0 } else { p_values[at] };
        before = before.max((p_values.len() - rank) as f64 * p_value).min(1.0);
        adjusted[at] = before;
    }
    adjusted
}

/// The probability of the smaller of two probabilities of the same hypothesis, by Bonferroni, or of the one that there
/// is.
pub(crate) fn either(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some((2.0 * a.min(b)).min(1.0)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_hand() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, wanted) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - wanted).abs() < 1e-15);
        }
        assert_eq!(holm(&[]), [0.0; 0]);
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert_eq!(holm(&[f64::NAN, 0.25]), [1.0, 0.5]);
    }
}
