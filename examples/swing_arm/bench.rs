//! The test bench: the force of the actuator, the true laws of the strut, and the measured acceleration.

use std::f64::consts::TAU;

use anyhow::{Context, Result};
use costate::table::{Curve, Extension, GridError};
use costate::{Record, Simulation};
use costate_examples::add_noise;
use costate_models::SwingArm;

/// Time between samples in s.
pub const INTERVAL: f64 = 5e-4;
/// End of the record in s.
pub const END: f64 = 12.0;

/// Evaluates the true elastic force in N over the stroke in m: it hardens.
pub fn elastic(stroke: f64) -> f64 {
    40e3 * stroke + 6e8 * stroke.powi(3)
}

/// Evaluates the true dissipative force in N over the rate of the stroke in m/s: steep at small rates.
pub fn dissipative(speed: f64) -> f64 {
    250.0 * speed + 120.0 * (speed / 0.15).tanh()
}

/// Evaluates the actuator's force in N: a sweep.
pub fn push(time: f64) -> f64 {
    let (amplitude, from, to) = (250.0, 2.0, 16.0);
    amplitude * (TAU * (from * time + (to - from) * time * time / (2.0 * END))).sin()
}

/// The measurement, and the true motion.
pub struct Measured {
    /// The noisy acceleration of the axle.
    pub record: Record,
    /// The true acceleration of the axle in m/s^2.
    pub acceleration: Vec<f64>,
}

/// Simulates the bench and adds noise.
pub fn measure(noise: f64, seed: u64) -> Result<Measured> {
    let steps_per_sample = 4;
    let run = Simulation::new(&with_tables())
        .table(SwingArm::ELASTIC, sampled(elastic, 0.05)?)
        .table(SwingArm::DISSIPATIVE, sampled(dissipative, 2.0)?)
        .input(SwingArm::PUSH, push)
        .step(INTERVAL / steps_per_sample as f64)
        .until(END)
        .run()?;
    let acceleration = run.outputs().output(SwingArm::ACCELERATION).context("no acceleration")?;
    let acceleration: Vec<f64> = acceleration.step_by(steps_per_sample).collect();
    let mut noisy = acceleration.clone();
    add_noise(&mut noisy, noise, seed)?;
    let times = (0..noisy.len()).map(|i| i as f64 * INTERVAL).collect();
    let record = Record::new(times)?.named("accelerometer").with_channel("acceleration", Some("m/s^2"), noisy)?;
    Ok(Measured { record, acceleration })
}

/// Returns the model in which the tables alone give the force.
pub fn with_tables() -> SwingArm {
    SwingArm { s: 0.0, d: 0.0, ..SwingArm::default() }
}

/// Makes a table of a law, dense enough to keep all details.
fn sampled(law: fn(f64) -> f64, range: f64) -> Result<Curve, GridError> {
    let places: Vec<f64> = (-400..=400).map(|k| range * f64::from(k) / 400.0).collect();
    let forces = places.iter().map(|place| law(*place)).collect();
    Curve::new(places, forces, Extension::Linear)
}
