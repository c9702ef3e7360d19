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

/// Numbers that are looked at side by side.
const LANES: usize = 8;

/// The largest absolute value of one component; not a number if one of them is none.
#[inline]
pub(super) fn largest<S: Scalar>(values: &[S], component: usize) -> f64 {
    let (mut most, mut sum) = ([0.0; LANES], [0.0; LANES]);
    let mut take = |lane: usize, value: &S| {
        let size = value.component(component).abs();
        most[lane] = if size > most[lane] { size } else { most[lane] };
        // comparisons lose what is no number, a sum does not
        sum[lane] += size;
    };
    let mut chunks = values.chunks_exact(LANES);
    for chunk in &mut chunks {
        chunk.iter().enumerate().for_each(|(lane, value)| take(lane, value));
    }
    chunks.remainder().iter().enumerate().for_each(|(lane, value)| take(lane, value));
    let sum: f64 = sum.iter().sum();
    if sum.is_nan() { sum } else { most.iter().fold(0.0, |a: f64, b| a.max(*b)) }
}
