//! Measurements: simulated with noise, or read from a file.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use costate::Record;
use costate::restoring_force::SensorKind;
use costate::simulate::{InputError, Sampled};
use costate_examples::{MovingBase, add_noise, create_folder_of, require_channel};
use costate_models::restoring_force::{END, INTERVAL, Motion};

use crate::options::Options;

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
    /// Adds noise to a simulated motion with one sensor.
    pub fn of_oscillator(motion: Motion, options: &Options) -> Result<Self> {
        let mut deformations = motion.deformations.clone();
        add_noise(&mut deformations, options.noise, options.seed)?;
        Ok(Self { deformations: Some(deformations), ..Self::simulated(motion, 1, options)? })
    }

    /// Adds noise to the accelerations of a simulated motion.
    pub fn simulated(motion: Motion, sensors: usize, options: &Options) -> Result<Self> {
        let mut signals = Vec::new();
        for j in 0..sensors {
            let mut signal = channel(&motion.accelerations, j, sensors);
            add_noise(&mut signal, options.noise, options.seed + 1000 * j as u64)?;
            signals.push(signal);
        }
        let rows = (0..motion.base.len()).flat_map(|i| signals.iter().map(move |signal| signal[i])).collect();
        Ok(Self {
            interval: INTERVAL,
            base: motion.base.clone(),
            accelerations: rows,
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
    pub fn read(file: &Path, sensors: usize) -> Result<Self> {
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
    pub fn write(&self, file: &Path) -> Result<()> {
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

    /// Returns the base acceleration as a signal that begins at 0 s.
    pub fn sampled_base(&self) -> Result<Sampled, InputError> {
        self.base_since(0.0)
    }

    /// Returns the base acceleration from `start` s on, as a signal that begins at 0 s.
    pub fn base_since(&self, start: f64) -> Result<Sampled, InputError> {
        let base = self.base.get((start / self.interval).round() as usize..).unwrap_or_default();
        let times = (0..base.len()).map(|i| i as f64 * self.interval).collect();
        Sampled::new(times, base.to_vec())
    }
}

/// Extracts one signal from rows with a value for every sensor.
pub fn channel(rows: &[f64], j: usize, sensors: usize) -> Vec<f64> {
    rows.iter().skip(j).step_by(sensors).copied().collect()
}

/// Returns the files of `--record`, one for each of these experiments; `None` without any.
///
/// # Errors
/// The numbers of files and experiments differ.
pub fn records<'a>(options: &'a Options, experiments: &[&str]) -> Result<Option<&'a [PathBuf]>> {
    let files = &options.record;
    if files.is_empty() {
        return Ok(None);
    }
    ensure!(
        files.len() == experiments.len(),
        "there are {} records for {} experiments; give `--record FILE` once for each of them, in the order: {}",
        files.len(),
        experiments.len(),
        experiments.join("; ")
    );
    Ok(Some(files))
}

/// Returns the name of the file that the record of an experiment is written to: `van_der_pol_free.csv`.
pub fn file_name(experiment: &str) -> String {
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
