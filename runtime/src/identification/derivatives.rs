//! Derivatives of a run with respect to its unknown parameters.

use crate::dual::Dual;
use crate::integrator::SimulationError;
use crate::model::Model;
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector};
use crate::series::Series;
use crate::trajectory::Trajectory;

/// dJ/dp_k = sum_i dJ/ds_i ds_i/dp_k of the parameters with the indices `unknown`.
pub(super) fn gradient<M: Model>(
    problem: &Problem<M>,
    parameters: &M::Parameters<f64>,
    trajectory: &Trajectory<M, f64>,
    output_gradient: &Series<f64>,
    unknown: &[usize],
) -> Result<Vec<f64>, SimulationError> {
    let sensitivities = outputs(problem, parameters, trajectory, unknown)?;
    let product = |series: &Series<f64>| {
        let row = |i| series.row(i).iter().zip(output_gradient.row(i)).map(|(s, g)| s * g).sum::<f64>();
        (0..series.samples()).map(row).sum()
    };
    Ok(sensitivities.iter().map(product).collect())
}

/// ds_i/dp_k at all steps, one series per parameter with its index in `unknown`.
pub(super) fn outputs<M: Model>(
    problem: &Problem<M>,
    parameters: &M::Parameters<f64>,
    _trajectory: &Trajectory<M, f64>,
    unknown: &[usize],
) -> Result<Vec<Series<f64>>, SimulationError> {
    let one = |&varied: &usize| {
        let mut lifted = M::Parameters::<Dual>::zeros();
        for (k, (lifted, &value)) in lifted.as_mut().iter_mut().zip(parameters.as_ref()).enumerate() {
            *lifted = if k == varied { Dual::variable(value) } else { Dual::constant(value) };
        }
        let outputs = problem.forward::<Dual>(&lifted)?.outputs(problem);
        let mut derivatives = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        for i in 0..outputs.samples() {
            for (derivative, output) in derivatives.row_mut(i).iter_mut().zip(outputs.row(i)) {
                *derivative = output.derivative;
            }
        }
        Ok(derivatives)
    };
    unknown.iter().map(one).collect()
}
