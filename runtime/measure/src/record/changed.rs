//! Records made of other records: replaced channels, other times.

use std::sync::Arc;

use super::{Channel, Record, RecordError};

/// A channel of a new record: name, unit, one value per time, NaN where the sample is missing.
pub type NewChannel = (String, Option<String>, Vec<f64>);

impl Record {
    /// Makes a record with the name and the source of this one, with these times and channels.
    ///
    /// # Errors
    /// As [`Record::new`] and [`Record::with_channel`].
    #[doc(hidden)]
    pub fn with_times(&self, times: Vec<f64>, channels: Vec<NewChannel>) -> Result<Self, RecordError> {
        let mut made = Self::new(times).map_err(|error| match error {
            RecordError::Time { index, fault, .. } => RecordError::Time { record: self.name.clone(), index, fault },
            _ => RecordError::NoSamples { record: self.name.clone() },
        })?;
        made.name.clone_from(&self.name);
        made.sha256.clone_from(&self.sha256);
        made.taken.clone_from(&self.taken);
        made.doubts.clone_from(&self.doubts);
        made.longest_gap = self.longest_gap;
        channels
            .into_iter()
            .try_fold(made, |made, (name, unit, values)| made.with_channel(name, unit.as_deref(), values))
    }

    /// Gives a channel other values and another unit.
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`], and as [`Record::with_channel`].
    #[doc(hidden)]
    pub fn with_values_of(mut self, channel: &str, unit: Option<&str>, values: Vec<f64>) -> Result<Self, RecordError> {
        let Channel { name, places, .. } = self.channel(channel)?.clone();
        let alone = Self { channels: Vec::new(), ..self.clone() };
        let made = alone.with_channel(&name, unit, values)?.found_as(places).channels;
        for (own, new) in self.channels.iter_mut().filter(|own| own.name == name).zip(made) {
            *own = new;
        }
        Ok(self)
    }

    /// The samples with indices from `first` up to `end`, with `shift` s added to their times.
    ///
    /// # Errors
    /// [`RecordError::NoSamples`], [`RecordError::Time`] where the shifted times are not finite.
    #[doc(hidden)]
    pub fn part(&self, first: usize, end: usize, shift: f64) -> Result<Self, RecordError> {
        let times: Vec<f64> = self.times.get(first..end).unwrap_or_default().iter().map(|time| time + shift).collect();
        let empty = self.with_times(times, Vec::new())?;
        let channel = |channel: &Channel| Channel {
            name: channel.name.clone(),
            unit: channel.unit.clone(),
            values: Arc::new(channel.values.get(first..end).unwrap_or_default().to_vec()),
            places: channel.places.clone(),
        };
        Ok(Self { channels: self.channels.iter().map(channel).collect(), ..empty })
    }
}
