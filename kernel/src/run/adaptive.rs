//! Which lengths the steps of a run have to have.
//!
//! The error of a step is that of Newmark's formula for the positions, C_q h^3 a' or C_q h^2 times the change of a in the step,
//! beside the range of each coordinate. A step that leaves more than is allowed is made again with half the length or less; where
//! hardly any is left the next one is twice as long, where steps of that length may begin.

use std::sync::Arc;

use crate::initial::consistent_state;
use crate::model::{Model, Weights};
use crate::problem::{FINEST, Problem, SimulationError, StepPlan};
use crate::scalar::{CollectVec, Vector};
use crate::step::{Integrator, Moment, State, StepConstants};

use super::check_room;
use super::constants::RunConstants;
use super::forward::integrator;

/// Where the first step is looked for.
const FIRST_LEVEL: u8 = 6;

/// Of the allowed error, what is aimed at when a step is shortened, and what may be left of a step before the next one is twice as
/// long: the error grows by eight then.
const AIM: f64 = 0.5;
const DOUBLED: f64 = 0.05;

/// Steps after which one looks whether there is room for so many.
const ROOM_EVERY: usize = 1 << 16;

/// Levels by which a step becomes shorter at once, at most.
const MOST_LEVELS: f64 = 4.0;

/// The lengths of the steps of a run of the model `M`, whose coordinates have these ranges.
pub fn plan_steps<M: Model>(
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
            weights: weights.collect_vec(),
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
