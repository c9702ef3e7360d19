//! The step sizes of an adaptive run.
//!
//! The error of a step is that of Newmark's formula for the positions, C_q h^3 a' or C_q h^2 times the change
//! of a in the step, relative to the range of each coordinate. A step whose error is not allowed is repeated
//! with half the length or less; after a step with a small error the next one is twice as long, where steps
//! of that length may begin.

use std::sync::Arc;

use costate_numerics::scalar::{CollectVec, Vector};
use costate_system::model::{Functions, Weights};
use costate_system::problem::{FINEST, Problem, SimulationError, StepPlan};

use crate::initial::consistent_state;
use crate::step::{Integrator, Moment, State, StepConstants};

use super::check_room;
use super::constants::RunConstants;
use super::forward::integrator;

/// Chooses the step sizes of a run of the model `M`, whose coordinates have these ranges.
pub fn plan_steps<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<f64>,
    ranges: &[f64],
    tolerance: f64,
) -> Result<StepPlan, SimulationError> {
    Planner::<M>::new(program, problem, parameters, ranges, tolerance).plan()
}

/// An integrator, and the constants of its steps.
type Started<M> = (Integrator<M, f64>, StepConstants<M, f64>);

/// A run whose steps are chosen as it advances.
struct Planner<'a, M: Functions> {
    program: M::Program,
    problem: &'a Problem,
    parameters: &'a M::Parameters<f64>,
    /// C_q over the allowed error of every coordinate.
    weights: Vec<f64>,
    /// The constants of each level that has occurred, of steps that continue and of those that restart.
    constants: [Vec<Option<StepConstants<M, f64>>>; 2],
}

impl<'a, M: Functions> Planner<'a, M> {
    fn new(
        program: M::Program,
        problem: &'a Problem,
        parameters: &'a M::Parameters<f64>,
        scales: &[f64],
        tolerance: f64,
    ) -> Self {
        let [of_q, _] = problem.settings().scheme.truncation();
        let weights = scales.iter().map(|scale| if *scale > 0.0 { of_q.abs() / (tolerance * scale) } else { 0.0 });
        Self {
            program,
            problem,
            parameters,
            weights: weights.collect_vec(),
            constants: std::array::from_fn(|_| vec![None; usize::from(FINEST) + 1]),
        }
    }

    fn length(&self, level: u8) -> f64 {
        self.problem.settings().step * StepPlan::length(level)
    }

    /// Returns the constants of steps of this level, of those that restart or of others.
    fn of_level(&mut self, level: u8, begins: bool) -> StepConstants<M, f64> {
        let (scheme, length) = (self.problem.settings().scheme, self.length(level));
        let (parameters, tables) = (self.parameters, self.problem.tables());
        let weights = if begins { scheme.start_weights(length) } else { scheme.weights(length) };
        let program = self.program;
        let own = self.constants[usize::from(begins)][usize::from(level)]
            .get_or_insert_with(|| StepConstants::new(program, parameters, weights, tables));
        own.clone()
    }

    /// Prepares the integrator for steps of this level at a time, after a step of another kind; returns their
    /// constants.
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
            integrator.restart(&own, time);
        } else {
            integrator.settle(&last.weights);
            integrator.take_step(&own.weights);
        }
        own
    }

    /// Estimates the error of a step of length h, in units of the allowed one.
    fn error(&self, h: f64, before: &State<M, f64>, after: &State<M, f64>) -> f64 {
        let changes = before.accelerations.as_ref().iter().zip(after.accelerations.as_ref());
        let errors = self.weights.iter().zip(changes).map(|(weight, (a, b))| weight * h * h * (b - a).abs());
        // NaN is too large
        errors.fold(0.0, |most: f64, error| most.max(if error.is_nan() { f64::INFINITY } else { error }))
    }

    /// Creates the integrator at the start, for steps of this level.
    fn start(&mut self, level: u8) -> Result<Started<M>, SimulationError> {
        let own = self.problem.clone();
        let plan = StepPlan::uniform(level, own.settings().steps().min(1) + 1);
        let own = match plan {
            Some(plan) => own.with_step_plan(Arc::new(plan))?,
            None => own,
        };
        let program = self.program;
        let initial = consistent_state::<M, _>(program, &own, self.parameters)?.start::<M>();
        let constants = RunConstants::new(program, &own, self.parameters);
        Ok((integrator(&own, self.parameters, &constants, initial), self.of_level(level, true)))
    }

    fn plan(mut self) -> Result<StepPlan, SimulationError> {
        /// Level of the first step that is tried.
        const FIRST_LEVEL: u8 = 6;
        /// Fraction of the allowed error that a shortened step aims at.
        const WANTED_ERROR: f64 = 0.5;
        /// Fraction of the allowed error up to which the next step is twice as long: the error then grows by a factor
        /// of eight.
        const MAX_DOUBLED_ERROR: f64 = 0.05;
        /// Largest number of levels by which a step is shortened at once.
        const MAX_LEVELS: f64 = 4.0;
        /// Number of steps after which the free memory is checked.
        const STEPS_PER_CHECK: usize = 1 << 16;
        let end = (self.problem.settings().steps() as u64) << FINEST;
        let mut level = FIRST_LEVEL;
        let (mut integrator, mut constants) = self.start(level)?;
        let mut last = None;
        let auxiliary = M::Coordinates::<f64>::zeros(M::lengths(self.program).coordinates);
        let mut before = (integrator.state().clone(), auxiliary);
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
            let error = match integrator.step(&constants, Moment { step, time, inputs: &inputs, changes: None }) {
                Ok(()) => self.error(self.length(level), &before.0, integrator.state()),
                Err(_) => f64::INFINITY,
            };
            if error <= 1.0 {
                levels.push(level);
                if levels.len().is_multiple_of(STEPS_PER_CHECK) {
                    check_room(self.problem, levels.len())?;
                }
                tick += ticks;
                inputs_before = inputs;
                let own = Last { level, weights: constants.weights };
                if error <= MAX_DOUBLED_ERROR && level > 0 && tick.is_multiple_of(2 * ticks) && tick < end {
                    level -= 1;
                }
                if level != own.level || constants.weights.displacement != 0.0 {
                    constants = self.enter(level, &own, &mut integrator, time);
                }
                last = Some(own);
                // the number of steps of the whole run, at this rate
                let all = levels.len() as f64 * (end as f64 / tick as f64);
                self.problem.poll_work(levels.len(), all as usize, 0)?;
                continue;
            }
            if level == FINEST {
                return Err(SimulationError::StepTooSmall { time, step: self.length(level) });
            }
            let wanted = ((error / WANTED_ERROR).log2() / 3.0).ceil().clamp(1.0, MAX_LEVELS);
            level = (level + wanted as u8).min(FINEST);
            match &last {
                None => (integrator, constants) = self.start(level)?,
                Some(last) => {
                    let at = Moment { step: levels.len(), time: start, inputs: &inputs_before, changes: None };
                    integrator.begin_at(&constants, &before.0, &before.1, at);
                    constants = self.enter(level, last, &mut integrator, start);
                }
            }
        }
        // `None` only if the levels do not end at a sample
        StepPlan::new(levels).ok_or(SimulationError::StepTooSmall { time: 0.0, step: self.length(FINEST) })
    }
}

/// The last step that was taken.
struct Last {
    level: u8,
    weights: Weights,
}
