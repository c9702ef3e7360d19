//! The virtual experiments: excitation, a priori values, and the motion without noise.

use costate::simulate::{Scheme, SimulationError};
use costate::{Input, Model, Simulation};

use super::{
    AdditiveOscillator, BacklashOscillator, CubicOscillator, END, FrictionOscillator, INTERVAL, Plate, VanDerPol,
};

/// A base acceleration whose frequency rises or falls linearly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// Amplitude in m/s^2.
    pub amplitude: f64,
    /// First frequency in Hz.
    pub from: f64,
    /// Last frequency in Hz.
    pub to: f64,
}

impl Sweep {
    /// Evaluates the base acceleration at `t` in s; before 0 the frequency is that of the start.
    pub fn at(self, t: f64) -> f64 {
        self.within(END, t)
    }

    /// Evaluates the base acceleration at `t` in s of a sweep that reaches its last frequency at `end`.
    pub fn within(self, end: f64, t: f64) -> f64 {
        let cycles = self.from * t + (self.to - self.from) * t.max(0.0).powi(2) / (2.0 * end);
        self.amplitude * (2.0 * std::f64::consts::PI * cycles).sin()
    }
}

/// An experiment with one degree of freedom.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Name of the experiment.
    pub name: &'static str,
    /// Excitation.
    pub sweep: Sweep,
    /// A priori stiffness and damping in units of the scale 5e6.
    pub a_priori: (f64, f64),
    /// Lower bound of the effective stiffness.
    pub lowest_stiffness: f64,
    /// The true c(z, v).
    pub force: fn(f64, f64) -> f64,
    /// The true motion.
    pub simulate: fn(Sweep) -> Result<Motion, SimulationError>,
}

impl Case {
    /// Evaluates the true c_E(z) of an additive force.
    pub fn elastic(&self, z: f64) -> f64 {
        (self.force)(z, 0.0)
    }

    /// Evaluates the true c_D(v) of an additive force.
    pub fn dissipative(&self, v: f64) -> f64 {
        (self.force)(0.0, v)
    }
}

/// Scale p_c of the oscillators' forces.
pub const SCALE: f64 = 5e6;

/// The experiments of KE 3.1 and 3.2.
pub mod cases {
    use costate::simulate::SimulationError;

    use super::{AdditiveOscillator, BacklashOscillator, Case, FrictionOscillator, Motion, Sweep, VanDerPol, motion};

    pub use super::SCALE;

    /// Additive force (KE 3.1.1).
    pub const ADDITIVE: Case = Case {
        name: "additive",
        sweep: Sweep { amplitude: 5.0, from: 100.0, to: 400.0 },
        a_priori: (2.0, 4e-4),
        lowest_stiffness: 0.05,
        force: |z, v| 5e5 * z + 45.0 * (4e5 * z).tanh() + 50.0 * v + 25.0 * (100.0 * v).powi(3),
        simulate: additive,
    };

    /// Backlash (KE 3.1.2).
    pub const BACKLASH: Case = Case {
        name: "backlash",
        sweep: Sweep { amplitude: 5.0, from: 30.0, to: 250.0 },
        a_priori: (1.0, 2e-4),
        lowest_stiffness: 0.0125,
        force: |z, v| 5e6 * (z.abs() - 4e-6).max(0.0) * z.signum() + 400.0 * v,
        simulate: backlash,
    };

    /// Asymmetric stiffness with friction (KE 3.1.3).
    pub const FRICTION: Case = Case {
        name: "friction",
        sweep: Sweep { amplitude: 5.0, from: 100.0, to: 400.0 },
        a_priori: (1.0, 1e-4),
        lowest_stiffness: 0.01,
        force: |z, v| 4e6 * z + 1.5e11 * z.max(0.0).powi(2) + 150.0 * v + 3.0 * (2000.0 * v).tanh(),
        simulate: friction,
    };

    /// Self-excited oscillation (KE 3.2), free.
    pub const VAN_DER_POL_FREE: Case = Case {
        name: "van der Pol, free",
        sweep: Sweep { amplitude: 0.0, from: 100.0, to: 100.0 },
        a_priori: (1.0, 1e-4),
        lowest_stiffness: 0.01,
        force: |z, v| 5e6 * z + 1500.0 * ((7e4 * z).powi(2) - 1.0) * v,
        simulate: van_der_pol,
    };

    /// The van der Pol oscillator with a harmonic excitation.
    pub const VAN_DER_POL_FORCED: Case = Case {
        name: "van der Pol, forced",
        sweep: Sweep { amplitude: 15.0, from: 100.0, to: 100.0 },
        ..VAN_DER_POL_FREE
    };

    // Named functions are compiled in this crate, but closures in constants in every program that uses them.

    fn additive(sweep: Sweep) -> Result<Motion, SimulationError> {
        motion(&AdditiveOscillator::default(), AdditiveOscillator::BASE, sweep)
    }

    fn backlash(sweep: Sweep) -> Result<Motion, SimulationError> {
        motion(&BacklashOscillator::default(), BacklashOscillator::BASE, sweep)
    }

