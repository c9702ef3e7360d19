//! Levenberg-Marquardt in a trust region.
//!
//! What: the step that makes |r + J d| least among those with |D d| <= radius and within the bounds. The radius follows from how well
//! the linear residuals foretold the cost, D from the columns of J: its entries are their largest norms so far, so that neither
//! units nor typical changes of the variables matter.
//! When: costs J = 1/2 r^T r, also where J has not full rank: nothing moves along directions that the residuals do not tell, unless
//! that lowers the cost by more than noise does.
//! Source: More, The Levenberg-Marquardt algorithm: implementation and theory, Lecture Notes in Mathematics 630, 1978, as in MINPACK.
//! Settings: a step counts if it yields `sufficient_decrease` of what was foretold; `line_search_evaluations` limits the trials of an
//! iteration; `largest_step` limits changes of logarithms; the step size rule and `first_step` are not used.

mod subproblem;

use std::error::Error;

use serde::{Deserialize, Serialize};

use super::super::curvature::Curvature;
use super::super::iteration::{Moved, Source, accept, linearize, stop, stopped};
use super::super::linearized::Linearized;
use super::super::objective::{Failure, Objective, OptimizeError};
use super::super::state::{OptimizerState, physical};
use super::super::stop::Stop;
use super::super::variables::{Scaling, Variable};

use subproblem::{Step, Subproblem};

/// The radius at the start, in lengths of the start values (1 and 100 are More's bounds of what serves).
const FIRST_RADIUS: f64 = 1.0;
fn first_radius() -> f64 { std::env::var("FR").ok().and_then(|s| s.parse().ok()).unwrap_or(FIRST_RADIUS) }

/// Ratios of found and foretold decreases below and above which the radius changes (More 1978).
const POOR: f64 = 0.25;
const GOOD: f64 = 0.75;

/// The least and the largest factor of a radius after a step that was foretold poorly.
const SHORTER: (f64, f64) = (0.1, 0.5);

/// Residuals this much below those of the start are their rounding: the squares of it.
const ROUNDING: f64 = 1e-24;

/// Iterations along directions that are not told, before these are left.
const PROBES: usize = 5;

/// A direction that is not told is gone along where that lowers the cost by more than this many times the variance of the noise:
/// half the square of three standard deviations.
const SIGNIFICANT: f64 = 4.5;

/// What the method knows between two iterations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct TrustRegion {
    residuals: Linearized,
    /// The diagonal of D.
    scales: Vec<f64>,
    radius: f64,
}

impl TrustRegion {
    /// Before the first step.
    pub fn begin(residuals: Linearized, state: &OptimizerState, position: &[f64]) -> Self {
        let norms = residuals.norms();
        // a variable without influence here counts as others do
        let largest = norms.iter().fold(0.0_f64, |most, norm| most.max(*norm));
        let other = if largest > 0.0 { largest } else { 1.0 };
        let scales: Vec<f64> = norms.iter().map(|norm| if *norm > 0.0 { *norm } else { other }).collect();
        let sizes = sizes(state, position, 1.0);
        let length = norm(&scales, &sizes);
        let radius = first_radius() * if length > 0.0 { length } else { 1.0 };
        Self { residuals, scales, radius }
    }

    /// See [`Linearized::cosine`].
    pub fn cosine(&self, cost: f64, is_free: &[bool]) -> f64 {
        self.residuals.cosine(cost, is_free)
    }

    /// Whether this belongs to n variables.
    pub fn fits(&self, n: usize) -> bool {
        self.residuals.fits(n) && self.scales.len() == n && self.radius > 0.0
    }

    /// Behind a step, with the residuals there.
    fn next(&self, residuals: Linearized, radius: f64) -> Self {
        let scales = self.scales.iter().zip(residuals.norms()).map(|(scale, norm)| scale.max(norm)).collect();
        Self { residuals, scales, radius }
    }
}

/// |D x|.
fn norm(scales: &[f64], x: &[f64]) -> f64 {
    scales.iter().zip(x).map(|(scale, x)| (scale * x).powi(2)).sum::<f64>().sqrt()
}

/// The change of every scaled variable that is as large as its parameter; `unknown` for a parameter of 0.
fn sizes(state: &OptimizerState, position: &[f64], unknown: f64) -> Vec<f64> {
    let parameters = physical(&state.variables, position);
    let size = |(variable, p): (&Variable, f64)| match variable.scaling() {
        Scaling::Logarithmic => 1.0,
        Scaling::Linear { typical } => {
            let size = p.abs().max(variable.start().abs()) / typical;
            if size > 0.0 { size } else { unknown }
        }
    };
    state.variables.iter().zip(parameters).map(size).collect()
}

/// One iteration: trials within a smaller and smaller region until one lowers the cost; on an error the state is the one before it.
pub(in super::super) fn iterate<O: Objective>(
    objective: &mut O,
    source: Source<O>,
    state: &mut OptimizerState,
) -> Result<(), OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let Searched::Nothing { evaluations, reason, untold } = search(objective, source, state, false)? else {
        return Ok(());
    };
    if !untold.is_empty() && probe(objective, source, state, untold.len())? {
        return Ok(());
    }
    let is_flat = reason.converged() && !untold.is_empty();
    state.untold = untold;
    stop(state, if is_flat { Stop::Flat } else { reason }, evaluations);
    Ok(())
}

