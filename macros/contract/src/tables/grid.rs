//! Checked knots and values.

use super::error::{Axis, GridError};
use super::interpolation::Interpolation;

/// Largest knots and values: third derivatives between knots at the distance [`MIN_DISTANCE`] are still finite.
const MAX_NUMBER: f64 = 1e90;

/// Smallest distance of knots.
const MIN_DISTANCE: f64 = 1e-60;

/// Extrapolation of a table beyond its first and last knot. With a spline, value, slope and curvature are continuous
/// everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Extension {
    /// The value at the edge continues. Slope and curvature are zero there.
    #[default]
    Clamped,
    /// The table repeats periodically; the last knot is one period after the first and has the same value.
    Periodic,
    /// The table continues in a straight line with the slope at the edge. The curvature is zero there.
    Linear,
}

impl Extension {
    /// All kinds of extrapolation.
    pub const ALL: [Extension; 3] = [Extension::Clamped, Extension::Periodic, Extension::Linear];

    /// Returns the word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Extension::Clamped => "clamped",
            Extension::Periodic => "periodic",
            Extension::Linear => "linear",
        }
    }

    /// Returns the smallest number of knots of an argument.
    fn least_knots(self) -> usize {
        match self {
            Extension::Clamped | Extension::Linear => 2,
            Extension::Periodic => 3,
        }
    }
}

/// Values at increasing knots: a table of one argument.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveGrid {
    /// Knots of the argument, increasing.
    pub x: Vec<f64>,
    /// Value at every knot.
    pub values: Vec<f64>,
    /// Extrapolation beyond the knots.
    pub extension: Extension,
    /// Interpolation between the knots.
    pub interpolation: Interpolation,
}

impl CurveGrid {
    /// Checks the data of a spline.
    ///
    /// # Errors
    /// Knots that do not increase or are too few, a wrong number of values, numbers that are not finite, different
    /// values at the two ends of a period.
    pub fn new(x: Vec<f64>, values: Vec<f64>, extension: Extension) -> Result<Self, GridError> {
        check_knots(&x, Axis::First, extension)?;
        let mut grid = Self { x, values, extension, interpolation: Interpolation::Spline };
        check_values(&grid.values, grid.x.len())?;
        if extension == Extension::Periodic {
            let scale = largest(&grid.values);
            close(&mut grid.values, 0, grid.x.len() - 1, scale, Axis::First)?;
        }
        Ok(grid)
    }

    /// Sets the interpolation between the knots.
    #[must_use]
    pub fn interpolated(self, interpolation: Interpolation) -> Self {
        Self { interpolation, ..self }
    }
}

/// Values on a rectangular grid of increasing knots: a table of two arguments.
#[derive(Debug, Clone, PartialEq)]
pub struct SurfaceGrid {
    /// Knots of the first argument, increasing.
    pub x: Vec<f64>,
    /// Knots of the second argument, increasing.
    pub y: Vec<f64>,
    /// Value at every pair of knots; the second argument varies fastest.
    pub values: Vec<f64>,
    /// Extrapolation beyond the knots, for each argument.
    pub extensions: [Extension; 2],
    /// Interpolation between the knots, for each argument.
    pub interpolations: [Interpolation; 2],
}

impl SurfaceGrid {
    /// Checks the data of a spline.
    ///
    /// # Errors
    /// The errors of [`CurveGrid::new`], for each argument.
    pub fn new(x: Vec<f64>, y: Vec<f64>, values: Vec<f64>, extensions: [Extension; 2]) -> Result<Self, GridError> {
        check_knots(&x, Axis::First, extensions[0])?;
        check_knots(&y, Axis::Second, extensions[1])?;
        let mut grid = Self { x, y, values, extensions, interpolations: [Interpolation::Spline; 2] };
        let (rows, columns) = (grid.x.len(), grid.y.len());
        check_values(&grid.values, rows * columns)?;
        let scale = largest(&grid.values);
        if extensions[0] == Extension::Periodic {
            for j in 0..columns {
                close(&mut grid.values, j, (rows - 1) * columns + j, scale, Axis::First)?;
            }
        }
        if extensions[1] == Extension::Periodic {
            for i in 0..rows {
                close(&mut grid.values, i * columns, (i + 1) * columns - 1, scale, Axis::Second)?;
            }
        }
        Ok(grid)
    }

    /// Sets the interpolation between the knots, for each argument.
    #[must_use]
    pub fn interpolated(self, interpolations: [Interpolation; 2]) -> Self {
        Self { interpolations, ..self }
    }
}

