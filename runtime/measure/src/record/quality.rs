//! Samples that are no measurements: clipped ones, and signals that stand still.

use std::fmt;
use std::sync::Arc;

use costate_contract::shown::Exact;
use serde::Serialize;

use super::{Channel, Record, RecordError};

/// A value beyond which a channel has no samples, because its sensor or amplifier does not reach further.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Limit {
    /// The value, in the unit of the channel.
    pub value: f64,
    /// Number of samples at it.
    pub samples: usize,
}

/// A channel with clipped samples, from [`Record::clipped`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Clipped {
    /// Name of the channel.
    pub channel: String,
    /// The lower limit; `None` if no sample is clipped there.
    pub lower: Option<Limit>,
    /// The upper limit; `None` if no sample is clipped there.
    pub upper: Option<Limit>,
    /// True for every clipped sample, one entry per time of the record.
    #[serde(skip)]
    pub mask: Vec<bool>,
}

impl Clipped {
    /// Number of clipped samples.
    pub fn samples(&self) -> usize {
        self.lower.map_or(0, |limit| limit.samples) + self.upper.map_or(0, |limit| limit.samples)
    }
}

impl fmt::Display for Clipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: ", self.channel)?;
        let limits = [self.lower, self.upper].into_iter().flatten();
        let texts: Vec<String> =
            limits.map(|limit| format!("{} samples at {}", limit.samples, Exact(limit.value))).collect();
        write!(f, "{}, where the signal may be clipped", texts.join(" and "))
    }
}

/// A span in which a channel keeps one value, far longer than elsewhere: the sensor may be unplugged, or the line was
/// cut.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Dropout {
    /// Name of the channel.
    pub channel: String,
    /// Time of its first sample in s.
    pub from: f64,
    /// Time of its last sample in s.
    pub to: f64,
    /// The value, in the unit of the channel.
    pub value: f64,
    /// Number of samples.
    pub samples: usize,
    /// True if the channel has no other value at all.
    pub throughout: bool,
    /// True if the signal jumps to the value and from it, as that of a sensor does which drops out, and no signal that
    /// comes to rest.
    pub is_sudden: bool,
}

impl fmt::Display for Dropout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, samples) = (Exact(self.value), self.samples);
        if self.throughout {
            return write!(f, "`{}` is {value} in all {samples} samples", self.channel);
        }
        let (from, to) = (Exact(self.from), Exact(self.to));
        write!(f, "`{}` stands at {value} for {samples} samples, from {from} to {to} s", self.channel)
    }
}

impl Record {
    /// Channels with clipped samples: several at the largest or the smallest value, two of them in a row at least, and
    /// far more than at the values next to it. The crest of a smooth signal is not clipped, however coarse its digits
    /// are, and neither is a signal that switches between two values.
    ///
    /// [`without_clipped`](Self::without_clipped) takes such samples for missing, so that a fit does not compare them.
    ///
    /// ```
    /// # use costate_measure::record::Record;
    /// let times: Vec<f64> = (0..500).map(|i| f64::from(i) * 0.01).collect();
    /// let force = times.iter().map(|t| (120.0 * (7.0 * t).sin()).min(100.0)).collect();
    /// let record = Record::new(times)?.with_channel("force", Some("N"), force)?;
    /// let found = record.clipped();
    /// assert_eq!((found[0].upper.map(|limit| limit.value), found[0].lower), (Some(100.0), None));
    /// assert_eq!(record.without_clipped().channel("force")?.missing(), found[0].samples());
    /// # Ok::<(), costate_measure::record::RecordError>(())
    /// ```
    pub fn clipped(&self) -> Vec<Clipped> {
        self.channels.iter().filter_map(clipped).collect()
    }

    /// The record without the samples that [`clipped`](Self::clipped) finds: they are missing, and a long row of them
    /// is a gap. The cost of a fit leaves them out; what was measured below the limits counts as before. A fit of the
    /// rest is not biased by them as long as the model does not depend on the channel as an input, which may not have
    /// gaps.
    #[must_use]
    pub fn without_clipped(self) -> Self {
        let found = self.clipped();
        found.iter().fold(self, |record, clipped| record.left_out(&clipped.channel, &clipped.mask))
    }

