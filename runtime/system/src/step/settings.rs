//! Settings of Newton's iteration.

use serde::{Deserialize, Serialize};

/// Settings of the Newton iteration in every step: start from the default ones, and change others by the
/// `with_` methods.
///
/// ```
/// use costate::simulate::NewtonSettings;
///
/// let settings = NewtonSettings::default().with_tolerance(1e-12).with_estimate(true);
/// assert_eq!(settings.maximum_iterations, 20);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct NewtonSettings {
    /// Bound of the estimated error of accelerations and multipliers, relative to their largest value in the
    /// run so far, in (0, 1e-3]. The default, 1e-14, is near the rounding: gradients are derivatives of the
    /// exact solution of the scheme, and small accelerations beside large ones need their digits too. It
    /// costs hardly an iteration, and convergence below rounding is not required.
    pub tolerance: f64,
    /// Largest number of iterations in a step. The default, 20, is ten times the usual number, and leaves
    /// room for stiff starts.
    pub maximum_iterations: usize,
    /// True if the factors of the Newton matrix are kept as long as the iteration contracts well. On by
    /// default: the error is controlled by the measured contraction either way.
    pub reuse: bool,
    /// True if a step may end after one iteration when the error that the iteration leaves, estimated from
    /// the errors in earlier steps, is within the tolerance and the rounding of positions. Steps then begin
    /// from a parabola through the last three accelerations, and always with a new matrix. Off by default,
    /// since the error is not measured in every step; on, it saves most second iterations. Gradients still
    /// agree with dual numbers to about 1e-9.
    pub estimate: bool,
}

impl Default for NewtonSettings {
    fn default() -> Self {
        Self { tolerance: 1e-14, maximum_iterations: 20, reuse: true, estimate: false }
    }
}

impl NewtonSettings {
    /// Sets [`tolerance`](Self::tolerance).
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets [`maximum_iterations`](Self::maximum_iterations).
    #[must_use]
    pub fn with_maximum_iterations(mut self, iterations: usize) -> Self {
        self.maximum_iterations = iterations;
        self
    }

    /// Sets [`reuse`](Self::reuse).
    #[must_use]
    pub fn with_reuse(mut self, reuse: bool) -> Self {
        self.reuse = reuse;
        self
    }

    /// Sets [`estimate`](Self::estimate).
    #[must_use]
    pub fn with_estimate(mut self, estimate: bool) -> Self {
        self.estimate = estimate;
        self
    }
}
