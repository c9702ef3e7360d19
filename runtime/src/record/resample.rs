//! Records at other times: cut, resampled, and as the rows that a filter takes.

use super::{Channel, Record, RecordError, SampleFault};

/// Distance of two samples, relative to the usual one, from which on a filter has samples in between that are missing.
const GAP: f64 = 1.5;

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
        self.times.drain(..first);
        for channel in &mut self.channels {
            channel.values.drain(..first);
        }
        Ok(self)
    }

    /// All channels every `interval` s from the first time on, linear between the samples. It does not filter: what
    /// oscillates faster than half the new rate must not be in the record.
    ///
    /// # Errors
    /// [`RecordError::Time`] for an interval that is not positive and finite.
    pub fn resampled(&self, interval: f64) -> Result<Self, RecordError> {
        if !(interval > 0.0 && interval.is_finite()) {
            let fault = SampleFault::NotFinite { time: interval };
            return Err(RecordError::Time { record: self.name.clone(), index: 0, fault });
        }
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let steps = ((last - first) / interval * (1.0 + 1e-12)).floor() as usize;
        let times: Vec<f64> = (0..=steps).map(|i| first + i as f64 * interval).collect();
        let channels = self.channels.iter().map(|channel| Channel {
            name: channel.name.clone(),
            unit: channel.unit.clone(),
            values: times.iter().map(|&time| self.at(&channel.values, time)).collect(),
        });
        Ok(Self { name: self.name.clone(), channels: channels.collect(), times })
    }

    fn at(&self, values: &[f64], time: f64) -> f64 {
        let last = self.times.len() - 1;
        let right = self.times.partition_point(|&t| t < time).min(last);
        if right == 0 || self.times[right] == time {
            return values[right];
        }
        let (t0, t1) = (self.times[right - 1], self.times[right]);
        let part = ((time - t0) / (t1 - t0)).min(1.0);
        values[right - 1] + part * (values[right] - values[right - 1])
    }

    /// The named channels as rows of samples every `interval` s, the form that filters take. Where the record has a gap,
    /// of one and a half intervals or more, the samples in it are NaN: a filter predicts through them.
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`], [`RecordError::Time`] for an interval that is not positive and finite.
    pub fn rows(&self, names: &[&str], interval: f64) -> Result<Vec<f64>, RecordError> {
        let resampled = self.resampled(interval)?;
        let channels = names.iter().map(|name| resampled.channel(name)).collect::<Result<Vec<_>, _>>()?;
        let in_gap = |time: f64| {
            let right = self.times.partition_point(|&t| t < time - 1e-6 * interval);
            match (right.checked_sub(1).and_then(|left| self.times.get(left)), self.times.get(right)) {
                (Some(&left), Some(&right)) => {
                    right - left > GAP * interval && right - time > 1e-6 * interval
                }
                _ => false,
            }
        };
        let mut rows = Vec::with_capacity(names.len() * resampled.times.len());
        for (i, &time) in resampled.times.iter().enumerate() {
            let gap = in_gap(time);
            rows.extend(channels.iter().map(|channel| if gap { f64::NAN } else { channel.values[i] }));
        }
        Ok(rows)
    }
}
