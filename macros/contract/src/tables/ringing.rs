//! Splines that leave the values of their neighbouring knots without a reason in the data.

use super::error::Axis;
use super::grid::{CurveGrid, Extension, SurfaceGrid};
use super::interpolation::Interpolation;
use super::spline::{interpolate, refined};

/// A place where the spline of a table leaves the values at the knots next to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Excursion {
    /// The argument along which the spline runs.
    pub axis: Axis,
    /// The other argument of a surface.
    pub beside: Option<f64>,
    /// The knots on both sides.
    pub knots: [f64; 2],
    /// The values at these knots.
    pub values: [f64; 2],
    /// The argument of the extreme value.
    pub at: f64,
    /// The extreme value.
    pub value: f64,
    /// Departure from what the knots lead to, as a part of the range of all values.
    pub part: f64,
}

/// Finds the largest excursion of a curve that is a spline; `None` if all are small.
pub fn excursion(grid: &CurveGrid) -> Option<Excursion> {
    if grid.interpolation != Interpolation::Spline {
        return None;
    }
    let line = Line { knots: &grid.x, values: &grid.values, extension: grid.extension };
    line.excursion(range(&grid.values), Axis::First, None)
}

/// Finds the largest excursion of a surface along those of its arguments in which it is a spline, at the knots of the
/// other one; `None` if all are small.
pub fn surface_excursion(grid: &SurfaceGrid) -> Option<Excursion> {
    let (range, columns) = (range(&grid.values), grid.y.len());
    let [along_x, along_y] = grid.extensions;
    let [is_spline_in_x, is_spline_in_y] = grid.interpolations.map(|kind| kind == Interpolation::Spline);
    let mut largest = None;
    if is_spline_in_x {
        for (j, beside) in grid.y.iter().enumerate() {
            let values: Vec<f64> = grid.values.iter().skip(j).step_by(columns).copied().collect();
            let line = Line { knots: &grid.x, values: &values, extension: along_x };
            largest = larger(largest, line.excursion(range, Axis::First, Some(*beside)));
        }
    }
    if is_spline_in_y {
        for (values, beside) in grid.values.chunks(columns).zip(&grid.x) {
            let line = Line { knots: &grid.y, values, extension: along_y };
            largest = larger(largest, line.excursion(range, Axis::Second, Some(*beside)));
        }
    }
    largest
}

fn larger(one: Option<Excursion>, other: Option<Excursion>) -> Option<Excursion> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.part > one.part { other } else { one }),
        (one, other) => one.or(other),
    }
}

fn range(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    most - values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The values along one argument.
struct Line<'a> {
    knots: &'a [f64],
    values: &'a [f64],
    extension: Extension,
}

impl Line<'_> {
    fn excursion(&self, range: f64, axis: Axis, beside: Option<f64>) -> Option<Excursion> {
        /// Part of a table's range by which a spline may leave the values of neighbouring knots. The curve of a bump
        /// stop rings by three percent; a sine with eight knots a period does not leave what the chords next to an
        /// interval lead to.
        const MAX_PART: f64 = 0.01;
        let knots = refined(self.knots, self.extension);
        let nodes = interpolate(&knots, self.values, self.extension);
        let mut largest = None;
        for (ends, nodes) in knots.windows(2).zip(nodes.windows(2)) {
            let interval = self.knots.partition_point(|knot| *knot <= ends[0]).saturating_sub(1);
            let (&[start, end], Some(&[first, last])) = (ends, self.values.get(interval..interval + 2)?.first_chunk())
            else {
                continue;
            };
            for place in turns(nodes, end - start) {
                let (at, value) = (start + place * (end - start), cubic(nodes, end - start, place));
                let [least, most] = self.expected(interval, at, [first, last]);
                let part = (value - most).max(least - value) / range;
                let knots = [self.knots[interval], self.knots[interval + 1]];
                let found = Excursion { axis, beside, knots, values: [first, last], at, value, part };
                largest = larger(largest, (part > MAX_PART).then_some(found));
            }
        }
        largest
    }

    /// Returns the range of values that the knots lead to: that at both ends of the interval, and a peak or a valley as
    /// far as the chords on both sides go on towards it.
    fn expected(&self, interval: usize, at: f64, [first, last]: [f64; 2]) -> [f64; 2] {
        let intervals = self.knots.len() - 1;
        let chord = |i: usize| (self.values[i + 1] - self.values[i]) / (self.knots[i + 1] - self.knots[i]);
        let neighbour = |i: Option<usize>, around: usize| match (i.filter(|i| *i < intervals), self.extension) {
            (Some(i), _) => Some(chord(i)),
            (None, Extension::Periodic) => Some(chord(around)),
            (None, Extension::Clamped) => Some(0.0),
            (None, Extension::Linear) => None,
        };
        let left = neighbour(interval.checked_sub(1), intervals - 1);
        let right = neighbour(Some(interval + 1), 0);
        let lines = [
            left.map(|slope| first + slope * (at - self.knots[interval])),
            right.map(|slope| last + slope * (at - self.knots[interval + 1])),
        ];
        let lines = || lines.iter().flatten().copied();
        let (peak, valley) = (lines().fold(f64::INFINITY, f64::min), lines().fold(f64::NEG_INFINITY, f64::max));
        let finite = |line: f64, else_at: f64| if line.is_finite() { line } else { else_at };
        let (least, most) = (first.min(last), first.max(last));
        [least.min(finite(valley, least)), most.max(finite(peak, most))]
    }
}

