//! The choice between the ways to a gradient.

use std::fmt;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::series::Series;

use super::columns::Columns;
use super::consistency::check_derivatives;
use crate::system::Differentiable;

/// The method that computes a gradient; [`Display`](fmt::Display) names it. Both methods lead to the same number, to
/// rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GradientMethod {
    /// The discrete adjoint (DA): exact for the computed cost, whatever the number of parameters. The default.
    #[default]
    DiscreteAdjoint,
    /// Direct differentiation (OB 3.8): exact for the computed cost; its work grows with the number of parameters.
    DirectDifferentiation,
}

impl GradientMethod {
    /// The gradient dJ/dp by this method; arguments and result as of [`gradient`](crate::gradient).
    ///
    /// # Errors
    /// As [`gradient`](crate::gradient).
    pub fn gradient<'a, M: Model>(
        self,
        problem: &'a Problem,
        run: impl Into<RunStates<'a>>,
        output_gradient: &Series<f64>,
        unknown: &[Parameter<M>],
    ) -> Result<Vec<f64>, SimulationError> {
        self.of(M::differentiable(), problem, run.into(), output_gradient, &Parameter::indices(unknown))
    }

    /// The gradient with respect to the parameters with these indices.
    #[doc(hidden)]
    pub fn of(
        self,
        model: &dyn Differentiable,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradient: &Series<f64>,
        unknown: &[usize],
    ) -> Result<Vec<f64>, SimulationError> {
        match self {
            Self::DiscreteAdjoint => {
                let mut found = model.gradients(problem, run, &[output_gradient], unknown)?;
                Ok(found.pop().unwrap_or_default())
            }
            Self::DirectDifferentiation => {
                check_derivatives(problem, output_gradient)?;
                let mut gradient = vec![0.0; unknown.len()];
                let by = Columns { parameters: unknown, ..Columns::default() };
                model.sensitivities(problem, run, by, &mut |i, sensitivities| {
                    let row = output_gradient.row(i);
                    for (sum, sensitivities) in gradient.iter_mut().zip(sensitivities) {
                        for (derivative, sensitivity) in row.iter().zip(sensitivities) {
                            *sum += derivative * sensitivity;
                        }
                    }
                    ControlFlow::Continue(())
                })?;
                Ok(gradient)
            }
        }
    }
}

impl fmt::Display for GradientMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DiscreteAdjoint => "the discrete adjoint",
            Self::DirectDifferentiation => "direct differentiation",
        })
    }
}
