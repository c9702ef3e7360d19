//! The rules that there are.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::range::{OptimizerSettingsError, within};

/// The rule for the step along a search direction.
///
/// Every rule ends with a cost that is lower by a part of what the slope promises
/// ([`sufficient_decrease`](crate::OptimizerSettings::sufficient_decrease)), steps back from points where the cost
/// cannot be evaluated, and ends at the next bound at the latest.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepSize {
    /// Until the strong Wolfe conditions hold (Nocedal, Wright, Numerical Optimization, 2nd ed., algorithms 3.5 and
    /// 3.6): mostly one evaluation of the cost and one of the gradient.
    #[default]
    StrongWolfe,
    /// Nested intervals in the ratio of the golden section (OB 4.3.2.1), with costs alone: about a dozen evaluations,
    /// whatever the shape of the cost. Most of them are foreseen, and simulated four at a time where lanes are
    /// available (`Problem::run_each`), with the memory of four simulations; the steps are those of one by one but for
    /// rounding.
    GoldenSection {
        /// Largest width of the last interval, relative to its end. Default 0.01.
        #[serde(default = "default_width")]
        tolerance: f64,
    },
    /// The minimum of the parabola through two points and the slope of the first (OB 4.3.2.2): one or two
    /// evaluations.
    QuadraticInterpolation {
        /// A minimum that is this close to an evaluated step, relatively, is not evaluated. Default 0.1.
        #[serde(default = "default_change")]
        tolerance: f64,
    },
    /// The quadratic interpolation, then the minimum of the cubic through that point as well (OB 4.3.2.2, figure 4.10):
    /// one to three evaluations.
    CubicInterpolation {
        /// A minimum that is this close to an evaluated step, relatively, is not evaluated. Default 0.1.
        #[serde(default = "default_change")]
        tolerance: f64,
    },
}

fn default_width() -> f64 {
    0.01
}

fn default_change() -> f64 {
    0.1
}

impl StepSize {
    /// [`GoldenSection`](Self::GoldenSection) with the default tolerance.
    pub fn golden_section() -> Self {
        Self::GoldenSection { tolerance: default_width() }
    }

    /// [`QuadraticInterpolation`](Self::QuadraticInterpolation) with the default tolerance.
    pub fn quadratic_interpolation() -> Self {
        Self::QuadraticInterpolation { tolerance: default_change() }
    }

    /// [`CubicInterpolation`](Self::CubicInterpolation) with the default tolerance.
    pub fn cubic_interpolation() -> Self {
        Self::CubicInterpolation { tolerance: default_change() }
    }

    pub(in super::super) fn check(self) -> Result<(), OptimizerSettingsError> {
        match self {
            Self::StrongWolfe => Ok(()),
            Self::GoldenSection { tolerance } => within("step_size.tolerance", tolerance, 1e-12, 0.5),
            // Where the first step is too long the parabola's minimum is closer than half of it.
            Self::QuadraticInterpolation { tolerance } | Self::CubicInterpolation { tolerance } => {
                within("step_size.tolerance", tolerance, 0.0, 0.25)
            }
        }
    }
}

impl fmt::Display for StepSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::StrongWolfe => "strong Wolfe conditions",
            Self::GoldenSection { .. } => "golden section",
            Self::QuadraticInterpolation { .. } => "quadratic interpolation",
            Self::CubicInterpolation { .. } => "cubic interpolation",
        })
    }
}
