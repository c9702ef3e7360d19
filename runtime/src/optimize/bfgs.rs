//! The BFGS method with bounds.

use std::error::Error;

use nalgebra::{DMatrix, DVector};

use super::active_set::{self, Direction};
use super::line_search;
use super::objective::{Failure, Objective, OptimizeError};
use super::ray::{Ray, Reached, scaled_gradient};
use super::settings::Stop;
use super::state::{Iteration, OptimizerState, physical};

/// Relative to |s| |y|: below it, y^T s is too small to tell a curvature.
const LEAST_CURVATURE: f64 = 1e-10;

/// Minimises the objective from `state`, which is a new or a stored one, and calls `observe` with the state after
/// every iteration, the evaluation at the start included, and when it stops without another iteration. The result is in `state`.
///
/// BFGS with the update of the inverse Hessian (Nocedal, Wright, Numerical Optimization, 2nd ed., (6.17) and
/// (6.20); the form of OB 4.3 is the same) in scaled variables. Variables at a bound that the
/// negative gradient points out of are held; steps end at the next bound, so that no evaluation is outside.
///
/// # Errors
/// [`OptimizeError::Start`] if the objective cannot be evaluated at the start,
/// [`OptimizeError::Stopped`] with the error of [`Failure::Stop`] or of the observer. The state is then the one
/// after the last complete iteration.
pub fn minimize<O: Objective>(
    objective: &mut O,
    state: &mut OptimizerState,
    mut observe: impl FnMut(&OptimizerState) -> Result<(), O::Error>,
) -> Result<Stop, OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let stopped = |source| OptimizeError::Stopped { source };
    if state.history.is_empty() {
        start(objective, state)?;
        observe(state).map_err(stopped)?;
    }
    loop {
        if let Some(stop) = state.stop {
            return Ok(stop);
        }
        iterate(objective, state).map_err(stopped)?;
        observe(state).map_err(stopped)?;
    }
}

/// Evaluates cost and gradient at the start.
fn start<O: Objective>(objective: &mut O, state: &mut OptimizerState) -> Result<(), OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let failed = |failure| match failure {
        Failure::Here(source) => OptimizeError::Start { source },
        Failure::Stop(source) => OptimizeError::Stopped { source },
    };
    let cost = objective.cost(&physical(&state.variables, &state.position)).map_err(failed)?;
    if !cost.is_finite() {
        return Err(OptimizeError::StartNotFinite);
    }
    let gradient = scaled_gradient(objective, state, &state.position).map_err(failed)?;
    if !gradient.iter().all(|g| g.is_finite()) {
        return Err(OptimizeError::StartNotFinite);
    }
    state.evaluations = 1;
    state.cost = cost;
    state.gradient = gradient;
    record(state, 0.0);
    state.stop = finished(state);
    Ok(())
}

/// One iteration; on an error the state is the one before it.
fn iterate<O: Objective>(objective: &mut O, state: &mut OptimizerState) -> Result<(), O::Error> {
    let mut evaluations = 0;
    if state.curvature_known
        && let Some(direction) = active_set::quasi_newton(state)
    {
        let (reached, used) = advance(objective, state, &direction)?;
        evaluations = used;
        if let Some(reached) = reached {
            accept(state, reached, &direction, evaluations);
            return Ok(());
        }
        // The quadratic model expects a decrease of half of this.
        let expected = -direction.slope * direction.limit.min(1.0);
        if expected <= state.settings.cost_tolerance * state.cost.abs() {
            state.evaluations += evaluations;
            state.stop = Some(Stop::CostDecrease);
            return Ok(());
        }
    }
    // Along the negative gradient, as if no curvature had been seen; the old state stays until this is done.
    let mut fresh = state.clone();
    fresh.forget_curvature();
    let Some(direction) = active_set::steepest_descent(&fresh) else {
        state.evaluations += evaluations;
        state.stop = Some(Stop::Gradient);
        return Ok(());
    };
    let (reached, used) = advance(objective, &fresh, &direction)?;
    evaluations += used;
    match reached {
        Some(reached) => {
            *state = fresh;
            accept(state, reached, &direction, evaluations);
        }
        None => {
            state.evaluations += evaluations;
            state.stop = Some(Stop::NoDecrease);
        }
    }
    Ok(())
}