    /// The record without the samples of a channel for which the mask is true, one entry per time; they are missing.
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`], [`RecordError::Length`].
    pub fn masked(self, channel: &str, mask: &[bool]) -> Result<Self, RecordError> {
        let channel = self.channel(channel)?.name.clone();
        if mask.len() != self.times.len() {
            let record = self.name;
            let (values, times) = (mask.len(), self.times.len());
            return Err(RecordError::Length { record, channel, values, times });
        }
        Ok(self.left_out(&channel, mask))
    }

    fn left_out(mut self, channel: &str, mask: &[bool]) -> Self {
        for own in self.channels.iter_mut().filter(|own| own.name == channel) {
            let values = Arc::make_mut(&mut own.values).iter_mut();
            values.zip(mask).filter(|(_, masked)| **masked).for_each(|(value, _)| *value = f64::NAN);
        }
        self
    }

    /// Spans in which a channel keeps one value for ten samples or more, and twenty times longer than it does
    /// elsewhere, and channels with one value throughout. Samples at a limit where the channel is
    /// [`clipped`](Self::clipped) do not count.
    pub fn dropouts(&self) -> Vec<Dropout> {
        let clipped = self.clipped();
        let all = self.channels.iter().flat_map(|channel| {
            let limits = clipped.iter().find(|one| one.channel == channel.name);
            let is_limit = |value: f64| {
                let limits = limits.into_iter().flat_map(|one| [one.lower, one.upper]).flatten();
                limits.into_iter().any(|limit| limit.value == value)
            };
            self.still(channel).into_iter().filter(|found| !is_limit(found.value)).collect::<Vec<_>>()
        });
        all.collect()
    }

    /// The spans in which a channel stands still.
    fn still(&self, channel: &Channel) -> Vec<Dropout> {
        /// Least number of samples with one value at which a signal stands still.
        const MIN_STILL: usize = 10;
        /// Least ratio of this number to the usual one of the signal.
        const MIN_STILL_RATIO: f64 = 20.0;
        let samples: Vec<(f64, f64)> = self
            .times
            .iter()
            .copied()
            .zip(channel.values.iter().copied())
            .filter(|(_, value)| !value.is_nan())
            .collect();
        let mut rows: Vec<&[(f64, f64)]> = samples.chunk_by(|a, b| a.1 == b.1).collect();
        let throughout = rows.len() == 1;
        let mut lengths: Vec<usize> = rows.iter().map(|row| row.len()).collect();
        lengths.sort_unstable();
        // the mean of all but the longest tenth, so that a signal in steps of its digits is known as such
        let usual = lengths.get(..lengths.len() - lengths.len() / 10).unwrap_or_default();
        let usual = usual.iter().sum::<usize>() as f64 / usual.len().max(1) as f64;
        let steps = Steps::of(&samples);
        rows.retain(|row| row.len() >= MIN_STILL && (throughout || row.len() as f64 >= MIN_STILL_RATIO * usual));
        let found = rows.iter().filter_map(|row| {
            let (&(from, value), &(to, _)) = (row.first()?, row.last()?);
            let channel = channel.name.clone();
            let is_sudden = steps.are_sudden(&samples, (from, to));
            Some(Dropout { channel, from, to, value, samples: row.len(), throughout, is_sudden })
        });
        found.collect()
    }
}

/// The changes of a signal from sample to sample.
struct Steps {
    /// The largest one but for a few.
    usual: f64,
}

impl Steps {
    fn of(samples: &[(f64, f64)]) -> Self {
        /// Part of the changes that are jumps at most.
        const JUMP_PART: usize = 100;
        let mut all: Vec<f64> = samples.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs()).collect();
        all.retain(|step| *step > 0.0);
        all.sort_by(f64::total_cmp);
        Self { usual: all.len().checked_sub(all.len() / JUMP_PART + 3).map_or(f64::INFINITY, |at| all[at]) }
    }

    /// Checks whether the signal jumps at the begin and at the end of a span: by more than it changes elsewhere, and by
    /// twice as much at one of them.
    fn are_sudden(&self, samples: &[(f64, f64)], (from, to): (f64, f64)) -> bool {
        let first = samples.partition_point(|(time, _)| *time < from);
        let end = samples.partition_point(|(time, _)| *time <= to);
        let (Some(before), Some((_, after))) = (first.checked_sub(1), samples.get(end)) else { return false };
        let jumps = [samples[first].1 - samples[before].1, after - samples[end - 1].1].map(f64::abs);
        let [least, largest] = [jumps[0].min(jumps[1]), jumps[0].max(jumps[1])];
        least > self.usual && largest > 2.0 * self.usual
    }
}

/// Finds the limits of a channel.
fn clipped(channel: &Channel) -> Option<Clipped> {
    /// Least number of samples at a limit that count as clipped.
    const MIN_CLIPPED: usize = 3;
    /// Samples at a limit must be so many times those at a value next to it: the crest of a smooth signal has hardly
    /// more than twice.
    const MIN_CROWDING: f64 = 4.0;
    /// Number of values next to a limit with which the samples at it are compared.
    const NEIGHBOURING_VALUES: usize = 4;
    /// The largest part of the samples at both limits: a signal that is there more often switches between them.
    const MAX_PART_AT_LIMITS: f64 = 0.4;
    let values = &channel.values;
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len();
    let limit = |mut levels: Vec<(f64, usize)>| -> Option<Limit> {
        let next = levels.split_off(1);
        let (value, samples) = levels.pop()?;
        let beside = next.iter().map(|(_, samples)| *samples).sum::<usize>() as f64 / next.len().max(1) as f64;
        let in_a_row = values.windows(2).any(|pair| pair.iter().all(|other| *other == value));
        let is_crowded = samples >= MIN_CLIPPED && samples as f64 > MIN_CROWDING * beside && !next.is_empty();
        (is_crowded && in_a_row).then_some(Limit { value, samples })
    };
    let levels = |sorted: &mut dyn Iterator<Item = f64>| {
        let mut levels: Vec<(f64, usize)> = Vec::new();
        for value in sorted {
            if let Some((_, samples)) = levels.last_mut().filter(|(level, _)| *level == value) {
                *samples += 1;
            } else if levels.len() > NEIGHBOURING_VALUES {
                break;
            } else {
                levels.push((value, 1));
            }
        }
        levels
    };
    let lower = levels(&mut sorted.iter().copied());
    let upper = levels(&mut sorted.iter().rev().copied());
    let (lower, upper) = (limit((!lower.is_empty()).then_some(lower)?), limit((!upper.is_empty()).then_some(upper)?));
    let at_limits = [lower, upper].iter().flatten().map(|limit| limit.samples).sum::<usize>();
    if at_limits == 0 || at_limits as f64 > MAX_PART_AT_LIMITS * count as f64 {
        return None;
    }
    let is_at = |limit: Option<Limit>, value: f64| limit.is_some_and(|limit| limit.value == value);
    let mask = values.iter().map(|value| is_at(lower, *value) || is_at(upper, *value)).collect();
    Some(Clipped { channel: channel.name.clone(), lower, upper, mask })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn record(signal: impl Fn(f64) -> f64) -> Record {
        let times: Vec<f64> = (0..5000).map(|i| f64::from(i) * 2e-3).collect();
        let values = times.iter().map(|t| signal(*t)).collect();
        Record::new(times).unwrap().with_channel("x", None, values).unwrap()
    }

    /// Deterministic noise from -1 to 1.
    fn noise(t: f64) -> f64 {
        (((t * 1e4).round() * 0.754_877_666_246_692_7).fract() - 0.5) * 2.0
    }

    #[test]
    fn limits_are_found_and_masked() {
        let rounded = |x: f64| (x * 1e3).round() / 1e3;
        let clipped = record(|t| rounded(40.0 * (9.0 * t).sin() + 0.3 * noise(t)).clamp(-32.0, 39.0));
        let found = &clipped.clipped()[0];
        let expected = |value: f64| clipped.channels[0].values.iter().filter(|x| **x == value).count();
        assert_eq!(found.lower, Some(Limit { value: -32.0, samples: expected(-32.0) }));
        assert_eq!(found.upper, Some(Limit { value: 39.0, samples: expected(39.0) }));
        assert_eq!(found.samples(), found.mask.iter().filter(|masked| **masked).count());
        let count = found.samples();
        let rest = clipped.clone().without_clipped();
        assert_eq!((rest.channels[0].missing(), rest.clipped().len()), (count, 0));
        assert!(clipped.dropouts().is_empty());
        assert!(clipped.clipped()[0].to_string().contains("samples at -32 and"));
        assert!(matches!(clipped.masked("x", &[true]), Err(RecordError::Length { .. })));
    }

    #[test]
    fn what_is_not_clipped() {
        let signals: [(&str, &dyn Fn(f64) -> f64); 8] = [
            ("sine", &|t| (9.0 * t).sin()),
            ("coarse sine", &|t| (20.0 * (9.0 * t).sin()).round()),
            ("slow coarse sine", &|t| (50.0 * (0.3 * t).sin()).round()),
            ("noise", &|t| (100.0 * noise(t)).round()),
            ("square", &|t| if (t * 3.0).fract() < 0.5 { 1.0 } else { -1.0 }),
            ("constant", &|_| 3.0),
            ("pulse", &|t| if t < 1e-3 { 1.0 } else { 0.0 }),
            ("decay", &|t| ((-t).exp() * 1e3 * (30.0 * t).cos()).round()),
        ];
        for (name, signal) in signals {
            assert_eq!(record(signal).clipped(), [], "{name}");
        }
    }

    #[test]
    fn signals_that_stand_still_are_found() {
        let cut = record(|t| if (3.0..3.2).contains(&t) { 0.0 } else { (9.0 * t).sin() + 0.01 * noise(t) });
        let found = cut.dropouts();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].samples, found[0].value, found[0].throughout), (100, 0.0, false));
        assert!(found[0].from >= 3.0 && found[0].to < 3.2 && found[0].is_sudden);
        // a signal that rests, and one that begins at rest
        for still in [(2.0, 4.0), (-1.0, 2.0)] {
            let rests = record(|t| if (still.0..still.1).contains(&t) { 0.0 } else { (PI * t).sin() });
            assert!(rests.dropouts().len() == 1 && !rests.dropouts()[0].is_sudden, "{:?}", rests.dropouts());
        }
        let unplugged = record(|_| 0.0).dropouts();
        assert_eq!(unplugged.len(), 1);
        assert_eq!(unplugged[0].to_string(), "`x` is 0 in all 5000 samples");
        // digits that are coarse for a slow signal
        assert_eq!(record(|t| (20.0 * (0.3 * t).sin()).round()).dropouts(), []);
        assert_eq!(record(|t| if (t * 3.0).fract() < 0.5 { 1.0 } else { -1.0 }).dropouts(), []);
        assert_eq!(record(|_| f64::NAN).dropouts(), []);
    }
}
