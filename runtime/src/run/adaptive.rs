//! Which lengths the steps of a run have to have.
//!
//! The error of a step is that of Newmark's formula for the positions, C_q h^3 a' or C_q h^2 times the change of a in the step,
//! beside the range of each coordinate. A step that leaves more than is allowed is made again with half the length or less; where
//! hardly any is left the next one is twice as long, where steps of that length may begin.

use std::sync::Arc;

use crate::initial::consistent_state;
use crate::model::{Model, Weights};
use crate::problem::{FINEST, Memory, Problem, RunSizes, SimulationError, StepPlan, Steps};
use crate::scalar::Vector;
use crate::scalar::largest::largest;
use crate::step::{Integrator, Moment, State, StepConstants};

use super::constants::RunConstants;
use super::forward::integrator;
use super::trajectory::Trajectory;

/// Constant steps that are tried for the ranges of the coordinates: the sampling interval over two to these.
const TRIALS: [u8; 6] = [0, 2, 4, 6, 8, 10];

/// Lengths are found once more where the ranges that they were found for are wider by this than those of the run, so often at most.
const WIDER: f64 = 2.0;
const MOST_PLANS: usize = 3;

/// Where the first step is looked for.
const FIRST_LEVEL: u8 = 6;

/// Places at which scales are looked at.
const SCALE_SAMPLES: usize = 100;

/// Of the allowed error, what is aimed at when a step is shortened, and what may be left of a step before the next one is twice as
/// long: the error grows by eight then.
const AIM: f64 = 0.5;
const DOUBLED: f64 = 0.05;

/// Steps after which one looks whether there is room for so many.
const ROOM_EVERY: usize = 1 << 16;

/// Levels by which a step becomes shorter at once, at most.
const MOST_LEVELS: f64 = 4.0;

impl Problem {
    /// Finds the lengths of [adaptive steps](Steps::Adaptive) for these parameters; where steps are
    /// constant, the problem stays as it is. Runs, costs and gradients of the result all have these steps, with other parameters too.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); [`SimulationError::StepTooSmall`] where not even the finest step will do.
    pub fn with_steps_for(self, parameters: &[f64]) -> Result<Self, SimulationError> {
        let Steps::Adaptive { tolerance } = self.settings().steps else { return Ok(self) };
        self.check_count(parameters.len())?;
        let mut scales = scales(&self, parameters)?;
        let mut again = 0;
        loop {
            let plan = self.system().plan_steps(&self, parameters, &scales, tolerance)?;
            let planned = self.clone().with_step_plan(Arc::new(plan))?;
            // constant steps may have been so long that ranges were much too wide
            let own = scales_of(&planned, &planned.forward(parameters)?);
            if again == MOST_PLANS || scales.iter().zip(&own).all(|(used, own)| *used <= WIDER * own) {
                return Ok(planned);
            }
            (scales, again) = (own, again + 1);
        }
    }

    /// The largest error that a step leaves in a run with these parameters, in units of the tolerance of adaptive steps; 0 where
    /// steps are constant.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub(crate) fn step_excess(&self, parameters: &[f64]) -> Result<f64, SimulationError> {
        let (Steps::Adaptive { tolerance }, Some(plan)) = (self.settings().steps, self.step_plan()) else {
            return Ok(0.0);
        };
        let run = self.forward(parameters)?;
        let [of_q, _] = self.settings().scheme.truncation();
        let scales = scales_of(self, &run);
        let mut most = 0.0f64;
        for i in 1..=run.steps() {
            let h = self.settings().step * StepPlan::length(plan.level(i));
            let changes = run.accelerations(i - 1).iter().zip(run.accelerations(i));
            for (scale, (a, b)) in scales.iter().zip(changes).filter(|(scale, _)| **scale > 0.0) {
                most = largest([most, of_q.abs() * h * h * (b - a).abs() / (tolerance * scale)]);
            }
        }
        Ok(most)
    }
}

/// The range of every coordinate in a run, or the least one that counts.
fn scales_of(problem: &Problem, run: &Trajectory) -> Vec<f64> {
    let every = run.steps().div_ceil(SCALE_SAMPLES).max(1);
    let scales = problem.system().scales(problem, run, (1, every));
    (0..problem.description().coordinates.len()).map(|j| scales.counting_range(j)).collect()
}

