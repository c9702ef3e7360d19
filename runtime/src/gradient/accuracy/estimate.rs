//! The error of a run, carried through its linearised steps.
//!
//! With the exact solution Newmark's formulas leave C_q h^3 a' of the positions and C_v h^3 a'' of the velocities in every step.
//! What becomes of this until the end follows the linearised equations of the steps, as sensitivities do. The error need not be
//! known to many digits, so that it may be carried through fewer and longer steps than those of the run.

use crate::block::{Products, find};
use crate::model::{Argument, Function, Model, Weights};
use crate::problem::{Problem, SimulationError};
use crate::run::Trajectory;
use crate::series::Series;
use crate::step::Scheme;

use super::Accuracy;
use super::found::Found;
use crate::run::States;
use crate::step::{LinearStep, StepConstants, StepError, Tangent, With};

/// Places at which scales are looked at.
const SCALE_SAMPLES: usize = 100;

/// Steps that are taken together, at most, and the number that is left then, at least, where a rough estimate serves.
const ROUGH: (usize, usize) = (16, 100);

/// Second differences of an oscillation at steps H are about 0.35 (omega H)^2 of its range.
const LARGEST_BEND: f64 = 0.12;

/// The accuracy of a run of `problem`; it costs about as much as the run.
///
/// # Errors
/// [`SimulationError::OtherProblem`], and those of [`sensitivities`](crate::differentiate::sensitivities).
#[inline(never)]
pub(crate) fn accuracy<M: Model>(
    problem: &Problem<M>,
    run: &Trajectory<M, f64>,
    outputs: &Series<f64>,
) -> Result<Accuracy, SimulationError> {
    Ok(find_errors(problem, run, outputs, 1)?.accuracy())
}

/// The accuracy of a run, by one with half the step, a run of `finer`.
///
/// # Errors
/// As [`accuracy`], and those of a run of `finer`.
#[inline(never)]
pub(crate) fn measured_accuracy<M: Model>(
    problem: &Problem<M>,
    run: &Trajectory<M, f64>,
    outputs: &Series<f64>,
    finer: &Problem<M>,
) -> Result<Accuracy, SimulationError> {
    let found = find_errors(problem, run, outputs, rough_stride(problem, run))?;
    Ok(found.measured(&finer.forward(run.parameters())?))
}

/// Whether the run is accurate enough for the problem's `error_limit`: at first by a rough estimate, which costs a fraction of the
/// run; where that has doubts, by a run with half the step, the problem `finer`.
///
/// Where forces jump or have kinks derivatives do not tell what becomes of an error: therefore no run is refused by the estimate
/// alone.
///
/// # Errors
/// [`SimulationError::Inaccurate`], [`SimulationError::Interrupted`].
#[inline(never)]
pub(crate) fn check_accuracy<M: Model>(
    problem: &Problem<M>,
    run: &Trajectory<M, f64>,
    outputs: &Series<f64>,
    finer: impl FnOnce() -> Result<Problem<M>, SimulationError>,
) -> Result<(), SimulationError> {
    let Some(limit) = problem.settings().error_limit else { return Ok(()) };
    let stride = rough_stride(problem, run);
    // where longer steps are singular, those of the run serve
    let found = match find_errors(problem, run, outputs, stride) {
        Err(SimulationError::Step(StepError::Singular { .. })) => find_errors(problem, run, outputs, 1)?,
        found => found?,
    };
    if found.accuracy().relative() <= limit {
        return Ok(());
    }
    let accuracy = match finer().and_then(|finer| finer.forward(run.parameters())) {
        Ok(finer) => found.measured(&finer),
        Err(SimulationError::Interrupted(interrupted)) => return Err(interrupted.into()),
        // too large, or a model that does not have a solution there
        Err(_) => found.accuracy(),
    };
    accuracy.within(limit)
}

/// The largest number of steps that may be taken together where a rough estimate serves: some steps are left, and positions
/// turn little from one to the next.
fn rough_stride<M: Model>(problem: &Problem<M>, run: &Trajectory<M, f64>) -> usize {
    if problem.step_plan().is_some() {
        return 1;
    }
    let (most, least_left) = ROUGH;
    let mut stride = most;
    while stride > 1 && (run.steps() / stride < least_left || bend(run, stride) > LARGEST_BEND) {
        stride /= 2;
    }
    stride
}

/// The largest mean square of the second differences of a coordinate at every so many steps, relative to its range.
fn bend<M: Model>(run: &Trajectory<M, f64>, stride: usize) -> f64 {
    let n = LinearStep::<M>::N;
    let (mut squares, mut bounds) = (vec![0.0; n], vec![(f64::INFINITY, f64::NEG_INFINITY); n]);
    let count = run.steps() / stride;
    for block in 1..count {
        let [before, at, after] = [block - 1, block, block + 1].map(|block| run.of_step(block * stride));
        for j in 0..n {
            squares[j] += (after[j] - 2.0 * at[j] + before[j]).powi(2);
            bounds[j] = (bounds[j].0.min(at[j]), bounds[j].1.max(at[j]));
        }
    }
    let relative = squares.iter().zip(bounds).map(|(squares, (least, largest))| {
        if largest > least { (squares / count as f64).sqrt() / (largest - least) } else { 0.0 }
    });
    relative.fold(0.0, f64::max)
}

