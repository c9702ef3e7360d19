//! Measurements of accelerometers on a flywheel and on the platform under it: simulated with noise, or read from a
//! file.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use costate::Record;
use costate::simulate::{InputError, Sampled};
use costate_examples::{MovingBase, Outputs, add_noise, channel, create_folder_of, noisy_rows, over_time};
use costate_models::restoring_force::{Motion, Sampling};

/// The sources of records and the places of results.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Reads what was measured from this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["noise", "base_noise", "seed"])]
    pub record: Option<PathBuf>,
    /// Writes what was measured to a file in this folder
    #[arg(long, value_name = "FOLDER")]
    pub write_records: Option<PathBuf>,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub outputs: Outputs,
}

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
        add_noise(&mut base, noise[0], seed + 1000 * sensors as u64)?;
        let accelerations = noisy_rows(&motion.accelerations, sensors, noise[1], seed)?;
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
        over_time(values, self.measured.interval)
    }
}
