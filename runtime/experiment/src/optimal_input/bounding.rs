//! Bounds of an input: smooth transformations that no input leaves, or projection.

use serde::Serialize;

/// The method that keeps an input within its bounds [u-, u+] (OB 5.1.4).
///
/// The transformations put psi(v) in place of the input, with psi'(0) = 1 and v free; where the optimum is at the
/// bounds, as it mostly is, v grows without end and progress becomes slow. Projection holds samples at the bounds they
/// reach, and ends there exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Bounding {
    /// Bounds of the optimizer, with an active set; for inputs that are given by their values at times.
    #[default]
    Projection,
    /// psi = u+ - (u+ - u-)/(1 + exp(s v)), s = 4/(u+ - u-) (OB 5.16).
    Logistic,
    /// psi = (u+ + u-)/2 + s arctan(v/s), s = (u+ - u-)/pi (OB 5.17): flatter, so that v stays smaller than with the
    /// logistic function.
    Arctangent,
}

/// An input u = psi(v).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Transformation {
    /// psi(v) = v
    Identity,
    Logistic {
        lower: f64,
        upper: f64,
    },
    Arctangent {
        lower: f64,
        upper: f64,
    },
}

impl Transformation {
    /// psi(v)
    pub fn value(self, v: f64) -> f64 {
        match self {
            Self::Identity => v,
            // 1/(1 + exp(-s v)) overflows nowhere to what is no number
            Self::Logistic { lower, upper } => lower + (upper - lower) / (1.0 + (-4.0 * v / (upper - lower)).exp()),
            Self::Arctangent { lower, upper } => {
                let s = (upper - lower) / std::f64::consts::PI;
                // rounding must not lead beyond the bounds
                (0.5 * (upper + lower) + s * (v / s).atan()).clamp(lower, upper)
            }
        }
    }

    /// psi'(v)
    pub fn slope(self, v: f64) -> f64 {
        match self {
            Self::Identity => 1.0,
            Self::Logistic { lower, upper } => {
                // 4 e/(1 + e)^2 is even in v
                let e = (-4.0 * v.abs() / (upper - lower)).exp();
                4.0 * e / ((1.0 + e) * (1.0 + e))
            }
            Self::Arctangent { lower, upper } => {
                let ratio = v * std::f64::consts::PI / (upper - lower);
                1.0 / (1.0 + ratio * ratio)
            }
        }
    }

    /// v with psi(v) = u; a `u` at a bound, or near it, is moved inside by a hundredth of the range first.
    pub fn inverse(self, u: f64) -> f64 {
        /// The smallest part of the range that an input's start keeps from a bound where v is infinite.
        const MIN_MARGIN: f64 = 0.01;
        let inside = |lower: f64, upper: f64| {
            let margin = MIN_MARGIN * (upper - lower);
            u.clamp(lower + margin, upper - margin)
        };
        match self {
            Self::Identity => u,
            Self::Logistic { lower, upper } => {
                let part = (inside(lower, upper) - lower) / (upper - lower);
                (part / (1.0 - part)).ln() * (upper - lower) / 4.0
            }
            Self::Arctangent { lower, upper } => {
                let s = (upper - lower) / std::f64::consts::PI;
                s * ((inside(lower, upper) - 0.5 * (upper + lower)) / s).tan()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use costate_numerics::scalar::{Dual, Scalar};

    const BOTH: [Transformation; 2] =
        [Transformation::Logistic { lower: -2.0, upper: 5.0 }, Transformation::Arctangent { lower: -2.0, upper: 5.0 }];

    #[test]
    fn transformed_inputs_stay_within_their_bounds_and_pass_the_middle_with_slope_one() {
        for psi in BOTH {
            assert!((psi.value(0.0) - 1.5).abs() < 1e-15, "{psi:?}");
            assert!((psi.slope(0.0) - 1.0).abs() < 1e-15, "{psi:?}");
            for v in [-1e300, -1e9, -700.0, -3.0, 0.1, 4.0, 2000.0, 1e300] {
                let value = psi.value(v);
                assert!((-2.0..=5.0).contains(&value), "{psi:?}({v}) = {value}");
                assert!((0.0..=1.0).contains(&psi.slope(v)), "{psi:?}'({v})");
            }
        }
    }

    #[test]
    fn slopes_are_derivatives_of_the_printed_formulas() {
        for v in [-30.0, -2.0, -0.3, 0.0, 0.7, 5.0] {
            let x = Dual::variable(v);
            let logistic = Dual::constant(5.0) - Dual::constant(7.0) / ((x * (4.0 / 7.0)).exp() + 1.0);
            let s = 7.0 / std::f64::consts::PI;
            let arctangent = (x / s).atan() * s + 1.5;
            for (psi, exact) in BOTH.into_iter().zip([logistic, arctangent]) {
                assert!((psi.value(v) - exact.value).abs() < 1e-14, "{psi:?}({v})");
                assert!((psi.slope(v) - exact.derivative).abs() < 1e-13, "{psi:?}'({v})");
            }
        }
    }

    #[test]
    fn inverses_lead_back() {
        for psi in BOTH {
            for u in [-1.9, 0.0, 1.5, 4.9] {
                assert!((psi.value(psi.inverse(u)) - u).abs() < 1e-13, "{psi:?} {u}");
            }
            assert!(psi.inverse(5.0).is_finite() && psi.inverse(-2.0).is_finite());
        }
    }
}
