//! The record, and the fits of several models to it.

use anyhow::{Context, Result};
use costate::identify::residuals::AutoregressionOrder;
use costate::identify::{IdentificationCheck, Measurement, ModelComparison};
use costate::model::Parameter;
use costate::signal::decimated;
use costate::{Fit, Identification, Record, Simulation};
use costate_examples::add_noise;

use crate::Options;
use crate::model::Fork;
use crate::published;

/// The record at 100 Hz, 160 samples a period, with the channel `gyro` in V.
pub fn record(options: &Options) -> Result<Record> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/BrowserForkCompoundFirst1.mat");
    let whole = Record::reader().channels("data").rate_of("ActualRate").open(file)?.record()?;
    let mut values = whole.channel("data")?.values().to_vec();
    add_noise(&mut values, options.noise, options.seed)?;
    let noisy = Record::new(whole.times().to_vec())?.named("BrowserForkCompoundFirst1").with_channel(
        "gyro",
        Some("V"),
        values,
    )?;
    Ok(decimated(&noisy, 10)?)
}

/// Fits of the same record.
pub struct Fits {
    /// Name and fit: viscous friction, dry friction, both; white noise.
    pub compared: Vec<(&'static str, Fit<Fork>)>,
    pub comparison: ModelComparison,
    /// Both, with coloured noise.
    pub best: Fit<Fork>,
    /// Prediction for a pendulum whose moment is linear in the angle.
    pub linear: IdentificationCheck,
}

/// Fits all models.
pub fn fit(record: &Record) -> Result<Fits> {
    let always = [Fork::INERTIA, Fork::GAIN, Fork::ZERO, Fork::ANGLE_0, Fork::RATE_0];
    let with = |more: &[Parameter<Fork>]| always.iter().chain(more).copied().collect::<Vec<_>>();
    let plain = Measurement::new(record);
    let start = start();
    let viscous = identification(&Fork { viscous: 0.07, ..start }, &with(&[Fork::VISCOUS]), record, plain.clone());
    // the linear pendulum, at the same start
    let linear =
        identification(&Fork { viscous: 0.07, finite: 0.0, ..start }, &with(&[Fork::VISCOUS]), record, plain.clone())
            .check()?;
    let viscous = viscous.run()?;
    let dry = Fork { viscous: 0.0, dry: 0.03, ..*viscous.model() };
    let dry = identification(&dry, &with(&[Fork::DRY]), record, plain.clone()).run()?;
    let both = Fork { viscous: 0.01, ..*dry.model() };
    let both = identification(&both, &with(&[Fork::VISCOUS, Fork::DRY]), record, plain).run()?;
    let coloured = Measurement::new(record).coloured_noise(AutoregressionOrder::Given(4));
    let best = identification(both.model(), &with(&[Fork::VISCOUS, Fork::DRY]), record, coloured).run()?;
    let compared = vec![("viscous friction", viscous), ("dry friction", dry), ("both", both)];
    let comparison = ModelComparison::new(compared.iter().map(|(name, fit)| (*name, fit.summary())))?;
    Ok(Fits { compared, comparison, best, linear })
}

/// The published mass, length and inertia.
fn start() -> Fork {
    Fork {
        m: published::MASS.0,
        l: published::length().0,
        g: published::GRAVITY.0,
        inertia: published::inertia(),
        ..Fork::default()
    }
}

/// Sets up a simulation of the whole record.
pub fn simulation(fork: &Fork, record: &Record) -> Simulation<Fork> {
    let end = record.times().last().copied().unwrap_or_default();
    let step = 2e-3;
    // the end of the record is at a step
    Simulation::new(fork).step(step).until((end / step).round() * step)
}

/// Sets up the fit of the unknowns.
fn identification(
    start: &Fork,
    unknowns: &[Parameter<Fork>],
    record: &Record,
    measurement: Measurement,
) -> Identification<Fork> {
    Identification::new(&simulation(start, record)).unknown(unknowns.iter().copied()).measured(Fork::GYRO, measurement)
}

/// A found value with its deviation.
pub fn found(fit: &Fit<Fork>, parameter: Parameter<Fork>) -> Result<(f64, f64)> {
    let fitted =
        fit.parameter(parameter).with_context(|| format!("`{}` is not among the unknowns", parameter.name()))?;
    Ok((fitted.found, fitted.standard_deviation))
}
