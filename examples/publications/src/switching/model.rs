//! The state-and-sensitivity system (OB 5.4, 5.5) of a compiled linear model.

use nalgebra::{DMatrix, DVector};

use costate_experiment::parameters::{erased, informed};
use costate_experiment::{InformedParameter, Noise, Sensors};
use costate_identify::UnknownParameter;
use costate_system::identifiers::Input;
use costate_system::model::Model;
use costate_system::problem::Problem;
use costate_system::system::ModelValue;

use super::coefficients::Coefficients;
use super::error::LinearModelError;
use super::linearity::{check_linear, lifted};
use super::problem::SwitchingProblem;

/// Feedthrough of the input that is rounding, relative to the terms that it is the sum of.
const FEEDTHROUGH_ROUNDING: f64 = 1e-12;

impl SwitchingProblem {
    /// The best input for identifying the parameters in `unknowns` with these sensors, for a model that is linear in
    /// coordinates, velocities, accelerations, multipliers and inputs, and that does not depend on the time.
    ///
    /// The states are z = (q, v, q_p1, v_p1, q_p2, v_p2, ...), coordinates and velocities (n each) and their
    /// derivatives with respect to each unknown parameter, OB (5.4); end conditions on q_k and v_k are those of states
    /// k and n + k. The cost is
    ///
    /// ```text
    /// J = -1/2 int sum_j s_j^2 y_pj^T R^-1 y_pj dt
    /// ```
    ///
    /// with the sensitivities y_pj of the measured outputs and the parameters' scales s_j: (5.8) weighted, -1/2 of the
    /// trace of the relative information of one sample per second. `problem` gives the end time, the other inputs,
    /// which must be constant, and the tables; its step size does not matter, and `input` is overwritten.
    ///
    /// Constraints may be linear: the accelerations then follow from M a + C_q^T lambda = f together with C_q a = 0, so
    /// that z stays redundant, and on the constraints, on which it begins.
    ///
    /// All coefficients come from the emitted Jacobians, their derivatives with respect to the parameters from dual
    /// numbers in these.
    ///
    /// # Errors
    /// [`LinearModelError`].
    pub fn of_model<M: Model>(
        problem: &Problem,
        model: &M,
        unknowns: impl IntoIterator<Item = impl Into<UnknownParameter<M>>>,
        noise: &Noise<M>,
        input: Input<M>,
        bounds: (f64, f64),
    ) -> Result<Self, LinearModelError> {
        costate_kernel::run::check_model::<M::Functions>(M::program(), problem)?;
        let value = ModelValue::of(model);
        let parameters = informed(value.description(), &value.parameters, &erased(unknowns))?;
        let values = model.parameters();
        let others = other_inputs(problem, input.index())?;
        check_linear::<M::Functions>(M::program(), problem, values.as_ref())?;
        let coefficients = |parameter: usize| {
            let mut dual = lifted::<M::Functions>(values.as_ref());
            dual.as_mut()[parameter].derivative = 1.0;
            Coefficients::of_model::<M::Functions>(M::program(), problem, &dual, &others, input.index())
        };
        Self::of_coefficients((problem, &value.parameters), &parameters, noise.sensors(), bounds, &coefficients)
    }

    /// With the coefficients that the model has together with their derivatives by the parameter of an index.
    fn of_coefficients(
        (problem, values): (&Problem, &[f64]),
        parameters: &[InformedParameter],
        sensors: &Sensors,
        (lower, upper): (f64, f64),
        coefficients: &dyn Fn(usize) -> Result<Coefficients, LinearModelError>,
    ) -> Result<Self, LinearModelError> {
        let unknown: Vec<_> = parameters.iter().map(|known| known.parameter).collect();
        // q, v, a and lambda
        let initial = problem.system().initial_state(problem, values)?;
        let initial_derivatives = problem.initial_derivatives(values, &unknown)?;

        let n = problem.description().coordinates.len();
        let (block, states) = (2 * n, 2 * n * (1 + parameters.len()));
        let mut system = DMatrix::zeros(states, states);
        let (mut b, mut c, mut z) = (DVector::zeros(states), DVector::zeros(states), DVector::zeros(states));
        let mut weight = DMatrix::zeros(states + 1, states + 1);
        z.rows_mut(0, block).copy_from_slice(&initial[..block]);
        for (j, known) in parameters.iter().enumerate() {
            let found = coefficients(known.parameter.index())?;
            check_feedthrough(&found, sensors, known.name())?;
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
            let mut rows = DMatrix::zeros(sensors.outputs.len(), states + 1);
            for (row, output) in sensors.indices().enumerate() {
                rows.view_mut((row, 0), (1, block)).copy_from(&found.output_system.derivative.row(output));
                rows.view_mut((row, at), (1, block)).copy_from(&found.output_system.value.row(output));
                rows[(row, states)] = found.output_constant.derivative[output];
            }
            for mut column in rows.column_iter_mut() {
                sensors.whiten(column.as_mut_slice());
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

/// The inputs with zero in place of the one with the index `input`.
fn other_inputs(problem: &Problem, input: usize) -> Result<Vec<f64>, LinearModelError> {
    let mut others = problem.inputs().row(0).to_vec();
    let quantities = problem.description().inputs.iter().zip(&others).enumerate();
    for (k, (other, value)) in quantities.filter(|(k, _)| *k != input) {
        if problem.inputs().rows().any(|sample| sample[k] != *value) {
            return Err(LinearModelError::OtherInput { input: other.name });
        }
    }
    if let Some(own) = others.get_mut(input) {
        *own = 0.0;
    }
    Ok(others)
}

/// h must not contain the input itself.
fn check_feedthrough(found: &Coefficients, sensors: &Sensors, parameter: &'static str) -> Result<(), LinearModelError> {
    for output in &sensors.outputs {
        let (sum, size) = (found.feedthrough[output.index()], found.feedthrough_size[output.index()]);
        if sum.abs() > FEEDTHROUGH_ROUNDING * size {
            return Err(LinearModelError::Feedthrough { output: output.name(), parameter });
        }
    }
    Ok(())
}
