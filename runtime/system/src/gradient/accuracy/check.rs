//! The estimation of a run's errors by runs with other steps.

use std::cell::LazyCell;

use crate::problem::{Problem, Remedy, SimulationError};
use crate::run::Trajectory;
use crate::series::Series;

use super::between::{resolves_motion, swings};
use super::compare::{Differences, Own};
use super::error_scales::ErrorScales;
use super::impulses::missed_impulses;
use super::kink::last_kink;
use super::masses::negative_along;
use super::prescribed::{Followed, followed, follows};
use super::rounding::{rounding, unsmooth};
use super::unseen_force::unseen_force;
use super::{Accuracy, ScaleKind};

/// Factors by which the steps of the first trial runs are longer; `LONGER_OF_MANY` for runs of many steps.
const LONGER: [usize; 2] = [16, 4];
const LONGER_OF_MANY: [usize; 2] = [32, 8];

/// Largest difference, relative to the scales, up to which trial runs with longer steps are used: beyond it,
/// steps resolve too little for errors to fall with their power.
const MAX_TRUSTED_DIFFERENCE: f64 = 0.3;

/// Part of the difference to a run with twice the step that rounding has to make up, if the difference is taken for
/// rounding.
const MIN_ROUNDING_SHARE: f64 = 0.2;

/// Factor by which the rounding of forces grows at least, where steps are halved: it is 4 or more, but rounding
/// differs.
const MIN_ROUNDING_GROWTH: f64 = 2.0;

/// Largest rounding that is told by its growth alone, relative to the largest sample: larger ones are seen in the
/// samples.
const MAX_ROUNDING: f64 = 1e-3;

/// Places in every step at which inputs are checked, as fractions of the step; `FEW_PLACES` for the first check.
/// Irregular ones, found by trying: a periodic input with up to 100 periods in a step has different values at some of
/// them.
const PLACES: [f64; 7] = [0.1666, 0.2844, 0.358, 0.4564, 0.6565, 0.7485, 0.8537];
const FEW_PLACES: [f64; 3] = [PLACES[1], PLACES[3], PLACES[5]];

/// Returns the places in every one of these steps at which inputs and forces are checked: many for short runs.
pub(super) fn places(steps: usize) -> Vec<f64> {
    /// Number of evaluations in all steps together, at least.
    const MIN_EVALUATIONS: usize = 20_000;
    /// Part of the distance of two evaluations by which they are off the ends of steps.
    const EVALUATION_OFFSET: f64 = 0.37;
    let more = MIN_EVALUATIONS.div_ceil(steps.max(1));
    if more <= PLACES.len() {
        return PLACES.to_vec();
    }
    let regular = (0..more).map(|place| (place as f64 + EVALUATION_OFFSET) / more as f64);
    PLACES.into_iter().chain(regular).collect()
}

