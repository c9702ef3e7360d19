//! Records at other times: cut, resampled, and as the rows that a filter takes.

use std::sync::Arc;

use super::gaps::GAP;
use super::samples::{Interpolation, Samples};
use super::{Channel, Record, RecordError, SampleFault};

/// Times closer to a sample than this part of the new interval are at the sample.
const SAME_TIME: f64 = 1e-6;

/// Largest number of numbers that are made of a record, a gibibyte: no measurement has more, but a time or an interval
/// with a wrong digit leads there.
pub(crate) const MAX_NUMBERS: usize = 1 << 27;

impl Record {
    /// The samples from the time `start` in s on, with a tolerance for its rounding; times stay what they are.
    ///
    /// # Errors
    /// [`RecordError::NoSamples`] if there are none.
    pub fn since(mut self, start: f64) -> Result<Self, RecordError> {
        let first = self.times.partition_point(|&time| time < start - 1e-12 * start.abs());
        if first == self.times.len() {
            return Err(RecordError::NoSamples { record: self.name });
        }
        Arc::make_mut(&mut self.times).drain(..first);
        for channel in &mut self.channels {
            Arc::make_mut(&mut channel.values).drain(..first);
        }
        Ok(self)
    }

    /// Time in s of the first sample if it is later than 0 s by more than a sampling interval: a run that begins at 0 s
    /// then begins before the record.
    #[doc(hidden)]
    pub fn late_begin(&self) -> Option<f64> {
        /// Sampling intervals from 0 s on beyond which a first sample is late: many clocks count the first sample as 1.
        const MAX_FIRST_INTERVALS: f64 = 1.5;
        let [first, second, .., last] = self.times[..] else { return None };
        let mean = (last - first) / (self.times.len() - 1) as f64;
        (first > MAX_FIRST_INTERVALS * mean.max(second - first)).then_some(first)
    }

    /// The record with times that count from its first sample: a run that it drives or is compared with begins there,
    /// at 0 s.
    ///
    /// ```
    /// # use costate_measure::record::Record;
    /// let record = Record::new(vec![12.34, 12.36])?.starting_at_zero();
    /// assert_eq!((record.times()[0], (record.times()[1] - 0.02).abs() < 1e-14), (0.0, true));
    /// # Ok::<(), costate_measure::record::RecordError>(())
    /// ```
    #[must_use]
    pub fn starting_at_zero(self) -> Self {
        let first = self.times[0];
        self.counted_from(first)
    }

    /// The samples from one time in s to another; all without them.
    ///
    /// # Errors
    /// [`RecordError::Option`] if there are none.
    pub(crate) fn between(self, part: Option<(f64, f64)>) -> Result<Self, RecordError> {
        let Some((from, to)) = part else { return Ok(self) };
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        if from <= to
            && let Ok(record) = self.since(from).and_then(|record| record.until(to))
        {
            return Ok(record);
        }
        let limit = format!("an earlier and a later time in s between which samples are, from {first} to {last} s");
        Err(RecordError::Option { option: "part", value: format!("{from} {to}"), limit })
    }

    /// The record with times that count from a time in s of it.
    pub(crate) fn counted_from(mut self, origin: f64) -> Self {
        if origin != 0.0 {
            // one rounding where both have the same digits, so that times stay apart
            Arc::make_mut(&mut self.times).iter_mut().for_each(|time| *time -= origin);
        }
        self
    }

    /// Takes two samples more than `interval` s apart for the ends of a gap, and no others, in place of what follows
    /// from the times; see [`Gap`](crate::record::Gap). It holds for all channels, those with missing samples as well,
    /// and is kept when the record is cut.
    ///
    /// # Errors
    /// [`RecordError::Option`] for an interval that is not positive.
    pub fn gaps_longer_than(mut self, interval: f64) -> Result<Self, RecordError> {
        if interval.is_nan() || interval <= 0.0 {
            let (option, limit) = ("gaps_longer_than", "a positive interval in s".to_owned());
            return Err(RecordError::Option { option, value: interval.to_string(), limit });
        }
        self.longest_gap = Some(interval);
        Ok(self)
    }

