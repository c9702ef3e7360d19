//! The samples of a record, by the channels that the structure names.

use costate::measure::{AssumedUnit, Record};
use costate::restoring_force::SensorKind;

use super::structure::Structure;
use crate::error::{CommandError, command_errors};

/// A record that cannot be filtered.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// Times that are not those of an even clock.
    #[error("`{0}`: the samples are not equidistant; set the rate with `--rate` if only their times are wrong")]
    NoInterval(String),
    /// A gap of a channel that the motion needs at every sample.
    #[error("`{record}`: `{channel}` has no sample at {time} s; choose a part without gaps with `--part FROM TO`")]
    Gap { record: String, channel: String, time: f64 },
}

command_errors!(Wrong: SampleError);

/// Rows of inputs and of signals in SI units.
#[derive(Debug)]
pub struct Samples {
    /// Time between two samples in s.
    pub interval: f64,
    /// First accelerations of the base, then forces.
    pub inputs: Vec<f64>,
    /// The signals of the sensors, NaN in gaps.
    pub measured: Vec<f64>,
    /// Channels without a unit.
    pub assumed: Vec<AssumedUnit>,
    /// Number of measured signals.
    sensors: usize,
}

impl Samples {
    /// Takes the channels of a structure from a record.
    ///
    /// # Errors
    /// A channel that is missing or in a wrong unit, missing samples of inputs, times that are not equidistant.
    pub fn of(record: &Record, structure: &Structure) -> Result<Self, CommandError> {
        let interval = record.interval().ok_or_else(|| SampleError::NoInterval(record.name().to_owned()))?;
        let channels = structure.inputs();
        let names: Vec<&str> = channels.iter().map(|(name, _)| *name).collect();
        let (mut inputs, mut assumed) = (Vec::new(), Vec::new());
        if !channels.is_empty() {
            let rows = record.rows(channels, interval)?;
            (inputs, assumed) = (rows.values, rows.assumed_units);
        }
        if let Some(at) = inputs.iter().position(|value| !value.is_finite()) {
            let (sample, channel) = (at / names.len(), at % names.len());
            let time = record.times().first().copied().unwrap_or_default() + sample as f64 * interval;
            let (record, channel) = (record.name().to_owned(), names[channel].to_owned());
            return Err(SampleError::Gap { record, channel, time }.into());
        }
        let sensors = structure.sensors.iter().map(|sensor| (sensor.channel.as_str(), sensor.kind));
        let rows = record.rows::<SensorKind>(sensors, interval)?;
        assumed.extend(rows.assumed_units);
        Ok(Self { interval, inputs, measured: rows.values, assumed, sensors: structure.sensors.len() })
    }

    /// Returns the number of samples.
    pub fn count(&self) -> usize {
        self.measured.len() / self.sensors.max(1)
    }

    /// Returns the measured signal of a sensor.
    pub fn signal(&self, sensor: usize) -> Vec<f64> {
        self.measured.iter().skip(sensor).step_by(self.sensors.max(1)).copied().collect()
    }
}
