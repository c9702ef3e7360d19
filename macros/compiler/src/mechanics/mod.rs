//! The equations of motion and their derivatives: the way from the model to every function that is emitted.
//!
//! `equations` has M a, f, C_q^T lambda, and the constraints on all levels. `groups` derives the vectors and sparse
//! matrices ([`Block`]s) of every emitted function, as `costate_contract::Group` lists them. `lookups` finds the
//! lookups in tables and the effect of their values; only models with tables have functions of these. `step` has the
//! Jacobians of a step in the form of the literature.
//!
//! `step_functions` derives a Newton correction as one expression, with elimination and substitution. `adjoint_step`
//! derives a step of the discrete adjoint. `adjoint_parts` separates the part of this step that depends on the state
//! alone from the part that goes from step to step, and from the part that a scheme with a memory of forces adds.
//!
//! `alike` finds parts of equal structure in the Newton matrix, and `parts` says what belongs to them.
//!
//! The Newton matrix is derived in one piece (`Graph::differentiate_by_step`) if that takes less work than the sum of
//! its blocks. The adjoint needs the blocks, and therefore has factors of its own.

mod adjoint_parts;
mod adjoint_step;
mod alike;
mod block;
mod elimination;
mod equations;
mod group;
mod groups;
mod lookups;
mod parameters;
mod parts;
mod step;
mod step_functions;

#[cfg(test)]
mod tests;

pub use adjoint_parts::AdjointParts;
pub use adjoint_step::AdjointStep;
pub use block::Block;
pub use costate_contract::{Argument, Function};
pub use elimination::{Elimination, Step, order_of_library};
pub(crate) use elimination::{Random, Reached};
pub use equations::Equations;
pub use group::Group;
pub use groups::Groups;
pub use lookups::Lookups;
pub use parameters::{determined, has_timed_forces, jumps, positive};
pub(crate) use parts::{EntryPlace, Parts};
pub use step::{Matrix, StepMatrices};
pub use step_functions::StepFunctions;
