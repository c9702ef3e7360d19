//! The iteration that all methods share.

use std::error::Error;

use super::active_set::{self, Direction};
use super::curvature::Curvature;
use super::erased::{AnyError, Erased, Observer, Outcome, Residuals, with_its_type};
use super::inertia::{OfBodies, bodies};
use super::iteration::{Moved, accept, difference, finished, linearize, record, residuals_at, slopes, stop, stopped};
use super::linearized::Linearized;
use super::method::levenberg_marquardt::{self, TrustRegion};
use super::method::{Method, steepest_descent};
use super::objective::{Failure, LeastSquaresObjective, LinearResiduals, MethodError, Objective, OptimizeError};
use super::ray::{Ray, Reached, scaled_gradient};
use super::split::Split;
use super::state::{OptimizerState, physical};
use super::step_size;
use super::stop::Stop;

/// Minimises the objective from `state`, which is a new or a stored one, by the [`Method`] of its settings, and calls
/// `observer` with the state after every iteration, the evaluation at the start included, and when it stops without
/// another iteration. The result is in `state`.
///
/// Works in scaled variables. Variables at a bound that the negative gradient points out of are held; steps end at
/// the next bound, so that no evaluation is outside. Where the method's direction leads to no lower cost, one step
/// along the negative gradient is tried before the minimisation ends.
///
/// # Errors
/// [`OptimizeError::Start`] if the objective cannot be evaluated at the start, [`OptimizeError::Method`] if the
/// method needs residuals or the state is damaged, [`OptimizeError::Stopped`] with the error of [`Failure::Stop`] or
/// of the observer. The state is then the one after the last complete iteration.
pub fn minimize<O: Objective>(
    objective: &mut O,
    state: &mut OptimizerState,
    mut observer: impl FnMut(&OptimizerState) -> Result<(), O::Error>,
) -> Result<Stop, OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let mut erased = Erased::<_, false>(objective);
    from_state(&mut erased, state, &mut |state| observer(state).map_err(AnyError::of)).map_err(with_its_type)
}

/// Minimises half the sum of squared residuals by any [`Method`]; otherwise as [`minimize`].
///
/// # Errors
/// As [`minimize`]; [`OptimizeError::Method`] also for residuals that are not those of the cost.
pub fn minimize_least_squares<O: LeastSquaresObjective>(
    objective: &mut O,
    state: &mut OptimizerState,
    mut observer: impl FnMut(&OptimizerState) -> Result<(), O::Error>,
) -> Result<Stop, OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let mut erased = Erased::<_, true>(objective);
    from_state(&mut erased, state, &mut |state| observer(state).map_err(AnyError::of)).map_err(with_its_type)
}

fn from_state(objective: &mut dyn Residuals, state: &mut OptimizerState, observer: &mut Observer<'_>) -> Outcome<Stop> {
    let bodies = bodies(&state.variables);
    if bodies.is_empty() {
        return iterated(objective, state, observer);
    }
    let mut of_bodies = OfBodies::new(objective, bodies, &state.variables);
    iterated(&mut of_bodies, state, observer)
}

fn iterated(objective: &mut dyn Residuals, state: &mut OptimizerState, observer: &mut Observer<'_>) -> Outcome<Stop> {
    let has_residuals = objective.are_there(state.settings.method);
    if state.history.is_empty() {
        state.settings.method = state.settings.method.resolved(has_residuals, state.variables.len());
    }
    let method = state.settings.method;
    if method.needs_residuals() && !has_residuals {
        return Err(MethodError::NoResiduals { method }.into());
    }
    if !state.is_consistent() {
        return Err(MethodError::Damaged.into());
    }
    if state.history.is_empty() {
        start(objective, state)?;
        observer(state).map_err(stopped)?;
    }
    loop {
        if let Some(stop) = state.stop {
            return Ok(stop);
        }
        match method {
            Method::LevenbergMarquardt => levenberg_marquardt::iterate(objective, state)?,
            _ => iterate(objective, state)?,
        }
        observer(state).map_err(stopped)?;
    }
}

