//! Minimisation of a cost over parameters within bounds: a method ([`Method`]) for the search direction, a rule
//! ([`StepSize`]) for the step along it, and an active set.
//!
//! Everything works in scaled variables ([`Scaling`]) and never evaluates the cost outside the bounds. The state
//! after every iteration can be stored and resumed; the resumed run continues bit by bit as if it had never
//! stopped. [`multistart`] begins from many points.

mod active_set;
mod curvature;
mod linearized;
mod method;
mod minimize;
mod multistart;
mod objective;
mod ray;
mod settings;
mod state;
mod step_size;
mod stop;
#[cfg(test)]
mod tests;
mod variables;

pub use method::Method;
pub use minimize::{minimize, minimize_least_squares};
pub use multistart::{Member, MultistartError, MultistartProgress, multistart};

pub(crate) use multistart::{check_starts, multistart_in_groups};
pub use objective::{Failure, LeastSquaresObjective, LinearResiduals, MethodError, Objective, OptimizeError};
pub use settings::{OptimizerSettings, OptimizerSettingsError};
pub use state::{Iteration, OptimizerState, StartError};
pub use step_size::StepSize;
pub use stop::Stop;
pub use variables::{Scaling, Variable, VariableError};
