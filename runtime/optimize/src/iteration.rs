//! The parts of an iteration that all methods have.

use std::error::Error;

use nalgebra::DVector;

use super::active_set;
use super::curvature::Curvature;
use super::erased::{Outcome, Residuals};
use super::linearized::Linearized;
use super::objective::{Failure, LinearResiduals, MethodError, OptimizeError};
use super::state::{Iteration, OptimizerState, physical};
use super::stop::Stop;

/// Evaluates the residuals at `position` to first order, both in full and compressed to a triangular factor;
/// `None` where they cannot be evaluated.
pub(super) fn linearize(
    objective: &mut dyn Residuals,
    state: &OptimizerState,
    position: &[f64],
) -> Outcome<Option<(LinearResiduals, Linearized)>> {
    let parameters = physical(&state.variables, position);
    match objective.residuals(&parameters) {
        Ok(Some(residuals)) => {
            let linearized = residuals_at(&residuals, &slopes(state, &parameters), objective.are_counted())?;
            Ok(linearized.map(|linearized| (residuals, linearized)))
        }
        Ok(None) | Err(Failure::Here(_)) => Ok(None),
        Err(Failure::Stop(error)) => Err(stopped(error)),
    }
}

/// Compresses residuals to first order, without their number unless they are counted.
pub(super) fn residuals_at(
    residuals: &LinearResiduals,
    slopes: &[f64],
    are_counted: bool,
) -> Result<Option<Linearized>, MethodError> {
    let linearized = Linearized::new(residuals, slopes)?;
    Ok(linearized.map(|linearized| if are_counted { linearized } else { linearized.without_count() }))
}

/// The point at which an iteration ends.
#[derive(Debug)]
pub(super) struct Moved {
    pub cost: f64,
    /// Scaled variables.
    pub position: Vec<f64>,
    /// dJ/dx.
    pub gradient: Vec<f64>,
    /// The decrease of the cost that a model of the cost predicted; `None` without such a model.
    pub foretold: Option<f64>,
    /// True if the step was made shorter than wanted, so that its length says nothing about convergence.
    pub is_cut: bool,
}

/// Moves to the point that was found.
pub(super) fn accept(state: &mut OptimizerState, moved: Moved, evaluations: usize) {
    let change = difference(&moved.position, &state.position);
    let farthest = (0..change.len()).max_by(|a, b| change[*a].abs().total_cmp(&change[*b].abs()));
    let decrease = state.cost - moved.cost;
    if decrease > state.settings.cost_tolerance * state.cost.abs() {
        state.small_iterations = 0;
    } else if !moved.is_cut && moved.foretold.is_none() {
        // a predicted decrease says more than a small decrease
        state.small_iterations += 1;
    }
    state.cost = moved.cost;
    state.position = moved.position;
    state.gradient = moved.gradient;
    state.evaluations += evaluations;
    let step = change.amax();
    record(state, step, farthest, moved.foretold);
    state.stop = finished(state);
    if state.stop.is_none() && !moved.is_cut && moved.foretold.is_none() && step <= state.settings.step_tolerance {
        state.stop = Some(Stop::Step);
    }
}

/// Stops the minimisation at the present state.
pub(super) fn stop(state: &mut OptimizerState, reason: Stop, evaluations: usize) {
    state.evaluations += evaluations;
    state.stop = Some(reason);
}

pub(super) fn stopped<E: Error + 'static>(source: E) -> OptimizeError<E> {
    OptimizeError::Stopped { source }
}

pub(super) fn difference(new: &[f64], old: &[f64]) -> DVector<f64> {
    DVector::from_iterator(new.len(), new.iter().zip(old).map(|(new, old)| new - old))
}

/// dp/dx of every variable.
pub(super) fn slopes(state: &OptimizerState, parameters: &[f64]) -> Vec<f64> {
    state.variables.iter().zip(parameters).map(|(variable, &p)| variable.slope(p)).collect()
}

pub(super) fn record(state: &mut OptimizerState, step: f64, farthest: Option<usize>, foretold: Option<f64>) {
    let iteration = Iteration {
        number: state.history.len(),
        cost: state.cost,
        gradient_norm: active_set::projected_norm(state),
        parameters: state.parameters(),
        step,
        farthest,
        foretold,
        evaluations: state.evaluations,
    };
    state.history.push(iteration);
}

/// Returns the rule of the settings that ends the minimisation, if one does; a trust region has a gradient rule
/// of its own.
pub(super) fn finished(state: &OptimizerState) -> Option<Stop> {
    let settings = &state.settings;
    let (first, last) = (state.history.first()?, state.history.last()?);
    if settings.cost_target.is_some_and(|target| state.cost <= target) {
        Some(Stop::CostTarget)
    } else if !matches!(state.curvature, Curvature::TrustRegion(_))
        && last.gradient_norm <= settings.gradient_tolerance * first.gradient_norm
    {
        Some(Stop::Gradient)
    } else if state.small_iterations >= settings.small_iterations {
        Some(Stop::CostDecrease)
    } else if state.iterations() >= settings.maximum_iterations {
        Some(Stop::MaximumIterations)
    } else {
        None
    }
}
