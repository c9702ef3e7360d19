//! Simulation step by step, driven by the caller: in a control loop, together with another simulation, or as an
//! environment of reinforcement learning.
//!
//! [`start`] makes a [`Stepper`] from a [`Simulation`]; the page of `Stepper` has an example. Inputs, parameters, step
//! length and state can be changed between steps. A [`SavedStepper`] is a state to return to, [`StepDerivatives`] has
//! the exact derivatives of the last step, [`StepGradient`] is its adjoint, and [`StepChange`] what its tangent takes.
//! For a run with a known end use [`Simulation::run`].

pub use costate_kernel::stepper::Stepper;

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_kernel::stepper::{SavedStepper, SavedStepperOf, StepChange, StepDerivatives, StepGradient, StepperOf};

use costate_numerics::scalar::array;

use crate::Simulation;
use crate::model::Model;
use crate::simulate::SimulationError;

/// Creates a stepper with the model at its initial state, whose inputs are set from step to step; those at the start,
/// and the slope of the first step, are the simulation's. A stepper has no end. It holds the state in arrays of the
/// model's sizes, which needs the type of the model.
///
/// # Errors
/// As [`Simulation::problem`], and [`SimulationError::InitialState`].
pub fn start<M: Model>(simulation: &Simulation<M>) -> Result<Stepper<M>, SimulationError> {
    let description = simulation.description();
    Stepper::<M>::new(M::program(), &description.problem_of_stepper()?, array(&description.model.parameters))
}
