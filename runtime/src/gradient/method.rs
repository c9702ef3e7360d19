//! The choice between the ways to a gradient.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::identifiers::Parameter;
use crate::model::Model;
use crate::problem::{Problem, SettingsError, SimulationError};
use crate::run::RunStates;
use crate::series::Series;

use super::belongs::check_derivatives;
use super::{adjoint, continuous, sensitivity};
use crate::out_of_range::OutOfRange;
use crate::run::States;

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
        problem: &'a Problem<M>,
        run: impl Into<RunStates<'a, M>>,
        output_gradient: &Series<f64>,
        unknown: &[Parameter<M>],
    ) -> Result<Vec<f64>, SimulationError> {
        self.check()?;
        match self {
            Self::DiscreteAdjoint => adjoint::gradient(problem, run, output_gradient, unknown),
            Self::ContinuousAdjoint { order } => match run.into().0 {
                States::All(trajectory) => {
                    continuous::gradient(problem, trajectory, output_gradient, unknown, order)
                }
                States::Checkpoints(_) => Err(SimulationError::StatesMissing { method: self.to_string() }),
            },
            Self::DirectDifferentiation => {
                check_derivatives(problem, output_gradient)?;
                let mut gradient = vec![0.0; unknown.len()];
                sensitivity::sensitivities_by_sample(problem, run, unknown, |i, sensitivities| {
                    let row = output_gradient.row(i);
                    for (sum, sensitivities) in gradient.iter_mut().zip(sensitivities) {
                        for (derivative, sensitivity) in row.iter().zip(sensitivities) {
                            *sum += derivative * sensitivity;
                        }
                    }
                    Ok::<_, SimulationError>(())
                })?;
                Ok(gradient)
            }
        }
    }

    /// Checks the order.
    pub(crate) fn check(self) -> Result<(), SettingsError> {
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
