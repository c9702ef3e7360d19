//! Steepest descent.
//!
//! Steps go along the negative gradient of the variables that may move.
//! When: for comparison; as the last resort of the other methods; it needs nothing but the gradient.
//! Source: OB 4.3.1.1, (4.23); the first step length Nocedal, Wright, Numerical Optimization, 2nd ed., (3.60).
//! Settings: none; the first step is limited by `first_step`, the others by `largest_step`.

use super::super::active_set::{self, Direction};
use super::super::method::Method;
use super::super::state::OptimizerState;

/// Returns the direction and the first step size of the line search.
pub(in super::super) fn direction(state: &OptimizerState) -> Option<(Direction, f64)> {
    let settings = &state.settings;
    let latest = match state.settings.method {
        Method::SteepestDescent => latest_decrease(state),
        // The other methods begin again here.
        _ => None,
    };
    match latest {
        Some(decrease) => {
            let direction = active_set::steepest_descent(state, settings.largest_step)?;
            // The step that lowers the cost as much as the step before, if the cost is a parabola.
            let guess = -2.0 * decrease / direction.slope;
            let first = if guess > 0.0 { guess.min(direction.limit) } else { direction.limit };
            Some((direction, first))
        }
        // Before a decrease is known the length of the gradient says nothing: begin at the limit.
        None => {
            let direction = active_set::steepest_descent(state, settings.first_step)?;
            let first = direction.limit;
            Some((direction, first))
        }
    }
}

/// Checks whether steepest descent is the chosen method, not the last resort of another, and the first step would
/// lower the cost by next to nothing.
pub(in super::super) fn expects_little(state: &OptimizerState, direction: &Direction, first: f64) -> bool {
    let settings = &state.settings;
    settings.method == Method::SteepestDescent && -direction.slope * first <= settings.cost_tolerance * state.cost.abs()
}

/// Returns the largest of the latest decreases, one more than there are variables: bounds may have cut the others
/// short.
fn latest_decrease(state: &OptimizerState) -> Option<f64> {
    let pairs = state.history.windows(2).rev().take(state.variables.len() + 1);
    pairs.map(|pair| pair[0].cost - pair[1].cost).reduce(f64::max)
}
