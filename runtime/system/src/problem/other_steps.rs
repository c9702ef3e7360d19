//! Problems with other steps: of given lengths, halves, thirds, and longer ones.

use std::sync::Arc;

use super::input_samples::InputSamples;
use super::inputs::InputSource;
use super::step_plan::StepPlan;
use super::{Memory, Problem, RunSizes, Settings, SimulationError};

impl Problem {
    /// Returns the problem with steps of these lengths.
    ///
    /// # Errors
    /// As [`Problem::new`].
    #[doc(hidden)]
    pub fn with_step_plan(mut self, plan: Arc<StepPlan>) -> Result<Self, SimulationError> {
        let (checkpoints, memory) = Memory::planned(&self.settings, plan.steps(), &RunSizes::of(self.system))?;
        memory.check_least(plan.steps())?;
        let is_adaptive = self.settings.steps.is_adaptive();
        let inputs = self.source.sampled(plan.steps(), is_adaptive, self.settings.step, |i| plan.time(i))?;
        (self.inputs, self.plan, self.memory) = (Arc::new(inputs), checkpoints, memory);
        self.steps = Some(plan);
        self.with_levels()
    }

    /// Returns the problem with every step divided in two, and the same samples.
    ///
    /// # Errors
    /// As [`Problem::new`]; [`SimulationError::StepTooSmall`] for adaptive steps that are the finest ones.
    pub fn refined(&self) -> Result<Self, SimulationError> {
        let plan = match &self.steps {
            Some(plan) => plan.refined(),
            None => StepPlan::uniform(1, self.inputs.len()),
        };
        match plan {
            Some(plan) => self.clone().with_step_plan(Arc::new(plan)),
            None => Err(SimulationError::StepTooSmall { time: 0.0, step: self.settings.step }),
        }
    }

    /// Returns the problem with steps that are `longer` by this power of two, between every `longer`-th
    /// sample of this problem, up to the last such sample. Where lengths differ, two steps of one length
    /// become one if steps of twice the length can end there. `None` where less than one step is left.
    pub(crate) fn coarser(&self, longer: usize) -> Option<Self> {
        let intervals = (self.samples() - 1) / longer;
        if intervals == 0 {
            return None;
        }
        let plan = match &self.steps {
            Some(plan) => Some(Arc::new(plan.merged(longer.ilog2())?)),
            None => None,
        };
        let count = plan.as_ref().map_or(intervals, |plan| plan.steps());
        let time = |i: usize| plan.as_ref().map_or(i as f64, |plan| plan.time(i)) * longer as f64;
        let mut inputs = InputSamples::empty(self.inputs.width(), Vec::new());
        for i in 0..=count {
            match &plan {
                // every sample of the run itself
                None if i * longer < self.inputs.len() => inputs.push(self.inputs.row(i * longer)),
                None => return None,
                Some(_) => inputs.push(&self.source.at(time(i), self.settings.step).ok()?),
            }
        }
        let step = self.settings.step * longer as f64;
        let mut coarser = self.clone().without_progress();
        coarser.settings = Settings { step, end: step * intervals as f64, ..self.settings.clone() };
        (coarser.inputs, coarser.steps, coarser.plan) = (Arc::new(inputs), plan, None);
        coarser.with_levels().ok()
    }

    /// Returns the problem with constant steps of a third, three for each; `None` for adaptive steps, parts of runs and
    /// inputs that are known at the ends of steps alone.
    pub(crate) fn in_thirds(&self) -> Option<Self> {
        const PARTS: usize = 3;
        if self.settings.steps.is_adaptive() || self.start.is_some() || matches!(*self.source, InputSource::Samples(..))
        {
            return None;
        }
        let mut shorter = self.clone().without_progress();
        shorter.settings.step /= PARTS as f64;
        let steps = PARTS * (self.samples() - 1);
        let inputs = self.source.sampled(steps, false, shorter.settings.step, |i| i as f64).ok()?;
        (shorter.inputs, shorter.steps, shorter.plan) = (Arc::new(inputs), None, None);
        shorter.with_order().ok()
    }
}