/// Some iterations in all directions, which are taken if they lower the cost by more than noise does: then so many directions are told
/// after all.
fn probe<O: Objective>(
    objective: &mut O,
    source: Source<O>,
    state: &mut OptimizerState,
    directions: usize,
) -> Result<bool, OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let Curvature::TrustRegion(region) = &state.curvature else { return Ok(false) };
    let worth = SIGNIFICANT * directions as f64 * region.residuals.variance(state.cost);
    let mut probing = state.clone();
    for _ in 0..PROBES {
        let searched = search(objective, source, &mut probing, true)?;
        if state.cost - probing.cost > worth {
            *state = probing;
            return Ok(true);
        }
        if matches!(searched, Searched::Nothing { .. }) || probing.stop.is_some() {
            break;
        }
    }
    state.evaluations = probing.evaluations;
    Ok(false)
}

/// What trials have led to.
enum Searched {
    /// The state is a new one.
    Accepted,
    /// No step is worth it.
    Nothing { evaluations: usize, reason: Stop, untold: Vec<Vec<f64>> },
}

/// Trials along the directions that the residuals tell, or `everywhere`.
fn search<O: Objective>(
    objective: &mut O,
    source: Source<O>,
    state: &mut OptimizerState,
    everywhere: bool,
) -> Result<Searched, OptimizeError<O::Error>>
where
    O::Error: Error + 'static,
{
    let nothing = |evaluations, reason, untold| Ok(Searched::Nothing { evaluations, reason, untold });
    let Curvature::TrustRegion(region) = state.curvature.clone() else {
        return nothing(0, Stop::NoDecrease, Vec::new());
    };
    let TrustRegion { residuals, scales, radius } = &region;
    let settings = state.settings.clone();
    let tolerance = settings.cost_tolerance * state.cost.abs();
    let floor = ROUNDING * state.history.first().map_or(0.0, |first| first.cost);
    let own_sizes = sizes(state, &state.position, f64::INFINITY);
    let subproblem = Subproblem {
        residuals,
        scales,
        sizes: &own_sizes,
        box_: changes(state),
        deviation: residuals.variance(state.cost).sqrt(),
    };
    let length = norm(scales, &sizes(state, &state.position, 0.0));
    let (mut radius, mut evaluations, mut untold) = (*radius, 0, Vec::new());
    let is_first = state.iterations() == 0;
    for trial in 0..settings.line_search_evaluations {
        let Some(step) = subproblem.step(radius, everywhere) else { break };
        if trial == 0 {
            untold = step.untold.clone();
        }
        let position = moved(state, &step);
        let change: Vec<f64> = position.iter().zip(&state.position).map(|(new, old)| new - old).collect();
        let (foretold, own) = (residuals.decrease(&change), norm(scales, &change));
        if step.full_decrease <= tolerance.max(floor) {
            return nothing(evaluations, Stop::CostDecrease, untold);
        }
        if own <= settings.step_tolerance * length {
            return nothing(evaluations, if trial == 0 { Stop::Step } else { Stop::NoDecrease }, untold);
        }
        evaluations += 1;
        let cost = match objective.cost(&physical(&state.variables, &position)) {
            Ok(cost) if cost.is_finite() => cost,
            Ok(_) | Err(Failure::Here(_)) => f64::INFINITY,
            Err(Failure::Stop(error)) => return Err(stopped(error)),
        };
        let decrease = state.cost - cost;
        let ratio = decrease / foretold;
        let mut next = if is_first && trial == 0 { radius.min(own) } else { radius };
        if ratio <= POOR || ratio.is_nan() {
            next = shorter(&residuals.gradient(), &change, cost - state.cost) * next.min(own / SHORTER.0);
        } else if ratio >= GOOD || !step.is_cut {
            next = 2.0 * own;
        }
        if decrease > 0.0
            && ratio >= settings.sufficient_decrease
            && let Some(residuals) = linearize(objective, source, state, &position)?
        {
            let gradient = residuals.gradient();
            if gradient.iter().all(|g| g.is_finite()) {
                state.curvature = Curvature::TrustRegion(region.next(residuals, next));
                let moved = Moved { cost, position, gradient, foretold: Some(foretold), is_cut: step.is_cut };
                accept(state, moved, evaluations);
                return Ok(Searched::Accepted);
            }
        }
        radius = if next < radius { next } else { 0.5 * radius.min(own) };
    }
    nothing(evaluations, Stop::NoDecrease, untold)
}

/// What remains of a radius after a step that raised the cost by so much, or lowered it by less than foretold: to the least of the
/// parabola through the costs (More 1978, section 5).
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

/// The least and the largest change of every variable.
fn changes(state: &OptimizerState) -> (Vec<f64>, Vec<f64>) {
    let largest = state.settings.largest_step;
    let range = |(variable, x): (&Variable, &f64)| {
        let (lower, upper) = variable.scaled_bounds();
        match variable.scaling() {
            Scaling::Logarithmic => ((lower - x).max(-largest), (upper - x).min(largest)),
            Scaling::Linear { .. } => (lower - x, upper - x),
        }
    };
    state.variables.iter().zip(&state.position).map(range).unzip()
}

/// Where a step leads, the bounds held exactly.
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
