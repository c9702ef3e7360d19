//! Sizes of a state and an update, from which the control of Newton's iteration decides.

use costate_numerics::scalar::{Fours, LANES, Reals, Scalar, each_lane};

/// Largest sizes of a state and an update, of one component of the scalars; of one run or of several in
/// lanes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sizes<R = f64> {
    pub coordinates: R,
    pub velocities: R,
    pub accelerations: R,
    pub multipliers: R,
    pub acceleration_update: R,
    pub multiplier_update: R,
}

impl Sizes {
    /// Measures one component of the state's q, v, a and lambda.
    #[inline(always)]
    pub fn measure_state<S: Scalar>(&mut self, fours: Fours, parts: [&[S]; 4], component: usize) {
        let [coordinates, velocities, accelerations, multipliers] = parts;
        self.coordinates = measure(fours, coordinates, component).0;
        self.velocities = measure(fours, velocities, component).0;
        self.accelerations = measure(fours, accelerations, component).0;
        self.multipliers = measure(fours, multipliers, component).0;
    }

    /// Measures an update of a and lambda; returns true if all numbers, and their sum, are finite.
    #[inline(always)]
    pub fn measure_update<S: Scalar>(&mut self, fours: Fours, [motion, rest]: [&[S]; 2], component: usize) -> bool {
        let (motion, rest) = (measure(fours, motion, component), measure(fours, rest, component));
        (self.acceleration_update, self.multiplier_update) = (motion.0, rest.0);
        (motion.1 + rest.1).is_finite()
    }
}

impl<R: Reals> Sizes<R> {
    /// Checks whether all sizes are finite.
    #[inline(always)]
    pub fn are_finite(&self) -> R::Mask {
        let state = self.coordinates + self.velocities + self.accelerations + self.multipliers;
        (state + self.acceleration_update + self.multiplier_update).is_finite()
    }
}

/// Returns the largest absolute value of one component, which ignores NaN, and the sum of all, which does
/// not.
#[inline(always)]
fn measure<S: Scalar>(fours: Fours, values: &[S], component: usize) -> (f64, f64) {
    if S::IS_PLAIN
        && let Some(measured) = measure_in_fours(fours, values)
    {
        return measured;
    }
    let (mut most, mut sum) = ([0.0; LANES], [0.0; LANES]);
    for (i, value) in values.iter().enumerate() {
        let (size, lane) = (value.component(component).abs(), i % LANES);
        most[lane] = size.larger(most[lane]);
        sum[lane] += size;
    }
    let most = most[0].larger(most[1]).larger(most[2].larger(most[3]));
    (most, (sum[0] + sum[1]) + (sum[2] + sum[3]))
}

/// Returns the largest magnitude and the sum of magnitudes of plain numbers, four side by side.
#[inline(always)]
fn measure_in_fours<S: Scalar>(fours: Fours, values: &[S]) -> Option<(f64, f64)> {
    let (some, values) = (fours.some()?, S::plain(values)?);
    let (whole, rest) = values.as_chunks::<LANES>();
    // two chains that need not wait for each other
    let mut most = [some.with([0.0; LANES]); 2];
    let mut sum = most;
    for (i, four) in whole.iter().enumerate() {
        let size = some.with(*four).abs();
        most[i % 2] = size.larger(most[i % 2]);
        sum[i % 2] += size;
    }
    if !rest.is_empty() {
        let last = each_lane(|lane| rest.get(lane).copied().unwrap_or_default());
        let (size, i) = (some.with(last).abs(), whole.len() % 2);
        most[i] = size.larger(most[i]);
        sum[i] += size;
    }
    let sum = (sum[0] + sum[1]).array();
    Some((most[0].larger(most[1]).largest(), (sum[0] + sum[1]) + (sum[2] + sum[3])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn largest(values: &[f64]) -> f64 {
        measure(Fours::default(), values, 0).0
    }

    #[test]
    fn the_largest_whatever_its_sign_and_place() {
        let mut values = [1.0, -2.0, 0.5, -0.0, 3.0, -7.0, 2.0, 1.0, 1.0, -4.0];
        assert_eq!(largest(&values), 7.0);
        values[9] = -8.0;
        assert_eq!(largest(&values), 8.0);
        values[2] = f64::NEG_INFINITY;
        assert_eq!(largest(&values), f64::INFINITY);
        assert_eq!(largest(&[]), 0.0);
    }

    #[test]
    fn what_is_not_finite_is_found_at_every_place() {
        let are_finite = |values: &[f64]| {
            Sizes::default().measure_update(Fours::default(), values.split_at(values.len() / 2).into(), 0)
        };
        for length in 0..28 {
            let mut values = vec![-1.0; length];
            assert!(are_finite(&values), "{length}");
            for place in 0..length {
                for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    values[place] = value;
                    assert!(!are_finite(&values), "{value} at {place} of {length}");
                }
                values[place] = -1.0;
            }
        }
    }
}
