//! Directions that the residuals do not tell.
//!
//! They are left alone until all others have converged. Then the state is kept, and iterations go everywhere: a model that does not
//! reproduce its data yet may learn of these directions further away. Where they have not lowered the cost by more than noise does,
//! the kept state is the result.

use serde::{Deserialize, Serialize};

use super::super::super::curvature::Curvature;
use super::super::super::iteration::{Moved, accept, stop};
use super::super::super::state::OptimizerState;
use super::super::super::stop::Stop;
use super::region::{TrustRegion, norm, sizes, told_sizes};

/// Iterations along directions that are not told, before these are left.
const PATIENCE: usize = 60;

/// A decrease of the cost is more than noise beyond this many times the variance for each direction: half the square of three
/// standard deviations.
const SIGNIFICANT: f64 = 4.5;

/// A state whose residuals tell nothing more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    position: Vec<f64>,
    gradient: Vec<f64>,
    cost: f64,
    iteration: usize,
    /// The directions that they do not tell.
    untold: Vec<Vec<f64>>,
    /// The variance of the residuals.
    variance: f64,
}

impl Kept {
    /// Whether this belongs to n variables.
    pub fn fits(&self, n: usize) -> bool {
        let lengths = self.untold.iter().map(Vec::len).chain([self.position.len(), self.gradient.len()]);
        lengths.into_iter().all(|length| length == n)
    }
}

/// The region of a state.
pub(super) fn region_of(state: &mut OptimizerState) -> Option<&mut TrustRegion> {
    match &mut state.curvature {
        Curvature::TrustRegion(region) => Some(region),
        _ => None,
    }
}

/// Keeps the state, unless one is kept: then ends.
pub(super) fn nothing_more(state: &mut OptimizerState, reason: Stop, untold: Vec<Vec<f64>>) {
    match region_of(state).and_then(|region| region.kept.clone()) {
        Some(kept) => conclude(state, *kept, Some(reason)),
        None if untold.is_empty() || !reason.converged() => stop(state, reason, 0),
        None => {
            let (position, gradient) = (state.position.clone(), state.gradient.clone());
            let (cost, iteration, sizes) = (state.cost, state.iterations(), sizes(state, 1.0));
            if let Some(region) = region_of(state) {
                let variance = region.residuals.variance(cost);
                // what the steps along other directions have left of it says nothing
                region.radius = region.radius.max(0.1 * norm(&region.scales, &sizes));
                region.kept = Some(Box::new(Kept { position, gradient, cost, iteration, untold, variance }));
            }
        }
    }
}

/// Behind a step: whether the kept state is still wanted, or is the result.
pub(super) fn went_on(state: &mut OptimizerState) {
    let (cost, ended, iterations) = (state.cost, state.stop, state.iterations());
    let Some(region) = region_of(state) else { return };
    let Some(kept) = region.kept.take() else { return };
    let variance = region.residuals.variance(cost).min(kept.variance);
    if kept.cost - cost > SIGNIFICANT * kept.untold.len() as f64 * variance {
        return;
    }
    match ended.is_some() || iterations - kept.iteration >= PATIENCE {
        true => conclude(state, *kept, ended),
        false => region.kept = Some(kept),
    }
}

/// Whether the residuals tell all directions.
fn is_told(state: &mut OptimizerState) -> bool {
    let own_sizes = told_sizes(state);
    let region = region_of(state).map(|region| region.clone());
    let step = region
        .and_then(|region| region.subproblem(&region.residuals, state, &own_sizes).step(f64::MAX, false));
    step.is_none_or(|step| step.untold.is_empty())
}

/// Ends at the kept state, unless the iterations since then have come to where all directions are told.
fn conclude(state: &mut OptimizerState, kept: Kept, reason: Option<Stop>) {
    if reason.is_none_or(Stop::converged) && is_told(state) {
        if let Some(reason) = reason {
            stop(state, reason, 0);
        }
        return;
    }
    let Kept { position, gradient, cost, untold, .. } = kept;
    if position != state.position {
        accept(state, Moved { cost, position, gradient, foretold: None, is_cut: true }, 0);
    }
    state.untold = untold;
    stop(state, Stop::Flat, 0);
}
