//! Measured signals: named channels over time, read from and written to CSV files; the gaps in them.

mod changed;
mod csv;
mod error;
mod even;
mod gaps;
mod quality;
mod recording;
mod resample;
mod response;
mod samples;
mod sampling;
mod spikes;
#[cfg(test)]
mod tests;
mod unit;

use std::sync::Arc;

#[doc(no_inline)]
pub use crate::formats::{Axis, ClockTime, Dof, Format, FormatError, Group, LeftOut, Spectrum, SpectrumKind};
#[doc(hidden)]
pub use changed::NewChannel;
pub use csv::{Clocked, Column, CsvReader, DateOrder, Decimal, Doubt, Encoding, NotText, Separator, Taken, Units};
pub use error::{CellFault, RecordError, SampleFault};
#[doc(hidden)]
pub use even::EvenClock;
pub use gaps::Gap;
#[doc(hidden)]
pub use gaps::inner_gaps;
pub use quality::{Clipped, Dropout, Limit};
pub use recording::{Recording, RecordingError};
pub(crate) use resample::MAX_NUMBERS;
#[cfg(feature = "uff")]
pub use response::write_responses_uff;
pub use response::{FrequencyResponse, ResponseError, ResponseKind};
pub use samples::Samples;
pub use sampling::Sampling;
pub use spikes::Spikes;
pub use unit::{AssumedUnit, Rows, Wanted};
#[doc(hidden)]
pub use unit::{converted, note, write_assumed};

/// One measured signal of a [`Record`]. Channels are equal if their names, units and values are, a missing sample being
/// equal to a missing one.
#[derive(Debug, Clone)]
pub struct Channel {
    name: String,
    unit: Option<String>,
    values: Arc<Vec<f64>>,
    /// Names of the place in the file, by which the channel is found as well.
    places: Vec<String>,
}

impl Channel {
    /// Name as in the file's header.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Unit as in the file's header, if it has one.
    pub fn unit(&self) -> Option<&str> {
        self.unit.as_deref()
    }

    /// One value per time, in the channel's own unit, NaN where the sample is missing; [`Record::values_in`] has them
    /// in another unit.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Number of times without a sample.
    pub fn missing(&self) -> usize {
        self.values.iter().filter(|value| value.is_nan()).count()
    }
}

impl PartialEq for Channel {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
        self.name == other.name
            && self.unit == other.unit
            && self.values.len() == other.values.len()
            && self.values.iter().zip(other.values()).all(same)
    }
}

/// A table of measured channels over strictly increasing times in s. A channel may miss samples, which are NaN, and the
/// record may miss times: see [`Gap`]. A clone shares the numbers.
///
/// ```
/// # use costate_measure::record::Record;
/// let record = Record::new(vec![0.0, 0.1, 0.2])?.with_channel("angle", Some("rad"), vec![0.0, 0.3, 0.5])?;
/// assert_eq!(record.channel("angle")?.values()[1], 0.3);
/// # Ok::<(), costate_measure::record::RecordError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Record {
    name: String,
    times: Arc<Vec<f64>>,
    channels: Vec<Channel>,
    /// The SHA-256 of the text that it was read from.
    sha256: Option<String>,
    /// Description of what that text was taken to be.
    taken: Option<Arc<Taken>>,
    /// Doubts about the times, from the file.
    doubts: Arc<Vec<Doubt>>,
    /// Distance of two samples in s from which on others are missing between them; it follows from the times if it is
    /// not set.
    longest_gap: Option<f64>,
    /// True if the times have no unit in the file, and none was given.
    has_assumed_times: bool,
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        // where numbers come from does not make others of them
        self.name == other.name && self.times == other.times && self.channels == other.channels
    }
}

impl Record {
    /// A record without channels.
    ///
    /// # Errors
    /// [`RecordError::NoSamples`], and [`RecordError::Time`] for a time that is not finite or does not follow the
    /// one before it.
    pub fn new(times: Vec<f64>) -> Result<Self, RecordError> {
        let name = "record".to_owned();
        if times.is_empty() {
            return Err(RecordError::NoSamples { record: name });
        }
        for (index, &time) in times.iter().enumerate() {
            let before = index.checked_sub(1).map(|i| times[i]);
            if let Some(fault) = SampleFault::of_time(time, before) {
                return Err(RecordError::Time { record: name, index, fault });
            }
        }
        Ok(Self {
            name,
            times: Arc::new(times),
            channels: Vec::new(),
            sha256: None,
            taken: None,
            doubts: Arc::default(),
            longest_gap: None,
            has_assumed_times: false,
        })
    }

    /// Gives the record the name that error messages use; a file's record has the file's name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The SHA-256 of the file or text that the record was read from, as `sha256sum` prints it; `None` for one that was
    /// made of numbers. It is that of the whole file, whatever of it has been cut off or resampled since.
    pub fn sha256(&self) -> Option<&str> {
        self.sha256.as_deref()
    }

    /// Doubts about what the file that the record was read from means, of whatever format it is; each says the option
    /// of the [`reader`](Self::reader) that settles it.
    pub fn doubts(&self) -> &[Doubt] {
        &self.doubts
    }

