//! A table with either number of arguments.

use std::sync::Arc;

use costate_contract::tables::{Extension, GridError, Interpolation};

use super::{Curve, Surface};
use costate_numerics::scalar::{Dual, Scalar};

/// A table with either number of arguments.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq)]
pub enum AnyTable {
    /// One argument.
    Curve(Arc<Curve>),
    /// Two arguments.
    Surface(Arc<Surface>),
}

impl AnyTable {
    /// Returns the table with values that change at unrelated rates; `None` if such a table cannot have these
    /// rates.
    #[doc(hidden)]
    pub fn along_some_rates(&self) -> Option<Self> {
        let rates = (0..self.values().len()).map(|i| (7 * i % 11) as f64 / 5.0 - 1.0);
        self.along(rates.collect())
    }

    /// Returns the table with one of its values changing, and at the other end of a period with it; `None`
    /// for that other end.
    #[doc(hidden)]
    pub fn along_value(&self, index: usize) -> Option<Self> {
        let mut rates = vec![0.0; self.values().len()];
        *rates.get_mut(index)? = 1.0;
        self.close(&mut rates);
        if rates[index] == 0.0 { None } else { self.along(rates) }
    }

    /// Returns the table with values that change at these rates.
    #[doc(hidden)]
    pub fn along(&self, mut rates: Vec<f64>) -> Option<Self> {
        self.close(&mut rates);
        match self {
            Self::Curve(curve) => curve.along(rates).ok().map(|curve| Self::Curve(Arc::new(curve))),
            Self::Surface(surface) => surface.along(rates).ok().map(|surface| Self::Surface(Arc::new(surface))),
        }
    }

    /// Returns the table with other values at the same knots.
    #[doc(hidden)]
    pub fn with_values(&self, values: Vec<f64>) -> Result<Self, GridError> {
        match self {
            Self::Curve(curve) => curve.with_values(values).map(|curve| Self::Curve(Arc::new(curve))),
            Self::Surface(surface) => surface.with_values(values).map(|surface| Self::Surface(Arc::new(surface))),
        }
    }

    /// Returns true if the slope of the table jumps: between straight lines, or where a slope ends and the value at the
    /// edge continues.
    #[doc(hidden)]
    pub fn is_bent(&self) -> bool {
        /// Slope at an edge that is none, relative to the mean size of slopes.
        const MAX_SLOPE: f64 = 1e-6;
        match self {
            Self::Curve(curve) => {
                let (knots, values) = (curve.knots(), curve.values());
                let (Some(&first), Some(&last)) = (knots.first(), knots.last()) else { return false };
                let way: f64 = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum();
                // at the last knot, the slope is that beyond it
                let within = 1e-9 * (last - first);
                let slopes = [first + within, last - within].map(|edge| curve.derivatives(edge, [1])[0].abs());
                let ends = curve.extension() == Extension::Clamped
                    && slopes.iter().any(|slope| slope * (last - first) > MAX_SLOPE * way);
                ends || (curve.interpolation() == Interpolation::Straight && knots.len() > 2)
            }
            Self::Surface(surface) => {
                surface.interpolations().contains(&Interpolation::Straight)
                    || surface.extensions().contains(&Extension::Clamped)
            }
        }
    }

    /// Returns the values of the table.
    #[doc(hidden)]
    pub fn values(&self) -> Vec<f64> {
        match self {
            Self::Curve(curve) => curve.values(),
            Self::Surface(surface) => surface.values(),
        }
    }

    /// Copies the numbers at the starts of periods to their ends.
    fn close(&self, numbers: &mut [f64]) {
        match self {
            Self::Curve(curve) => close(numbers, 1, curve.extension()),
            Self::Surface(surface) => {
                let ([_, y], [along_x, along_y]) = (surface.knots(), surface.extensions());
                numbers.chunks_mut(y.len()).for_each(|row| close(row, 1, along_y));
                close(numbers, y.len(), along_x);
            }
        }
    }

    /// Returns the rate of the derivative of these orders, for a table whose values change at some rates.
    #[doc(hidden)]
    pub fn rate(&self, arguments: &[f64], orders: [usize; 2]) -> f64 {
        match (self, arguments) {
            (Self::Curve(curve), &[x, ..]) => {
                let [rate]: [Dual; 1] = curve.derivatives(Dual::constant(x), [orders[0]]);
                rate.derivative
            }
            (Self::Surface(surface), &[x, y, ..]) => {
                let [x, y] = [x, y].map(Dual::constant);
                let [rate]: [Dual; 1] = surface.derivatives(x, y, [orders]);
                rate.derivative
            }
            _ => 0.0,
        }
    }
}

/// Makes the last `width` values of a period those at its start.
fn close(values: &mut [f64], width: usize, extension: Extension) {
    if extension == Extension::Periodic
        && let Some(last) = values.len().checked_sub(width)
    {
        values.copy_within(..width, last);
    }
}