fn check_knots(knots: &[f64], axis: Axis, extension: Extension) -> Result<(), GridError> {
    /// Smallest distance of knots relative to the largest knot. Closer knots form a step, whose slope is only rounding
    /// error.
    const MIN_RELATIVE_DISTANCE: f64 = 1e-14;
    let least = extension.least_knots();
    if knots.len() < least {
        return Err(GridError::TooFewKnots { axis, found: knots.len(), least });
    }
    if let Some(index) = knots.iter().position(|knot| !knot.is_finite()) {
        return Err(GridError::KnotNotFinite { axis, index, value: knots[index] });
    }
    if let Some(index) = knots.iter().position(|knot| knot.abs() > MAX_NUMBER) {
        return Err(GridError::KnotTooLarge { axis, index, value: knots[index], most: MAX_NUMBER });
    }
    if let Some(i) = knots.windows(2).position(|pair| pair[0] >= pair[1]) {
        return Err(GridError::NotIncreasing { axis, index: i + 1, previous: knots[i], value: knots[i + 1] });
    }
    let least = (MIN_RELATIVE_DISTANCE * largest(knots)).max(MIN_DISTANCE);
    match knots.windows(2).position(|pair| pair[1] - pair[0] < least) {
        Some(i) => Err(GridError::TooClose { axis, index: i + 1, distance: knots[i + 1] - knots[i], least }),
        None => Ok(()),
    }
}

fn check_values(values: &[f64], expected: usize) -> Result<(), GridError> {
    if values.len() != expected {
        return Err(GridError::Values { found: values.len(), expected });
    }
    if let Some(index) = values.iter().position(|value| !value.is_finite()) {
        return Err(GridError::ValueNotFinite { index, value: values[index] });
    }
    match values.iter().position(|value| value.abs() > MAX_NUMBER) {
        Some(index) => Err(GridError::ValueTooLarge { index, value: values[index], most: MAX_NUMBER }),
        None => Ok(()),
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// Makes the values at both ends of a period equal, if they differ only by rounding in a file.
fn close(values: &mut [f64], first: usize, last: usize, scale: f64, axis: Axis) -> Result<(), GridError> {
    const ROUNDING: f64 = 1e-9;
    if (values[first] - values[last]).abs() > ROUNDING * scale {
        return Err(GridError::NotPeriodic { axis, first: values[first], last: values[last] });
    }
    values[last] = values[first];
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knots_must_increase() {
        let error = CurveGrid::new(vec![0.0, 2.0, 2.0], vec![0.0; 3], Extension::Linear).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the knots of the first argument must increase, and 2 follows 2 (knot 2); sort them"
        );
        assert!(matches!(
            SurfaceGrid::new(vec![0.0, 1.0], vec![1.0, 0.0], vec![0.0; 4], [Extension::Clamped; 2]),
            Err(GridError::NotIncreasing { axis: Axis::Second, index: 1, .. })
        ));
    }

    #[test]
    fn numbers_are_counted_and_finite() {
        let curve =
            |x: &[f64], values: &[f64], extension| CurveGrid::new(x.to_vec(), values.to_vec(), extension).unwrap_err();
        assert!(matches!(curve(&[0.0], &[0.0], Extension::Clamped), GridError::TooFewKnots { found: 1, least: 2, .. }));
        assert!(matches!(curve(&[0.0, 1.0], &[0.0; 2], Extension::Periodic), GridError::TooFewKnots { least: 3, .. }));
        assert!(matches!(
            curve(&[0.0, 1.0], &[0.0; 3], Extension::Clamped),
            GridError::Values { found: 3, expected: 2 }
        ));
        assert!(matches!(
            curve(&[0.0, f64::NAN], &[0.0; 2], Extension::Clamped),
            GridError::KnotNotFinite { index: 1, .. }
        ));
        assert!(matches!(
            curve(&[0.0, 1.0], &[0.0, f64::INFINITY], Extension::Clamped),
            GridError::ValueNotFinite { index: 1, .. }
        ));
    }

    #[test]
    fn knots_and_values_can_be_computed_with() {
        let curve = |x: &[f64], values: &[f64]| CurveGrid::new(x.to_vec(), values.to_vec(), Extension::Clamped);
        for near in [1.0 + f64::EPSILON, 1.0 + 1e-15] {
            assert!(matches!(
                curve(&[0.0, 1.0, near], &[0.0; 3]),
                Err(GridError::TooClose { axis: Axis::First, index: 2, .. })
            ));
        }
        assert!(matches!(curve(&[0.0, 1e-300], &[0.0; 2]), Err(GridError::TooClose { index: 1, .. })));
        assert!(matches!(curve(&[0.0, 1e300], &[0.0; 2]), Err(GridError::KnotTooLarge { index: 1, .. })));
        let error = curve(&[0.0, 1.0], &[0.0, 1e308]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "value 1 is 1e308, at most 1e90 can be computed with; write the table in a larger unit"
        );
        curve(&[0.0, 1.0, 1.0 + 1e-12], &[0.0, 1e20, -1e20]).unwrap();
    }

    #[test]
    fn a_period_closes() {
        let x = vec![0.0, 1.0, 2.0];
        let error = CurveGrid::new(x.clone(), vec![1.0, 5.0, 1.1], Extension::Periodic).unwrap_err();
        assert!(matches!(error, GridError::NotPeriodic { first: 1.0, last: 1.1, .. }));
        let grid = CurveGrid::new(x, vec![1.0, 5.0, 1.0 + 1e-12], Extension::Periodic).unwrap();
        assert_eq!(grid.values[2], 1.0);
    }
}
