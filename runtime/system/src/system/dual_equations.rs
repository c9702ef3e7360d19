//! The functions of a model at points, with derivatives in one direction.

use std::fmt;

use costate_numerics::scalar::Dual;

use crate::problem::Problem;

use super::Equations;

/// The functions of a system at points in [`Dual`] numbers: they carry the exact derivatives of matrices, the second
/// derivatives of the equations of motion, in one direction of state and parameters.
pub trait DualEquations: Send + Sync {
    /// Calls `work` with the model's functions for these parameters, to evaluate them at points.
    fn with_dual_equations(&self, problem: &Problem, parameters: &[Dual], work: &mut dyn FnMut(&dyn Equations<Dual>));
}

impl fmt::Debug for dyn DualEquations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DualEquations")
    }
}
