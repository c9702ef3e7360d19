//! The step sizes of a run with adaptive steps.
//!
//! The error of a step is that of Newmark's formula for the positions, C_q h^3 a' or C_q h^2 times the change
//! of a in the step, relative to the range of each coordinate. A step whose error is not allowed is repeated
//! with half the length or less; after a step with a small error the next one is twice as long, where steps
//! of that length may begin.

use std::sync::Arc;

use costate_numerics::scalar::largest::largest;

use crate::problem::{Memory, Problem, RunSizes, SimulationError, StepPlan, Steps};

use super::trajectory::Trajectory;

/// Levels of constant steps that are tried for the ranges of the coordinates: the sampling interval over two
/// to these powers.
const TRIALS: [u8; 6] = [0, 2, 4, 6, 8, 10];

impl Problem {
    /// Finds the lengths of [adaptive steps](Steps::Adaptive) for these parameters; a problem with constant
    /// steps stays as it is. Runs, costs and gradients of the result all have these steps, with other
    /// parameters too.
    ///
    /// # Errors
    /// As [`forward`](Self::forward); [`SimulationError::StepTooSmall`] where not even the finest step will do.
    pub fn with_steps_for(self, parameters: &[f64]) -> Result<Self, SimulationError> {
        /// Factor by which the ranges used for the lengths may exceed those of the run before the lengths are
        /// computed again.
        const MAX_RANGE_GROWTH: f64 = 2.0;
        /// Largest number of times that the lengths are computed again.
        const MAX_REPETITIONS: usize = 3;
        let Steps::Adaptive { tolerance } = self.settings().steps else { return Ok(self) };
        self.check_count(parameters.len())?;
        let mut scales = scales(&self, parameters, tolerance)?;
        let mut again = 0;
        loop {
            let plan = self.system().plan_steps(&self, parameters, &scales, tolerance)?;
            let planned = self.clone().with_step_plan(Arc::new(plan))?;
            // constant steps may have been so long that ranges were much too wide
            let own = scales_of(&planned, &planned.forward(parameters)?, tolerance);
            if again == MAX_REPETITIONS || scales.iter().zip(&own).all(|(used, own)| *used <= MAX_RANGE_GROWTH * own) {
                return Ok(planned);
            }
            (scales, again) = (own, again + 1);
        }
    }

    /// Computes the largest error of a step in a run with these parameters, in units of the tolerance of
    /// adaptive steps; 0 where steps are constant.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    #[doc(hidden)]
    pub fn step_excess(&self, parameters: &[f64]) -> Result<f64, SimulationError> {
        let (Steps::Adaptive { tolerance }, Some(plan)) = (self.settings().steps, self.step_plan()) else {
            return Ok(0.0);
        };
        let run = self.forward(parameters)?;
        let [of_q, _] = self.settings().scheme.truncation();
        let scales = scales_of(self, &run, tolerance);
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

/// Returns the range of every coordinate in a run, or the least one that counts: `tolerance` of it is no rounding.
fn scales_of(problem: &Problem, run: &Trajectory, tolerance: f64) -> Vec<f64> {
    /// Number of places at which scales are evaluated.
    const SCALE_PLACES: usize = 100;
    /// Smallest allowed error of a step, relative to the largest position in the same unit: errors of a mechanism at
    /// rest, which do not fall with the step, are up to 1e-13 of it.
    const MIN_ERROR: f64 = 1e-12;
    let every = run.steps().div_ceil(SCALE_PLACES).max(1);
    let scales = problem.system().scales(problem, run, (1, every));
    let coordinates = problem.description().coordinates;
    let mut largest = vec![0.0_f64; coordinates.len()];
    for i in (0..=run.steps()).step_by(every) {
        largest.iter_mut().zip(run.coordinates(i)).for_each(|(largest, q)| *largest = largest.max(q.abs()));
    }
    let of_unit = |unit: &str| {
        let alike = coordinates.iter().zip(&largest).filter(|(other, _)| other.unit == unit);
        alike.fold(0.0, |most: f64, (_, largest)| most.max(*largest))
    };
    let least = |j: usize| MIN_ERROR / tolerance * of_unit(coordinates[j].unit);
    (0..coordinates.len()).map(|j| scales.counting_range(j).max(least(j))).collect()
}

/// Computes the range of every coordinate, or the least one that counts, by a run with constant steps.
fn scales(problem: &Problem, parameters: &[f64], tolerance: f64) -> Result<Vec<f64>, SimulationError> {
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
            Ok(run) => return Ok(scales_of(&trial, &run, tolerance)),
            Err(SimulationError::Step(error)) => failed = Some(error.into()),
            Err(error) => return Err(error),
        }
    }
    // `None` only if no level was possible
    failed.map_or_else(|| Ok(vec![1.0; problem.description().coordinates.len()]), Err)
}

/// Checks whether the machine and the settings have room for the states of this many steps.
///
/// # Errors
/// [`SimulationError::Memory`], [`SimulationError::OutOfMemory`].
pub fn check_room(problem: &Problem, steps: usize) -> Result<(), SimulationError> {
    let memory = Memory::of_all(steps, &RunSizes::of(problem.system()));
    memory.check(problem.settings(), steps)?;
    Ok(memory.check_runs(steps, 1)?)
}
