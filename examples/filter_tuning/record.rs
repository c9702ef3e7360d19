//! Virtual experiments with one degree of freedom, and identifications of them.

use anyhow::Result;
use costate::Simulation;
use costate::restoring_force::{
    APriori, Exponents, RestoringForceIdentification, RestoringForceModel, RestoringForces, Sensor, SeriesError,
};
use costate::simulate::Scheme;
use costate::table::Curve;
use costate_examples::add_noise;
use costate_models::restoring_force::{Case, END, INTERVAL, IdentifiedOscillator, MASS, Motion, NOISE, Sweep, cases};

/// A motion, and its measured signals with noise.
pub struct Record {
    pub motion: Motion,
    pub accelerations: Vec<f64>,
    pub deformations: Vec<f64>,
}

impl Record {
    /// Adds noise as a part of the root mean square to both signals.
    ///
    /// # Errors
    /// The motion is not finite.
    pub fn of(motion: Motion, noise: f64, seed: u64) -> Result<Self> {
        let (mut accelerations, mut deformations) = (motion.accelerations.clone(), motion.deformations.clone());
        add_noise(&mut accelerations, noise, seed)?;
        add_noise(&mut deformations, noise, seed)?;
        Ok(Self { motion, accelerations, deformations })
    }

    /// Simulates a published experiment, with noise as in the thesis.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn of_case(case: &Case, seed: u64) -> Result<Self> {
        Self::of((case.simulate)(case.sweep)?, NOISE, seed)
    }

    /// Computes the effective stiffness c_E(z)/z in units of the scale, over time.
    pub fn stiffness(&self, elastic: impl Fn(f64) -> f64) -> Vec<f64> {
        // at the origin the secant becomes the tangent
        const SMALL: f64 = 1e-12;
        let secant = |z: f64| if z.abs() < SMALL { elastic(SMALL) / SMALL } else { elastic(z) / z };
        self.motion.deformations.iter().map(|z| secant(*z) / cases::SCALE).collect()
    }
}

/// Sets up an identification from an accelerometer, or from a displacement sensor, with these expected values.
///
/// # Errors
/// The stiffness or the damping is refused.
pub fn identification(
    (stiffness, damping): (f64, f64),
    exponents: (f64, f64),
    lowest: f64,
    displacement: bool,
) -> Result<RestoringForceIdentification> {
    let mut model = RestoringForceModel::on_moving_base(MASS)?.with_scale(cases::SCALE)?;
    if displacement {
        model = model.with_sensors(vec![Sensor::displacement(0)])?;
    }
    Ok(RestoringForceIdentification::new(model, INTERVAL, vec![APriori { stiffness, damping }])?
        .exponents(Exponents::new(exponents.0, exponents.1))
        .lowest_stiffness(&[lowest])?)
}

/// Identifies a published experiment from its accelerometer.
///
/// # Errors
/// Those of the identification.
pub fn identify(case: &Case, record: &Record, exponents: (f64, f64)) -> Result<RestoringForces> {
    let identification = identification(case.a_priori, exponents, case.lowest_stiffness, false)?;
    Ok(identification.run(&record.motion.base, &record.accelerations)?)
}

/// Simulates the motion of an oscillator with these curves.
///
/// # Errors
/// Those of the simulation.
pub fn respond(elastic: Curve, dissipative: Curve, sweep: Sweep) -> Result<Motion> {
    let steps_per_sample = 5;
    let run = Simulation::new(&IdentifiedOscillator::default())
        .table(IdentifiedOscillator::ELASTIC, elastic)
        .table(IdentifiedOscillator::DISSIPATIVE, dissipative)
        .input(IdentifiedOscillator::BASE, move |t: f64| sweep.at(t))
        .step(INTERVAL / f64::from(steps_per_sample))
        .until(END)
        .scheme(Scheme::Undamped)
        .run()?;
    let sampled = |values: Vec<f64>| values.into_iter().step_by(steps_per_sample as usize).collect::<Vec<_>>();
    let accelerations = sampled(run.output(IdentifiedOscillator::ACCELERATION));
    Ok(Motion {
        base: (0..accelerations.len()).map(|i| sweep.at(i as f64 * INTERVAL)).collect(),
        accelerations,
        deformations: sampled(run.output(IdentifiedOscillator::POSITION)),
        rates: sampled(run.output(IdentifiedOscillator::SPEED)),
    })
}

/// Computes the errors of a state of a run relative to its true values; NaN if the filter was stopped.
pub fn error_of_state(forces: &RestoringForces, state: usize, truth: &[f64]) -> [f64; 2] {
    if forces.run().stopped().is_some() {
        return [f64::NAN; 2];
    }
    let found: Vec<f64> = forces.run().state(state).collect();
    SeriesError::new(&found, truth).map_or([f64::NAN; 2], |error| [error.mean, error.root_mean_square()])
}

/// Computes bias and root mean square of the deviation of a state from a constant, relative to that constant; NaN
/// if the filter was stopped.
pub fn error_of_constant(forces: &RestoringForces, state: usize, truth: f64) -> [f64; 2] {
    if forces.run().stopped().is_some() {
        return [f64::NAN; 2];
    }
    let count = forces.run().samples() as f64;
    let (sum, squares) = forces.run().state(state).fold((0.0, 0.0), |(sum, squares), found| {
        let error = found / truth - 1.0;
        (sum + error / count, squares + error * error / count)
    });
    [sum.abs(), squares.sqrt()]
}
