//! The effort and the result of minimising a reference problem.

use std::time::Instant;

use costate_optimize::{OptimizerSettings, OptimizerState};
use serde::Serialize;

use crate::problems::deviations::standard_deviations;
use crate::problems::mgh::MghProblem;
use crate::problems::nist::NistProblem;
use crate::problems::residuals::Residuals;
use crate::problems::run::{run, worst_relative_error};

/// The effort of a minimisation.
#[derive(Debug, Clone, Serialize)]
pub struct Effort {
    /// Iterations.
    pub iterations: usize,
    /// Evaluations of the cost.
    pub evaluations: usize,
    /// The reason for the stop or the failure.
    pub stop: String,
    /// Wall time.
    pub seconds: f64,
}

/// A problem of NIST from one of its starts. Numbers that are not finite mark a failure.
#[derive(Debug, Clone, Serialize)]
pub struct NistRow {
    /// Name of the problem.
    pub problem: String,
    /// Number of the start, 1 or 2.
    pub start: usize,
    /// Effort of the minimisation.
    #[serde(flatten)]
    pub effort: Effort,
    /// The largest error of a parameter relative to the certified one.
    pub worst_relative_error: f64,
    /// The largest error of a standard deviation relative to the certified one.
    pub worst_deviation_error: f64,
    /// The sum of squares relative to the certified one.
    pub cost_ratio: f64,
}

/// A problem of More, Garbow and Hillstrom from a multiple of its start.
#[derive(Debug, Clone, Serialize)]
pub struct MghRow {
    /// Name of the problem.
    pub problem: String,
    /// Factor of the standard start.
    pub start: f64,
    /// Effort of the minimisation.
    #[serde(flatten)]
    pub effort: Effort,
    /// The sum of squares.
    pub sum_of_squares: f64,
    /// The known minimum that is closest to the sum of squares.
    pub minimum: f64,
    /// The sum of squares relative to `minimum`; `None` if that minimum is 0.
    pub cost_ratio: Option<f64>,
    /// Kind of minimum that the sum of squares agrees with.
    pub reached: Reached,
}

/// Kind of minimum that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reached {
    /// The least known minimum.
    Global,
    /// Another known minimum.
    Local,
    /// No known minimum.
    None,
}

/// Largest relative distance of a sum of squares from a minimum it agrees with: the known minima have six digits.
const SAME: f64 = 1e-5;

/// Largest sum of squares that counts as 0.
const ZERO: f64 = 1e-12;

/// Minimises the residuals; returns no state if that fails.
fn minimized(residuals: &Residuals, start: &[f64], settings: &OptimizerSettings) -> (Effort, Option<OptimizerState>) {
    let begin = Instant::now();
    let result = run(residuals, start, settings.clone());
    let seconds = begin.elapsed().as_secs_f64();
    match result {
        Ok(state) => {
            let stop = serde_json::to_value(state.stop()).ok();
            let stop = stop.as_ref().and_then(|stop| stop.as_str()).unwrap_or("none").to_owned();
            let (iterations, evaluations) = (state.iterations(), state.evaluations());
            (Effort { iterations, evaluations, stop, seconds }, Some(state))
        }
        Err(error) => {
            let stop = format!("failed: {error:#}");
            (Effort { iterations: 0, evaluations: 0, stop, seconds }, None)
        }
    }
}

/// Measures a problem of NIST from both starts.
pub fn nist(problem: &NistProblem, settings: &OptimizerSettings) -> Vec<NistRow> {
    let row = |(k, start): (usize, &Vec<f64>)| {
        let (effort, state) = minimized(&problem.residuals, start, settings);
        let parameters = state.map(|state| state.parameters()).unwrap_or_default();
        let errors = (parameters.len() == start.len()).then(|| {
            let linear = problem.residuals.linear(&parameters);
            let deviations = standard_deviations(&linear)
                .map_or(f64::INFINITY, |found| worst_relative_error(&found, &problem.deviations));
            let ratio = 2.0 * linear.cost() / problem.sum_of_squares;
            (worst_relative_error(&parameters, &problem.parameters), deviations, ratio)
        });
        let (worst_relative_error, worst_deviation_error, cost_ratio) =
            errors.unwrap_or((f64::INFINITY, f64::INFINITY, f64::INFINITY));
        NistRow {
            problem: problem.name.to_owned(),
            start: k + 1,
            effort,
            worst_relative_error,
            worst_deviation_error,
            cost_ratio,
        }
    };
    problem.starts.iter().enumerate().map(row).collect()
}

/// Measures a problem of More, Garbow and Hillstrom from all multiples of its start.
pub fn mgh(problem: &MghProblem, settings: &OptimizerSettings) -> Vec<MghRow> {
    let row = |&factor: &f64| {
        let (effort, state) = minimized(&problem.residuals, &problem.start_times(factor), settings);
        let sum_of_squares = state.map_or(f64::INFINITY, |state| 2.0 * state.cost());
        let distance = |minimum: f64| (sum_of_squares - minimum).abs();
        let closest = problem.minima.iter().copied().enumerate();
        let closest = closest.min_by(|(_, a), (_, b)| distance(*a).total_cmp(&distance(*b)));
        let (place, minimum) = closest.unwrap_or((0, 0.0));
        let limit = if minimum == 0.0 { ZERO } else { SAME * minimum };
        let reached = match distance(minimum) <= limit {
            true if place == 0 => Reached::Global,
            true => Reached::Local,
            false => Reached::None,
        };
        MghRow {
            problem: problem.name.to_owned(),
            start: factor,
            effort,
            sum_of_squares,
            minimum,
            cost_ratio: (minimum > 0.0).then(|| sum_of_squares / minimum),
            reached,
        }
    };
    problem.factors.iter().map(row).collect()
}
