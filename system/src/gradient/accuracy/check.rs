//! How far a run is off, by runs with other steps.

use crate::problem::{Problem, SimulationError};
use crate::run::Trajectory;
use crate::series::Series;

use super::Accuracy;
use super::compare::Differences;
use super::found::Found;

/// How much longer the steps of the runs are that are tried first, of many steps and of others, and the steps that have to be left then.
const LONGER: [usize; 2] = [16, 4];
const LONGER_OF_MANY: [usize; 2] = [32, 8];
const MANY: usize = 10_000;
const LEAST_STEPS: usize = 8;

/// The tolerance of their iterations, which is far below what is looked for.
const TOLERANCE: f64 = 1e-6;

/// Runs with longer steps are believed up to this difference, relative to the scales: beyond, steps resolve too little for errors to
/// fall with their power.
const BELIEVED: f64 = 0.3;

/// Places in every step at which inputs are looked at, and in those at whose ends they are the same before anything else.
const PLACES: usize = 7;
const FEW_PLACES: usize = 3;

/// The accuracy of a run of `problem`: by a run with half the step, and one with twice the step, which tells how errors fall.
///
/// # Errors
/// [`SimulationError::OtherProblem`], [`SimulationError::Interrupted`].
pub fn accuracy(
    problem: &Problem,
    run: &Trajectory,
    outputs: &Series<f64>,
) -> Result<Accuracy, SimulationError> {
    let found = Found::new(problem, run, outputs)?;
    measured(&found, || problem.refined())
}

/// The accuracy of a run, by one with half the step, a run of `finer`.
///
/// # Errors
/// As [`accuracy`].
pub fn measured_accuracy(
    problem: &Problem,
    run: &Trajectory,
    outputs: &Series<f64>,
    finer: &Problem,
) -> Result<Accuracy, SimulationError> {
    measured(&Found::new(problem, run, outputs)?, || Ok(finer.clone()))
}

/// Whether the run is accurate enough for the problem's `error_limit`: at first by runs with much longer steps, which take a small part
/// of its time. Where their errors are so small that those of the run are below the limit with certainty, it is; elsewhere a run with
/// half the step, the problem `finer`, tells.
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
    let (found, system) = (Found::new(problem, run, outputs)?, run.system());
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
            // errors of first order at least
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
    /// The error that the steps leave in a run of this problem with these outputs, as `Run::accuracy`.
    ///
    /// # Errors
    /// [`SimulationError::OtherProblem`], [`SimulationError::Interrupted`].
    pub fn accuracy(&self, run: &Trajectory, outputs: &Series<f64>) -> Result<Accuracy, SimulationError> {
        accuracy(self, run, outputs)
    }

    /// Whether a run of this problem, with its outputs, is accurate enough for the `error_limit`, as `Simulation::run`
    /// looks: where runs with longer steps do not tell, by one with half the step.
    ///
    /// # Errors
    /// [`SimulationError::Inaccurate`], [`SimulationError::UnseenInput`], [`SimulationError::OtherProblem`], [`SimulationError::Interrupted`].
    pub fn check_accuracy(&self, run: &Trajectory, outputs: &Series<f64>) -> Result<(), SimulationError> {
        check_accuracy(self, run, outputs, || self.refined())
    }
}

/// By a run with half the step, and one with twice the step.
fn measured(
    found: &Found<'_>,
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
            // of the error halving removes all but the part 1/ratio
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

/// By what part errors fall where steps are halved, between 2 and 4.
fn ratio(fine: &Differences, coarse: Option<&Differences>, j: usize) -> f64 {
    // what serves for both
    const UNKNOWN: f64 = 3.0;
    let Some(coarse) = coarse else { return UNKNOWN };
    let ratio = coarse.largest[j].0 / fine.at_every_other[j];
    if ratio.is_nan() { UNKNOWN } else { ratio.clamp(2.0, 4.0) }
}

/// What came of a run with other steps; none where it has no solution, or no room.
fn may_fail<T>(result: Result<T, SimulationError>) -> Result<Option<T>, SimulationError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ (SimulationError::Interrupted(_) | SimulationError::OtherProblem(_))) => Err(error),
        Err(_) => Ok(None),
    }
}
