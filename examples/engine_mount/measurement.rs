//! The measurement, real or simulated.

use std::path::Path;

use anyhow::{Context, Result};
use costate::simulate::{InputSignal, Sampled};
use costate::{Record, Simulation};
use costate_examples::add_noise;

use crate::Options;
use crate::engine_mount::{self, EngineMount};

/// A measured acceleration, and the drive of the mount during the measurement.
pub struct Measurement {
    pub record: Record,
    /// The values of the acceleration.
    pub acceleration: Vec<f64>,
    pub drive: InputSignal,
    /// True if the drive is part of the record.
    pub drive_measured: bool,
    pub step: f64,
    pub end: f64,
}

impl Measurement {
    /// Reads a record, with as many whole steps as there are up to the end time.
    pub fn read(file: &Path, options: &Options) -> Result<Self> {
        let whole = Record::read_csv(file)?;
        let step = options.step.or(whole.interval()).with_context(|| {
            format!("the samples of `{}` are not equidistant; choose a step size with --step", whole.name())
        })?;
        let last = whole.times().last().copied().unwrap_or_default();
        let end = options.until.unwrap_or_else(|| (last / step + 1e-9).floor() * step);
        let record = whole.clone().until(end)?;
        let acceleration = record.channel(EngineMount::ACCELERATION.name())?.values().to_vec();
        let measured = whole.channels().iter().find(|channel| channel.name() == EngineMount::DRIVE.name());
        // A simulated record has a drive that is known between the samples as well.
        let drive = match measured.filter(|_| options.record.is_some()) {
            Some(channel) => Sampled::from_record(&whole, channel.name())?.into(),
            None => InputSignal::function(engine_mount::sweep),
        };
        let drive_measured = matches!(drive, InputSignal::Sampled(_));
        Ok(Self { record, acceleration, drive, drive_measured, step, end })
    }

    /// Sets up a simulation of the measurement.
    pub fn simulation(&self, mount: &EngineMount) -> Simulation<EngineMount> {
        Simulation::new(mount)
            .input(EngineMount::DRIVE, self.drive.clone())
            .step(self.step)
            .until(self.end)
            .alpha(engine_mount::ALPHA)
    }
}

/// Simulates the acceleration of the mount with the true parameters, with noise if wanted.
pub fn simulate(options: &Options) -> Result<Record> {
    let run = Simulation::new(&EngineMount::default())
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(options.step.unwrap_or(engine_mount::STEP))
        .until(options.until.unwrap_or(engine_mount::END))
        .alpha(engine_mount::ALPHA)
        .run()?;
    let times = run.times();
    let drive = times.iter().map(|&t| engine_mount::sweep(t)).collect();
    let mut acceleration = run.output(EngineMount::ACCELERATION);
    add_noise(&mut acceleration, options.noise, options.seed)?;
    let record = Record::new(times)?.with_channel(EngineMount::DRIVE.name(), Some("N"), drive)?.with_channel(
        EngineMount::ACCELERATION.name(),
        Some("m/s^2"),
        acceleration,
    )?;
    Ok(record)
}
