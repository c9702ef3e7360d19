//! The origin of the times of a record, and doubts about them.

use costate_contract::units::{Purpose, Scale, is_unit};

use crate::formats::Channel;

use super::RecordingError;
use super::names::{heading, is_interval, may_be_rate, rate_suffix, unit_of_time};
use crate::record::csv::{Heading, is_usual, time_unit, unusual};
use crate::record::{Doubt, RecordError};

/// The channel or variable from which times come.
#[derive(Debug, Clone, Default)]
pub(super) struct TimeSource {
    /// Name of the channel of times; `None` for those of the file.
    channel: Option<String>,
    /// The unit of its numbers, if it is known.
    unit: Option<String>,
    /// True for an interval, a rate or a unit that was given.
    is_given: bool,
    /// The variable of the rate.
    variable: Option<Variable>,
}

/// A variable with a rate or an interval.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    name: String,
    value: f64,
    /// True if the value was taken for an interval.
    is_interval: bool,
    /// True if name or unit determine which of both it is.
    is_clear: bool,
    /// The interval in s.
    pub interval: f64,
}

impl TimeSource {
    /// A clock, or a unit of all times, that was given.
    pub fn given() -> Self {
        Self { is_given: true, ..Self::default() }
    }

    /// A variable with the rate or the interval.
    pub fn of_variable(variable: Variable) -> Self {
        Self { variable: Some(variable), ..Self::default() }
    }

    /// A channel of times, whose numbers may have been given a unit.
    pub fn of(channel: &Channel, given: Option<&str>) -> Self {
        let unit = unit_of_time(channel, given).map(str::to_owned);
        let name = heading(&channel.name).name.to_owned();
        Self { channel: Some(name), unit, is_given: given.is_some(), variable: None }
    }

    /// Returns true for a channel of times without a unit, which are taken in s.
    pub fn is_assumed(&self) -> bool {
        self.unit.is_none() && self.channel.is_some() && !self.is_given
    }

    /// Doubts about times in s.
    pub fn doubts(&self, times: &[f64]) -> Vec<Doubt> {
        if let Some(Variable { name, value, is_interval, is_clear, interval }) = &self.variable {
            let (variable, value, is_interval, interval) = (name.clone(), *value, *is_interval, *interval);
            let doubt = Doubt::RateOf { variable, value, is_interval, interval };
            return if *is_clear && is_usual(interval) { Vec::new() } else { vec![doubt] };
        }
        let name = self.channel.as_deref().unwrap_or("time");
        let unit = self.unit.as_deref().unwrap_or("s");
        let assumed = self.is_assumed();
        let found = match self.is_given {
            true => None,
            false => {
                let first = times.first().copied().unwrap_or(0.0);
                unusual(times, first, name, (time_unit(unit).unwrap_or(unit), assumed), &[])
            }
        };
        found.into_iter().collect()
    }
}

impl Variable {
    /// Takes the only value of a variable for an interval or a rate, as its unit or else its name says.
    pub fn of(channel: &Channel, file: &str) -> Result<Self, RecordError> {
        let Heading { name, unit: bracketed } = heading(&channel.name);
        let value = match channel.values.as_slice() {
            [value, rest @ ..] if rest.iter().all(|other| other == value) => *value,
            values => {
                let (file, channel, values, wanted) =
                    (file.to_owned(), name.to_owned(), values.len(), "one".to_owned());
                return Err(RecordingError::Length { file, channel, values, wanted }.into());
            }
        };
        let unit = channel.unit.as_deref().or(bracketed).map(str::trim).filter(|unit| is_unit(unit));
        let unit = unit.or_else(|| rate_suffix(name).map(|(_, unit)| unit));
        let of_time = unit.and_then(time_unit);
        let (is_interval, interval) = match (of_time, unit) {
            (Some(unit), _) => (true, scale_of(file, name, unit)?.apply(value)),
            (None, Some(unit)) => {
                let origin = format!("`{file}`");
                let rate = Purpose { origin: &origin, column: name, quantity: "the sampling rate", wanted: "Hz" };
                (false, 1.0 / rate.conversion(unit)?.apply(value))
            }
            (None, None) if is_interval(name) => (true, value),
            (None, None) => (false, 1.0 / value),
        };
        let is_clear = unit.is_some() || is_interval || may_be_rate(name);
        Ok(Self { name: name.to_owned(), value, is_interval, is_clear, interval })
    }
}

/// The factor from numbers of this unit to s.
///
/// # Errors
/// A text that is no unit of time.
pub(super) fn scale_of(file: &str, column: &str, unit: &str) -> Result<Scale, RecordError> {
    let origin = format!("`{file}`");
    Ok(Purpose { origin: &origin, column, quantity: "the time of a record", wanted: "s" }.conversion(unit)?)
}
