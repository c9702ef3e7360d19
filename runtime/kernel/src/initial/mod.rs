//! A consistent initial state x_0 = (q0, v0, a0, lambda0), and its derivatives with respect to parameters.
//!
//! Linear systems are those of `runtime/numerics/src/linalg/linear_system.rs`: sparse if they are large, with an
//! analysis of the rank where it is in doubt. `closing` finds positions near enough where Newton's method fails.
//! `auxiliary` has the auxiliary acceleration with which a run begins. `rest` has the start of a model that begins in
//! equilibrium, `iteration` what all searches have in common, `unknowns` the quantities by which the state is
//! differentiated. `given` checks the values that a user gives, not the trials of a fit.
//!
//! What the model specifies is kept. Positions left open are the closest that satisfy the constraints, to zero or to
//! what the model says that they are near to, velocities left open the smallest. A coordinate with neither mass nor
//! constraint, a *free* one, has the velocity at which its force vanishes, and no acceleration. All other accelerations
//! and the multipliers solve the equations of motion with the constraints at acceleration level.

mod accelerations;
mod auxiliary;
mod closing;
mod consistent;
mod constraints;
mod definite;
mod derivatives;
mod free;
mod given;
mod inputs;
mod iteration;
mod level;
mod open_loop;
mod project;
mod rest;
mod rest_derivatives;
mod rounding;
mod system;
mod unknowns;

pub use auxiliary::initial_displacement;
pub use consistent::{Consistent, consistent_state};
pub use costate_system::initial::check_parameters;
pub use derivatives::{derivatives_by_given, initial_derivatives, initial_lookups};
pub use given::check_given;
pub use inputs::{initial_input_derivatives, initial_state_changes};
