//! Derivatives with respect to the inputs: the discrete adjoint's share of every sample u_i.

use costate_numerics::linalg::block::Products;
use costate_numerics::scalar::Scalar;
use costate_system::model::{Functions, Model, SelectedParameters};
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use crate::run::RunStates;

use super::adjoint::Sweep;
use super::cost_sweep::CostSweep;
use super::initial_share::add_initial_inputs;
use crate::gradient::{check_derivatives, check_end};
use crate::run::Backward;
use crate::step::{LinearStep, StepConstants};

/// The gradient dJ/du_i of a cost with respect to all samples of all inputs (one row per step, in the inputs' units):
/// what OB (5.15) calls the gradient H_u, of the discrete scheme, where sample i enters step i, with
/// HHT step i + 1 too, and samples 0 and 1 the accelerations that the run begins with.
///
/// `output_gradient` holds dJ/ds_i as for [`gradient`](super::gradient); `end_gradient` dJ/dx_N = (dJ/dq, dJ/dv, dJ/da,
/// dJ/dlambda) of a cost of the state at the end (3n + m numbers), a scrap function.
///
/// With a run in [`Dual`](costate_numerics::scalar::Dual) numbers the result carries the derivative of the gradient in
/// the direction of the run's derivatives: a second-order adjoint.
///
/// # Errors
/// As [`gradient`](super::gradient); [`SimulationError::Settings`] for a problem with adaptive steps,
/// [`SimulationError::CostDerivatives`] also for an `end_gradient` of another length than the state.
pub fn input_gradient<'a, M: Model, S: Scalar>(
    problem: &'a Problem,
    run: impl Into<RunStates<'a, S>>,
    output_gradient: &Series<S>,
    end_gradient: Option<&[S]>,
) -> Result<Series<S>, SimulationError> {
    input_gradient_with::<M::Functions, S>(M::program(), problem, run.into(), output_gradient, end_gradient)
}

/// Computes the gradient like [`input_gradient`], for a program of a model.
pub(crate) fn input_gradient_with<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    run: RunStates<'_, S>,
    output_gradient: &Series<S>,
    end_gradient: Option<&[S]>,
) -> Result<Series<S>, SimulationError> {
    problem.require_constant_steps("the gradient with respect to inputs")?;
    check_derivatives(problem, output_gradient)?;
    if let Some(end) = end_gradient {
        check_end(problem, end)?;
    }
    let mut states = Backward::<M, S>::new(problem, run)?;
    let (steps, width) = (problem.steps(), M::lengths(program).inputs);
    let inputs = Series::zeros(problem.settings().step, width, steps + 1);
    let cost = CostSweep { end_gradient, inputs: Some(inputs), ..CostSweep::new(program, output_gradient) };
    let parameters = states.parameters;
    let nothing = SelectedParameters::default();
    let mut sweep = Sweep::new(problem, parameters, states.constants, vec![cost], &[], nothing);
    sweep.run(&mut states)?;
    let state = states.at(0)?;
    let Some((by_start, inputs)) = sweep.finish_inputs(state) else {
        return Ok(Series::zeros(problem.settings().step, width, steps + 1));
    };
    let mut inputs = Some(inputs);
    add_initial_inputs::<M, _>(program, problem, parameters, state, &by_start, &mut inputs)?;
    Ok(inputs.unwrap_or_else(|| Series::zeros(problem.settings().step, width, steps + 1)))
}

impl<M: Functions, S: Scalar> CostSweep<'_, M, S> {
    /// dJ/du_i from the adjoint variables of steps i and i + 1, if it is asked for:
    /// G_u^T (w_i - k' w_{i+1}) + s_u^T J_s.
    #[inline]
    pub fn differentiate_inputs(&mut self, linear: &mut LinearStep<M, S>, constants: &StepConstants<M, S>) {
        let Some(inputs) = &mut self.inputs else { return };
        linear.evaluate_inputs(constants);
        let (blocks, group) = (&linear.blocks, linear.of_inputs());
        let row = inputs.row_mut(linear.step());
        blocks.residual_u.add_transposed_product(group, 1.0, self.step.adjoint.w.as_ref(), row);
        blocks.residual_u.add_transposed_product(group, -constants.weights.previous, self.step.later.w.as_ref(), row);
        blocks.output_u.add_transposed_product(group, 1.0, self.output_gradient.row(linear.step()), row);
    }
}
