//! Measurements: simulated with noise, or read from a file.

use std::path::Path;

use anyhow::{Result, ensure};
use costate::restoring_force::SensorKind;
use costate::simulate::{InputError, Sampled};
use costate::{Input, Model, Record, Simulation};
use costate_examples::{MovingBase, add_noise, create_folder_of, noisy_rows, require_channel};
use costate_models::restoring_force::{END, INTERVAL, Motion, Sweep};

use super::Options;

/// Name of the channel with the deformation.
const DEFORMATION: &str = "deformation";

/// The samples of one experiment.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// Time between two samples in s.
    pub interval: f64,
    /// Acceleration of the base in m/s^2.
    pub base: Vec<f64>,
    /// Accelerations in m/s^2, one row per sample.
    pub accelerations: Vec<f64>,
    /// Deformation in m; `None` if not measured.
    pub deformations: Option<Vec<f64>>,
    /// The motion without noise; `None` if the experiment is not simulated.
    pub truth: Option<Motion>,
}

impl Measurement {
    /// Reads the files of `--record`, one for each of these experiments, or simulates all; writes them where
    /// `--write-records` says.
    ///
    /// # Errors
    /// The numbers of files and experiments differ; those of the files and of the simulation.
    pub fn all(
        options: &Options,
        experiments: &[&str],
        sensors: usize,
        simulate: impl Fn(usize) -> Result<Self>,
    ) -> Result<Vec<Self>> {
        let (files, count) = (&options.record, experiments.len());
        ensure!(
            files.is_empty() || files.len() == count,
            "there are {} records for {count} experiments; give `--record FILE` once for each of them, in the order: \
             {}",
            files.len(),
            experiments.join("; ")
        );
        let measure = |k: usize| files.get(k).map_or_else(|| simulate(k), |file| Self::read(file, sensors));
        let measurements = (0..count).map(measure).collect::<Result<Vec<_>>>()?;
        if let Some(folder) = &options.write_records {
            for (measurement, name) in measurements.iter().zip(experiments) {
                measurement.write(&folder.join(file_name(name)))?;
            }
        }
        Ok(measurements)
    }

    /// Adds noise to a simulated motion with one sensor.
    pub fn of_oscillator(motion: Motion, options: &Options) -> Result<Self> {
        let mut deformations = motion.deformations.clone();
        add_noise(&mut deformations, options.noise, options.seed)?;
        Ok(Self { deformations: Some(deformations), ..Self::simulated(motion, 1, options)? })
    }

    /// Adds noise to the accelerations of a simulated motion.
    pub fn simulated(motion: Motion, sensors: usize, options: &Options) -> Result<Self> {
        Ok(Self {
            interval: INTERVAL,
            base: motion.base.clone(),
            accelerations: noisy_rows(&motion.accelerations, sensors, options.noise, options.seed)?,
            deformations: None,
            truth: Some(motion),
        })
    }

    /// Reads a record with the channels `base` and `acceleration`, or `acceleration 1`, `acceleration 2` and so on for
    /// several sensors, and `deformation` if it was measured.
    ///
    /// # Errors
    /// No record, a channel that is missing, without a unit or in a wrong one, missing samples of the base, times
    /// that are not equidistant.
    fn read(file: &Path, sensors: usize) -> Result<Self> {
        let record = Record::read_csv(file)?;
        let MovingBase { interval, base, accelerations } = MovingBase::of(&record, sensors)?;
        let deformations = match record.channel(DEFORMATION) {
            Ok(_) => {
                require_channel(&record, DEFORMATION, "m")?;
                Some(record.rows([(DEFORMATION, SensorKind::Displacement)], interval)?.values)
            }
            Err(_) => None,
        };
        Ok(Self { interval, base, accelerations, deformations, truth: None })
    }

    /// Writes the record that [`read`](Self::read) reads.
    fn write(&self, file: &Path) -> Result<()> {
        create_folder_of(file)?;
        let (base, accelerations) = (self.base.clone(), self.accelerations.clone());
        let mut record = MovingBase { interval: self.interval, base, accelerations }.record()?;
        if let Some(deformations) = &self.deformations {
            record = record.with_channel(DEFORMATION, Some("m"), deformations.clone())?;
        }
        Ok(record.write_csv(file)?)
    }

    /// Returns the accelerations that responses are compared with: the true ones, or the measured ones if those
    /// are not known.
    pub fn compared(&self) -> &[f64] {
        self.truth.as_ref().map_or(&self.accelerations, |motion| &motion.accelerations)
    }

    /// Returns the name of the accelerations that responses are compared with.
    pub fn origin(&self) -> &'static str {
        if self.truth.is_some() { "true" } else { "measured" }
    }

    /// Returns the time of the last sample in s, from the first one.
    pub fn end(&self) -> f64 {
        if self.truth.is_some() { END } else { self.base.len().saturating_sub(1) as f64 * self.interval }
    }

    /// Returns the times of the samples in s.
    pub fn times(&self) -> Vec<f64> {
        (0..self.base.len()).map(|i| i as f64 * self.interval).collect()
    }

    /// Drives a simulation by the base from `begin` s on: by the sweep of a simulated experiment, by the measured base
    /// of any other.
    pub fn drive<M: Model>(
        &self,
        simulation: Simulation<M>,
        input: Input<M>,
        sweep: Sweep,
        begin: f64,
    ) -> Result<Simulation<M>, InputError> {
        if self.truth.is_some() {
            return Ok(simulation.input(input, move |t: f64| sweep.at(begin + t)));
        }
        let base = self.base.get((begin / self.interval).round() as usize..).unwrap_or_default();
        let times = (0..base.len()).map(|i| i as f64 * self.interval).collect();
        Ok(simulation.input(input, Sampled::new(times, base.to_vec())?))
    }
}

/// Returns the name of the file that the record of an experiment is written to: `van_der_pol_free.csv`.
fn file_name(experiment: &str) -> String {
    let words = experiment.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    format!("{}.csv", words.collect::<Vec<_>>().join("_").to_lowercase())
}

/// Describes the origin of the measurements.
pub fn origin(options: &Options) -> String {
    if options.record.is_empty() {
        return format!("noisy records, {} % noise, seed {}", 100.0 * options.noise, options.seed);
    }
    let files: Vec<String> = options.record.iter().map(|file| format!("`{}`", file.display())).collect();
    files.join(", ")
}
