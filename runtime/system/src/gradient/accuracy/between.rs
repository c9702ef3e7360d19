//! The samples of a run between those of a run with longer steps.

use super::Accuracy;
use super::compare::Own;

/// Number of samples that a cubic goes through.
const NODES: usize = 4;

/// Checks whether all judged numbers of a run follow, between every `longer`-th sample and behind the last such sample, the cubics through
/// the nearest four of these samples, to the fraction `limit` of their scales: whatever happens there is seen in them.
pub(super) fn follows_cubics(own: Own<'_>, accuracy: &Accuracy, longer: usize, limit: f64) -> bool {
    let allowed: Vec<(usize, f64)> = accuracy
        .coordinates
        .iter()
        .chain(&accuracy.outputs)
        .enumerate()
        .filter(|(j, _)| accuracy.counts(*j))
        .map(|(j, estimate)| (j, limit * estimate.scale))
        .collect();
    let intervals = (own.run.samples() - 1) / longer;
    if intervals + 1 < NODES {
        return false;
    }
    (0..own.run.samples()).filter(|k| !k.is_multiple_of(longer)).all(|k| {
        let first = (k / longer).saturating_sub(1).min(intervals + 1 - NODES);
        let weights = weights(k as f64 / longer as f64 - first as f64);
        allowed.iter().all(|&(j, allowed)| {
            let (value, turn) = (own.number(k, j), own.turns[j]);
            let differences: [f64; NODES] = std::array::from_fn(|i| {
                let difference = own.number((first + i) * longer, j) - value;
                if turn > 0.0 { difference - turn * (difference / turn).round() } else { difference }
            });
            let sum: f64 =
                differences.iter().zip(weights).map(|(difference, weight)| difference * weight).sum();
            sum.abs() <= allowed
        })
    })
}

/// Returns the weights of the values at 0, 1, 2 and 3 in the value of their cubic at x.
fn weights(x: f64) -> [f64; NODES] {
    let [a, b, c, d] = [x, x - 1.0, x - 2.0, x - 3.0];
    [-b * c * d / 6.0, 0.5 * a * c * d, -0.5 * a * b * d, a * b * c / 6.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_met() {
        let cubic = |x: f64| 2.0 - x + 0.5 * x * x - 0.25 * x * x * x;
        for x in [-0.5, 0.3, 1.5, 2.9, 3.9] {
            let sum: f64 = weights(x).iter().zip([0.0, 1.0, 2.0, 3.0]).map(|(w, node)| w * cubic(node)).sum();
            assert!((sum - cubic(x)).abs() < 1e-13, "{x}: {sum}");
        }
    }
}
