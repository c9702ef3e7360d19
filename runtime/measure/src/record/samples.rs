//! The samples of a channel, and its values at other times.

use super::gaps::{Gap, InnerGap, gaps, inner_gaps_beyond};
use super::{Channel, Record, RecordError};

/// The samples of a channel, without the missing ones.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Samples {
    /// Increasing times in s.
    pub times: Vec<f64>,
    /// One value per time, none of them NaN.
    pub values: Vec<f64>,
    /// The gaps between the samples, and those at the beginning and the end of the record.
    pub gaps: Vec<Gap>,
}

impl Record {
    /// Returns the samples of the channel with this name.
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`], [`RecordError::NoValues`] if all samples are missing.
    pub fn samples(&self, channel: &str) -> Result<Samples, RecordError> {
        self.known_samples(self.channel(channel)?)
    }

    /// Returns the samples of a channel, of which there must be at least one.
    #[doc(hidden)]
    pub fn known_samples(&self, channel: &Channel) -> Result<Samples, RecordError> {
        let samples = self.samples_of(channel);
        if samples.times.is_empty() {
            let (record, channel, times) = (self.name.clone(), channel.name().to_owned(), self.times.len());
            return Err(RecordError::NoValues { record, channel, times });
        }
        Ok(samples)
    }

    /// Returns the samples of a channel; none if all are missing.
    #[doc(hidden)]
    pub fn samples_of(&self, channel: &Channel) -> Samples {
        let all = self.times.iter().zip(channel.values()).filter(|(_, value)| !value.is_nan());
        let (times, values): (Vec<f64>, Vec<f64>) = all.unzip();
        let gaps = gaps(&times, self.times[0], self.times[self.times.len() - 1], self.longest_gap);
        Samples { times, values, gaps }
    }

    /// Returns the gaps between increasing times of samples of this record.
    #[doc(hidden)]
    pub fn gaps_among(&self, times: &[f64]) -> Vec<InnerGap> {
        inner_gaps_beyond(times, self.longest_gap)
    }
}

/// A signal between its samples: linear interpolation where there is no gap.
pub(super) struct Interpolation {
    samples: Samples,
    /// Marks the samples that are followed by a gap.
    is_gap: Vec<bool>,
    /// Distance in s up to which a time counts as that of a sample.
    rounding: f64,
}

impl Interpolation {
    /// Interpolates between samples that are at most `longest` s apart and have no gap between them.
    pub fn new(samples: Samples, longest: f64, gaps: &[InnerGap], rounding: f64) -> Self {
        let mut is_gap: Vec<bool> = samples.times.windows(2).map(|pair| pair[1] - pair[0] > longest).collect();
        gaps.iter().for_each(|gap| is_gap[gap.after] = true);
        Self { samples, is_gap, rounding }
    }

    /// Evaluates the value at `time` in s; NaN in a gap, and before the first and after the last sample.
    pub fn at(&self, time: f64) -> f64 {
        let Samples { times, values, .. } = &self.samples;
        let Some(last) = times.len().checked_sub(1) else { return f64::NAN };
        let is_at = |sample: usize| (time - times[sample]).abs() <= self.rounding;
        let right = times.partition_point(|&t| t < time).min(last);
        if times[right] == time || right == 0 {
            return if is_at(right) { values[right] } else { f64::NAN };
        }
        let (t0, t1) = (times[right - 1], times[right]);
        let is_missing = self.is_gap[right - 1] || time > t1;
        if is_missing && !is_at(right - 1) && !is_at(right) {
            return f64::NAN;
        }
        let part = ((time - t0) / (t1 - t0)).min(1.0);
        values[right - 1] + part * (values[right] - values[right - 1])
    }
}