/// Estimates the accuracy of a run of `problem` by a run with half the step, and by one with twice the step,
/// which shows how errors fall.
///
/// # Errors
/// [`SimulationError::OtherProblem`], [`SimulationError::Interrupted`].
pub fn accuracy(problem: &Problem, run: &Trajectory, outputs: &Series<f64>) -> Result<Accuracy, SimulationError> {
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

/// Checks whether the samples of a run show what happens between them, to the fraction `limit` of the scales of its
/// errors.
///
/// # Errors
/// [`SimulationError::OtherProblem`].
pub fn shows_motion(
    problem: &Problem,
    run: &Trajectory,
    outputs: &Series<f64>,
    (accuracy, limit): (&Accuracy, f64),
) -> Result<bool, SimulationError> {
    Ok(resolves_motion(ErrorScales::new(problem, run, outputs)?.own(), accuracy, limit))
}

/// Checks whether the run is accurate enough for the problem's `error_limit`: first by runs with much longer steps,
/// which take a small fraction of its time. If their errors are so small that those of the run are certainly below the
/// limit, and the steps resolve whatever happens between their samples, the check ends; else a run with half the step,
/// the problem `finer`, decides.
///
/// # Errors
/// [`SimulationError::Inaccurate`], [`SimulationError::UnseenChange`], [`SimulationError::NegativeMass`],
/// [`SimulationError::UndefinedOutput`], [`SimulationError::Interrupted`].
pub fn check_accuracy(
    problem: &Problem,
    run: &Trajectory,
    outputs: &Series<f64>,
    finer: impl FnOnce() -> Result<Problem, SimulationError>,
) -> Result<(), SimulationError> {
    /// Number of steps from which on a run has many.
    const MANY_STEPS: usize = 10_000;
    /// Smallest number of steps of a trial run.
    const MIN_TRIAL_STEPS: usize = 8;
    /// Tolerance of the Newton iterations of trial runs, far below the errors in question.
    const TRIAL_NEWTON_TOLERANCE: f64 = 1e-6;
    let Some(limit) = problem.settings().error_limit else { return Ok(()) };
    let (found, system) = (ErrorScales::new(problem, run, outputs)?, run.system());
    let sees = || problem.unseen_input(&FEW_PLACES, true).is_none() && unseen_force(found.own(), true).is_none();
    if sees() && !is_too_long(found.own()) {
        for longer in if run.steps() >= MANY_STEPS { LONGER_OF_MANY } else { LONGER } {
            let Some(coarse) = problem.coarser(longer) else { continue };
            let coarse = coarse.with_newton_tolerance(TRIAL_NEWTON_TOLERANCE);
            if coarse.steps() < MIN_TRIAL_STEPS {
                continue;
            }
            let Some(coarse) = may_fail(system.differences(found.own(), &coarse, (1, longer)))? else {
                continue;
            };
            // errors are at least of first order
            let part = 1.0 / (longer as f64 - 1.0);
            let accuracy = found.accuracy((&coarse, longer as f64), |_| 1.0, 2);
            let relative = accuracy.relative();
            // an impulse that only the longer adaptive steps meet looks like an output that moves by its error alone
            let is_certain = accuracy.tolerance.is_none()
                || accuracy.outputs.iter().all(|estimate| !matches!(estimate.kind, ScaleKind::Terms));
            let is_small = relative <= MAX_TRUSTED_DIFFERENCE
                && relative * part <= limit
                && is_certain
                && accuracy.undefined_outputs.is_empty();
            if is_small && (found.rests(&coarse) || resolves_motion(found.own(), &accuracy, limit)) {
                return negative_along(found.own())
                    .map_or(Ok(()), |negative| Err(SimulationError::NegativeMass(negative)));
            }
        }
    }
    judged(&measured(&found, finer)?, limit, (problem, run.parameters()))
}

/// Checks that the errors of a run are within this limit; where they are not, looks whether those of a run of order 4
/// with the same steps are.
///
/// # Errors
/// [`SimulationError::Inaccurate`], [`SimulationError::UnseenChange`], [`SimulationError::NegativeMass`],
/// [`SimulationError::UndefinedOutput`].
pub fn judged(
    accuracy: &Accuracy,
    limit: f64,
    (problem, parameters): (&Problem, &[f64]),
) -> Result<(), SimulationError> {
    let Err(SimulationError::Inaccurate(mut inaccuracy)) = accuracy.within(limit) else {
        return accuracy.within(limit);
    };
    if let Remedy::Step { step, advised, order_four } = &mut inaccuracy.remedy {
        *order_four = serves_in_order_four(problem, parameters, (*step / *advised, limit)).unwrap_or(false);
    }
    Err(SimulationError::Inaccurate(inaccuracy))
}

/// Returns true if a run of order 4 has errors within the limit, and takes less than this many `times` the steps;
/// `None` where there is none.
fn serves_in_order_four(problem: &Problem, parameters: &[f64], (times, limit): (f64, f64)) -> Option<bool> {
    let higher = problem.of_order_four()?.without_progress();
    let steps: usize = higher.levels()?.iter().map(|level| level.problem.steps()).sum();
    if steps as f64 >= times * problem.steps() as f64 {
        return Some(false);
    }
    let run = higher.forward(parameters).ok()?;
    let accuracy = measured_accuracy(&higher, &run, &run.outputs(), &higher.refined().ok()?).ok()?;
    Some(accuracy.within(limit).is_ok())
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

    /// Checks that half the steps of this problem see all inputs, as far as that is looked at.
    ///
    /// # Errors
    /// [`SimulationError::UnseenChange`].
    #[doc(hidden)]
    pub fn check_inputs(&self) -> Result<(), SimulationError> {
        self.unseen_input(&places(self.steps()), false)
            .map_or(Ok(()), |unseen| Err(SimulationError::UnseenChange(unseen)))
    }

    /// Checks whether a run of this problem, with its outputs, is accurate enough for the `error_limit`, as
    /// `Simulation::run` does: where runs with longer steps do not decide, by one with half the step.
    ///
    /// # Errors
    /// [`SimulationError::Inaccurate`], [`SimulationError::UnseenChange`], [`SimulationError::NegativeMass`],
    /// [`SimulationError::UndefinedOutput`], [`SimulationError::OtherProblem`], [`SimulationError::Interrupted`].
    pub fn check_accuracy(&self, run: &Trajectory, outputs: &Series<f64>) -> Result<(), SimulationError> {
        check_accuracy(self, run, outputs, || self.refined())
    }
}

/// Returns true if the constraints alone prescribe the motion, and steps are too long to follow it.
fn is_too_long(own: Own<'_>) -> bool {
    own.run.description().determined && !follows(own.run)
}

/// Estimates the accuracy by runs with other steps.
fn measured(
    found: &ErrorScales<'_>,
    finer: impl FnOnce() -> Result<Problem, SimulationError>,
) -> Result<Accuracy, SimulationError> {
    let own = found.own();
    let mut accuracy = match is_too_long(own) {
        true => may_fail(followed(own))?.flatten().map_or_else(
            || found.unknown(),
            |Followed { differences, step }| Accuracy {
                following_step: Some(step),
                ..found.accuracy((&differences, step / own.run.step()), |_| 1.0, 2)
            },
        ),
        false => measured_by_two(found, finer)?,
    };
    accuracy.unseen = match own.problem.check_inputs() {
        Err(SimulationError::UnseenChange(unseen)) => Some(unseen),
        _ => unseen_force(own, false),
    };
    accuracy.negative_mass = negative_along(own);
    if accuracy.unseen.is_some() {
        return Ok(accuracy);
    }
    if let Some(missed) = may_fail(missed_impulses(own))?.flatten() {
        add_missed(&mut accuracy, &missed, own);
    }
    // of a force that is shorter than a step, halves of the steps often see the same impulse, and thirds rarely do
    if own.run.description().timed_forces
        && !accuracy.is_rounding
        && let Some(thirds) = own.problem.in_thirds()
        && let Some(missed) = may_fail(own.run.system().differences(own, &thirds, (3, 1)))?
    {
        add_missed(&mut accuracy, &missed, own);
    }
    Ok(accuracy)
}

/// Takes the errors that missed impulses leave where they are larger than what runs with other steps show.
fn add_missed(accuracy: &mut Accuracy, missed: &Differences, own: Own<'_>) {
    let before = accuracy.relative();
    let estimates = accuracy.coordinates.iter_mut().chain(&mut accuracy.outputs);
    for (estimate, (error, step)) in estimates.zip(&missed.largest) {
        if *error > estimate.error {
            (estimate.error, estimate.time) = (*error, own.run.time(*step));
        }
    }
    if accuracy.relative() > before
        && let Some(worst) = accuracy.worst_index()
    {
        accuracy.jump = own.problem.last_jump(missed.largest[worst].1 + 1);
        (accuracy.order, accuracy.is_rounding, accuracy.swings) = (1, false, false);
    }
}

/// Estimates the accuracy by a run with half the step, and by one with twice the step.
fn measured_by_two(
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
            let resolves = LazyCell::new(|| resolves(own));
            let falls: Vec<Falls> =
                (0..fine.largest.len()).map(|j| falls(own, (fine, coarse.as_ref()), j, || *resolves)).collect();
            let mut accuracy = found.accuracy((fine, 0.5), |j| falls[j].part(), 2);
            if let Some(worst) = accuracy.worst_index() {
                accuracy.order = falls[worst].order();
                accuracy.is_rounding = matches!(falls[worst], Falls::Rises { .. });
            }
            accuracy
        }
        // longer steps have at least twice the error
        (None, Some(coarse)) => found.accuracy((coarse, 2.0), |_| 1.0, 1),
        (None, None) => found.unknown(),
    };
    if let (Some(worst), Some(found)) = (accuracy.worst_index(), fine.as_ref().or(coarse.as_ref())) {
        let (step, error) = (found.largest[worst].1, accuracy.worst().map_or(0.0, |worst| worst.error));
        if accuracy.order == 1 {
            accuracy.jump = own.problem.last_jump(step + 1);
        }
        accuracy.swings =
            !accuracy.is_rounding && own.problem.sample(step).is_some_and(|sample| swings(own, worst, sample, error));
        // impulses, and what swings, need not fall in any order
        if accuracy.order == 1 || accuracy.swings || accuracy.relative() > MAX_TRUSTED_DIFFERENCE {
            accuracy.kink = last_kink(own, step);
        }
    }
    Ok(accuracy)
}

