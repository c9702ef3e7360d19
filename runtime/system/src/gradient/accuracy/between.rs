//! The motion from one sample of a run to the next.

use super::Accuracy;
use super::compare::Own;

/// Number of samples that a cubic goes through.
const NODES: usize = 4;

/// Place of a sample in the middle of its nodes, from the first one on, in their distances.
const INNER_PLACE: f64 = 1.5;

/// Checks whether the steps resolve whatever happens in all judged numbers of a run to the fraction `limit` of their
/// scales: whether every other sample is near the cubic through the four nearest samples of the rest. A run with longer
/// steps does not see what happens within one of its steps.
pub(super) fn resolves_motion(own: Own<'_>, accuracy: &Accuracy, limit: f64) -> bool {
    /// Largest distance of a sample from the cubic through its neighbours but one, relative to the square of the limit
    /// of errors: for oscillations with the angular frequency w and steps h, it is 3/8 (w h)^4, and errors of schemes
    /// of second order are (w h)^2/12, so that 54 times the square of the error is allowed; a fourth of it, since
    /// outputs may have larger errors.
    const ALLOWED_SQUARE_FACTOR: f64 = 12.0;
    let part = limit.min(ALLOWED_SQUARE_FACTOR * limit * limit);
    let numbers = accuracy.coordinates.iter().chain(&accuracy.outputs).enumerate();
    let allowed: Vec<f64> =
        numbers.map(|(j, estimate)| if accuracy.counts(j) { part * estimate.scale } else { f64::INFINITY }).collect();
    let (of_coordinates, of_outputs) = allowed.split_at(accuracy.coordinates.len());
    let (turns, turns_of_outputs) = own.turns.split_at(of_coordinates.len());
    let last_node = (own.run.samples() - 1) / 2;
    if last_node + 1 < NODES {
        return false;
    }
    let coordinates = |k: usize| own.run.coordinates(own.run.step_of_sample(k));
    let inner = weights(INNER_PLACE);
    (1..own.run.samples()).step_by(2).all(|k| {
        let first = (k / 2).saturating_sub(1).min(last_node + 1 - NODES);
        let place = 0.5 * k as f64 - first as f64;
        let weights = if place == INNER_PLACE { inner } else { weights(place) };
        let nodes: [usize; NODES] = std::array::from_fn(|i| 2 * (first + i));
        are_near(coordinates(k), nodes.map(coordinates), weights, (of_coordinates, turns))
            && are_near(
                own.outputs.of_step(k),
                nodes.map(|node| own.outputs.of_step(node)),
                weights,
                (of_outputs, turns_of_outputs),
            )
    })
}

/// Returns true if the coordinate or output j swings from sample to sample beside sample k, by a part of the error
/// there, as an oscillation does that is faster than the steps.
pub(super) fn swings(own: Own<'_>, j: usize, k: usize, error: f64) -> bool {
    /// Number of changes in a row that have different signs.
    const CHANGES: usize = 4;
    /// Smallest change, relative to the error.
    const MIN_CHANGE: f64 = 0.2;
    let change = |k: usize| own.number(k + 1, j) - own.number(k, j);
    let swings = |pair: usize| {
        let (before, after) = (change(pair), change(pair + 1));
        before * after < 0.0 && before.abs().min(after.abs()) > MIN_CHANGE * error
    };
    let (first, last) = (k.saturating_sub(CHANGES), k + CHANGES);
    (first..=k).any(|first| {
        let pairs = first..first + CHANGES - 1;
        pairs.end < last && pairs.end + 1 < own.run.samples() && pairs.into_iter().all(swings)
    })
}

/// Checks whether numbers are as near to their cubics as is `allowed`; those with a full turn, up to turns.
fn are_near(
    numbers: &[f64],
    nodes: [&[f64]; NODES],
    weights: [f64; NODES],
    (allowed, turns): (&[f64], &[f64]),
) -> bool {
    let [a, b, c, d] = nodes;
    let nodes = a.iter().zip(b).zip(c).zip(d).map(|(((a, b), c), d)| [*a, *b, *c, *d]);
    numbers.iter().zip(nodes).zip(allowed.iter().zip(turns)).all(|((number, nodes), (allowed, turn))| {
        let distances = nodes.map(|node| node - number);
        let distances = match *turn > 0.0 {
            true => distances.map(|distance| distance - turn * (distance / turn).round()),
            false => distances,
        };
        let distance: f64 = distances.iter().zip(weights).map(|(value, weight)| value * weight).sum();
        distance.abs() <= *allowed
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
