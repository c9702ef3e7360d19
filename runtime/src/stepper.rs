//! One step after another, driven from outside: in a control loop, beside another simulation, or in an environment in which
//! something learns.
//!
//! [`Simulation::stepper`](crate::Simulation::stepper) makes a [`Stepper`], whose page has an example. Inputs, parameters, step
//! length and state are set on the way; a [`SavedStepper`] is a state to go back to, [`StepDerivatives`] are the exact
//! derivatives of the last step, and [`StepGradient`] is its adjoint. A run with a known end is a
//! [`Simulation`](crate::Simulation).

pub use costate_kernel::stepper::{SavedStepper, StepDerivatives, StepGradient, Stepper};
