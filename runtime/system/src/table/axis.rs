//! One argument of a table: its knots, and the location of a number between them.

use costate_contract::tables::{Extension, Interpolation};

use super::course::Course;
use costate_numerics::scalar::Scalar;

/// The knots of a table over one argument.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Knots {
    knots: Vec<f64>,
    course: Course,
    /// The interval that contains the start of each part, where the range of the knots has as many equal
    /// parts as intervals.
    starts: Vec<u32>,
    parts_per_unit: f64,
}

/// The location of an argument.
#[derive(Debug, Clone, Copy)]
pub(super) struct Location<S> {
    /// The interval between two knots; beyond the edge, the one next to it.
    pub interval: usize,
    side: Side,
    /// Distance from the interval's start over its length; beyond the edge, the distance from the edge.
    part: S,
    length: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Inside,
    Before,
    After,
}

/// Highest order of a derivative that is not zero everywhere.
pub(super) const MAX_ORDER: usize = 3;

impl Knots {
    /// Creates the axis of increasing, finite knots, at least two.
    pub fn new(knots: Vec<f64>, course: Course) -> Self {
        let intervals = knots.len().saturating_sub(1);
        let (first, last) = (knots.first().copied().unwrap_or(0.0), knots.last().copied().unwrap_or(0.0));
        let width = (last - first) / intervals as f64;
        let interval_of = |x: f64| knots.partition_point(|knot| *knot <= x).saturating_sub(1);
        let starts = (0..=intervals).map(|i| interval_of(first + i as f64 * width) as u32).collect();
        Self { knots, course, starts, parts_per_unit: 1.0 / width }
    }

    /// Returns the knots.
    pub fn values(&self) -> &[f64] {
        &self.knots
    }

    /// Returns what the table does between and beyond its knots.
    #[inline]
    pub fn course(&self) -> Course {
        self.course
    }

    /// Returns the location of `x`.
    #[inline]
    pub fn locate<S: Scalar>(&self, x: S) -> Location<S> {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        let mut x = x;
        let mut real = x.real();
        if self.course.beyond == Extension::Periodic {
            let period = last - first;
            let turns = ((real - first) / period).floor();
            if turns != 0.0 {
                x = x - turns * period;
                real = x.real();
            }
        } else if real < first {
            return Location { interval: 0, side: Side::Before, part: x - first, length: 1.0 };
        } else if real > last {
            let interval = self.knots.len() - 2;
            return Location { interval, side: Side::After, part: x - last, length: 1.0 };
        }
        let interval = self.interval(real);
        let (start, end) = (self.knots[interval], self.knots[interval + 1]);
        let length = end - start;
        Location { interval, side: Side::Inside, part: (x - start) / length, length }
    }

    /// Returns the interval that contains `x`: the part of the range leads to it, and only few knots have to
    /// be compared.
    #[inline]
    fn interval(&self, x: f64) -> usize {
        let most = self.knots.len() - 2;
        // a NaN becomes 0 here, and stays a NaN in the value
        let part = (((x - self.knots[0]) * self.parts_per_unit) as usize).min(most);
        // for equidistant knots the part is the interval, up to rounding
        let usual = (self.starts[part] as usize).min(most);
        if self.knots[usual] <= x && x < self.knots[usual + 1] {
            return usual;
        }
        // one more on each side: by rounding, x may be on the other side of a part's end
        let low = (self.starts[part] as usize).saturating_sub(1);
        let high = (self.starts[part + 1] as usize + 2).min(self.knots.len());
        let within = self.knots[low..high].partition_point(|knot| *knot <= x);
        (low + within).saturating_sub(1).min(most)
    }
}

impl<S: Scalar> Location<S> {
    /// Returns the weights of value and slope at the interval's start, and of value and slope at its end, in
    /// the derivative of this order of the cubic Hermite polynomial, or of the straight line.
    #[inline]
    pub fn weights(&self, course: Course, order: usize) -> [S; 4] {
        let zero = S::constant(0.0);
        let one = S::constant(1.0);
        let (t, h) = (self.part, self.length);
        if self.side != Side::Inside {
            let line = match (course.beyond, order) {
                (_, 0) if course.beyond == Extension::Linear => [one, t],
                (_, 0) => [one, zero],
                (Extension::Linear, 1) => [zero, one],
                _ => [zero, zero],
            };
            return match self.side {
                Side::Before => [line[0], line[1], zero, zero],
                _ => [zero, zero, line[0], line[1]],
            };
        }
        if course.between == Interpolation::Straight {
            return match order {
                0 => [one - t, zero, t, zero],
                1 => [S::constant(-1.0 / h), zero, S::constant(1.0 / h), zero],
                _ => [zero; 4],
            };
        }
        match order {
            0 => {
                let rest = one - t;
                let end = t * t * (t * -2.0 + 3.0);
                [one - end, t * rest * rest * h, end, t * t * rest * -h]
            }
            1 => {
                let end = t * (one - t) * (6.0 / h);
                [-end, (t * 3.0 - 4.0) * t + 1.0, end, (t * 3.0 - 2.0) * t]
            }
            2 => {
                let end = (t * -12.0 + 6.0) / (h * h);
                [-end, (t * 6.0 - 4.0) / h, end, (t * 6.0 - 2.0) / h]
            }
            MAX_ORDER => {
                let [value, slope] = [12.0 / (h * h * h), 6.0 / (h * h)].map(S::constant);
                [value, slope, -value, slope]
            }
            _ => [zero; 4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spline(beyond: Extension) -> Course {
        Course { between: Interpolation::Spline, beyond }
    }

    #[test]
    fn intervals_are_found_on_uneven_knots() {
        let knots = vec![-3.0, -1.0, -0.999, -0.998, 0.0, 1e-9, 2.0, 50.0, 51.0];
        let axis = Knots::new(knots.clone(), spline(Extension::Linear));
        for (i, pair) in knots.windows(2).enumerate() {
            for fraction in [0.0, 1e-12, 0.3, 0.999_999] {
                assert_eq!(axis.interval(pair[0] + fraction * (pair[1] - pair[0])), i, "{i} {fraction}");
            }
        }
        assert_eq!(axis.interval(51.0), knots.len() - 2);
        assert_eq!(axis.interval(f64::NAN), 0);
    }

    #[test]
    fn turns_are_taken_off() {
        let axis = Knots::new(vec![1.0, 2.0, 4.0], spline(Extension::Periodic));
        for turns in [-3.0, -1.0, 0.0, 1.0, 1e6] {
            let location = axis.locate(2.5 + 3.0 * turns);
            assert_eq!((location.interval, location.side), (1, Side::Inside));
            assert!((location.part - 0.25).abs() < 1e-9);
        }
        assert!(axis.locate(f64::INFINITY).part.is_nan());
    }
}
