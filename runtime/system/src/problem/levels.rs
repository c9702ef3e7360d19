//! Runs of high order: combinations of runs with steps of several lengths whose errors cancel.
//!
//! The errors of a run at its samples have an expansion in powers of the step. With the steps h/n, h/2n, h/4n .. each
//! further run removes one of the powers: from T and the same of half the steps follows (2^e T_half - T)/(2^e - 1).
//! The result is a fixed linear combination of whole runs, which meet at the samples.

use std::sync::Arc;

use crate::step::Scheme;

use super::input_samples::InputSamples;
use super::step_plan::StepPlan;
use super::{Checkpoints, Memory, Plan, Problem, RunSizes, Settings, SimulationError};

/// One of the runs whose combination has a high order.
#[derive(Clone, Debug)]
pub struct Level {
    /// The problem of the run, with constant steps.
    pub problem: Problem,
    /// The factor of the run in the combination; those of all runs have the sum 1.
    pub weight: f64,
    /// Number of steps of the run from one sample to the next.
    pub parts: usize,
    /// Number of steps of the problem itself, those of the shortest steps, in one step of the run.
    pub stride: usize,
}

impl Settings {
    /// Returns the powers of the step that runs of other steps remove from the errors; none for a run of order 2.
    fn removed_powers(&self, has_constraints: bool) -> Vec<i32> {
        let order = self.order as i32;
        // the trapezoidal rule is symmetric
        let is_even = self.scheme == Scheme::Undamped && !has_constraints;
        (2..order).filter(|power| !is_even || power % 2 == 0).collect()
    }
}

/// Returns the factors of runs whose steps are halved from one to the next, where these powers of the step shall
/// cancel.
pub(super) fn weights(powers: &[i32]) -> Vec<f64> {
    let mut weights = vec![1.0];
    for power in powers {
        let ratio = 2f64.powi(*power);
        let mut next = vec![0.0; weights.len() + 1];
        for (k, weight) in weights.iter().enumerate() {
            next[k] -= weight / (ratio - 1.0);
            next[k + 1] += weight * ratio / (ratio - 1.0);
        }
        weights = next;
    }
    weights
}

impl Problem {
    /// Returns the factors of the runs that are combined, beginning with the longest steps.
    fn level_weights(&self) -> Vec<f64> {
        weights(&self.settings.removed_powers(!self.description().constraints.is_empty()))
    }

    /// Returns the runs whose combination is a run of this problem, beginning with the longest steps; `None` for a run
    /// of order 2, which is no combination.
    #[doc(hidden)]
    pub fn levels(&self) -> Option<Vec<Level>> {
        let finest = self.steps.as_ref().filter(|_| self.settings.order > 2)?.level(1);
        let inputs = self.level_inputs.iter().zip(&self.level_changes);
        let weights = self.level_weights();
        let last = weights.len() - 1;
        let total = (1 << weights.len()) - 1;
        let level = |(k, (weight, (inputs, changes))): (usize, (f64, (&Arc<InputSamples>, _)))| {
            let stride = 1 << (last - k);
            let parts = (1 << finest) / stride;
            let changes: &Option<Arc<InputSamples>> = changes;
            let settings = self.settings_of_level(parts, (1 << k, total));
            let (plan, memory) = self.plan_of_level(&settings, inputs.len() - 1).unwrap_or((None, self.memory));
            let report = self.progress.clone().map(|report| {
                let (before, part) = (((1 << k) - 1) as f64 / total as f64, (1 << k) as f64 / total as f64);
                Arc::new(move |done: f64| report(before + part * done)) as Arc<dyn Fn(f64) + Send + Sync>
            });
            let problem = Self {
                settings,
                plan,
                memory,
                inputs: Arc::clone(inputs),
                input_changes: changes.clone(),
                steps: None,
                progress: report,
                level_inputs: Vec::new(),
                level_changes: Vec::new(),
                ..self.clone()
            };
            Level { problem, weight, parts, stride }
        };
        Some(weights.into_iter().zip(inputs).enumerate().map(level).collect())
    }

