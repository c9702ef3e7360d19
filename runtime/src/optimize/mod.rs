//! Minimisation of a cost over parameters within bounds: BFGS with a line search and an active set.
//!
//! The method works in scaled variables ([`Scaling`]) and never evaluates the cost outside the bounds. Its state
//! after every iteration can be stored and resumed; the resumed run continues bit by bit as if it had never
//! stopped.

mod active_set;
mod bfgs;
mod line_search;
mod objective;
mod ray;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod variables;

pub use bfgs::minimize;
pub use objective::{Failure, Objective, OptimizeError};
pub use settings::{OptimizerSettings, OptimizerSettingsError, Stop};
pub use state::{Iteration, OptimizerState, StartError};
pub use variables::{Scaling, Variable, VariableError};
