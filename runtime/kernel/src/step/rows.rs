//! The rows of a step's residual: where groups hold them, and their components.

use costate_numerics::linalg::block::find;
use costate_system::model::{Block, Function};

/// The blocks of a group that hold M a, G and C.
pub(crate) struct Rows {
    pub inertia: &'static Block,
    pub force_residual: &'static Block,
    pub constraint: &'static Block,
}

impl Rows {
    pub fn of(group: &'static [Block]) -> Self {
        Self {
            inertia: find(group, Function::Inertia, None),
            force_residual: find(group, Function::ForceResidual, None),
            constraint: find(group, Function::Constraint, None),
        }
    }

    /// The three blocks here and there.
    pub fn pairs(&self, other: &Self) -> [(&'static Block, &'static Block); 3] {
        [
            (self.inertia, other.inertia),
            (self.force_residual, other.force_residual),
            (self.constraint, other.constraint),
        ]
    }
}