    /// Pieces of `length` s one after the other, each with times from 0 s on and the time of the record at which it
    /// begins; a sample is in one piece only, and a piece without samples is left out. A fit of pieces with a start of
    /// their own follows motions that depend so strongly on the start that the whole record cannot be fitted at once.
    ///
    /// # Errors
    /// [`RecordError::Time`] for a length that is not positive and finite.
    pub fn segments(&self, length: f64) -> Result<Vec<(f64, Self)>, RecordError> {
        if !(length > 0.0 && length.is_finite()) {
            let fault = SampleFault::NotFinite { time: length };
            return Err(RecordError::Time { record: self.name.clone(), index: 0, fault });
        }
        let first = self.times[0];
        let number = |time: &f64| ((time - first) / length + SAME_TIME).floor();
        let mut pieces = Vec::new();
        let mut begin = 0;
        for times in self.times.chunk_by(|a, b| number(a) == number(b)) {
            let (start, samples) = (first + number(&times[0]) * length, begin..begin + times.len());
            begin = samples.end;
            let channel = |channel: &Channel| Channel {
                name: channel.name.clone(),
                unit: channel.unit.clone(),
                values: Arc::new(channel.values[samples.clone()].to_vec()),
                places: channel.places.clone(),
            };
            let piece = Self {
                name: format!("{} from {start:.6} s", self.name),
                channels: self.channels.iter().map(channel).collect(),
                // what is at the start but for rounding is there
                times: Arc::new(times.iter().map(|time| (time - start).max(0.0)).collect()),
                sha256: self.sha256.clone(),
                taken: self.taken.clone(),
                doubts: self.doubts.clone(),
                longest_gap: self.longest_gap,
                has_assumed_times: self.has_assumed_times,
            };
            pieces.push((start, piece));
        }
        Ok(pieces)
    }

    /// All channels every `interval` s from the first time on, linear between the samples; missing in gaps, before a
    /// channel's first sample and after its last. It does not filter: what oscillates faster than half the new rate
    /// must not be in the record.
    ///
    /// # Errors
    /// [`RecordError::Time`] for an interval that is not positive and finite, [`RecordError::TooLong`].
    pub fn resampled(&self, interval: f64) -> Result<Self, RecordError> {
        let times = self.grid(interval, self.channels.len())?;
        let channels = self.channels.iter().map(|channel| {
            let samples = self.samples_of(channel);
            let gaps = self.gaps_among(&samples.times);
            let signal = Interpolation::new(samples, f64::INFINITY, &gaps, SAME_TIME * interval);
            Channel {
                name: channel.name.clone(),
                unit: channel.unit.clone(),
                values: Arc::new(times.iter().map(|&time| signal.at(time)).collect()),
                places: channel.places.clone(),
            }
        });
        let channels = channels.collect();
        // the new times are even, whatever the old ones were
        Ok(Self { channels, times: Arc::new(times), longest_gap: None, ..self.clone() })
    }

    /// The named channels, in their own units, as rows of samples; NaN in gaps.
    pub(super) fn plain_rows(&self, names: &[&str], interval: f64) -> Result<Vec<f64>, RecordError> {
        let times = self.grid(interval, names.len())?;
        let signal = |samples: Samples| {
            let gaps = self.gaps_among(&samples.times);
            Interpolation::new(samples, GAP * interval, &gaps, SAME_TIME * interval)
        };
        let signals: Vec<_> = names.iter().map(|name| self.samples(name).map(signal)).collect::<Result<_, _>>()?;
        Ok(times.iter().flat_map(|&time| signals.iter().map(move |signal| signal.at(time))).collect())
    }

    /// The times every `interval` s, for as many channels.
    fn grid(&self, interval: f64, channels: usize) -> Result<Vec<f64>, RecordError> {
        if !(interval > 0.0 && interval.is_finite()) {
            let fault = SampleFault::NotFinite { time: interval };
            return Err(RecordError::Time { record: self.name.clone(), index: 0, fault });
        }
        let (start, end) = (self.times[0], self.times[self.times.len() - 1]);
        let steps = ((end - start) / interval * (1.0 + 1e-12)).floor();
        let samples = steps + 1.0;
        if samples * (channels + 1) as f64 > MAX_NUMBERS as f64 {
            let (record, limit) = (self.name.clone(), MAX_NUMBERS);
            return Err(RecordError::TooLong { record, start, end, interval, samples, channels, limit });
        }
        Ok((0..=steps as usize).map(|i| start + i as f64 * interval).collect())
    }
}
