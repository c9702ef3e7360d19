//! The loops over the steps of a compiled model: runs, sweeps through them, initial states, checks, steppers.
//!
//! Every module knows only modules before it in this list, except that [`initial`] takes the constants of a run from
//! [`run`]:
//!
//! - [`evaluate`], `equations`: the emitted functions, compiled once for every type of numbers;
//! - [`step`]: one step in time, without a problem, a loop over steps or storage;
//! - [`initial`]: the consistent initial state and its derivatives;
//! - [`run`]: the loops over steps, and the states that they keep;
//! - [`gradient`]: sweeps over the states of a run;
//! - [`stepper`], [`state_space`], [`verify`]: steps driven from outside, models as state spaces, checks of emitted
//!   derivatives;
//! - [`Compiled`]: the methods of a model without its type.
//!
//! This is the only crate whose functions are compiled for every model, and for every type of numbers that a model is
//! evaluated in: [`Compiled`] makes a [`System`](costate_system::system::System) of a type that `model!` has written,
//! and whoever wants a run asks that. What does not evaluate the model belongs elsewhere.
//!
//! # Rules
//!
//! - Steps that are computed again give the same bits. Everything that a step takes over from earlier steps is
//!   therefore part of `Snapshot`.
//! - The result of a run or point in lanes does not depend on its neighbours.
//! - The loops of runs, of the discrete adjoint and of direct differentiation do not allocate, unless pivots are chosen
//!   again. The registers of a loaded model belong to the constants of the run.
//! - A closure in a constant is compiled by every crate that uses the constant: constants contain none.

// the data of steps are printed nowhere
#![allow(missing_debug_implementations)]

mod compiled;
mod equations;
pub mod evaluate;
pub mod gradient;
pub mod initial;
mod room;
mod rounding;
pub mod run;
pub mod state_space;
pub mod step;
pub mod stepper;
pub mod verify;

pub use compiled::Compiled;
pub use equations::ModelEquations;
