//! Levenberg-Marquardt in a trust region.
//!
//! The step d minimises |r + J d| over all d with |D d| <= radius that stay within the bounds. A second-order
//! correction uses the residuals at its end, and second derivatives learned from earlier steps are included where they
//! predict the cost better. The radius follows from how well the linear residuals predicted the cost. D follows from
//! the columns of J: its entries are their largest norms so far, so that neither units nor typical changes of the
//! variables matter. When: costs J = 1/2 r^T r, also where J does not have full rank: nothing moves along directions
//! that the residuals do not determine, unless that lowers the cost by more than noise does. Source: More, The
//! Levenberg-Marquardt algorithm: implementation and theory, Lecture Notes in Mathematics 630, 1978, as in MINPACK.
//! Settings: a step is accepted if it achieves the part `sufficient_decrease` of the predicted decrease;
//! `line_search_evaluations` limits the trials of an iteration; `largest_step` limits changes of logarithms, other
//! variables change by less than their size; the step size rule and `first_step` are not used.

mod flat_directions;
mod region;
mod secant;
mod second_order;
mod subproblem;

use super::super::active_set;
use super::super::curvature::Curvature;
use super::super::erased::{Outcome, Residuals};
use super::super::iteration::{Moved, accept, difference, linearize, stopped};
use super::super::objective::Failure;
use super::super::state::{OptimizerState, physical};
use super::super::stop::Stop;

pub(in super::super) use region::TrustRegion;
use region::{norm, sizes, sizes_without_flat};
use subproblem::Step;

/// The least and the largest factor of the radius after a poorly predicted step.
const SHORTER: (f64, f64) = (0.1, 0.5);

/// Performs one iteration: trials in shrinking regions until one lowers the cost; on an error the state is the
/// one before the iteration.
pub(in super::super) fn iterate(objective: &mut dyn Residuals, state: &mut OptimizerState) -> Outcome {
    match search(objective, state)? {
        Searched::Accepted => flat_directions::went_on(state),
        Searched::Nothing { evaluations, reason, flat } => {
            state.evaluations += evaluations;
            flat_directions::nothing_more(state, reason, flat);
        }
    }
    Ok(())
}

/// A step that lowers the cost.
struct Trial {
    cost: f64,
    position: Vec<f64>,
    /// The decrease of the cost that the linear residuals predicted.
    foretold: f64,
    is_cut: bool,
    /// The radius of the next iteration.
    next: f64,
}

/// Result of the trials of an iteration.
enum Searched {
    /// A step was accepted, and the state is at its end.
    Accepted,
    /// No step lowers the cost enough.
    Nothing { evaluations: usize, reason: Stop, flat: Vec<Vec<f64>> },
}

