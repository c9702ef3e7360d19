//! The strongly nonlinear oscillators of KE chapter 3, measured by accelerometers on a moving base, and the models that
//! are identified from their records.

mod experiment;
mod flywheel;
mod identified;
mod oscillators;
mod plate;

pub use experiment::{Case, Motion, Sampling, Sweep, cases};
pub use flywheel::{PrimaryFlywheel, SecondaryFlywheel};
pub use identified::{CoupledOscillator, IdentifiedOscillator, IdentifiedPlate};
pub use oscillators::{AdditiveOscillator, BacklashOscillator, CubicOscillator, FrictionOscillator, VanDerPol};
pub use plate::{Plate, inverse_inertia};

/// Mass of the oscillators in kg.
pub const MASS: f64 = 4.0;
/// Sampling interval of the records in s.
pub const INTERVAL: f64 = 1e-4;
/// Length of the records in s.
pub const END: f64 = 3.0;
/// Noise on the measured accelerations, as a part of their standard deviation.
pub const NOISE: f64 = 0.05;
