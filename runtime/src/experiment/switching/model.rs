//! The state-and-sensitivity system (OB 5.4, 5.5) of a compiled linear model.

use nalgebra::{DMatrix, DVector};

use crate::experiment::Noise;
use crate::experiment::informed::{alone, informed};
use crate::identification::UnknownParameter;
use crate::identifiers::Input;
use crate::model::Model;
use crate::problem::Problem;
use crate::scalar::Vector;

use super::coefficients::Coefficients;
use super::error::LinearModelError;
use super::linearity::{check_linear, lifted};
use super::problem::SwitchingProblem;

/// Feedthrough of the input that is rounding, relative to the terms that it is the sum of.
const ROUNDING: f64 = 1e-12;

impl SwitchingProblem {
    /// The best input for identifying the parameters in `unknowns` with these sensors, for a model that is linear in
    /// coordinates, velocities, accelerations, multipliers and inputs, and that does not depend on the time.
    ///
    /// The states are z = (q, v, q_p1, v_p1, q_p2, v_p2, ...), coordinates and velocities (n each) and their derivatives
    /// with respect to each unknown parameter, OB (5.4); end conditions on q_k and v_k are those of states k and n + k.
    /// The cost is
    ///
    /// ```text
    /// J = -1/2 int sum_j s_j^2 y_pj^T R^-1 y_pj dt
    /// ```
    ///
    /// with the sensitivities y_pj of the measured outputs and the parameters' scales s_j: (5.8) weighted, -1/2 of the
    /// trace of the relative information of one sample per second. `problem` gives the end time, the other inputs, which
    /// must be constant, and the tables; its step size does not matter, and `input` is overwritten.
    ///
    /// Constraints may be linear: the accelerations then follow from M a + C_q^T lambda = f together with C_q a = 0, so
    /// that z stays redundant, and on the constraints, on which it begins.
    ///
    /// All coefficients come from the emitted Jacobians, their derivatives with respect to the parameters from dual numbers
    /// in these.
    ///
    /// # Errors
    /// [`LinearModelError`].
    pub fn of_model<M: Model>(
        problem: &Problem<M>,
        model: &M,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
        noise: &Noise<M>,
        input: Input<M>,
        (lower, upper): (f64, f64),
    ) -> Result<Self, LinearModelError> {
        let parameters = informed(model, unknowns)?;
        let values = model.parameters();
        let others = other_inputs(problem, input)?;
        check_linear(problem, &values)?;
        let unknown = alone(&parameters);
        let initial = problem.initial_state(&values)?;
        let initial_derivatives = problem.initial_derivatives(&values, &unknown)?;

        let n = M::DESCRIPTION.coordinates.len();
        let (block, states) = (2 * n, 2 * n * (1 + parameters.len()));
        let mut system = DMatrix::zeros(states, states);
        let (mut b, mut c, mut z) = (DVector::zeros(states), DVector::zeros(states), DVector::zeros(states));
        let mut weight = DMatrix::zeros(states + 1, states + 1);
        z.rows_mut(0, n).copy_from_slice(initial.coordinates.as_ref());
        z.rows_mut(n, n).copy_from_slice(initial.velocities.as_ref());
        for (j, known) in parameters.iter().enumerate() {
            let mut dual = lifted::<M>(&values);
            dual.as_mut()[known.parameter.index()].derivative = 1.0;
            let found = Coefficients::new(problem, &dual, &others, input)?;
            check_feedthrough(&found, noise, known.name())?;
            let at = block * (1 + j);
            if j == 0 {
                system.view_mut((0, 0), (block, block)).copy_from(&found.system.value);
                b.rows_mut(0, block).copy_from(&found.input.value);
                c.rows_mut(0, block).copy_from(&found.constant.value);
            }
            system.view_mut((at, 0), (block, block)).copy_from(&found.system.derivative);
            system.view_mut((at, at), (block, block)).copy_from(&found.system.value);
            b.rows_mut(at, block).copy_from(&found.input.derivative);
            c.rows_mut(at, block).copy_from(&found.constant.derivative);
            z.rows_mut(at, block).copy_from(&initial_derivatives.view((0, j), (block, 1)));
            // y_p = (s_x)_p x + s_x x_p + (s_0)_p, whitened
            let mut rows = DMatrix::zeros(noise.outputs().len(), states + 1);
            for (row, output) in noise.indices().enumerate() {
                rows.view_mut((row, 0), (1, block)).copy_from(&found.output_system.derivative.row(output));
                rows.view_mut((row, at), (1, block)).copy_from(&found.output_system.value.row(output));
                rows[(row, states)] = found.output_constant.derivative[output];
            }
            for mut column in rows.column_iter_mut() {
                noise.whiten(column.as_mut_slice());
            }
            weight += rows.transpose() * rows * known.scale.powi(2);
        }
        let quadratic = weight.view((0, 0), (states, states)).into_owned();
        let linear = weight.view((0, states), (states, 1)).into_owned().column(0).into_owned();
        let quadratic = (&quadratic + quadratic.transpose()) * 0.5;
        let switching = Self::new(system, b, quadratic, problem.settings().end)?
            .starting_at(&z)?
            .with_constant(&c)?
            .with_linear_weight(&linear)?
            .with_constant_weight(weight[(states, states)])?
            .within(lower, upper)?;
        Ok(switching)
    }
}

/// The inputs with zero in place of `input`.
fn other_inputs<M: Model>(problem: &Problem<M>, input: Input<M>) -> Result<M::Inputs<f64>, LinearModelError> {
    let mut others = M::Inputs::<f64>::zeros();
    if let Some(first) = problem.inputs().first() {
        others.as_mut().copy_from_slice(first.as_ref());
    }
    for other in Input::<M>::all().filter(|other| *other != input) {
        let value = others.as_ref()[other.index()];
        if problem.inputs().iter().any(|sample| sample.as_ref()[other.index()] != value) {
            return Err(LinearModelError::OtherInput { input: other.name() });
        }
    }
    if let Some(own) = others.as_mut().get_mut(input.index()) {
        *own = 0.0;
    }
    Ok(others)
}

/// h must not contain the input itself.
fn check_feedthrough<M: Model>(
    found: &Coefficients,
    noise: &Noise<M>,
    parameter: &'static str,
) -> Result<(), LinearModelError> {
    for output in noise.outputs() {
        let (sum, size) = (found.feedthrough[output.index()], found.feedthrough_size[output.index()]);
        if sum.abs() > ROUNDING * size {
            return Err(LinearModelError::Feedthrough { output: output.name(), parameter });
        }
    }
    Ok(())
}