/// The change of an error where steps are halved.
enum Falls {
    /// An error that falls by this factor, between 2 and 2 to the power of the order.
    By(f64),
    /// Rounding, which rises; it is this part of the difference to the run with half the step.
    Rises { part: f64 },
}

impl Falls {
    /// Returns the error relative to the difference to the run with half the step.
    fn part(&self) -> f64 {
        match self {
            // halving the step leaves the fraction 1/ratio of the error
            Self::By(ratio) => ratio / (ratio - 1.0),
            Self::Rises { part } => *part,
        }
    }

    /// Returns the power of the step with which the error falls.
    fn order(&self) -> u32 {
        match self {
            Self::By(ratio) => ratio.log2().round().max(1.0) as u32,
            Self::Rises { .. } => 2,
        }
    }
}

/// Returns true if the positions move so smoothly from sample to sample that what is left is their rounding.
fn resolves(own: Own<'_>) -> bool {
    /// Unsmooth part of positions, relative to the largest one, up to which steps resolve a motion so well that errors
    /// may be rounding.
    const SMOOTH_POSITION_ROUNDING: f64 = 1e-10;
    let coordinates = own.run.description().coordinates;
    let positions = |j: usize| (0..own.run.samples()).map(move |k| own.number(k, j));
    let largest = |j: usize| positions(j).fold(0.0, |most: f64, position| most.max(position.abs()));
    let sizes: Vec<f64> = (0..coordinates.len()).map(largest).collect();
    coordinates.iter().enumerate().all(|(j, coordinate)| {
        let alike = coordinates.iter().zip(&sizes).filter(|(other, _)| other.unit == coordinate.unit);
        unsmooth(positions(j)) <= SMOOTH_POSITION_ROUNDING * alike.fold(0.0, |most: f64, (_, size)| most.max(*size))
    })
}

