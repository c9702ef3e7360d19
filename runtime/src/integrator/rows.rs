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
const LANES: usize = 4;

/// The largest absolute value of one component; not a number if one of them is none.
#[inline(always)]
pub(super) fn largest<S: Scalar>(values: &[S], component: usize) -> f64 {
    // the bits of numbers without sign are in the order of the numbers, and what is no number comes last
    let bits = |value: &S| value.component(component).abs().to_bits() as i64;
    let mut most = [0; LANES];
    let mut chunks = values.chunks_exact(LANES);
    for chunk in &mut chunks {
        for (most, value) in most.iter_mut().zip(chunk) {
            *most = (*most).max(bits(value));
        }
    }
    let rest = chunks.remainder().iter().map(bits).fold(0, i64::max);
    f64::from_bits(most.into_iter().fold(rest, i64::max) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_whatever_its_sign_and_place() {
        let mut values = [1.0, -2.0, 0.5, -0.0, 3.0, -7.0, 2.0, 1.0, 1.0, -4.0];
        assert_eq!(largest(&values, 0), 7.0);
        values[9] = -8.0;
        assert_eq!(largest(&values, 0), 8.0);
        values[2] = f64::NEG_INFINITY;
        assert_eq!(largest(&values, 0), f64::INFINITY);
        values[8] = f64::NAN;
        assert!(largest(&values, 0).is_nan());
        assert_eq!(largest::<f64>(&[], 0), 0.0);
    }
}
