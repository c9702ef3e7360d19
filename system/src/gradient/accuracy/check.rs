//! The estimation of a run's errors by runs with other steps.

use crate::problem::{Problem, SimulationError};
use crate::run::Trajectory;
use crate::series::Series;

use super::Accuracy;
use super::compare::Differences;
use super::error_scales::ErrorScales;

/// Factors by which the steps of the first trial runs are longer (`LONGER_OF_MANY` for runs of at least
/// `MANY` steps), and the smallest number of steps of a trial run.
const LONGER: [usize; 2] = [16, 4];
const LONGER_OF_MANY: [usize; 2] = [32, 8];
const MANY: usize = 10_000;
const LEAST_STEPS: usize = 8;

/// Tolerance of the Newton iterations of trial runs, far below the errors in question.
const TOLERANCE: f64 = 1e-6;

/// Largest difference, relative to the scales, up to which trial runs with longer steps are used: beyond it,
/// steps resolve too little for errors to fall with their power.
const BELIEVED: f64 = 0.3;

/// Number of places in every step at which inputs are checked; `FEW_PLACES` for the first check, of steps
/// with equal inputs at both ends.
const PLACES: usize = 7;
const FEW_PLACES: usize = 3;

/// Estimates the accuracy of a run of `problem` by a run with half the step, and by one with twice the step,
/// which shows how errors fall.
///
/// # Errors
/// [`SimulationError::OtherProblem`], [`SimulationError::Interrupted`].
pub fn accuracy(
    problem: &Problem,
    run: &Trajectory,
    outputs: &Series<f64>,
) -> Result<Accuracy, SimulationError> {
    let found = ErrorScales::new(problem, run, outputs)?;
    measured(&found, || problem.refined())
}

/// Estimates the accuracy of a run by one with half the step, a run of `finer`.
///
/// # Errors
/// As [`accuracy`].
pub fn measured_accuracy(
    problem: &Problem,
    run: &Trajectory,
    outputs: &Series<f64>,
    finer: &Problem,
) -> Result<Accuracy, SimulationError> {
    measured(&ErrorScales::new(problem, run, outputs)?, || Ok(finer.clone()))
}

/// Checks whether the run is accurate enough for the problem's `error_limit`: first by runs with much longer
/// steps, which take a small fraction of its time. If their errors are so small that those of the run are
/// certainly below the limit, the check ends; else a run with half the step, the problem `finer`, decides.
///
/// # Errors
/// [`SimulationError::Inaccurate`], [`SimulationError::Interrupted`].
pub fn check_accuracy(
    problem: &Problem,
    run: &Trajectory,
    outputs: &Series<f64>,
    finer: impl FnOnce() -> Result<Problem, SimulationError>,
) -> Result<(), SimulationError> {
    let Some(limit) = problem.settings().error_limit else { return Ok(()) };
    let (found, system) = (ErrorScales::new(problem, run, outputs)?, run.system());
    if problem.unseen_input(FEW_PLACES, true).is_none() {
        for longer in if run.steps() >= MANY { LONGER_OF_MANY } else { LONGER } {
            let Some(coarse) = problem.coarser(longer) else { continue };
            let coarse = coarse.with_newton_tolerance(TOLERANCE);
            if coarse.steps() < LEAST_STEPS {
                continue;
            }
            let Some(coarse) = may_fail(system.differences(found.own(), &coarse, (1, longer)))? else {
                continue;
            };
            // errors are at least of first order
            let part = 1.0 / (longer as f64 - 1.0);
            let relative = found.accuracy(&coarse, |_| 1.0, 2).relative();
            if relative <= BELIEVED && relative * part <= limit {
                return Ok(());
            }
        }
    }
    measured(&found, finer)?.within(limit)
}

impl Problem {
    /// Estimates the errors that the steps leave in a run of this problem with these outputs, as
    /// `Run::accuracy` does.
    ///
    /// # Errors
    /// [`SimulationError::OtherProblem`], [`SimulationError::Interrupted`].
    pub fn accuracy(&self, run: &Trajectory, outputs: &Series<f64>) -> Result<Accuracy, SimulationError> {
        accuracy(self, run, outputs)
    }

    /// Checks whether a run of this problem, with its outputs, is accurate enough for the `error_limit`, as
    /// `Simulation::run` does: where runs with longer steps do not decide, by one with half the step.
    ///
    /// # Errors
    /// [`SimulationError::Inaccurate`], [`SimulationError::UnseenInput`], [`SimulationError::OtherProblem`], [`SimulationError::Interrupted`].
    pub fn check_accuracy(&self, run: &Trajectory, outputs: &Series<f64>) -> Result<(), SimulationError> {
        check_accuracy(self, run, outputs, || self.refined())
    }
}

/// Estimates the accuracy by a run with half the step, and by one with twice the step.
fn measured(
    found: &ErrorScales<'_>,
    finer: impl FnOnce() -> Result<Problem, SimulationError>,
) -> Result<Accuracy, SimulationError> {
    let own = found.own();
    let fine = may_fail(finer().and_then(|finer| {
        // runs of a problem with half the step have twice as many samples, refined ones the same
        let every = if finer.samples() > own.run.samples() { 2 } else { 1 };
        own.run.system().differences(own, &finer.without_progress(), (every, 1))
    }))?;
    let coarse = own.problem.coarser(2).filter(|coarse| coarse.steps() > 1);
    let coarse = match coarse {
        Some(coarse) => may_fail(own.run.system().differences(own, &coarse, (1, 2)))?,
        None => None,
    };
    let mut accuracy = match (&fine, &coarse) {
        (Some(fine), coarse) => {
            let ratios: Vec<f64> = (0..fine.largest.len()).map(|j| ratio(fine, coarse.as_ref(), j)).collect();
            // halving the step leaves the fraction 1/ratio of the error
            let mut accuracy = found.accuracy(fine, |j| ratios[j] / (ratios[j] - 1.0), 2);
            if let Some(worst) = accuracy.worst_index() {
                accuracy.order = if ratios[worst] < 2.0 * std::f64::consts::SQRT_2 { 1 } else { 2 };
            }
            accuracy
        }
        // longer steps have at least twice the error
        (None, Some(coarse)) => found.accuracy(coarse, |_| 1.0, 1),
        (None, None) => found.unknown(),
    };
    accuracy.unseen_input = found.own().problem.unseen_input(PLACES, false);
    Ok(accuracy)
}

/// Returns the factor by which errors fall where steps are halved, between 2 and 4.
fn ratio(fine: &Differences, coarse: Option<&Differences>, j: usize) -> f64 {
    // between first and second order
    const UNKNOWN: f64 = 3.0;
    let Some(coarse) = coarse else { return UNKNOWN };
    let ratio = coarse.largest[j].0 / fine.at_every_other[j];
    if ratio.is_nan() { UNKNOWN } else { ratio.clamp(2.0, 4.0) }
}

/// Returns the result of a run with other steps; `None` where the run has no solution, or no room.
fn may_fail<T>(result: Result<T, SimulationError>) -> Result<Option<T>, SimulationError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ (SimulationError::Interrupted(_) | SimulationError::OtherProblem(_))) => Err(error),
        Err(_) => Ok(None),
    }
}
