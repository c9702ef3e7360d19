//! The samples of a record, by the channels that the structure names.

use std::path::Path;

use anyhow::Result;
use costate::Record;
use costate::measure::Wanted;
use costate_examples::{channel, interval, noisy_rows, require_channel, whole_channel};
use costate_models::restoring_force::{INTERVAL, Plate, Sweep};

use costate_examples::structure::Structure;

/// Rows of inputs and of signals in SI units.
#[derive(Debug)]
pub struct Samples {
    /// Time between two samples in s.
    pub interval: f64,
    /// First accelerations of the base, then forces.
    pub inputs: Vec<f64>,
    pub measured: Vec<f64>,
    /// Number of measured signals.
    sensors: usize,
}

impl Samples {
    /// Reads the samples of a file.
    ///
    /// # Errors
    /// No record, a channel that is missing, without a unit or in a wrong one, missing samples of inputs, times
    /// that are not equidistant.
    pub fn read(file: &Path, structure: &Structure) -> Result<Self> {
        Self::of(&Record::read_csv(file)?, structure)
    }

    fn of(record: &Record, structure: &Structure) -> Result<Self> {
        let interval = interval(record)?;
        let base = structure.base.iter().map(|base| (&base.channel, "the acceleration of the base", "m/s^2"));
        let forces = structure.forces.iter().map(|force| (&force.channel, "a force", "N"));
        let columns = base.chain(forces);
        let columns = columns.map(|(channel, what, unit)| whole_channel(record, channel, what, unit));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let rows = |i: usize| columns.iter().map(move |column| column[i]);
        let inputs = (0..record.times().len()).flat_map(rows).collect();
        for sensor in &structure.sensors {
            let wanted = Wanted::from(sensor.kind);
            require_channel(record, &sensor.channel, wanted.unit())?;
        }
        let sensors = structure.sensors.iter().map(|sensor| (sensor.channel.as_str(), sensor.kind));
        let measured = record.rows(sensors, interval)?.values;
        Ok(Self { interval, inputs, measured, sensors: structure.sensors.len() })
    }

    /// Simulates the plate of KE 3.3.2, with noise on every accelerometer.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn simulated(noise: f64, seed: u64) -> Result<Self> {
        let motion = Plate::published().motion(Sweep { amplitude: 7.0, from: 500.0, to: 100.0 })?;
        let measured = noisy_rows(&motion.accelerations, 3, noise, seed)?;
        Ok(Self { interval: INTERVAL, measured, inputs: motion.base, sensors: 3 })
    }

    /// Returns the number of samples.
    pub fn count(&self) -> usize {
        self.measured.len() / self.sensors.max(1)
    }

    /// Returns the measured signal of a sensor.
    pub fn signal(&self, sensor: usize) -> Vec<f64> {
        channel(&self.measured, sensor, self.sensors.max(1))
    }
}
