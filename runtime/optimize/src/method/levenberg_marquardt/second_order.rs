//! Second-order correction of a trial step.
//!
//! A trial d leaves r(x + d) - r - J d, which is half the second derivative of the residuals along d plus terms of
//! higher order. The damped equations of d with this right-hand side give a correction of d, at the cost of one more
//! evaluation and no derivative. Source: Transtrum, Sethna, Improvements to the Levenberg-Marquardt algorithm for
//! nonlinear least-squares minimization, arXiv:1201.5885, 2012, whose geodesic acceleration takes a difference of
//! residuals close to x instead.

use std::sync::Arc;

use super::super::super::erased::{Outcome, Residuals};
use super::super::super::iteration::{slopes, stopped};
use super::super::super::objective::{Failure, LinearResiduals};
use super::super::super::state::{OptimizerState, physical};
use super::region::{TrustRegion, changes, norm};
use super::subproblem::Step;

/// The residuals at the position of a state; `None` in a state that was stored. States are equal with and without them.
#[derive(Debug, Clone, Default)]
pub(super) struct Tangent(Option<Arc<LinearResiduals>>);

impl PartialEq for Tangent {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Tangent {
    pub fn of(residuals: LinearResiduals) -> Self {
        Self(Some(Arc::new(residuals)))
    }
}

/// Returns the end of the step with the correction that the residuals at its end give; `None` where it is not
/// worth an evaluation.
pub(super) fn corrected(
    objective: &mut dyn Residuals,
    state: &OptimizerState,
    region: &mut TrustRegion,
    (step, change, foretold): (&Step, &[f64], f64),
) -> Outcome<Option<Vec<f64>>> {
    /// The longest correction relative to the step: longer ones are outside the range of the series (Transtrum,
    /// Sethna).
    const MAX_LENGTH: f64 = 0.75;
    /// Least gain of a correction that justifies an evaluation, as a part of the predicted decrease of the step.
    const MIN_GAIN: f64 = 0.05;
    let position: Vec<f64> = state.position.iter().zip(change).map(|(x, d)| x + d).collect();
    let values = match objective.residual_values(&physical(&state.variables, &position)) {
        Ok(Some(values)) => values,
        Ok(None) | Err(Failure::Here(_)) => return Ok(None),
        Err(Failure::Stop(error)) => return Err(stopped(error)),
    };
    let parameters = state.parameters();
    if region.tangent.0.is_none() {
        // a stored state has no tangent
        match objective.residuals(&parameters) {
            Ok(Some(residuals)) => region.tangent = Tangent::of(residuals),
            Ok(None) | Err(Failure::Here(_)) => return Ok(None),
            Err(Failure::Stop(error)) => return Err(stopped(error)),
        }
    }
    let Some(tangent) = &region.tangent.0 else { return Ok(None) };
    let slopes = slopes(state, &parameters);
    let mut curved: Vec<f64> = values.iter().zip(&tangent.values).map(|(new, old)| new - old).collect();
    for ((column, slope), d) in tangent.derivatives.iter().zip(&slopes).zip(change) {
        curved.iter_mut().zip(column).for_each(|(r, entry)| *r -= entry * slope * d);
    }
    let product = |with: &[f64]| -> Vec<f64> {
        let columns = tangent.derivatives.iter().zip(&slopes);
        columns.map(|(column, slope)| slope * column.iter().zip(with).map(|(a, b)| a * b).sum::<f64>()).collect()
    };
    let correction = step.correction(&product(&curved), &region.scales);
    let length = norm(&region.scales, &correction);
    if length.is_nan() || length > MAX_LENGTH * norm(&region.scales, change) {
        return Ok(None);
    }
    let (lower, upper) = changes(state);
    let total: Vec<f64> = (0..change.len()).map(|k| (change[k] + correction[k]).clamp(lower[k], upper[k])).collect();
    let along: Vec<f64> = total.iter().zip(change).map(|(new, old)| new - old).collect();
    // the decrease of 1/2 |r(x + d) + J c|^2
    let slope: f64 = product(&values).iter().zip(&along).map(|(g, c)| g * c).sum();
    let gain = -slope - 0.5 * region.residuals.square(&along);
    if gain.is_nan() || gain <= MIN_GAIN * foretold {
        return Ok(None);
    }
    Ok(Some(state.position.iter().zip(&total).map(|(x, d)| x + d).collect()))
}
