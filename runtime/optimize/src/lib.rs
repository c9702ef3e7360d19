//! Minimisation of a cost over parameters within bounds: a method ([`Method`]) for the search direction, a rule
//! ([`StepSize`]) for the step along it, and an active set.
//!
//! Everything works in scaled variables ([`Scaling`]) and never evaluates the cost outside the bounds. The state
//! after every iteration can be stored and resumed; the resumed run continues bit by bit as if it had never
//! stopped. [`multistart`] begins from many points.
//!
//! An identification does all of this for the parameters of a model; this crate suits other
//! costs, and has the [`OptimizerSettings`] of both.
//!
//! ```
//! use costate_optimize::{Failure, Objective, OptimizerSettings, OptimizerState, Variable, minimize};
//!
//! /// (x - 3)^2 + (y + 1)^2
//! struct Bowl;
//!
//! impl Objective for Bowl {
//!     type Error = std::convert::Infallible;
//!
//!     fn cost(&mut self, x: &[f64]) -> Result<f64, Failure<Self::Error>> {
//!         Ok((x[0] - 3.0).powi(2) + (x[1] + 1.0).powi(2))
//!     }
//!
//!     fn gradient(&mut self, x: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Self::Error>> {
//!         gradient.copy_from_slice(&[2.0 * (x[0] - 3.0), 2.0 * (x[1] + 1.0)]);
//!         Ok(())
//!     }
//! }
//!
//! # fn main() -> anyhow::Result<()> {
//! let variables = vec![Variable::new("x", 1.0).within(0.0, 2.0), Variable::new("y", 1.0).within(-10.0, 10.0)];
//! let mut state = OptimizerState::new(variables, OptimizerSettings::default())?;
//! minimize(&mut Bowl, &mut state, |_| Ok(()))?;
//! assert!((state.parameters()[0] - 2.0).abs() < 1e-9 && (state.parameters()[1] + 1.0).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! An optimizer is a file in `src/method` and a variant of [`Method`]; a rule for steps is a file in `src/step_size`
//! and a variant of [`StepSize`].

mod active_set;
mod ask_and_tell;
mod curvature;
mod erased;
mod inertia;
mod iteration;
mod linearized;
mod method;
mod minimize;
mod multistart;
mod objective;
mod range;
mod ray;
mod settings;
mod singular_values;
mod split;
mod state;
mod step_size;
mod stop;
mod tall;
#[cfg(test)]
mod tests;
mod variables;

pub use ask_and_tell::{AskAndTell, Asked};
#[doc(hidden)]
pub use inertia::{are_possible_bodies, is_possible_body};
pub use method::Method;
pub use minimize::{minimize, minimize_least_squares};
pub use multistart::{Member, MultistartError, MultistartProgress, multistart};
#[doc(hidden)]
pub use multistart::{check_starts, states as multistart_states};
pub use objective::{Failure, LeastSquaresObjective, LinearResiduals, MethodError, Objective, OptimizeError};
pub use range::OptimizerSettingsError;
pub use settings::OptimizerSettings;
pub use state::{Iteration, OptimizerState, StartError};
pub use step_size::StepSize;
pub use stop::Stop;
#[doc(hidden)]
pub use tall::tall_factor;
pub use variables::{Scaling, Variable, VariableError};
