//! The adjoint variables over time: what a change of the state at any time is worth (OB 3.3.2).

use crate::model::Model;
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::series::Series;

/// The derivatives of a cost with respect to the state at every sample: p(t) of OB (3.20), dJ_tau/dx_tau.
#[derive(Debug, Clone, PartialEq)]
pub struct AdjointHistory {
    /// dJ/dq: what J changes by per unit of a jump of each coordinate at sample i, one row per sample, in units of the
    /// cost over those of the coordinates. Accelerations and multipliers, and all that comes after, follow the jump.
    pub coordinates: Series<f64>,
    /// dJ/dv, likewise for velocities.
    pub velocities: Series<f64>,
}

/// The adjoint variables of a cost over time, of the discrete scheme. Row 0 is dJ/dx_0, the gradient with respect to
/// the initial coordinates and velocities.
///
/// `output_gradient` holds dJ/ds_i as for [`gradient`](super::gradient()). In models with constraints only such changes
/// of a state make sense as the constraints allow: the product with one of them counts, not a single entry. A velocity
/// of a coordinate without mass follows from the force on it, so that its derivative at the start is 0.
///
/// ```
/// # costate::model! {
/// #     pub Mount {
/// #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40, x_0: m = 0.01 }
/// #         coordinates { x: m }
/// #         mass { x: m }
/// #         forces { x: -c*x - d*dot(x) }
/// #         initial { x = x_0, dot(x) = 0[m/s] }
/// #         outputs { position: m = x }
/// #     }
/// # }
/// use costate::cost::{BolzaCost, Cost};
/// use costate::differentiate::adjoint_history;
/// use costate::{Model, Simulation, gradient};
///
/// # fn main() -> anyhow::Result<()> {
/// let mount = Mount::default();
/// let problem = Simulation::new(&mount).step(1e-3).until(1.0).problem()?;
/// let run = problem.forward(&mount.parameters())?;
/// let cost = BolzaCost::new(1e-3, problem.samples()).with_end_value(Mount::POSITION, 1.0)?;
/// let by_outputs = cost.output_gradient(&run.outputs());
/// let adjoint = adjoint_history::<Mount>(&problem, &run, &by_outputs)?;
/// // the initial position is a parameter here, by which the gradient is the same
/// let by_start = gradient(&problem, &run, &by_outputs, &[Mount::X_0])?[0];
/// assert!((adjoint.coordinates.row(0)[0] - by_start).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`gradient`](super::gradient()); [`SimulationError::Settings`] for a problem with adaptive steps.
pub fn adjoint_history<'a, M: Model>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a>>,
    output_gradient: &Series<f64>,
) -> Result<AdjointHistory, SimulationError> {
    M::differentiable().adjoint_history(problem, run.into(), output_gradient)
}
