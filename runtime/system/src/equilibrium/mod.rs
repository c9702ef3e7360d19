//! Positions of rest and steady motions, their stability, and their derivatives with respect to parameters.
//!
//! [`balance`] finds the state in which forces and reactions are in balance, from
//! [`Equations`](crate::system::Equations) of a model, whose type is not known here. [`MotionMatrices`] are the
//! matrices of the equations of motion about a state, and [`Minimal`] is what remains of them in independent
//! coordinates. Modes and frequency responses stand in `costate-vibration`.

mod balance;
mod eigenvalues;
mod matrices;
mod minimal;
mod newton;
mod relaxation;
mod residual;
mod rounding;
mod schur;
mod state_matrix;
mod steady;
mod undetermined;

pub use crate::problem::EquilibriumError;
pub use balance::{Balance, Conditions, balance};
pub use eigenvalues::Spectrum;
pub use matrices::{Linearized, MotionMatrices};
pub use minimal::{ConstraintRates, Minimal, independent_coordinates};
pub use rounding::Rounding;
pub use state_matrix::{Linear, StateMatrix, StateName};
pub use steady::SteadyMotion;
pub use undetermined::Undetermined;
