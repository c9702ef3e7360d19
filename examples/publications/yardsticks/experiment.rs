//! Virtual experiments with the additive oscillator of KE 3.1.1: a sweep on a shaker, with an accelerometer and with a
//! displacement sensor, and a free vibration.

use anyhow::Result;
use costate::Simulation;
use costate::simulate::Scheme;
use costate_examples::{add_noise, sampled_law};
use costate_models::restoring_force::{Case, INTERVAL, IdentifiedOscillator, Motion, cases};

/// The oscillator.
pub const CASE: &Case = &cases::ADDITIVE;

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

/// Simulates the motion of the deflected oscillator over half a second.
fn free() -> Result<Motion> {
    let (deflection, steps_per_sample) = (1e-5, 10);
    let oscillator = IdentifiedOscillator { z_0: deflection, ..IdentifiedOscillator::default() };
    let run = Simulation::new(&oscillator)
        .input(IdentifiedOscillator::BASE, 0.0)
        .table(IdentifiedOscillator::ELASTIC, sampled_law(|z| CASE.elastic(z), 2.0 * deflection, 2001)?)
        .table(IdentifiedOscillator::DISSIPATIVE, sampled_law(|v| CASE.dissipative(v), 0.2, 2001)?)
        .step(INTERVAL / steps_per_sample as f64)
        .until(0.5)
        .scheme(Scheme::Undamped)
        .run()?;
    let of = |output| run.output(output).into_iter().step_by(steps_per_sample).collect::<Vec<f64>>();
    let accelerations = of(IdentifiedOscillator::ACCELERATION);
    Ok(Motion {
        base: vec![0.0; accelerations.len()],
        accelerations,
        deformations: of(IdentifiedOscillator::POSITION),
        rates: of(IdentifiedOscillator::SPEED),
    })
}
