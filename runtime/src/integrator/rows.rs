//! The rows of a step's residual: where groups hold them, and their components.

use crate::block::find;
use crate::model::{Block, Function};
use crate::scalar::Scalar;

/// Where a group holds M a, G and C.
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

/// The largest absolute value of one component.
pub(super) fn largest<S: Scalar>(values: &[S], component: usize) -> f64 {
    values.iter().fold(0.0, |largest, value| {
        let size = value.component(component).abs();
        // unlike `max`, keeps NaN
        if size <= largest || largest.is_nan() { largest } else { size }
    })
}

/// Adds to one component.
pub(super) fn add<S: Scalar>(to: &mut [S], from: &[f64], component: usize) {
    for (to, from) in to.iter_mut().zip(from) {
        to.set_component(component, to.component(component) + from);
    }
}