/// The line search; also the number of evaluations it took.
fn advance<O: Objective>(
    objective: &mut O,
    state: &OptimizerState,
    direction: &Direction,
) -> Result<(Option<Reached>, usize), O::Error> {
    let mut ray = Ray::new(objective, state, direction);
    // Before the curvature is known the length of the gradient says nothing: begin at the limit.
    let first = if state.curvature_known { 1.0 } else { direction.limit };
    let at_zero = (state.cost, direction.slope);
    line_search::search(&mut ray, at_zero, (first, direction.limit), &state.settings)?;
    Ok((ray.reached, ray.evaluations))
}

/// Moves to the point that the line search found.
fn accept(state: &mut OptimizerState, reached: Reached, direction: &Direction, evaluations: usize) {
    let difference = |new: &[f64], old: &[f64]| {
        DVector::from_iterator(new.len(), new.iter().zip(old).map(|(new, old)| new - old))
    };
    let s = difference(&reached.position, &state.position);
    let y = difference(&reached.gradient, &state.gradient);
    update(state, &s, &y);
    let decrease = state.cost - reached.cost;
    // A step that a bound cut short says nothing about convergence.
    let cut = reached.step >= direction.limit && !direction.reaching.is_empty();
    if decrease > state.settings.cost_tolerance * state.cost.abs() {
        state.small_iterations = 0;
    } else if !cut {
        state.small_iterations += 1;
    }
    state.cost = reached.cost;
    state.position = reached.position;
    state.gradient = reached.gradient;
    state.evaluations += evaluations;
    let step = s.amax();
    record(state, step);
    state.stop = finished(state);
    if state.stop.is_none() && !cut && step <= state.settings.step_tolerance {
        state.stop = Some(Stop::Step);
    }
}

/// H := (I - rho s y^T) H (I - rho y s^T) + rho s s^T with rho = 1/(y^T s); before the first update H is set to
/// (y^T s)/(y^T y) I. Left alone where y^T s does not show a positive curvature.
fn update(state: &mut OptimizerState, s: &DVector<f64>, y: &DVector<f64>) {
    let n = s.len();
    let curvature = y.dot(s);
    if curvature.is_nan() || curvature <= LEAST_CURVATURE * s.norm() * y.norm() {
        return;
    }
    let mut h = DMatrix::from_row_slice(n, n, &state.inverse_hessian);
    if !state.curvature_known {
        h *= curvature / y.norm_squared();
    }
    let hy = &h * y;
    let factor = (1.0 + y.dot(&hy) / curvature) / curvature;
    for row in 0..n {
        for column in 0..n {
            h[(row, column)] +=
                factor * s[row] * s[column] - (hy[row] * s[column] + s[row] * hy[column]) / curvature;
        }
    }
    if h.iter().all(|entry| entry.is_finite()) {
        state.inverse_hessian = h.transpose().as_slice().to_vec();
        state.curvature_known = true;
    }
}

fn record(state: &mut OptimizerState, step: f64) {
    let iteration = Iteration {
        number: state.history.len(),
        cost: state.cost,
        gradient_norm: active_set::projected_norm(state),
        parameters: state.parameters(),
        step,
        evaluations: state.evaluations,
    };
    state.history.push(iteration);
}

fn finished(state: &OptimizerState) -> Option<Stop> {
    let settings = &state.settings;
    let (first, last) = (state.history.first()?, state.history.last()?);
    if settings.cost_target.is_some_and(|target| state.cost <= target) {
        Some(Stop::CostTarget)
    } else if last.gradient_norm <= settings.gradient_tolerance * first.gradient_norm {
        Some(Stop::Gradient)
    } else if state.small_iterations >= settings.small_iterations {
        Some(Stop::CostDecrease)
    } else if state.iterations() >= settings.maximum_iterations {
        Some(Stop::MaximumIterations)
    } else {
        None
    }
}