/// The range of every coordinate, or the least one that counts, by a run with constant steps.
fn scales(problem: &Problem, parameters: &[f64]) -> Result<Vec<f64>, SimulationError> {
    let samples = problem.settings().steps() + 1;
    let mut failed = None;
    for level in TRIALS {
        match (check_room(problem, (samples - 1) << level), &failed) {
            (Err(_), Some(_)) => break,
            (room, _) => room?,
        }
        let Some(plan) = StepPlan::uniform(level, samples) else { continue };
        let trial = problem.clone().with_step_plan(Arc::new(plan))?;
        match trial.forward(parameters) {
            Ok(run) => return Ok(scales_of(&trial, &run)),
            Err(SimulationError::Step(error)) => failed = Some(error.into()),
            Err(error) => return Err(error),
        }
    }
    // there is a level
    failed.map_or_else(|| Ok(vec![1.0; problem.description().coordinates.len()]), Err)
}

/// Whether the states of so many steps have room.
fn check_room(problem: &Problem, steps: usize) -> Result<(), SimulationError> {
    let memory = Memory::of_all(steps, &RunSizes::of(problem.system()));
    memory.check(problem.settings(), steps)?;
    Ok(memory.check_runs(steps, 1)?)
}

/// The lengths of the steps of a run of the model `M`, whose coordinates have these ranges.
pub(crate) fn plan_steps<M: Model>(
    problem: &Problem,
    parameters: &M::Parameters<f64>,
    ranges: &[f64],
    tolerance: f64,
) -> Result<StepPlan, SimulationError> {
    Planner::<M>::new(problem, parameters, ranges, tolerance).plan()
}

/// An integrator, and the constants of its steps.
type Started<M> = (Integrator<M, f64>, StepConstants<M, f64>);

/// A run whose steps are chosen on the way.
struct Planner<'a, M: Model> {
    problem: &'a Problem,
    parameters: &'a M::Parameters<f64>,
    /// C_q over the allowed error of every coordinate.
    weights: Vec<f64>,
    /// The constants of each level that has occurred, of steps that go on and of those that begin anew.
    constants: [Vec<Option<StepConstants<M, f64>>>; 2],
}

impl<'a, M: Model> Planner<'a, M> {
    fn new(problem: &'a Problem, parameters: &'a M::Parameters<f64>, scales: &[f64], tolerance: f64) -> Self {
        let [of_q, _] = problem.settings().scheme.truncation();
        let weights =
            scales.iter().map(|scale| if *scale > 0.0 { of_q.abs() / (tolerance * scale) } else { 0.0 });
        Self {
            problem,
            parameters,
            weights: weights.collect(),
            constants: std::array::from_fn(|_| vec![None; usize::from(FINEST) + 1]),
        }
    }

    fn length(&self, level: u8) -> f64 {
        self.problem.settings().step * StepPlan::length(level)
    }

    /// The constants of steps of this level, of those that begin anew or of others.
    fn of_level(&mut self, level: u8, begins: bool) -> StepConstants<M, f64> {
        let (scheme, length) = (self.problem.settings().scheme, self.length(level));
        let (parameters, tables) = (self.parameters, self.problem.tables());
        let weights = if begins { scheme.start_weights(length) } else { scheme.weights(length) };
        let own = self.constants[usize::from(begins)][usize::from(level)]
            .get_or_insert_with(|| StepConstants::new(parameters, weights, tables));
        own.clone()
    }

    /// Makes the integrator ready for steps of this level at a time, behind a step of another kind; gives their constants.
    fn enter(
        &mut self,
        level: u8,
        last: &Last,
        integrator: &mut Integrator<M, f64>,
        time: f64,
    ) -> StepConstants<M, f64> {
        let begins = level != last.level;
        let own = self.of_level(level, begins);
        if begins && self.problem.settings().scheme.has_auxiliary() {
            integrator.begin_anew(&own, time);
        } else {
            integrator.settle(&last.weights);
            integrator.take_step(&own.weights);
        }
        own
    }