/// Returns the coefficients of 1, t, t^2 and t^3 of the cubic through two nodes of value and slope, where t goes from 0
/// to 1 over their distance.
fn coefficients(nodes: &[[f64; 2]], length: f64) -> [f64; 4] {
    let &[[first, slope], [last, end_slope]] = nodes else { return [0.0; 4] };
    let (rise, start, end) = (last - first, slope * length, end_slope * length);
    [first, start, 3.0 * rise - 2.0 * start - end, start + end - 2.0 * rise]
}

fn cubic(nodes: &[[f64; 2]], length: f64, t: f64) -> f64 {
    let [a, b, c, d] = coefficients(nodes, length);
    ((d * t + c) * t + b) * t + a
}

/// Returns the extreme places of the cubic between two nodes.
fn turns(nodes: &[[f64; 2]], length: f64) -> impl Iterator<Item = f64> {
    let [_, b, c, d] = coefficients(nodes, length);
    // 3 d t^2 + 2 c t + b = 0, without cancellation
    let root = (c * c - 3.0 * d * b).sqrt();
    let sum = -(c + root.copysign(c));
    [sum / (3.0 * d), b / sum].into_iter().filter(|t| *t > 0.0 && *t < 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(x: &[f64], values: &[f64], extension: Extension) -> Option<Excursion> {
        excursion(&CurveGrid::new(x.to_vec(), values.to_vec(), extension).unwrap())
    }

    /// Compares a bump stop with the natural cubic spline of scipy.
    #[test]
    fn the_clearance_of_a_stop_rings() {
        let x = [-20.0, -10.0, 0.0, 10.0, 20.0, 25.0, 30.0, 35.0];
        let forces = [0.0, 0.0, 0.0, 0.0, 0.0, 200.0, 600.0, 1200.0];
        let found = of(&x, &forces, Extension::Linear).unwrap();
        assert_eq!((found.knots, found.values), ([10.0, 20.0], [0.0, 0.0]));
        assert!((found.value - STOP.1).abs() < 1e-8 && (found.at - STOP.0).abs() < 1e-9, "{found:?}");
        let quiet = CurveGrid::new(x.to_vec(), forces.to_vec(), Extension::Linear).unwrap();
        assert_eq!(excursion(&quiet.interpolated(Interpolation::Monotone)), None);
    }

    /// Least value of scipy's `CubicSpline(x, forces, bc_type="natural")`, and its place.
    const STOP: (f64, f64) = (16.19556386877876, -36.27315611);

    #[test]
    fn jumps_ring_and_smooth_data_do_not() {
        let x: Vec<f64> = (0..=8).map(f64::from).collect();
        for extension in Extension::ALL {
            let jump = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0];
            assert!(of(&x, &jump, extension).is_some(), "{extension:?}");
            for phase in 0..20 {
                let wave: Vec<f64> =
                    x.iter().map(|x| (std::f64::consts::PI * x / 4.0 + f64::from(phase)).sin()).collect();
                let mut wave = wave;
                wave[8] = wave[0];
                let rings = of(&x, &wave, extension);
                // a constant beyond the edge of a steep curve is no smooth continuation
                assert!(rings.is_none() || extension == Extension::Clamped, "{extension:?} {phase} {rings:?}");
            }
        }
        assert_eq!(of(&[0.0, 1.0], &[0.0, 5.0], Extension::Clamped), None);
        assert_eq!(of(&x, &[3.0; 9], Extension::Periodic), None);
    }

    #[test]
    fn surfaces_ring_along_either_argument() {
        let x: Vec<f64> = (0..5).map(f64::from).collect();
        let jump = |i: usize| if i > 2 { 1.0 } else { 0.0 };
        for (axis, values) in [
            (Axis::First, (0..25).map(|i| jump(i / 5)).collect::<Vec<f64>>()),
            (Axis::Second, (0..25).map(|i| jump(i % 5)).collect()),
        ] {
            let grid = SurfaceGrid::new(x.clone(), x.clone(), values, [Extension::Linear; 2]).unwrap();
            assert_eq!(surface_excursion(&grid).unwrap().axis, axis);
            let kinds = |kind| {
                if axis == Axis::First { [kind, Interpolation::Spline] } else { [Interpolation::Spline, kind] }
            };
            for kind in [Interpolation::Monotone, Interpolation::Straight] {
                assert_eq!(surface_excursion(&grid.clone().interpolated(kinds(kind))), None);
            }
        }
    }
}
