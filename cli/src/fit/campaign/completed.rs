//! Entries of an experiment, completed by those of all experiments.

use super::{MeasuredEntry, RunSettings};

impl MeasuredEntry {
    /// Completes the entry of an experiment by that of all experiments.
    #[must_use]
    pub fn over(self, common: &Self) -> Self {
        let common = common.clone();
        let mut channel = self.channel;
        channel.record = channel.record.or(common.channel.record);
        channel.channel = channel.channel.or(common.channel.channel);
        channel.unit = channel.unit.or(common.channel.unit);
        channel.unwrap = channel.unwrap.or(common.channel.unwrap);
        Self {
            channel,
            deviation: self.deviation.or(common.deviation),
            weight: self.weight.or(common.weight),
            gain: self.gain.or(common.gain),
            offset: self.offset.or(common.offset),
            delay: self.delay.or(common.delay),
            windows: self.windows.or(common.windows),
            without: self.without.or(common.without),
            weights: self.weights.or(common.weights),
            noise: self.noise.or(common.noise),
        }
    }
}

impl RunSettings {
    /// Completes the settings of an experiment by those of all experiments.
    #[must_use]
    pub fn over(&self, common: &Self) -> Self {
        let (own, common) = (self.clone(), common.clone());
        Self {
            step: own.step.or(common.step),
            end: own.end.or(common.end),
            scheme: own.scheme.or(common.scheme),
            tolerance: own.tolerance.or(common.tolerance),
            error_limit: own.error_limit.or(common.error_limit),
            judge: own.judge.or(common.judge),
            newton_tolerance: own.newton_tolerance.or(common.newton_tolerance),
            newton_iterations: own.newton_iterations.or(common.newton_iterations),
            newton_reuse: own.newton_reuse.or(common.newton_reuse),
            newton_estimate: own.newton_estimate.or(common.newton_estimate),
            memory_limit: own.memory_limit.or(common.memory_limit),
            checkpoints: own.checkpoints.or(common.checkpoints),
        }
    }
}
