//! Records of structures on a moving base.

use anyhow::Result;
use costate::Record;
use costate::restoring_force::SensorKind;

use crate::columns::{interval, require_channel, whole_channel};

/// The name of the channel with the acceleration of the base.
const BASE: &str = "base";

/// Accelerations of a base and of the structure on it.
#[derive(Debug, Clone)]
pub struct MovingBase {
    /// Time between two samples in s.
    pub interval: f64,
    /// Acceleration of the base in m/s^2.
    pub base: Vec<f64>,
    /// Accelerations of the structure in m/s^2, one row per sample.
    pub accelerations: Vec<f64>,
}

impl MovingBase {
    /// The channels `base` and `acceleration`, or `acceleration 1`, `acceleration 2` and so on for several sensors.
    ///
    /// # Errors
    /// A channel that is missing or without a unit or in a wrong one, a base that misses samples, times that are not
    /// equidistant.
    pub fn of(record: &Record, sensors: usize) -> Result<Self> {
        let interval = interval(record)?;
        let base = whole_channel(record, BASE, "the acceleration of the base", "m/s^2")?;
        let names = acceleration_names(sensors);
        for channel in &names {
            require_channel(record, channel, "m/s^2")?;
        }
        let sensors_of = names.iter().map(|name| (name.as_str(), SensorKind::Acceleration));
        let accelerations = record.rows(sensors_of, interval)?.values;
        Ok(Self { interval, base, accelerations })
    }

    /// The record that [`of`](Self::of) takes, from 0 s.
    ///
    /// # Errors
    /// Those of records.
    pub fn record(&self) -> Result<Record> {
        let sensors = self.accelerations.len() / self.base.len().max(1);
        let times = (0..self.base.len()).map(|i| i as f64 * self.interval).collect();
        let mut record = Record::new(times)?.with_channel(BASE, Some("m/s^2"), self.base.clone())?;
        for (j, name) in acceleration_names(sensors).into_iter().enumerate() {
            let values = self.accelerations.iter().skip(j).step_by(sensors).copied().collect();
            record = record.with_channel(name, Some("m/s^2"), values)?;
        }
        Ok(record)
    }
}

fn acceleration_names(sensors: usize) -> Vec<String> {
    match sensors {
        1 => vec!["acceleration".to_owned()],
        _ => (1..=sensors).map(|j| format!("acceleration {j}")).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_are_written() {
        let written = MovingBase {
            interval: 0.5,
            base: vec![1.0, 2.0, 3.0],
            accelerations: vec![4.0, 5.0, f64::NAN, 7.0, 8.0, 9.0],
        };
        let record = written.record().unwrap();
        let read = MovingBase::of(&record, 2).unwrap();
        assert_eq!((read.interval, read.base), (0.5, written.base));
        assert_eq!(read.accelerations[..2], [4.0, 5.0]);
        assert!(read.accelerations[2].is_nan());
        let error = MovingBase::of(&record, 3).unwrap_err().to_string();
        assert!(error.contains("acceleration 3"), "{error}");
        let error = MovingBase::of(&record, 1).unwrap_err().to_string();
        assert!(error.contains("`acceleration`"), "{error}");
    }
}