/// Evaluates cost, gradient and, if the method needs them, residuals at the start.
fn start(objective: &mut dyn Residuals, state: &mut OptimizerState) -> Outcome {
    /// Largest relative difference of cost and residuals that rounding explains; a missing factor or weight makes a
    /// larger one.
    const MAX_ROUNDING: f64 = 1e-6;
    let failed = |failure| match failure {
        Failure::Here(source) => OptimizeError::Start { source },
        Failure::Stop(source) => OptimizeError::Stopped { source },
    };
    let parameters = physical(&state.variables, &state.position);
    let cost = objective.cost(&parameters).map_err(failed)?;
    if !cost.is_finite() {
        return Err(OptimizeError::StartNotFinite);
    }
    let residuals = match state.settings.method.needs_residuals() {
        true => objective.residuals(&parameters).map_err(failed)?,
        false => None,
    };
    let (gradient, curvature) = match residuals {
        None => (scaled_gradient(objective, state, &state.position).map_err(failed)?, Curvature::Unknown),
        Some(residuals) => {
            let squares = residuals.cost();
            if (cost - squares).abs() > MAX_ROUNDING * cost.abs().max(squares) {
                return Err(MethodError::NotLeastSquares { cost, squares }.into());
            }
            let linearized = residuals_at(&residuals, &slopes(state, &parameters), objective.are_counted())?;
            let linearized = linearized.ok_or(OptimizeError::StartNotFinite)?;
            (linearized.gradient(), known(state, residuals, linearized))
        }
    };
    if !gradient.iter().all(|g| g.is_finite()) {
        return Err(OptimizeError::StartNotFinite);
    }
    state.evaluations = 1;
    state.cost = cost;
    state.gradient = gradient;
    state.curvature = curvature;
    record(state, 0.0, None, None);
    state.stop = finished(state);
    Ok(())
}

fn known(state: &OptimizerState, residuals: LinearResiduals, linearized: Linearized) -> Curvature {
    match state.settings.method {
        Method::LevenbergMarquardt => Curvature::TrustRegion(TrustRegion::begin(residuals, linearized, state)),
        _ => Curvature::Linearized(linearized),
    }
}

/// Performs one iteration of a method with a line search; on an error the state is the one before the iteration.
fn iterate(objective: &mut dyn Residuals, state: &mut OptimizerState) -> Outcome {
    let mut evaluations = 0;
    let largest = state.settings.largest_step;
    let newton = |split: &Split| state.curvature.newton_step(&state.gradient, split, largest);
    if let Some(direction) = active_set::newton(state, largest, newton) {
        let (reached, used) = advance(objective, state, &direction, 1.0)?;
        evaluations = used;
        if let Some(reached) = reached {
            learn(objective, state, &reached)?;
            accept(state, arrived(reached, &direction), evaluations);
            return Ok(());
        }
        // The quadratic model expects a decrease of half of this.
        let expected = -direction.slope * direction.limit.min(1.0);
        if expected <= state.settings.cost_tolerance * state.cost.abs() {
            stop(state, Stop::CostDecrease, evaluations);
            return Ok(());
        }
    }
    // Descends along the negative gradient as if no curvature had been learned, but keeps the learned one until
    // that has succeeded.
    let learned = std::mem::replace(&mut state.curvature, Curvature::Unknown);
    let done = state.iterations();
    let result = descend(objective, state, evaluations);
    if state.iterations() == done {
        state.curvature = learned;
    }
    result
}

/// Steps along the negative gradient, after `evaluations` of a search without success.
fn descend(objective: &mut dyn Residuals, state: &mut OptimizerState, evaluations: usize) -> Outcome {
    let Some((direction, first)) = steepest_descent::direction(state) else {
        stop(state, Stop::Gradient, evaluations);
        return Ok(());
    };
    let (reached, used) = advance(objective, state, &direction, first)?;
    match reached {
        Some(reached) => {
            learn(objective, state, &reached)?;
            accept(state, arrived(reached, &direction), evaluations + used);
        }
        None if steepest_descent::expects_little(state, &direction, first) => {
            stop(state, Stop::CostDecrease, evaluations + used);
        }
        None => stop(state, Stop::NoDecrease, evaluations + used),
    }
    Ok(())
}

/// Converts the end of a line search, which a bound at the limit of the direction may have cut.
fn arrived(reached: Reached, direction: &Direction) -> Moved {
    let Reached { step, cost, position, gradient } = reached;
    let is_cut = step >= direction.limit && !direction.reaching.is_empty();
    Moved { cost, position, gradient, foretold: None, is_cut }
}

/// Runs the line search; returns its end and the number of evaluations.
fn advance(
    objective: &mut dyn Residuals,
    state: &OptimizerState,
    direction: &Direction,
    first: f64,
) -> Outcome<(Option<Reached>, usize)> {
    let mut ray = Ray::new(objective, state, direction);
    let at_zero = (state.cost, direction.slope);
    step_size::search(&mut ray, at_zero, (first, direction.limit), &state.settings).map_err(stopped)?;
    Ok((ray.reached, ray.evaluations))
}

/// Learns the curvature from the step to the point that the line search found.
fn learn(objective: &mut dyn Residuals, state: &mut OptimizerState, reached: &Reached) -> Outcome {
    let method = state.settings.method;
    if method.needs_residuals() {
        // Without residuals the next step is along the negative gradient.
        let linearized = linearize(objective, state, &reached.position)?;
        state.curvature = linearized.map_or(Curvature::Unknown, |(_, linearized)| Curvature::Linearized(linearized));
        return Ok(());
    }
    let s = difference(&reached.position, &state.position);
    let y = difference(&reached.gradient, &state.gradient);
    state.curvature.learn(method, &s, &y);
    Ok(())
}
