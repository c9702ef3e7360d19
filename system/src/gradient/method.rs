//! The choice between the ways to a gradient.

use std::fmt;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::{Problem, SettingsError, SimulationError};
use crate::run::RunStates;
use crate::series::Series;

use super::belongs::check_derivatives;
use super::columns::Columns;
use super::continuous;
use crate::scalar::out_of_range::OutOfRange;
use crate::system::Differentiable;

/// How a gradient is computed; [`Display`](fmt::Display) names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum GradientMethod {
    /// The discrete adjoint (DA): exact for the computed cost, whatever the number of parameters. The default.
    #[default]
    DiscreteAdjoint,
    /// The continuous adjoint (OB 3.3.4), by backward differentiation formulas up to this order, 1 to 5, for outputs
    /// of positions and velocities. It agrees with the others to the order of the discretisation: the second with
    /// alpha = 0, the first with numerical damping, which shifts accelerations by alpha h, and for parameters in
    /// constraints.
    ContinuousAdjoint {
        /// The highest order of the formulas.
        order: usize,
    },
    /// Direct differentiation (OB 3.8): exact for the computed cost; its work grows with the number of parameters.
    DirectDifferentiation,
}

impl GradientMethod {
    /// The gradient dJ/dp by this method; arguments and result as of [`gradient`](crate::gradient).
    ///
    /// # Errors
    /// As [`gradient`](crate::gradient); besides, for the continuous adjoint, [`SimulationError::Settings`] for an
    /// order outside of 1 to 5, [`SimulationError::ContinuousOutput`] for a cost of accelerations or multipliers, and
    /// [`SimulationError::StatesMissing`] for a run with checkpoints.
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
        self.check()?;
        match self {
            Self::DiscreteAdjoint => {
                let mut found = model.gradients(problem, run, &[output_gradient], unknown)?;
                Ok(found.pop().unwrap_or_default())
            }
            Self::ContinuousAdjoint { order } => match run.all() {
                Some(trajectory) => {
                    continuous::gradient(problem, trajectory, output_gradient, unknown, order)
                }
                None => Err(SimulationError::StatesMissing { method: self.to_string() }),
            },
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

    /// Checks the order.
    #[doc(hidden)]
    pub fn check(self) -> Result<(), SettingsError> {
        match self {
            Self::ContinuousAdjoint { order } if !(1..=5).contains(&order) => {
                Err(OutOfRange { field: "order", value: order as f64, limit: "1 to 5" }.into())
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for GradientMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DiscreteAdjoint => f.write_str("the discrete adjoint"),
            Self::ContinuousAdjoint { order } => write!(f, "the continuous adjoint of order {order}"),
            Self::DirectDifferentiation => f.write_str("direct differentiation"),
        }
    }
}