    /// Returns the settings of one of the runs, which takes this share of the memory for checkpoints.
    fn settings_of_level(&self, parts: usize, (share, of): (u64, u64)) -> Settings {
        let shared = |bytes: u64| (u128::from(bytes) * u128::from(share) / u128::from(of)) as u64;
        let checkpoints = match self.settings.checkpoints.shared_by(1) {
            Checkpoints::Within(bytes) => Checkpoints::Within(shared(bytes)),
            other => other,
        };
        let (step, memory_limit) = (self.settings.step / parts as f64, self.settings.memory_limit.map(shared));
        Settings { step, order: 2, checkpoints, memory_limit, ..self.settings.clone() }
    }

    fn plan_of_level(&self, settings: &Settings, steps: usize) -> Result<(Option<Plan>, Memory), SimulationError> {
        Memory::planned(settings, steps, &RunSizes::of(self.system))
    }

    /// Returns the problem of order 4 with the same steps, where this one is of order 2 and there is such a run.
    pub(crate) fn of_order_four(&self) -> Option<Self> {
        if self.settings.order != 2 || self.settings.steps.is_adaptive() || self.start.is_some() {
            return None;
        }
        let mut higher = self.clone();
        higher.settings.order = 4;
        higher.settings.validate_for(self.description()).ok()?;
        higher.with_order().ok()
    }

    /// Returns the problem whose runs are combinations, where the settings say so.
    pub(super) fn with_order(self) -> Result<Self, SimulationError> {
        if self.settings.order <= 2 {
            return Ok(self);
        }
        let longest = self.level_weights().len() - 1;
        match StepPlan::uniform(longest as u8, self.settings.steps() + 1) {
            Some(plan) => self.with_step_plan(Arc::new(plan)),
            None => Err(SimulationError::StepTooSmall { time: 0.0, step: self.settings.step }),
        }
    }

    /// Sets what the runs that are combined take of this problem: their inputs, and the memory of all of them.
    pub(super) fn with_levels(mut self) -> Result<Self, SimulationError> {
        let Some(plan) = self.steps.clone().filter(|_| self.settings.order > 2) else { return Ok(self) };
        let levels = self.level_weights().len();
        let strided = |samples: &Arc<InputSamples>, stride: usize| match stride {
            1 => Arc::clone(samples),
            _ => {
                let mut own = InputSamples::empty(samples.width(), Vec::new());
                (0..samples.len()).step_by(stride).for_each(|i| own.push(samples.row(i)));
                Arc::new(own)
            }
        };
        let strides = || (0..levels).rev().map(|k| 1usize << k);
        self.level_inputs = strides().map(|stride| strided(&self.inputs, stride)).collect();
        let changes = self.input_changes.as_ref();
        self.level_changes = strides().map(|stride| changes.map(|changes| strided(changes, stride))).collect();
        let (mut total, mut plans) = (Memory::default(), None);
        for (k, stride) in strides().enumerate() {
            let settings = self.settings_of_level((1 << plan.level(1)) / stride, (1 << k, (1 << levels) - 1));
            let (plan, memory) = self.plan_of_level(&settings, plan.steps() / stride)?;
            plans = plan.or(plans);
            total.add(memory);
        }
        (self.plan, self.memory) = (plans, total);
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_the_step_cancel() {
        for powers in [&[][..], &[2], &[2, 3], &[2, 4], &[2, 3, 4, 5]] {
            let weights = weights(powers);
            let sum = |power: i32| -> f64 {
                weights.iter().enumerate().map(|(k, weight)| weight * 2f64.powi(-power * k as i32)).sum()
            };
            assert!((sum(0) - 1.0).abs() < 1e-15, "{powers:?}: {weights:?}");
            assert!(powers.iter().all(|power| sum(*power).abs() < 1e-15), "{powers:?}: {weights:?}");
            assert!(sum(6).abs() > 1e-6);
        }
    }
}
