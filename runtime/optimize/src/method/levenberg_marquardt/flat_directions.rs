//! Directions that the residuals do not determine.
//!
//! Unknowns do not move along these directions until all other directions have converged. Then the state is saved, and
//! iterations move along all directions: residuals of a model that does not reproduce its data yet may determine these
//! directions elsewhere. Where that has not lowered the cost by more than noise does, the kept state is the result.

use serde::{Deserialize, Serialize};

use super::super::super::curvature::Curvature;
use super::super::super::iteration::{Moved, accept, stop};
use super::super::super::state::OptimizerState;
use super::super::super::stop::Stop;
use super::region::{TrustRegion, norm, sizes, sizes_without_flat};

/// Largest number of iterations along undetermined directions before they are given up.
const MAX_ITERATIONS: usize = 60;

/// A state from which steps along determined directions lower the cost no more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedState {
    position: Vec<f64>,
    gradient: Vec<f64>,
    cost: f64,
    iteration: usize,
    /// The directions that the residuals do not determine.
    flat: Vec<Vec<f64>>,
    /// The variance of the residuals.
    variance: f64,
}

impl SavedState {
    /// Checks whether this belongs to n variables.
    pub fn fits(&self, n: usize) -> bool {
        let lengths = self.flat.iter().map(Vec::len).chain([self.position.len(), self.gradient.len()]);
        lengths.into_iter().all(|length| length == n)
    }
}

/// Returns the trust region of a state; `None` if its method has none.
pub(super) fn region_of(state: &mut OptimizerState) -> Option<&mut TrustRegion> {
    match &mut state.curvature {
        Curvature::TrustRegion(region) => Some(region),
        _ => None,
    }
}

/// Keeps the state and continues along all directions; if a state is already saved, ends the minimisation.
pub(super) fn nothing_more(state: &mut OptimizerState, reason: Stop, flat: Vec<Vec<f64>>) {
    match region_of(state).and_then(|region| region.saved.clone()) {
        Some(saved) => conclude(state, *saved, Some(reason)),
        None if flat.is_empty() || !reason.converged() => stop(state, reason, 0),
        None => {
            let (position, gradient) = (state.position.clone(), state.gradient.clone());
            let (cost, iteration, sizes) = (state.cost, state.iterations(), sizes(state, 1.0));
            if let Some(region) = region_of(state) {
                let variance = region.residuals.variance(cost);
                // the radius left by steps along the other directions may be far too small
                region.radius = region.radius.max(0.1 * norm(&region.scales, &sizes));
                region.saved = Some(Box::new(SavedState { position, gradient, cost, iteration, flat, variance }));
            }
        }
    }
}

/// Drops the kept state after a step if the cost has fallen by more than noise since then, and concludes when
/// the minimisation ends or `MAX_ITERATIONS` is exhausted.
pub(super) fn went_on(state: &mut OptimizerState) {
    /// Least decrease of the cost, in multiples of the variance for each direction, that is more than noise: half the
    /// square of three standard deviations.
    const MIN_DECREASE: f64 = 4.5;
    let (cost, ended, iterations) = (state.cost, state.stop, state.iterations());
    let Some(region) = region_of(state) else { return };
    let Some(saved) = region.saved.take() else { return };
    let variance = region.residuals.variance(cost).min(saved.variance);
    if saved.cost - cost > MIN_DECREASE * saved.flat.len() as f64 * variance {
        return;
    }
    match ended.is_some() || iterations - saved.iteration >= MAX_ITERATIONS {
        true => conclude(state, *saved, ended),
        false => region.saved = Some(saved),
    }
}

/// Checks whether the residuals determine all directions.
fn is_told(state: &mut OptimizerState) -> bool {
    let own_sizes = sizes_without_flat(state);
    let region = region_of(state).map(|region| region.clone());
    let step = region.and_then(|region| region.subproblem(&region.residuals, state, &own_sizes).step(f64::MAX, false));
    step.is_none_or(|step| step.flat.is_empty())
}

/// Ends the minimisation at the kept state, unless the residuals of the present state determine all directions.
fn conclude(state: &mut OptimizerState, saved: SavedState, reason: Option<Stop>) {
    if reason.is_none_or(Stop::converged) && is_told(state) {
        if let Some(reason) = reason {
            stop(state, reason, 0);
        }
        return;
    }
    let SavedState { position, gradient, cost, flat, .. } = saved;
    if position != state.position {
        accept(state, Moved { cost, position, gradient, foretold: None, is_cut: true }, 0);
    }
    state.flat = flat;
    stop(state, Stop::Flat, 0);
}
