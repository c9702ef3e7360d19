//! Settings of the steps and of the stop of a minimisation.

use serde::{Deserialize, Serialize};

use super::method::Method;
use super::range::{OptimizerSettingsError, within};
use super::step_size::StepSize;

/// Method, step size, stopping rules and step limits of [`minimize`](super::minimize).
///
/// Changes of variables are in scaled variables: 0.1 is about 10 % of a parameter, see
/// [`Scaling`](super::Scaling).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct OptimizerSettings {
    /// The method that finds the search direction. Default: Levenberg-Marquardt for costs with residuals, BFGS for
    /// others.
    pub method: Method,
    /// The rule for the step along the search direction. Default: until the strong Wolfe conditions hold.
    pub step_size: StepSize,
    /// Stop when the norm of the gradient of the variables that may move, divided by its norm at the start, is at
    /// most this value; for Levenberg-Marquardt when the largest cosine between the residuals and a column of
    /// their derivatives is. Default 1e-13, about the least value that rounding allows: then parameters to which
    /// the cost is a million times less sensitive than to others are found as well.
    pub gradient_tolerance: f64,
    /// An iteration that lowers the cost by at most this part counts as small. Default 1e-12: iterations that
    /// learn the curvature along a flat valley lower the cost by as little as 1e-8 before the valley is crossed.
    /// Levenberg-Marquardt ends where the linear residuals predict that all further iterations together lower the
    /// cost by at most a thousandth of this part.
    pub cost_tolerance: f64,
    /// Stop after this many small iterations in a row, or when no lower cost is found where at most a small
    /// decrease is expected. Default 3: a single one may be an unlucky direction.
    pub small_iterations: usize,
    /// Stop when the cost is at most this. Default: none.
    pub cost_target: Option<f64>,
    /// Stop when no variable changes by more than this. Default 1e-13: close to the rounding of f64.
    pub step_tolerance: f64,
    /// Stop after this many iterations. Default 200.
    pub maximum_iterations: usize,
    /// Largest change of a variable in the first iteration, before the curvature is known, and after the
    /// curvature is forgotten. Default 0.1: a simulation that runs at the start values mostly runs there as well.
    pub first_step: f64,
    /// Largest change of a variable in any other iteration. Default 1: a factor of e in a logarithmic variable.
    pub largest_step: f64,
    /// True if Levenberg-Marquardt leaves the variables unchanged along directions that the residuals do not
    /// determine: those along which the step is less than one standard deviation of the noise, and this deviation
    /// is more than ten times the variables. Default: true.
    pub leave_untold: bool,
    /// True if steps continue along the bounds that they reach (projected steps) instead of ending at the first
    /// one. For hundreds of variables most of which end at a bound, such as the samples of an optimal input: one
    /// iteration may then take many variables to their bounds. Default: false.
    #[serde(default)]
    pub bend_at_bounds: bool,
    /// c_1 of the Wolfe conditions. Default 1e-4 (Nocedal, Wright, Numerical Optimization, section 3.1).
    pub sufficient_decrease: f64,
    /// c_2 of the strong Wolfe conditions. Default 0.9 (the same section, for quasi-Newton methods).
    pub curvature: f64,
    /// Most evaluations of the cost in one line search. Default 20: enough to step back by 15 decades.
    pub line_search_evaluations: usize,
}

impl Default for OptimizerSettings {
    fn default() -> Self {
        Self {
            method: Method::default(),
            step_size: StepSize::default(),
            gradient_tolerance: 1e-13,
            cost_tolerance: 1e-12,
            small_iterations: 3,
            cost_target: None,
            step_tolerance: 1e-13,
            maximum_iterations: 200,
            first_step: 0.1,
            largest_step: 1.0,
            leave_untold: true,
            bend_at_bounds: false,
            sufficient_decrease: 1e-4,
            curvature: 0.9,
            line_search_evaluations: 20,
        }
    }
}

/// Writes setters of fields.
macro_rules! setters {
    ($($setter:ident $field:ident: $type:ty,)*) => {
        impl OptimizerSettings {
            $(
                #[doc = concat!("Sets [`", stringify!($field), "`](Self::", stringify!($field), ").")]
                #[must_use]
                pub fn $setter(mut self, $field: $type) -> Self {
                    self.$field = $field;
                    self
                }
            )*
        }
    };
}

setters! {
    with_method method: Method,
    with_step_size step_size: StepSize,
    with_gradient_tolerance gradient_tolerance: f64,
    with_cost_tolerance cost_tolerance: f64,
    with_small_iterations small_iterations: usize,
    with_step_tolerance step_tolerance: f64,
    with_maximum_iterations maximum_iterations: usize,
    with_first_step first_step: f64,
    with_largest_step largest_step: f64,
    with_leave_untold leave_untold: bool,
    with_bend_at_bounds bend_at_bounds: bool,
    with_sufficient_decrease sufficient_decrease: f64,
    with_curvature curvature: f64,
    with_line_search_evaluations line_search_evaluations: usize,
}

impl OptimizerSettings {
    /// Checks every value.
    ///
    /// # Errors
    /// [`OptimizerSettingsError`] for the first one that is out of range.
    pub fn check(&self) -> Result<(), OptimizerSettingsError> {
        self.method.check()?;
        self.step_size.check()?;
        within("gradient_tolerance", self.gradient_tolerance, 0.0, 1.0)?;
        within("cost_tolerance", self.cost_tolerance, 0.0, 1.0)?;
        within("small_iterations", self.small_iterations as f64, 1.0, f64::MAX)?;
        within("cost_target", self.cost_target.unwrap_or(0.0), f64::MIN, f64::MAX)?;
        within("step_tolerance", self.step_tolerance, 0.0, 1.0)?;
        within("first_step", self.first_step, 1e-12, 1e12)?;
        within("largest_step", self.largest_step, 1e-12, 1e12)?;
        within("sufficient_decrease", self.sufficient_decrease, 1e-16, 0.5)?;
        within("curvature", self.curvature, self.sufficient_decrease, 1.0)?;
        within("line_search_evaluations", self.line_search_evaluations as f64, 1.0, f64::MAX)
    }
}