/// Tries steps along the directions that the residuals determine, or along all directions while a state is kept.
fn search(objective: &mut dyn Residuals, state: &mut OptimizerState) -> Outcome<Searched> {
    /// Ratio of actual to predicted decrease up to which the radius is reduced (More 1978).
    const POOR_RATIO: f64 = 0.25;
    /// Ratio of actual to predicted decrease from which on the radius grows (More 1978).
    const GOOD_RATIO: f64 = 0.75;
    /// Largest number of doublings of the radius.
    const MAX_DOUBLINGS: usize = 3;
    /// A step cut by the radius whose decrease differs from the predicted one by at most this part is first tried with
    /// twice the radius (Dennis, Schnabel, Numerical Methods for Unconstrained Optimization and Nonlinear Equations,
    /// 1983, algorithm A6.4.5): a trial costs less than the derivatives of the next iteration.
    const MAX_DECREASE_ERROR: f64 = 0.1;
    /// Part of the cost at the start, the square of the relative error of the residuals, below which a predicted
    /// decrease is rounding error if the step is short as well.
    const MAX_LOST_DECREASE: f64 = 1e-18;
    /// Length of such a short step, relative to the variables.
    const MAX_SHORT_STEP: f64 = 1e-7;
    /// Part of the cost tolerance at which a predicted decrease ends the minimisation: a prediction contains no
    /// rounding error of the cost.
    const FORETOLD_TOLERANCE: f64 = 1e-3;
    /// Slowest rate of linear convergence that is assumed.
    const MAX_RATE: f64 = 0.9;
    let nothing = |evaluations, reason, flat| Ok(Searched::Nothing { evaluations, reason, flat });
    let Curvature::TrustRegion(mut region) = state.curvature.clone() else {
        return nothing(0, Stop::NoDecrease, Vec::new());
    };
    let settings = state.settings.clone();
    let everywhere = region.saved.is_some() || !settings.leave_untold;
    let cost_tolerance = settings.cost_tolerance * state.cost.abs();
    let first_cost = state.history.first().map_or(0.0, |first| first.cost);
    let own_sizes = sizes_without_flat(state);
    let length = norm(&region.scales, &sizes(state, 0.0));
    let model = region.model();
    let (mut radius, mut evaluations, mut flat) = (region.radius, 0, Vec::new());
    let (mut held, doublings): (Option<Trial>, _) = (None, MAX_DOUBLINGS.min(settings.line_search_evaluations - 1));
    for trial in 0..settings.line_search_evaluations {
        let step = region.subproblem(&model, state, &own_sizes).step(radius, everywhere);
        let Some(step) = step else {
            return nothing(evaluations, if trial == 0 { Stop::Gradient } else { Stop::NoDecrease }, flat);
        };
        if trial == 0 {
            flat.clone_from(&step.flat);
            let cosine = region.residuals.cosine(state.cost, &active_set::free(state));
            if cosine <= settings.gradient_tolerance {
                return nothing(evaluations, Stop::Gradient, flat);
            }
            // with linear convergence the predicted decrease is the first term of a geometric series
            let rate = (step.full_decrease / region.full_decrease).sqrt().min(MAX_RATE);
            let series = step.full_decrease / (1.0 - rate).powi(2);
            if series <= FORETOLD_TOLERANCE * cost_tolerance {
                return nothing(evaluations, Stop::CostDecrease, flat);
            }
            region.full_decrease = step.full_decrease;
        }
        let position = moved(state, &step);
        let change: Vec<f64> = position.iter().zip(&state.position).map(|(new, old)| new - old).collect();
        let (foretold, own) = (model.decrease(&change), norm(&region.scales, &change));
        let is_rounding = step.full_decrease <= MAX_LOST_DECREASE * first_cost && own <= MAX_SHORT_STEP * length;
        let is_tiny = is_rounding && own <= MAX_SHORT_STEP * MAX_SHORT_STEP.sqrt() * length;
        if held.is_none() && (is_tiny || trial > 0 && (is_rounding || step.full_decrease <= cost_tolerance)) {
            return nothing(evaluations, Stop::CostDecrease, flat);
        }
        if own <= settings.step_tolerance * length {
            return nothing(evaluations, if trial == 0 { Stop::Step } else { Stop::NoDecrease }, flat);
        }
        evaluations += 1;
        let (mut cost, mut position) = (evaluate(objective, state, &position)?, position);
        if cost.is_finite()
            && let Some(corrected) = second_order::corrected(objective, state, &mut region, (&step, &change, foretold))?
        {
            evaluations += 1;
            let other = evaluate(objective, state, &corrected)?;
            if other < cost {
                (cost, position) = (other, corrected);
            }
        }
        let decrease = state.cost - cost;
        let ratio = decrease / foretold;
        let mut next = if state.iterations() == 0 && trial == 0 { radius.min(own) } else { radius };
        if ratio <= POOR_RATIO || ratio.is_nan() {
            let shorter = shorter(&region.residuals.gradient(), &change, -decrease);
            next = shorter * next.min(own / SHORTER.0);
        } else if ratio >= GOOD_RATIO && step.is_cut {
            next = 2.0 * own;
        }
        let new = Trial { cost, position, foretold, is_cut: step.is_cut, next };
        let is_worth = decrease > 0.0 && ratio >= settings.sufficient_decrease;
        let best = match held.take() {
            Some(shorter) if !is_worth || shorter.cost <= cost => Some(shorter),
            _ if is_worth && new.is_cut && (ratio - 1.0).abs() <= MAX_DECREASE_ERROR && trial < doublings => {
                (radius, held) = (2.0 * own, Some(new));
                continue;
            }
            _ => is_worth.then_some(new),
        };
        if let Some(Trial { cost, position, foretold, is_cut, next }) = best
            && let Some((residuals, linearized)) = linearize(objective, state, &position)?
        {
            let gradient = linearized.gradient();
            if gradient.iter().all(|g| g.is_finite()) {
                let (change, decrease) = (difference(&position, &state.position), state.cost - cost);
                let next = region.next((residuals, linearized), next, (change.as_slice(), decrease));
                state.curvature = Curvature::TrustRegion(next);
                let moved = Moved { cost, position, gradient, foretold: Some(foretold), is_cut };
                accept(state, moved, evaluations);
                return Ok(Searched::Accepted);
            }
        }
        radius = if next < radius { next } else { 0.5 * radius.min(own) };
    }
    nothing(evaluations, Stop::NoDecrease, flat)
}

/// Evaluates J at a position; infinite where it cannot be evaluated.
fn evaluate(objective: &mut dyn Residuals, state: &OptimizerState, position: &[f64]) -> Outcome<f64> {
    match objective.cost(&physical(&state.variables, position)) {
        Ok(cost) if cost.is_finite() => Ok(cost),
        Ok(_) | Err(Failure::Here(_)) => Ok(f64::INFINITY),
        Err(Failure::Stop(error)) => Err(stopped(error)),
    }
}

/// Returns the factor that shortens the radius after a step that raised the cost by `raised`, or lowered it by
/// less than predicted: the minimum of the parabola through the costs (More 1978, section 5).
fn shorter(gradient: &[f64], change: &[f64], raised: f64) -> f64 {
    let slope: f64 = gradient.iter().zip(change).map(|(g, d)| g * d).sum();
    let (least, most) = SHORTER;
    if !raised.is_finite() {
        return least;
    }
    if raised <= 0.0 {
        return most;
    }
    let factor = 0.5 * slope / (slope - raised);
    if factor.is_finite() { factor.clamp(least, most) } else { least }
}

/// Returns the end of a step, with the bounds held exactly.
fn moved(state: &OptimizerState, step: &Step) -> Vec<f64> {
    let bounds = state.variables.iter().map(|variable| variable.scaled_bounds());
    let entries = state.position.iter().zip(&step.vector).zip(bounds);
    entries
        .map(|((x, d), (lower, upper))| match d {
            d if *d == lower - x => lower,
            d if *d == upper - x => upper,
            d => (x + d).clamp(lower, upper),
        })
        .collect()
}
