//! Ready-made models, all written with [`model!`](macro@costate::model), with the data of the publications (the
//! engine's, which they do not give, are chosen).
//!
//! - FD: Oberpeilsteiner, Lauss, Nachbagauer, Steiner: A frequency domain approach for parameter identification in
//!   multibody dynamics, Multibody Syst. Dyn. (2018)
//! - DA: Lauss, Oberpeilsteiner, Steiner, Nachbagauer: The discrete adjoint method for parameter identification in
//!   multibody system dynamics, Multibody Syst. Dyn. (2018)
//! - OB: Oberpeilsteiner: Parameter Identification in Multibody System Dynamics using the Adjoint Sensitivity
//!   Analysis, dissertation, TU Wien (2018)
//! - KE: Kenderi: Nonparametric identification of nonlinear dynamic systems, dissertation, KIT (2018)

pub mod cart_pendulum;
pub mod discrete_oscillator;
pub mod engine_mount;
pub mod four_cylinder_engine;
pub mod half_car;
pub mod oscillator;
pub mod pendulum_chain;
pub mod pendulum_on_cart;
pub mod restoring_force;
pub mod swing_arm;
pub mod two_masses;

pub use cart_pendulum::CartPendulum;
pub use discrete_oscillator::DiscreteOscillator;
pub use engine_mount::{EngineMount, LinearMount, MountWithoutMembrane, PreloadedMount, RelaxingMount};
pub use four_cylinder_engine::{FourCylinderEngine, MappedEngine};
pub use half_car::HalfCar;
pub use oscillator::Oscillator;
pub use pendulum_chain::PendulumChain;
pub use pendulum_on_cart::PendulumOnCart;
pub use swing_arm::SwingArm;
pub use two_masses::TwoMasses;
