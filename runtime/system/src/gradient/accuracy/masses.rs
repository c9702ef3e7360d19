//! Masses that are negative somewhere along a run.

use costate_numerics::linalg::SparseMatrix;
use costate_numerics::linalg::block::find;

use crate::model::{Argument, Block, Function, Group};
use crate::negative_mass::negative_mass;
use crate::problem::NegativeMass;
use crate::system::{Equations, Instant, StateVectors};

use super::compare::Own;

/// Finds a sample at which a motion that the constraints allow has a negative mass, among some that are spread over the
/// run. Where masses depend on no coordinate, and are the same at the first, the middle and the last sample, no others
/// are looked at.
pub(super) fn negative_along(own: Own<'_>) -> Option<NegativeMass> {
    let mut found = None;
    own.run.system().with_equations(own.problem, own.run.parameters(), &mut |equations| {
        found = search(own, equations);
    });
    found
}

fn search(own: Own<'_>, equations: &dyn Equations<f64>) -> Option<NegativeMass> {
    /// Smallest mean distance, in samples, of those that are looked at: this takes a small part of the time of the run.
    const MIN_STRIDE: usize = 50;
    /// Numbers of samples that are looked at.
    const MIN_NUMBER: usize = 3;
    const MAX_NUMBER: usize = 64;
    let (run, model) = (own.run, own.run.description());
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    let of = |function, argument| find(model.groups.linearization, function, Some(argument));
    let (mass, jacobian): (&Block, &Block) =
        (of(Function::Inertia, Argument::Accelerations), of(Function::Constraint, Argument::Coordinates));
    let at = |step: usize| {
        let mut state = StateVectors::zeros(n, m);
        (state.coordinates, state.velocities) = (run.coordinates(step).to_vec(), run.velocities(step).to_vec());
        let inputs = run.conditions().inputs.row(step);
        equations.group(Group::Linearization, Instant { time: run.time(step), state: &state, inputs })
    };
    let judged = |step: usize, group: &[f64]| {
        let masses = SparseMatrix::of_block(mass, group, n, n);
        let largest = negative_mass(&masses, || SparseMatrix::of_block(jacobian, group, m, n))?;
        Some(NegativeMass { coordinate: model.coordinates[largest].name, time: run.time(step) })
    };
    let last = run.samples().saturating_sub(1);
    let steps = |number: usize| (0..number).map(move |k| run.step_of_sample(k * last / (number - 1)));
    let few: Vec<(usize, Vec<f64>)> = steps(MIN_NUMBER).map(|step| (step, at(step))).collect();
    if let Some(found) = few.iter().find_map(|(step, group)| judged(*step, group)) {
        return Some(found);
    }
    let values = |group: &[f64]| mass.iter(group).map(|(_, _, value)| value).collect::<Vec<f64>>();
    let depends = !of(Function::Inertia, Argument::Coordinates).entries.is_empty();
    if !depends && few.iter().all(|(_, group)| values(group) == values(&few[0].1)) {
        return None;
    }
    let number = (run.samples() / MIN_STRIDE).clamp(MIN_NUMBER, MAX_NUMBER);
    steps(number).find_map(|step| judged(step, &at(step)))
}
