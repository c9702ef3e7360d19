//! The gradient of a cost with respect to parameters, inputs and the values of tables, by one sweep.

use costate_system::model::{Functions, SelectedParameters};
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use crate::run::{Backward, RunStates};
use crate::step::LookupAdjoint;

use super::adjoint::Sweep;
use super::{FullGradient, cost_sweep::CostSweep};
use crate::gradient::check_derivatives;

/// The gradient with respect to the parameters `unknown`, to the values of the `tables`, and to all inputs where
/// `inputs` says so, for which steps are constant.
pub fn full_gradient<M: Functions>(
    program: M::Program,
    problem: &Problem,
    run: RunStates<'_>,
    output_gradient: &Series<f64>,
    unknown: &[usize],
    (inputs, tables): (bool, &[bool]),
) -> Result<FullGradient, SimulationError> {
    check_derivatives(problem, output_gradient)?;
    let of_inputs = || {
        problem.require_constant_steps("the gradient with respect to inputs")?;
        let width = M::lengths(program).inputs;
        Ok::<_, SimulationError>(Series::zeros(problem.settings().step, width, problem.steps() + 1))
    };
    let selected = SelectedParameters::of(M::description(program), unknown)?;
    let mut states = Backward::<M, f64>::new(problem, run)?;
    let lookups = tables.contains(&true).then(|| LookupAdjoint::new(problem.tables(), M::description(program), tables));
    let inputs = inputs.then(of_inputs).transpose()?;
    let cost = CostSweep { lookups, inputs, ..CostSweep::new(program, output_gradient) };
    let mut sweep = Sweep::new(problem, states.parameters, states.constants, vec![cost], unknown, selected);
    if sweep.costs.iter().any(|cost| cost.inputs.is_some()) {
        sweep.run(&mut states)?;
    } else {
        sweep.run_best(&mut states)?;
    }
    let initial = states.initial;
    let mut found = sweep.finish(states.at(0)?, initial)?;
    Ok(found.pop().unwrap_or_default())
}
