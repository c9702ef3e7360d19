//! Descent directions that respect bounds.

use super::split::Split;
use super::state::OptimizerState;

/// The direction of a line search from the present position, and its limits.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Direction {
    /// d, zero for the variables that are held at their bounds.
    pub vector: Vec<f64>,
    /// g^T d < 0.
    pub slope: f64,
    /// Largest multiple of d that stays within the bounds and the largest step.
    pub limit: f64,
    /// The variables that reach a bound at the limit.
    pub reaching: Vec<usize>,
    /// True if the path continues along the bounds that it reaches: x(alpha) is the projection of x + alpha d
    /// onto the bounds.
    pub is_bent: bool,
}

/// Marks the variables that may move: all but those at a bound that the negative gradient points out of.
pub(super) fn free(state: &OptimizerState) -> Vec<bool> {
    let outwards = |k| points_out(state, k, -state.gradient[k]);
    (0..state.variables.len()).map(|k| !outwards(k)).collect()
}

/// Euclidean norm of the gradient of the variables that may move.
pub(super) fn projected_norm(state: &OptimizerState) -> f64 {
    let squares = free(state).into_iter().zip(&state.gradient).filter(|(free, _)| *free).map(|(_, g)| g * g);
    squares.sum::<f64>().sqrt()
}

/// Returns the direction with the components that `newton` computes for the moving variables of a `Split`; `None`
/// if it is no direction of descent. No component exceeds `largest` at the limit.
pub(super) fn newton(
    state: &OptimizerState,
    largest: f64,
    newton: impl Fn(&Split) -> Option<Vec<f64>>,
) -> Option<Direction> {
    let mut free = free(state);
    // Holding one variable turns the others, which may then point out of their bounds.
    loop {
        let (moving, held): (Vec<_>, Vec<_>) = (0..free.len()).partition(|&k| free[k]);
        if moving.is_empty() {
            return None;
        }
        let split = Split { moving, held };
        let mut vector = vec![0.0; free.len()];
        split.moving.iter().zip(newton(&split)?).for_each(|(&k, d)| vector[k] = d);
        let out: Vec<_> = (0..vector.len()).filter(|&k| free[k] && points_out(state, k, vector[k])).collect();
        if out.is_empty() {
            return Direction::along(state, vector, largest);
        }
        out.into_iter().for_each(|k| free[k] = false);
    }
}

/// The negative gradient of the variables that may move; `None` if it vanishes.
pub(super) fn steepest_descent(state: &OptimizerState, largest: f64) -> Option<Direction> {
    let component = |(free, &g): (bool, &f64)| if free { -g } else { 0.0 };
    let vector = free(state).into_iter().zip(&state.gradient).map(component).collect();
    Direction::along(state, vector, largest)
}

impl Direction {
    fn along(state: &OptimizerState, vector: Vec<f64>, largest: f64) -> Option<Self> {
        let slope: f64 = vector.iter().zip(&state.gradient).map(|(d, g)| d * g).sum();
        if !(slope < 0.0 && slope.is_finite()) {
            return None;
        }
        let mut limit = largest / vector.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
        let mut reaching = Vec::new();
        let is_bent = state.settings.bend_at_bounds;
        if is_bent {
            return (limit > 0.0).then_some(Self { vector, slope, limit, reaching, is_bent });
        }
        for (k, &d) in vector.iter().enumerate().filter(|(_, d)| **d != 0.0) {
            let (lower, upper) = state.variables[k].scaled_bounds();
            let distance = (if d < 0.0 { lower } else { upper } - state.position[k]) / d;
            if distance < limit {
                limit = distance;
                reaching.clear();
            }
            if distance <= limit {
                reaching.push(k);
            }
        }
        (limit > 0.0).then_some(Self { vector, slope, limit, reaching, is_bent })
    }
}

fn points_out(state: &OptimizerState, k: usize, d: f64) -> bool {
    /// A variable this close to a bound, in scaled units, is taken to be at it.
    const MAX_DISTANCE: f64 = 1e-12;
    let (lower, upper) = state.variables[k].scaled_bounds();
    let x = state.position[k];
    (d < 0.0 && x - lower <= MAX_DISTANCE) || (d > 0.0 && upper - x <= MAX_DISTANCE)
}
