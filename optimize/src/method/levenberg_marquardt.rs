//! Levenberg-Marquardt.
//!
//! What: the step that makes |r + J d|^2 + mu |d|^2 least; mu follows from how well the linear residuals foretold
//! the cost. Large mu shorten the step and turn it to the negative gradient.
//! When: costs J = 1/2 r^T r, also where J has not full rank: what the residuals do not determine hardly moves.
//! Source: Nocedal, Wright, Numerical Optimization, 2nd ed., section 10.3; mu as by Nielsen, Damping parameter in
//! Marquardt's method, 1999. The damping is of the scaled variables themselves, which all count alike.
//! Settings: the damping at the start. A step counts if it yields `sufficient_decrease` of what was foretold;
//! `line_search_evaluations` limits the attempts; the step size rule is not used.

use std::error::Error;

use super::super::active_set::{self, Direction};
use super::super::curvature::Curvature;
use super::super::iteration::{Source, accept, linearize, stop, stopped};
use super::super::linearized::Linearized;
use super::super::objective::{Objective, OptimizeError};
use super::super::ray::{Ray, Reached};
use super::super::split::Split;
use super::super::state::OptimizerState;
use super::super::stop::Stop;

/// What remains of mu after a step that was foretold well; Nielsen has 1/3, Marquardt a tenth.
const LEAST_FACTOR: f64 = 0.1;

/// The curvature before the first step.
pub(in super::super) fn begin(residuals: Linearized, damping: f64) -> Curvature {
    let damping = limited(damping * residuals.largest_diagonal(), &residuals);
    Curvature::Damped { residuals, damping }
}

/// Less damping than rounding shows is none, and would stay none.
fn limited(damping: f64, residuals: &Linearized) -> f64 {
    damping.max(f64::EPSILON * residuals.largest_diagonal()).max(f64::MIN_POSITIVE)
}

/// One iteration: attempts with more and more damping until one lowers the cost; on an error the state is the one
/// before it.
pub(in super::super) fn iterate<O: Objective>(
    objective: &mut O,
    source: Source<O>,
    state: &mut OptimizerState,
) -> Result<(), OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let Curvature::Damped { residuals, mut damping } = state.curvature.clone() else {
        stop(state, Stop::NoDecrease, 0);
        return Ok(());
    };
    let (mut growth, mut evaluations, mut expected) = (2.0, 0, None);
    for _ in 0..state.settings.line_search_evaluations {
        if let Some((direction, foretold)) = attempt(state, &residuals, damping) {
            expected.get_or_insert(foretold);
            // A decrease that the rounding of the cost hides.
            if foretold <= f64::EPSILON * state.cost.abs() {
                break;
            }
            evaluations += 1;
            if let Some((reached, new)) = evaluate(objective, source, state, &direction, foretold)? {
                let ratio = (state.cost - reached.cost) / foretold;
                damping *= (1.0 - (2.0 * ratio - 1.0).powi(3)).max(LEAST_FACTOR);
                state.curvature = Curvature::Damped { damping: limited(damping, &new), residuals: new };
                accept(state, reached, &direction, evaluations);
                return Ok(());
            }
        }
        damping *= growth;
        growth *= 2.0;
    }
    let small = expected.is_some_and(|most| most <= state.settings.cost_tolerance * state.cost.abs());
    stop(state, if small { Stop::CostDecrease } else { Stop::NoDecrease }, evaluations);
    Ok(())
}

/// The damped step, its limit, and the decrease that the linear residuals foretell up to there.
fn attempt(state: &OptimizerState, residuals: &Linearized, damping: f64) -> Option<(Direction, f64)> {
    let still = vec![0.0; residuals.variables()];
    let damped =
        |split: &Split| residuals.solve(&split.moving, &still, |value, _| value / (value * value + damping));
    let direction = active_set::newton(state, state.settings.largest_step, damped)?;
    let step = direction.limit.min(1.0);
    let foretold = residuals.decrease(&direction.vector.iter().map(|d| step * d).collect::<Vec<_>>());
    foretold.is_finite().then_some((direction, foretold))
}

/// The point at the end of the step with the residuals there, if the cost is low enough.
fn evaluate<O: Objective>(
    objective: &mut O,
    source: Source<O>,
    state: &OptimizerState,
    direction: &Direction,
    foretold: f64,
) -> Result<Option<(Reached, Linearized)>, OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let step = direction.limit.min(1.0);
    let mut ray = Ray::new(objective, state, direction);
    let cost = ray.cost(step).map_err(stopped)?;
    if cost >= state.cost || state.cost - cost < state.settings.sufficient_decrease * foretold {
        return Ok(None);
    }
    let position = ray.position(step);
    let Some(residuals) = linearize(objective, source, state, &position)? else { return Ok(None) };
    let gradient = residuals.gradient();
    if !gradient.iter().all(|g| g.is_finite()) {
        return Ok(None);
    }
    Ok(Some((Reached { step, cost, position, gradient }, residuals)))
}
