//! Virtual experiments with the additive oscillator of KE 3.1.1: a sweep on a shaker, with an accelerometer and with a
//! displacement sensor, and a free vibration.

use anyhow::Result;
use costate::Simulation;
use costate::simulate::Scheme;
use costate::table::{Curve, Extension};
use costate_examples::add_noise;
use costate_models::restoring_force::{Case, INTERVAL, IdentifiedOscillator, Motion, cases};

/// The oscillator.
pub const CASE: &Case = &cases::ADDITIVE;

/// Initial deflection of the free vibration in m.
const START: f64 = 1e-5;

/// Length of the free vibration in s.
const END: f64 = 0.5;

/// Number of simulation steps per sample.
const FINER: usize = 10;

/// Number of knots of the true curves from `-range` to `range`, between which they are cubic.
const KNOTS: usize = 2001;

/// An experiment and its true motion.
pub struct Experiment {
    pub name: &'static str,
    /// True if there is no excitation.
    pub is_free: bool,
    /// True if the deformation is measured in place of the acceleration.
    pub has_displacement: bool,
    pub truth: Motion,
}

/// Simulates the experiments.
pub fn experiments() -> Result<[Experiment; 3]> {
    let sweep = (CASE.simulate)(CASE.sweep)?;
    let experiment = |name, is_free, has_displacement, truth| Experiment { name, is_free, has_displacement, truth };
    Ok([
        experiment("sweep", false, false, sweep.clone()),
        experiment("displacement", false, true, sweep),
        experiment("free vibration", true, false, free()?),
    ])
}

impl Experiment {
    /// Returns the signal of the sensor on the mass, with noise.
    pub fn measured(&self, noise: f64, seed: u64) -> Result<Vec<f64>> {
        let Motion { accelerations, deformations, .. } = &self.truth;
        let mut measured = if self.has_displacement { deformations.clone() } else { accelerations.clone() };
        add_noise(&mut measured, noise, seed)?;
        Ok(measured)
    }
}

/// Simulates the motion of the deflected oscillator.
fn free() -> Result<Motion> {
    let oscillator = IdentifiedOscillator { z_0: START, ..IdentifiedOscillator::default() };
    let run = Simulation::new(&oscillator)
        .input(IdentifiedOscillator::BASE, 0.0)
        .table(IdentifiedOscillator::ELASTIC, table(2.0 * START, |z| CASE.elastic(z))?)
        .table(IdentifiedOscillator::DISSIPATIVE, table(0.2, |v| CASE.dissipative(v))?)
        .step(INTERVAL / FINER as f64)
        .until(END)
        .scheme(Scheme::Undamped)
        .run()?;
    let of = |output| run.output(output).into_iter().step_by(FINER).collect::<Vec<f64>>();
    let accelerations = of(IdentifiedOscillator::ACCELERATION);
    Ok(Motion {
        base: vec![0.0; accelerations.len()],
        accelerations,
        deformations: of(IdentifiedOscillator::POSITION),
        rates: of(IdentifiedOscillator::SPEED),
    })
}

fn table(range: f64, force: impl Fn(f64) -> f64) -> Result<Curve> {
    let knots: Vec<f64> = (0..KNOTS).map(|k| range * (2.0 * k as f64 / (KNOTS - 1) as f64 - 1.0)).collect();
    let forces = knots.iter().map(|x| force(*x)).collect();
    Ok(Curve::new(knots, forces, Extension::Linear)?)
}
