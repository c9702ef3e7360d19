//! Methods that find the search direction: one file per method, each saying what it is, when to use it, where it is
//! from and what can be set.
//!
//! The example `nist` measures the methods on reference problems; `tests/reference_problems.rs` expects their solutions
//! of the default method.

pub(super) mod bfgs;
pub(super) mod gauss_newton;
pub(super) mod levenberg_marquardt;
pub(super) mod limited_memory_bfgs;
pub(super) mod steepest_descent;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::range::{OptimizerSettingsError, within};

/// The method that finds the search direction.
///
/// Every method works in scaled variables, holds the variables that its direction would take out of their bounds,
/// and can be stored and resumed after every iteration.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// [`LevenbergMarquardt`](Self::LevenbergMarquardt) where the cost has residuals, [`Bfgs`](Self::Bfgs)
    /// elsewhere, and
    /// [`LimitedMemoryBfgs`](Self::LimitedMemoryBfgs) beyond a thousand parameters. The first evaluation replaces
    /// it by the method chosen.
    #[default]
    Automatic,
    /// The negative gradient (OB 4.3.1.1). It zigzags in narrow valleys and takes many iterations: for comparison,
    /// and where nothing else is trusted.
    SteepestDescent,
    /// BFGS with the update of the inverse Hessian (OB 4.3.1.2). The method for up to some hundred parameters and
    /// costs of any kind.
    Bfgs,
    /// BFGS from the latest steps alone (Nocedal, Wright, Numerical Optimization, 2nd ed., algorithm 7.5): memory
    /// and time grow with the number of parameters, not with its square. For hundreds of parameters and more.
    LimitedMemoryBfgs {
        /// Number of steps that are remembered. Default 10: more rarely pays (Nocedal, Wright, section 7.2).
        #[serde(default = "default_memory")]
        memory: usize,
    },
    /// Gauss-Newton (Nocedal, Wright, section 10.3), for costs J = 1/2 r^T r with residuals that are small at the
    /// minimum or almost linear: a few iterations, each with the sensitivities of all residuals.
    GaussNewton,
    /// Levenberg-Marquardt in a trust region (More 1978): Gauss-Newton with a limit of the step instead of a line
    /// search, in scales that follow from the residuals. The method for such costs, also where the residuals do not
    /// determine all parameters.
    LevenbergMarquardt,
}

fn default_memory() -> usize {
    10
}

impl Method {
    /// [`LimitedMemoryBfgs`](Self::LimitedMemoryBfgs) with the default memory.
    pub fn limited_memory_bfgs() -> Self {
        Self::LimitedMemoryBfgs { memory: default_memory() }
    }

    /// Checks whether the method needs residuals, and so
    /// [`minimize_least_squares`](super::minimize_least_squares).
    pub fn needs_residuals(self) -> bool {
        matches!(self, Self::GaussNewton | Self::LevenbergMarquardt)
    }

    /// Returns the method for a cost with or without residuals and this number of parameters.
    #[must_use]
    pub fn resolved(self, has_residuals: bool, parameters: usize) -> Self {
        /// Number of parameters beyond which the matrix of BFGS costs more than it saves.
        const MAX_PARAMETERS_OF_BFGS: usize = 1000;
        match self {
            Self::Automatic if has_residuals => Self::LevenbergMarquardt,
            Self::Automatic if parameters > MAX_PARAMETERS_OF_BFGS => Self::limited_memory_bfgs(),
            Self::Automatic => Self::Bfgs,
            chosen => chosen,
        }
    }

    pub(super) fn check(self) -> Result<(), OptimizerSettingsError> {
        match self {
            Self::LimitedMemoryBfgs { memory } => within("method.memory", memory as f64, 1.0, 1e6),
            Self::Automatic | Self::SteepestDescent | Self::Bfgs | Self::GaussNewton | Self::LevenbergMarquardt => {
                Ok(())
            }
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SteepestDescent => f.write_str("steepest descent"),
            Self::Bfgs => f.write_str("BFGS"),
            Self::LimitedMemoryBfgs { memory } => write!(f, "limited-memory BFGS with {memory} steps"),
            Self::GaussNewton => f.write_str("Gauss-Newton"),
            Self::LevenbergMarquardt => f.write_str("Levenberg-Marquardt"),
            Self::Automatic => f.write_str("the method that the cost suggests"),
        }
    }
}