    fn friction(sweep: Sweep) -> Result<Motion, SimulationError> {
        motion(&FrictionOscillator::default(), FrictionOscillator::BASE, sweep)
    }

    fn van_der_pol(sweep: Sweep) -> Result<Motion, SimulationError> {
        motion(&VanDerPol::default(), VanDerPol::BASE, sweep)
    }
}

/// A sampled motion without noise.
#[derive(Debug, Clone)]
pub struct Motion {
    /// Base acceleration u in m/s^2.
    pub base: Vec<f64>,
    /// Measured accelerations in m/s^2, one row per sample.
    pub accelerations: Vec<f64>,
    /// Deformations z in m.
    pub deformations: Vec<f64>,
    /// Rates v in m/s.
    pub rates: Vec<f64>,
}

/// Least number of simulation steps per sample.
const FINER: usize = 40;

/// The longest step of a simulation in s.
const LONGEST: f64 = 1e-5;

/// Number of samples after which a vibration that begins at rest is steady.
pub(super) const TRANSIENT: usize = 3000;

/// Sampling of a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// Time between two samples in s.
    pub interval: f64,
    /// Number of samples.
    pub samples: usize,
}

impl Sampling {
    /// Sampling of the records of KE 3.1 to 3.3: 3 s at 10 kHz.
    pub const PUBLISHED: Self = Self { interval: INTERVAL, samples: (END / INTERVAL + 0.5) as usize + 1 };

    /// Returns the time of the last sample in s.
    pub fn end(self) -> f64 {
        self.samples.saturating_sub(1) as f64 * self.interval
    }

    /// Returns the number of steps per sample, which is large enough that the record shows the system and not its
    /// integrator.
    fn finer(self) -> usize {
        FINER.max((self.interval / LONGEST - 1e-9).ceil() as usize)
    }
}

/// Simulates the motion that begins at rest.
pub(super) fn motion<M: Model>(model: &M, base: Input<M>, sweep: Sweep) -> Result<Motion, SimulationError> {
    motion_after(0, model, base, sweep, Sampling::PUBLISHED)
}

/// Simulates several steps per sample; the motion begins at rest, `lead` samples before the record. The outputs
/// of the model are accelerations, then deformations, then velocities.
pub(super) fn motion_after<M: Model>(
    lead: usize,
    model: &M,
    base: Input<M>,
    sweep: Sweep,
    sampling: Sampling,
) -> Result<Motion, SimulationError> {
    let (interval, end, finer) = (sampling.interval, sampling.end(), sampling.finer());
    let before = lead as f64 * interval;
    let problem = Simulation::new(model)
        .input(base, move |t: f64| sweep.within(end, t - before))
        .step(interval / finer as f64)
        .until(before + end)
        .scheme(Scheme::Undamped)
        .problem()?;
    let outputs = problem.outputs(model.parameters().as_ref())?;
    let elements = outputs.width() / 3;
    let samples = (0..outputs.samples()).step_by(finer).skip(lead);
    let part = |k: usize| {
        let rows = samples.clone().map(|i| &outputs.row(i)[k * elements..(k + 1) * elements]);
        rows.flatten().copied().collect()
    };
    let count = outputs.samples() / finer + 1 - lead;
    Ok(Motion {
        base: (0..count).map(|i| sweep.within(end, i as f64 * interval)).collect(),
        accelerations: part(0),
        deformations: part(1),
        rates: part(2),
    })
}

impl AdditiveOscillator {
    /// Returns the oscillator of KE figure 3.5, with the same spring and with linear damping.
    pub fn linearly_damped() -> Self {
        Self { d: 250.0, d_3: 0.0, ..Self::default() }
    }

    /// Simulates the motion on a base with this acceleration, from rest; the sweep ends with the record.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn motion(&self, sweep: Sweep, sampling: Sampling) -> Result<Motion, SimulationError> {
        motion_after(0, self, Self::BASE, sweep, sampling)
    }
}

impl CubicOscillator {
    /// Simulates the motion on a base with this acceleration, from rest; the sweep ends with the record.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn motion(&self, sweep: Sweep, sampling: Sampling) -> Result<Motion, SimulationError> {
        motion_after(0, self, Self::BASE, sweep, sampling)
    }

    /// Evaluates the true c_E(z) in N.
    pub fn elastic(&self, z: f64) -> f64 {
        self.c * z + self.c_3 * z.powi(3)
    }

    /// Evaluates the true c_D(v) in N.
    pub fn dissipative(&self, v: f64) -> f64 {
        self.d * v
    }
}

impl Plate {
    /// Simulates the plate's motion on a base with this acceleration.
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn motion(&self, sweep: Sweep) -> Result<Motion, SimulationError> {
        motion(self, Self::BASE, sweep)
    }

    /// Simulates the motion; the record begins when the vibration at the first frequency has become steady (KE 4.2).
    ///
    /// # Errors
    /// Those of the simulation.
    pub fn steady_motion(&self, sweep: Sweep) -> Result<Motion, SimulationError> {
        motion_after(TRANSIENT, self, Self::BASE, sweep, Sampling::PUBLISHED)
    }
}