/// Returns how the error of the coordinate or output j falls where steps are halved; `resolves` says whether steps
/// resolve the motion.
fn falls(
    own: Own<'_>,
    (fine, coarse): (&Differences, Option<&Differences>),
    j: usize,
    resolves: impl Fn() -> bool,
) -> Falls {
    // between first and second order
    const UNKNOWN: f64 = 3.0;
    let Some(coarse) = coarse else { return Falls::By(UNKNOWN) };
    let (of_coarse, of_fine) = (coarse.largest[j].0, fine.at_every_other[j]);
    // Errors of the steps are three times as large in a difference to a run with twice the step, and rounding is that
    // of this run.
    let rises = of_coarse < of_fine && of_coarse > 0.0;
    let number = || (0..own.run.samples()).map(|k| own.number(k, j));
    // steps that pass over what half of them meet have differences that rise as well
    let is_small = || of_fine < MAX_ROUNDING * number().fold(0.0, |most: f64, x| most.max(x.abs()));
    let is_rounding = || {
        of_fine > MIN_ROUNDING_GROWTH * of_coarse && is_small() || rounding(number()) > MIN_ROUNDING_SHARE * of_coarse
    };
    if rises && resolves() && is_rounding() {
        return Falls::Rises { part: of_coarse / fine.largest[j].0 };
    }
    let ratio = of_coarse / of_fine;
    let most = 2f64.powi(own.problem.settings().order as i32);
    Falls::By(if ratio.is_nan() { UNKNOWN } else { ratio.clamp(2.0, most) })
}

/// Returns the result of a run with other steps; `None` where the run has no solution, or no room.
fn may_fail<T>(result: Result<T, SimulationError>) -> Result<Option<T>, SimulationError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error @ (SimulationError::Interrupted(_) | SimulationError::OtherProblem(_))) => Err(error),
        Err(_) => Ok(None),
    }
}