    /// Returns true if the times were taken in s though neither the file nor the reader says so.
    #[doc(hidden)]
    pub fn has_assumed_times(&self) -> bool {
        self.has_assumed_times
    }

    /// The record with times in another unit than s, of which `seconds` are one.
    #[doc(hidden)]
    #[must_use]
    pub fn with_times_in(mut self, seconds: f64) -> Self {
        Arc::make_mut(&mut self.times).iter_mut().for_each(|time| *time *= seconds);
        self.longest_gap = self.longest_gap.map(|gap| gap * seconds);
        self
    }

    /// Adds a channel with one value per time, NaN where the sample is missing.
    ///
    /// # Errors
    /// [`RecordError::ChannelName`] (empty, with surrounding blanks, or ending in what a header would take for a
    /// unit), [`RecordError::ChannelUnit`] (empty, with surrounding blanks or an opening bracket),
    /// [`RecordError::Duplicate`], [`RecordError::Length`], [`RecordError::Value`] for infinite values.
    pub fn with_channel(
        mut self,
        name: impl Into<String>,
        unit: Option<&str>,
        values: Vec<f64>,
    ) -> Result<Self, RecordError> {
        let channel = name.into();
        let record = self.name.clone();
        let clear = csv::Heading::in_brackets(&channel) == csv::Heading { name: &channel, unit: None };
        if channel.is_empty() || !clear || csv::is_time(&channel) {
            return Err(RecordError::ChannelName { record, channel });
        }
        if let Some(unit) = unit.filter(|unit| !csv::keeps_unit(&channel, unit)) {
            return Err(RecordError::ChannelUnit { record, channel, unit: unit.to_owned() });
        }
        if self.channels.iter().any(|other| other.name == channel) {
            return Err(RecordError::Duplicate { record, channel });
        }
        if values.len() != self.times.len() {
            return Err(RecordError::Length { record, channel, values: values.len(), times: self.times.len() });
        }
        if let Some(index) = values.iter().position(|value| value.is_infinite()) {
            return Err(RecordError::Value { record, channel, index, value: values[index] });
        }
        let (unit, values) = (unit.map(str::to_owned), Arc::new(values));
        self.channels.push(Channel { name: channel, unit, values, places: Vec::new() });
        Ok(self)
    }

    /// Gives the channel that was added last further names by which it is found.
    fn found_as(mut self, places: Vec<String>) -> Self {
        if let Some(channel) = self.channels.last_mut() {
            channel.places = places;
        }
        self
    }

    /// Gives a channel this unit, such as one that has none in the heading of its file.
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`], and [`RecordError::ChannelUnit`] for a text that no heading can have as a unit.
    #[doc(hidden)]
    pub fn with_unit_of(mut self, channel: &str, unit: &str) -> Result<Self, RecordError> {
        let channel = self.channel(channel)?.name.clone();
        if !csv::keeps_unit(&channel, unit) {
            let (record, unit) = (self.name, unit.to_owned());
            return Err(RecordError::ChannelUnit { record, channel, unit });
        }
        for own in self.channels.iter_mut().filter(|own| own.name == channel) {
            own.unit = Some(unit.to_owned());
        }
        Ok(self)
    }

    /// The samples up to the time `end` in s, with a tolerance for its rounding.
    ///
    /// # Errors
    /// [`RecordError::NoSamples`] if there are none.
    pub fn until(mut self, end: f64) -> Result<Self, RecordError> {
        let samples = self.times.partition_point(|&time| time <= end + 1e-12 * end.abs());
        if samples == 0 {
            return Err(RecordError::NoSamples { record: self.name });
        }
        Arc::make_mut(&mut self.times).truncate(samples);
        for channel in &mut self.channels {
            Arc::make_mut(&mut channel.values).truncate(samples);
        }
        Ok(self)
    }

    /// The name that error messages use.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Times in s, strictly increasing; at least one.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// All channels, in the order of the columns.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The channel with this name, or with this place in the file that it was read from, such as `run.acc`.
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`] with the names that exist.
    pub fn channel(&self, name: &str) -> Result<&Channel, RecordError> {
        let named = self.channels.iter().find(|channel| channel.name == name);
        let placed = || {
            let mut found = self.channels.iter().filter(|channel| channel.places.iter().any(|place| place == name));
            // a place that several have names none of them
            found.next().filter(|_| found.next().is_none())
        };
        named.or_else(placed).ok_or_else(|| RecordError::MissingChannel {
            record: self.name.clone(),
            channel: name.to_owned(),
            available: self.channels.iter().map(|channel| channel.name.clone()).collect(),
        })
    }

    /// The sampling interval in s if the times are those of one even clock, up to their digits or a little jitter;
    /// `None` for another clock, for a record with gaps and for a single sample.
    ///
    /// Times of an even clock are equidistant to one thousandth of the interval. Twenty times or more may also be off
    /// by what their last digit leaves open, or by a jitter of up to a quarter of the interval; the interval is that of
    /// all times, and not that of two of them.
    pub fn interval(&self) -> Option<f64> {
        interval(&self.times)
    }
}

/// The interval in s of times of one even clock, as of [`Record::interval`].
pub fn interval(times: &[f64]) -> Option<f64> {
    even::even_clock(times).map(|clock| clock.interval)
}
