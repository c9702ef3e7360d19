//! Steps of different lengths: every one is the sampling interval over a power of two, and samples stand at the ends of
//! steps.

/// The finest step is the sampling interval over two to this.
pub const FINEST: u8 = 24;

/// The steps of a run whose lengths differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepPlan {
    /// Step i is h/2^levels[i - 1].
    levels: Vec<u8>,
    /// The end of step i, and the start, in units of h/2^FINEST.
    ticks: Vec<u64>,
    /// The step at whose end each sample stands, 0 for the first one.
    samples: Vec<usize>,
}

impl StepPlan {
    /// The plan of steps on these levels; `None` where their ends do not meet samples, or a level is beyond the finest.
    pub fn new(levels: Vec<u8>) -> Option<Self> {
        let (mut ticks, mut samples, mut tick) = (vec![0], vec![0], 0u64);
        for (i, &level) in levels.iter().enumerate() {
            let length = 1u64 << FINEST.checked_sub(level)?;
            if !tick.is_multiple_of(length) {
                return None;
            }
            tick += length;
            ticks.push(tick);
            if tick.is_multiple_of(1 << FINEST) {
                samples.push(i + 1);
            }
        }
        tick.is_multiple_of(1 << FINEST).then_some(Self { levels, ticks, samples })
    }

    /// Equal steps.
    pub fn uniform(level: u8, samples: usize) -> Option<Self> {
        Self::new(vec![level; samples.saturating_sub(1) << level.min(FINEST)])
    }

    /// Every step in two.
    pub fn refined(&self) -> Option<Self> {
        Self::new(self.levels.iter().flat_map(|level| [level + 1; 2]).collect())
    }

    /// Steps of twice the length, so often: two of one length become one where that ends where such steps do. Intervals
    /// between samples are longer as well; those that do not fill one are left out. None where none is left.
    pub fn merged(&self, times: u32) -> Option<Self> {
        if times == 0 {
            return Some(self.clone());
        }
        let whole = (self.samples() - 1) / 2 * 2;
        if whole == 0 {
            return None;
        }
        let end = self.step_of(whole);
        let mut levels = Vec::with_capacity(end);
        let mut i = 0;
        while i < end {
            let level = self.levels[i];
            let ends = self.ticks[i].is_multiple_of(2 << FINEST.checked_sub(level)?);
            let is_pair = i + 1 < end && self.levels[i + 1] == level && ends;
            // relative to intervals that are twice as long
            levels.push(if is_pair { level } else { level + 1 });
            i += if is_pair { 2 } else { 1 };
        }
        Self::new(levels)?.merged(times - 1)
    }

    /// The part of the time that steps of the sampling interval take.
    pub fn longest_part(&self) -> f64 {
        let longest = self.levels.iter().filter(|level| **level == 0).count();
        longest as f64 / (self.samples() - 1).max(1) as f64
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.levels.len()
    }

    /// The level of step i, from 1 on; that of the nearest step for others.
    pub fn level(&self, i: usize) -> u8 {
        let nearest = i.clamp(1, self.levels.len().max(1)) - 1;
        self.levels.get(nearest).copied().unwrap_or_default()
    }

    /// The time at the end of step i, in sampling intervals: exact.
    #[doc(hidden)]
    pub fn time(&self, i: usize) -> f64 {
        let ticks = self.ticks.get(i).or(self.ticks.last()).copied().unwrap_or_default();
        ticks as f64 * Self::length(FINEST)
    }

    /// The length of a step of this level, in sampling intervals.
    pub fn length(level: u8) -> f64 {
        0.5f64.powi(i32::from(level))
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.samples.len()
    }

    /// The step at whose end sample k stands.
    pub fn step_of(&self, k: usize) -> usize {
        self.samples.get(k).or(self.samples.last()).copied().unwrap_or_default()
    }

    /// The sample at the end of step i, if there is one.
    #[doc(hidden)]
    pub fn sample(&self, i: usize) -> Option<usize> {
        let ticks = self.ticks.get(i).filter(|ticks| ticks.is_multiple_of(1 << FINEST))?;
        Some((ticks >> FINEST) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_samples() {
        let plan = StepPlan::new(vec![0, 1, 2, 2, 0]).unwrap();
        assert_eq!((plan.steps(), plan.samples()), (5, 4));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|i| plan.time(i)), [0.0, 1.0, 1.5, 1.75, 2.0, 3.0]);
        assert_eq!([0, 1, 2, 3].map(|k| plan.step_of(k)), [0, 1, 4, 5]);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|i| plan.sample(i)), [Some(0), Some(1), None, None, Some(2), Some(3)]);
        let refined = plan.refined().unwrap();
        assert_eq!(
            (0..=5).map(|i| refined.time(2 * i)).collect::<Vec<_>>(),
            (0..=5).map(|i| plan.time(i)).collect::<Vec<_>>()
        );
        assert_eq!(StepPlan::uniform(2, 4).unwrap().steps(), 12);
        // of three intervals two are left, and the steps of the second one are pairs
        let merged = plan.merged(1).unwrap();
        assert_eq!((merged.steps(), merged.samples()), (3, 2));
        assert_eq!([1, 2, 3].map(|i| 2.0 * merged.time(i)), [1.0, 1.5, 2.0]);
        assert_eq!((plan.longest_part(), plan.merged(2)), (2.0 / 3.0, None));
    }

    #[test]
    fn steps_across_samples_are_no_plan() {
        assert_eq!(StepPlan::new(vec![1, 0]), None);
        assert_eq!(StepPlan::new(vec![1, 2]), None);
        assert_eq!(StepPlan::new(vec![2, 1, 2]), None);
        assert_eq!(StepPlan::new(vec![FINEST + 1]), None);
    }
}
