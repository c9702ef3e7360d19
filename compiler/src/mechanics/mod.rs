//! From the checked model to every function that is emitted: the equations of motion and their derivatives.

mod adjoint_parts;
mod adjoint_step;
mod block;
mod elimination;
mod equations;
mod groups;
mod lookups;
mod parameters;
mod step;
mod step_functions;

#[cfg(test)]
mod tests;

pub use adjoint_parts::AdjointParts;
pub use adjoint_step::AdjointStep;
pub use block::Block;
pub use costate_contract::{Argument, Function};
pub(crate) use elimination::Random;
pub use elimination::{Elimination, Step};
pub use equations::Equations;
pub use groups::{Group, Groups};
pub use lookups::Lookups;
pub use parameters::{jumps, positive};
pub use step::{Matrix, StepMatrices};
pub use step_functions::StepFunctions;
