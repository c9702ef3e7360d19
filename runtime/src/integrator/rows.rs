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

/// The largest absolute value of one component. What is no number is passed over; see [`are_finite`].
#[inline(always)]
pub(super) fn largest<S: Scalar>(values: &[S], component: usize) -> f64 {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let mut most = [0.0; LANES];
    let (fours, rest) = values.as_chunks::<LANES>();
    for four in fours {
        for lane in 0..LANES {
            most[lane] = larger(four[lane].component(component).abs(), most[lane]);
        }
    }
    for value in rest {
        most[0] = larger(value.component(component).abs(), most[0]);
    }
    larger(larger(most[0], most[1]), larger(most[2], most[3]))
}

/// Whether all values of one component are finite, and their sum.
#[inline(always)]
pub(super) fn are_finite<S: Scalar>(values: &[S], component: usize) -> bool {
    let mut sum = [0.0; LANES];
    let (fours, rest) = values.as_chunks::<LANES>();
    for four in fours {
        for lane in 0..LANES {
            sum[lane] += four[lane].component(component).abs();
        }
    }
    for value in rest {
        sum[0] += value.component(component).abs();
    }
    ((sum[0] + sum[1]) + (sum[2] + sum[3])).is_finite()
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
        assert_eq!(largest::<f64>(&[], 0), 0.0);
    }

    #[test]
    fn what_is_not_finite_is_found_at_every_place() {
        for length in 0..14 {
            let mut values = vec![-1.0; length];
            assert!(are_finite(&values, 0), "{length}");
            for place in 0..length {
                for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    values[place] = value;
                    assert!(!are_finite(&values, 0), "{value} at {place} of {length}");
                }
                values[place] = -1.0;
            }
        }
    }
}