/// Carries the error through steps of `stride` steps of the run each.
fn find_errors<'a, M: Model>(
    problem: &Problem<M>,
    run: &'a Trajectory<M, f64>,
    outputs: &'a Series<f64>,
    stride: usize,
) -> Result<Found<'a, M>, SimulationError> {
    States::All(run).check(problem)?;
    let (settings, n) = (problem.settings(), LinearStep::<M>::N);
    let weights = settings.scheme.weights(stride as f64 * settings.step);
    let together = StepConstants::<M, f64>::new(run.parameters(), weights, problem.tables());
    let own = run.run_constants();
    let mut linear = LinearStep::new();
    let mut defects = Defects::new(problem, run);
    let mut column = Tangent::<M>::single(With::Nothing, &vec![0.0; 4 * n + LinearStep::<M>::M]);
    let mut found = Found::new(run, outputs, (stride, defects.order), settings.steps);
    let (blocks, mut row) = (run.steps() / stride, vec![0.0; outputs.width()]);
    for block in 0..=blocks {
        let i = block * stride;
        let constants = if problem.step_plan().is_some() { own.of_step(i) } else { &together };
        linear.load(problem.moment(i), run.of_step(i));
        linear.evaluate(constants);
        linear.evaluate_outputs(constants);
        if block.is_multiple_of(blocks.div_ceil(SCALE_SAMPLES)) {
            found.scales.take(&linear, constants);
        }
        if block > 0 {
            linear.factor(constants)?;
            defects.add(i - stride..i, &mut column, &constants.weights, &linear);
            column.step(&linear, constants);
        }
        column.remember_force_residual(&linear);
        row.fill(0.0);
        column.differentiate_outputs(&linear, &mut row);
        defects.add_delay(i, &linear, &mut row);
        if let Some(sample) = problem.sample(i) {
            found.take((i, sample), &column.q, &row);
        }
        if (i - i.min(stride)) / 1000 != i / 1000 {
            problem.poll(i / 1000 * 1000)?;
        }
    }
    Ok(found)
}

/// What the exact solution leaves in the steps of a run.
struct Defects<'a, M: Model> {
    run: &'a Trajectory<M, f64>,
    /// C_q and C_v, with the sign of an error.
    of_q: f64,
    of_v: f64,
    /// At which time, in s after the end of a step, accelerations are those of the motion.
    delay: f64,
    order: u32,
    late: Vec<f64>,
}

impl<'a, M: Model> Defects<'a, M> {
    fn new(problem: &Problem<M>, run: &'a Trajectory<M, f64>) -> Self {
        let Weights { step: h, .. } = problem.settings().weights();
        let [of_q, of_v] = problem.settings().scheme.truncation();
        let delay = if let Scheme::Hht { alpha } = problem.settings().scheme { alpha * h } else { 0.0 };
        let mass_q =
            find(M::DESCRIPTION.groups.adjoint, Function::Inertia, Some(Argument::Coordinates)).entries;
        let order = if delay != 0.0 && !mass_q.is_empty() { 1 } else { 2 };
        let late = vec![0.0; M::DESCRIPTION.coordinates.len()];
        Self { run, of_q: -of_q, of_v: -of_v, delay, order, late }
    }

    /// Of these steps together, to what the error is before a step over all of them.
    fn add(
        &self,
        steps: std::ops::Range<usize>,
        column: &mut Tangent<M>,
        weights: &Weights,
        linear: &LinearStep<M>,
    ) {
        let run = self.run;
        let (start, end, count) = (steps.start, steps.end, steps.len() as f64);
        let [first, second, last] = [start, start + 1, end].map(|i| run.accelerations(i));
        // steps that are taken together are of one length
        let h = weights.step / count;
        for j in 0..column.q.len() {
            // the differences of single steps add up to those of the ends; h^2 a'' of a step is a difference of slopes
            let (before, after) = (self.slope(start, j), self.slope(end, j));
            let missed_v = self.of_v * h * h * (after - before);
            // on the way to the end
            let drift = self.of_v * h * h * (last[j] - second[j] - (count - 1.0) * before * h);
            // step() moves what is here over the whole length
            column.q[j] += self.of_q * h * h * (last[j] - first[j]) + drift - weights.step * missed_v;
            column.v[j] += missed_v;
        }
        if self.order == 1 {
            // forces of the step before meet masses of this one, which have changed by h M'
            linear.blocks.inertia_q.add_product(
                linear.adjoint(),
                h,
                run.velocities(end),
                column.force_residual_mut(),
            );
        }
    }

    /// HHT's accelerations are those at t + alpha h.
    fn add_delay(&mut self, i: usize, linear: &LinearStep<M>, row: &mut [f64]) {
        let [before, _, after] = self.around(i).map(|i| self.run.accelerations(i));
        if self.delay == 0.0 || after.is_empty() {
            return;
        }
        let h = self.run.step();
        for (late, (after, before)) in self.late.iter_mut().zip(after.iter().zip(before)) {
            *late = self.delay * (after - before) / (2.0 * h);
        }
        linear.blocks.output_a.add_product(linear.outputs(), 1.0, &self.late, row);
    }

    /// The slope of an acceleration in step i + 1, behind the last step that of a parabola.
    fn slope(&self, i: usize, j: usize) -> f64 {
        let change = |i: usize| {
            let change = self.run.accelerations(i + 1)[j] - self.run.accelerations(i)[j];
            change / (self.run.time(i + 1) - self.run.time(i))
        };
        match self.run.steps() {
            steps if i < steps => change(i),
            1 => change(0),
            steps => 2.0 * change(steps - 1) - change(steps - 2),
        }
    }

    /// Three steps around this one.
    fn around(&self, i: usize) -> [usize; 3] {
        let middle = i.clamp(1, self.run.steps().max(2) - 1);
        [middle - 1, middle, middle + 1]
    }
}
