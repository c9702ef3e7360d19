//! Checks that the arguments of a gradient belong together.

use costate_numerics::scalar::Scalar;

use crate::problem::{CostDerivativeError, Problem};
use crate::series::Series;

/// Checks the derivatives dJ/ds_i of a cost.
pub fn check_derivatives<S: Scalar>(problem: &Problem, output_gradient: &Series<S>) -> Result<(), CostDerivativeError> {
    /// Relative difference of step sizes that are taken as equal: a step that was computed from an end time
    /// differs by rounding.
    const STEP_ROUNDING: f64 = 1e-9;
    let (samples, width) = (output_gradient.samples(), output_gradient.width());
    let (expected_samples, expected_width) = (problem.samples(), problem.description().outputs.len());
    if (samples, width) != (expected_samples, expected_width) {
        return Err(CostDerivativeError::Size { samples, width, expected_samples, expected_width });
    }
    let (step, expected) = (output_gradient.step(), problem.settings().step);
    match (step - expected).abs() <= STEP_ROUNDING * expected {
        true => Ok(()),
        false => Err(CostDerivativeError::Step { step, expected }),
    }
}

/// Checks the derivatives dJ/dx_N.
pub fn check_end<S: Scalar>(problem: &Problem, derivatives: &[S]) -> Result<(), CostDerivativeError> {
    let (given, expected) = (derivatives.len(), problem.description().state_length());
    if given == expected { Ok(()) } else { Err(CostDerivativeError::End { given, expected }) }
}
