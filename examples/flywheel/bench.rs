//! Measurements of accelerometers on a flywheel and on the platform under it: simulated with noise, or read from a
//! file.

use anyhow::Result;
use costate::Record;
use costate::restoring_force::SeriesError;
use costate::simulate::{InputError, Sampled};
use costate_examples::{MovingBase, add_noise, create_folder_of};
use costate_models::restoring_force::{Motion, Sampling};

use crate::options::Options;

/// Difference of the seeds of two signals.
const BETWEEN_SIGNALS: u64 = 1000;

/// The samples of an experiment.
pub struct Bench {
    pub measured: MovingBase,
    /// The motion without noise; `None` if the experiment is not simulated.
    pub truth: Option<Motion>,
    /// Number of accelerations per sample.
    sensors: usize,
}

impl Bench {
    /// Reads the record of the command line; without one, simulates the motion, with these noises on the base and
    /// on the accelerations, relative to their root mean squares. The written file is called `name`.
    ///
    /// # Errors
    /// Those of the record and of the simulation.
    pub fn of(
        options: &Options,
        name: &str,
        sensors: usize,
        simulate: impl FnOnce() -> Result<(Motion, Sampling)>,
        noise: [f64; 2],
    ) -> Result<Self> {
        let bench = match &options.record {
            Some(file) => {
                let measured = MovingBase::of(&Record::read_csv(file)?, sensors)?;
                Self { measured, truth: None, sensors }
            }
            None => {
                let (motion, sampling) = simulate()?;
                Self::simulated(motion, sampling, sensors, noise, options.seed)?
            }
        };
        if let Some(folder) = &options.write_records {
            let file = folder.join(format!("{name}.csv"));
            create_folder_of(&file)?;
            bench.measured.record()?.write_csv(&file)?;
        }
        Ok(bench)
    }

    fn simulated(motion: Motion, sampling: Sampling, sensors: usize, noise: [f64; 2], seed: u64) -> Result<Self> {
        let mut base = motion.base.clone();
        add_noise(&mut base, noise[0], seed + BETWEEN_SIGNALS * sensors as u64)?;
        let mut accelerations = motion.accelerations.clone();
        for j in 0..sensors {
            let mut signal = channel(&motion.accelerations, j, sensors);
            add_noise(&mut signal, noise[1], seed + BETWEEN_SIGNALS * j as u64)?;
            accelerations.iter_mut().skip(j).step_by(sensors).zip(signal).for_each(|(to, from)| *to = from);
        }
        let measured = MovingBase { interval: sampling.interval, base, accelerations };
        Ok(Self { measured, truth: Some(motion), sensors })
    }

    /// Describes the origin of the measurement.
    pub fn origin(options: &Options, noise: [f64; 2]) -> String {
        match &options.record {
            Some(file) => format!("`{}`", file.display()),
            None => format!(
                "a virtual test bench, {} % noise on the base, {} % on accelerations, seed {}",
                100.0 * noise[0],
                100.0 * noise[1],
                options.seed
            ),
        }
    }

    /// Returns the measured acceleration of a sensor.
    pub fn acceleration(&self, sensor: usize) -> Vec<f64> {
        channel(&self.measured.accelerations, sensor, self.sensors)
    }

    /// Returns the accelerations that responses are compared with: the true ones, or the measured ones if those
    /// are not known.
    pub fn compared(&self, sensor: usize) -> Vec<f64> {
        let rows = self.truth.as_ref().map_or(&self.measured.accelerations, |motion| &motion.accelerations);
        channel(rows, sensor, self.sensors)
    }

    /// Returns the name of the accelerations that responses are compared with.
    pub fn compared_name(&self) -> &'static str {
        if self.truth.is_some() { "true" } else { "measured" }
    }

    /// Returns the time of the last sample in s, from the first one.
    pub fn end(&self) -> f64 {
        self.measured.base.len().saturating_sub(1) as f64 * self.measured.interval
    }

    /// Returns the measured base acceleration as a signal that begins at 0 s.
    ///
    /// # Errors
    /// Fewer than two samples.
    pub fn base(&self) -> Result<Sampled, InputError> {
        let times = (0..self.measured.base.len()).map(|i| i as f64 * self.measured.interval).collect();
        Sampled::new(times, self.measured.base.clone())
    }

    /// Pairs samples with their times in s.
    pub fn over_time(&self, values: &[f64]) -> Vec<(f64, f64)> {
        values.iter().enumerate().map(|(i, y)| (i as f64 * self.measured.interval, *y)).collect()
    }
}

/// Extracts one signal from rows with a value for every sensor.
fn channel(rows: &[f64], j: usize, sensors: usize) -> Vec<f64> {
    rows.iter().skip(j).step_by(sensors).copied().collect()
}

/// Computes e_RMS% of KE appendix B; infinite where there is nothing to compare.
pub fn relative_error(found: &[f64], truth: &[f64]) -> f64 {
    SeriesError::new(found, truth).map_or(f64::INFINITY, |error| error.percent())
}
