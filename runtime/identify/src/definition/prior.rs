//! Prior distributions of unknowns.

use serde::{Deserialize, Serialize};

use costate_numerics::scalar::Scalar;
use costate_optimize::{Scaling, Variable};

use super::error::SpecificationError;

/// The distribution of an unknown before anything is measured. With priors, the fit is the maximum a posteriori.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prior {
    /// A normal distribution.
    Normal {
        /// Mean, in the unknown's unit.
        mean: f64,
        /// Standard deviation, in the unknown's unit.
        standard_deviation: f64,
    },
    /// A log-normal distribution of a positive unknown: its logarithm is normal.
    LogNormal {
        /// Median, in the unknown's unit.
        median: f64,
        /// The standard deviation of the natural logarithm: 0.1 is about 10 %.
        log_deviation: f64,
    },
}

impl Prior {
    /// Returns the residual r = (x - mean)/deviation, whose r^2/2 is a part of J.
    pub(crate) fn residual_of<S: Scalar>(self, value: S) -> S {
        match self {
            Self::Normal { mean, standard_deviation } => (value - mean) / standard_deviation,
            Self::LogNormal { median, log_deviation } => (value / median).ln() / log_deviation,
        }
    }

    /// Returns the residual, and its derivative by the unknown.
    pub(crate) fn residual(self, value: f64) -> (f64, f64) {
        let derivative = match self {
            Self::Normal { standard_deviation, .. } => 1.0 / standard_deviation,
            Self::LogNormal { log_deviation, .. } => 1.0 / (value * log_deviation),
        };
        (self.residual_of(value), derivative)
    }

    /// Checks the numbers, and that mean or median are within the bounds of the unknown.
    pub(crate) fn check(self, unknown: &Variable) -> Result<(), SpecificationError> {
        let bounds = unknown.bounds();
        let refused = |field, value, limit: String| {
            Err(SpecificationError::Prior { unknown: unknown.name().to_owned(), field, value, limit })
        };
        let (centre, centre_field, spread, spread_field) = match self {
            Self::Normal { mean, standard_deviation } => (mean, "mean", standard_deviation, "standard_deviation"),
            Self::LogNormal { median, log_deviation } => (median, "median", log_deviation, "log_deviation"),
        };
        if !(spread > 0.0 && spread.is_finite()) {
            return refused(spread_field, spread, "a finite number above 0".to_owned());
        }
        if !centre.is_finite() || matches!(self, Self::LogNormal { .. }) && centre <= 0.0 {
            return refused(centre_field, centre, "finite, and above 0 for a log-normal one".to_owned());
        }
        if centre < bounds.0 || centre > bounds.1 {
            let limit = format!("within the bounds of the unknown, {} to {}", bounds.0, bounds.1);
            return refused(centre_field, centre, limit);
        }
        let may_be_negative = unknown.scaling() != Scaling::Logarithmic && bounds.0 < 0.0;
        if matches!(self, Self::LogNormal { .. }) && may_be_negative {
            let limit = "0 or more, or the scaling logarithmic, as the unknown of a log-normal prior is positive";
            return refused("lower bound", bounds.0, limit.to_owned());
        }
        Ok(())
    }
}