    /// What a step of length h leaves, in units of what is allowed.
    fn error(&self, h: f64, before: &State<M, f64>, after: &State<M, f64>) -> f64 {
        let changes = before.accelerations.as_ref().iter().zip(after.accelerations.as_ref());
        let errors = self.weights.iter().zip(changes).map(|(weight, (a, b))| weight * h * h * (b - a).abs());
        // what is no number is too much
        errors.fold(0.0, |most: f64, error| most.max(if error.is_nan() { f64::INFINITY } else { error }))
    }

    /// The integrator at the start, for steps of this level.
    fn start(&mut self, level: u8) -> Result<Started<M>, SimulationError> {
        let own = self.problem.clone();
        let plan = StepPlan::uniform(level, own.settings().steps().min(1) + 1);
        let own = match plan {
            Some(plan) => own.with_step_plan(Arc::new(plan))?,
            None => own,
        };
        let initial = consistent_state::<M, _>(&own, self.parameters)?.start::<M>();
        let constants = RunConstants::new(&own, self.parameters);
        Ok((integrator(&own, self.parameters, &constants, initial), self.of_level(level, true)))
    }

    fn plan(mut self) -> Result<StepPlan, SimulationError> {
        let end = (self.problem.settings().steps() as u64) << FINEST;
        let mut level = FIRST_LEVEL;
        let (mut integrator, mut constants) = self.start(level)?;
        let mut last = None;
        let mut before = (integrator.state().clone(), M::Coordinates::<f64>::zeros());
        let mut inputs_before = self.problem.inputs_at(0.0)?;
        let (mut levels, mut tick) = (Vec::new(), 0u64);
        while tick < end {
            let ticks = 1u64 << (FINEST - level);
            let intervals = |tick: u64| tick as f64 * StepPlan::length(FINEST);
            let inputs = self.problem.inputs_at(intervals(tick + ticks))?;
            let interval = self.problem.settings().step;
            let [start, time] = [tick, tick + ticks].map(|tick| intervals(tick) * interval);
            before.0.clone_from(integrator.state());
            if let Some(Last { weights, .. }) = &last {
                integrator.auxiliary_into(weights, before.1.as_mut());
            }
            let step = levels.len() + 1;
            let error =
                match integrator.step(&constants, Moment { step, time, inputs: &inputs, changes: None }) {
                    Ok(()) => self.error(self.length(level), &before.0, integrator.state()),
                    Err(_) => f64::INFINITY,
                };
            if error <= 1.0 {
                levels.push(level);
                if levels.len().is_multiple_of(ROOM_EVERY) {
                    check_room(self.problem, levels.len())?;
                }
                tick += ticks;
                inputs_before = inputs;
                let own = Last { level, weights: constants.weights };
                if error <= DOUBLED && level > 0 && tick.is_multiple_of(2 * ticks) && tick < end {
                    level -= 1;
                }
                if level != own.level || constants.weights.displacement != 0.0 {
                    constants = self.enter(level, &own, &mut integrator, time);
                }
                last = Some(own);
                // as many steps as there will be, at this rate
                let all = levels.len() as f64 * (end as f64 / tick as f64);
                self.problem.poll_work(levels.len(), all as usize, 0)?;
                continue;
            }
            if level == FINEST {
                return Err(SimulationError::StepTooSmall { time, step: self.length(level) });
            }
            let wanted = ((error / AIM).log2() / 3.0).ceil().clamp(1.0, MOST_LEVELS);
            level = (level + wanted as u8).min(FINEST);
            match &last {
                None => (integrator, constants) = self.start(level)?,
                Some(last) => {
                    let at =
                        Moment { step: levels.len(), time: start, inputs: &inputs_before, changes: None };
                    integrator.begin_at(&constants, (&before.0, &before.1), at);
                    constants = self.enter(level, last, &mut integrator, start);
                }
            }
        }
        // the levels end where samples stand
        StepPlan::new(levels).ok_or(SimulationError::StepTooSmall { time: 0.0, step: self.length(FINEST) })
    }
}

/// The last step that was taken.
struct Last {
    level: u8,
    weights: Weights,
}
