//! The arguments at which a run looks into tables.

use costate_numerics::scalar::CollectVec;
use costate_system::model::Functions;
use costate_system::model::lookups::Lookup;
use costate_system::problem::{Problem, SimulationError};

use crate::run::{Forward, RunStates};
use crate::step::LinearStep;

/// The arguments of all lookups of values that the steps of a run make: for every table a list, of which the second
/// numbers are 0 for a table of one argument.
pub fn lookup_arguments<M: Functions>(
    program: M::Program,
    problem: &Problem,
    run: RunStates<'_>,
) -> Result<Vec<Vec<[f64; 2]>>, SimulationError> {
    let mut states = Forward::<M, f64>::new(problem, run)?;
    let mut linear = LinearStep::<M>::new(program);
    let lookups: Vec<Lookup> =
        Lookup::all(M::description(program)).into_iter().filter(|lookup| lookup.orders == [0, 0]).collect_vec();
    let mut all = vec![Vec::new(); M::description(program).tables.len()];
    for i in 0..=problem.steps() {
        linear.load(problem.moment(i), states.at(i)?);
        let arguments = linear.lookup_arguments(states.constants.of_step(i));
        for lookup in &lookups {
            if let (Some(of_table), Some(&[x, ref rest @ ..])) =
                (all.get_mut(lookup.table), arguments.get(lookup.arguments.clone()))
            {
                of_table.push([x, rest.first().copied().unwrap_or(0.0)]);
            }
        }
        problem.poll(i)?;
    }
    Ok(all)
}
