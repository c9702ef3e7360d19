//! How large a state and an update are, which is what the control of Newton's iteration sees of them.

use crate::scalar::Scalar;

/// Numbers that are looked at side by side.
const LANES: usize = 4;

/// Largest sizes of a state and an update, of one component of the scalars.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sizes {
    pub coordinates: f64,
    pub velocities: f64,
    pub accelerations: f64,
    pub multipliers: f64,
    pub acceleration_update: f64,
    pub multiplier_update: f64,
}

impl Sizes {
    /// Whether all of them are.
    #[inline(always)]
    pub fn are_finite(&self) -> bool {
        let state = self.coordinates + self.velocities + self.accelerations + self.multipliers;
        (state + self.acceleration_update + self.multiplier_update).is_finite()
    }
}

/// One instruction, which passes over a first number that is none.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The largest absolute value of one component. What is no number is passed over; see [`are_finite`].
#[inline(always)]
pub(super) fn largest<S: Scalar>(values: &[S], component: usize) -> f64 {
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
