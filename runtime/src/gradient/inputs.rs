//! Derivatives with respect to the inputs: the discrete adjoint's share of every sample u_i.

use crate::block::Products;
use crate::initial::{initial_derivatives, initial_input_derivatives};
use crate::model::{Model, SelectedParameters};
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::scalar::{Scalar, Vector};
use crate::series::Series;

use super::adjoint::{CostSweep, Sweep, WithInputs};
use super::belongs::{check_derivatives, check_end};
use crate::run::Backward;
use crate::step::{LinearStep, StepConstants};

/// The gradient dJ/du_i of a cost with respect to all samples of all inputs (one row per step, in the inputs' units):
/// what OB (5.15) calls the gradient H_u, of the discrete scheme, where sample i enters step i, with
/// [HHT](crate::simulate::Scheme::Hht) step i + 1 too, and samples 0 and 1 the accelerations that the run begins with.
///
/// `output_gradient` holds dJ/ds_i as for [`gradient`](super::gradient); `end_gradient` dJ/dx_N = (dJ/dq, dJ/dv, dJ/da,
/// dJ/dlambda) of a cost of the state at the end (3n + m numbers), a scrap function.
///
/// With a run in [`Dual`](crate::model::Dual) numbers the result carries the derivative of the gradient in the direction of the
/// run's derivatives: a second-order adjoint.
///
/// # Errors
/// As [`gradient`](super::gradient); [`SimulationError::Settings`] for a problem with adaptive steps,
/// [`SimulationError::CostDerivatives`] also for an `end_gradient` of another length than the state.
pub fn input_gradient<'a, M: Model, S: Scalar>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M, S>>,
    output_gradient: &Series<S>,
    end_gradient: Option<&[S]>,
) -> Result<Series<S>, SimulationError> {
    if let Some(end) = end_gradient {
        check_end::<M, S>(end)?;
    }
    let mut states = Backward::new(problem, run.into().0)?;
    Ok(sweep(problem, &mut states, (output_gradient, end_gradient), &[])?.by_inputs)
}

/// The [`input_gradient`] together with the gradient by the parameters with these indices, by one sweep.
pub(crate) fn gradient_with_inputs<'a, M: Model>(
    problem: &'a Problem<M>,
    run: impl Into<RunStates<'a, M>>,
    output_gradient: &Series<f64>,
    unknown: &[usize],
) -> Result<(Series<f64>, Vec<f64>), SimulationError> {
    let mut states = Backward::new(problem, run.into().0)?;
    let found = sweep(problem, &mut states, (output_gradient, None), unknown)?;
    let initial = initial_derivatives(problem, states.parameters, states.initial, unknown)?;
    let total = unknown.iter().zip(initial.column_iter()).map(|(&parameter, column)| {
        let initial: f64 = column.iter().zip(&found.by_start).map(|(x, derivative)| x * derivative).sum();
        found.by_parameters.as_ref()[parameter] + initial
    });
    let by_parameters = total.collect();
    Ok((found.by_inputs, by_parameters))
}

fn sweep<M: Model, S: Scalar>(
    problem: &Problem<M>,
    states: &mut Backward<'_, M, S>,
    (output_gradient, end_gradient): (&Series<S>, Option<&[S]>),
    unknown: &[usize],
) -> Result<WithInputs<M, S>, SimulationError> {
    problem.require_constant_steps("the gradient with respect to inputs")?;
    check_derivatives(problem, output_gradient)?;
    let selected = SelectedParameters::of::<M>(unknown)?;
    let (steps, width) = (problem.steps(), <M::Inputs<S> as Vector<S>>::LENGTH);
    let inputs = || Series::zeros(problem.settings().step, width, steps + 1);
    let cost = CostSweep { end_gradient, inputs: Some(inputs()), ..CostSweep::new(output_gradient) };
    let parameters = states.parameters;
    let mut sweep = Sweep::new(problem, parameters, states.constants, vec![cost], (unknown, selected));
    sweep.run(states)?;
    let state = states.at(0)?;
    let Some(mut found) = sweep.finish_inputs(state) else {
        let (by_start, by_parameters) = (Vec::new(), M::Parameters::zeros());
        return Ok(WithInputs { by_start, by_inputs: inputs(), by_parameters });
    };
    for (i, columns) in initial_input_derivatives(problem, parameters, state)?.iter().enumerate() {
        for (sum, column) in found.by_inputs.row_mut(i).iter_mut().zip(columns) {
            for (derivative, of_state) in column.iter().zip(&found.by_start) {
                *sum += *derivative * *of_state;
            }
        }
    }
    Ok(found)
}

impl<M: Model, S: Scalar> CostSweep<'_, M, S> {
    /// dJ/du_i from the adjoint variables of steps i and i + 1, if it is asked for:
    /// G_u^T (w_i - k' w_{i+1}) + s_u^T J_s.
    #[inline]
    pub fn differentiate_inputs(&mut self, linear: &mut LinearStep<M, S>, constants: &StepConstants<M, S>) {
        let Some(inputs) = &mut self.inputs else { return };
        linear.evaluate_inputs(constants);
        let (blocks, group) = (&linear.blocks, linear.of_inputs());
        let row = inputs.row_mut(linear.step());
        blocks.residual_u.add_transposed_product(group, 1.0, self.step.adjoint.w.as_ref(), row);
        blocks.residual_u.add_transposed_product(
            group,
            -constants.weights.previous,
            self.step.later.w.as_ref(),
            row,
        );
        blocks.output_u.add_transposed_product(group, 1.0, self.output_gradient.row(linear.step()), row);
    }
}
