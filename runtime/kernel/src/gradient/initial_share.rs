//! The share of the initial state in gradients with respect to inputs and tables.

use costate_numerics::scalar::{CollectVec, Scalar};
use costate_system::model::Functions;
use costate_system::model::lookups::Lookup;
use costate_system::problem::{Problem, SimulationError};
use costate_system::series::Series;

use crate::initial::{Consistent, initial_input_derivatives, initial_lookups};
use crate::step::LookupAdjoint;

/// The share of the initial state in the derivatives with respect to inputs, from those of the cost with respect to x_0
/// and s_0.
pub(super) fn add_initial_inputs<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
    state: &[S],
    by_state: &[S],
    inputs: &mut Option<Series<S>>,
) -> Result<(), SimulationError> {
    let Some(inputs) = inputs else { return Ok(()) };
    let columns = initial_input_derivatives::<M, _>(program, problem, parameters, state)?;
    for (sum, column) in inputs.row_mut(0).iter_mut().zip(&columns) {
        for (derivative, of_state) in column.iter().zip(by_state) {
            *sum += *derivative * *of_state;
        }
    }
    Ok(())
}

/// The share of the initial state in the derivatives with respect to tables, from those of the cost with respect to x_0
/// and s_0.
pub(super) fn add_initial_lookups<M: Functions>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<f64>,
    consistent: Option<&Consistent<f64>>,
    by_state: &[f64],
    lookups: &mut LookupAdjoint<f64>,
) -> Result<(), SimulationError> {
    let all = Lookup::all(M::description(program));
    let wanted: Vec<usize> = (0..all.len()).filter(|&column| lookups.wants(all[column].table)).collect_vec();
    if wanted.is_empty() {
        return Ok(());
    }
    let initial = initial_lookups::<M>(program, problem, parameters, consistent, &wanted)?;
    let columns = initial.arguments.iter().flat_map(|arguments| wanted.iter().map(move |&i| (i, arguments)));
    for ((lookup, arguments), column) in columns.zip(initial.derivatives.column_iter()) {
        let derivative = column.iter().zip(by_state).map(|(x, derivative)| x * derivative).sum();
        lookups.add_lookup(&all[lookup], arguments, derivative);
    }
    Ok(())
}
