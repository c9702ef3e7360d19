//! Forces that change with the time alone, between the ends of steps.

use crate::model::{Function, Group};
use crate::problem::{Changing, UnseenChange};
use crate::system::{Equations, Instant, StateVectors};

use costate_numerics::linalg::block::find;

use super::check::places;
use super::compare::Own;

/// Finds a force that leaves, somewhere in a step, the range of its values at the step's ends and in the middle; or,
/// if `only_at_rest`, that at its ends alone, in steps in which it is the same at both and in a few others. Coordinates
/// and velocities are those of the sample before.
pub(super) fn unseen_force(own: Own<'_>, only_at_rest: bool) -> Option<UnseenChange> {
    if !own.run.description().timed_forces {
        return None;
    }
    let mut found = None;
    own.run.system().with_equations(own.problem, own.run.parameters(), &mut |equations| {
        found = search(own, equations, only_at_rest);
    });
    found
}

fn search(own: Own<'_>, equations: &dyn Equations<f64>, only_at_rest: bool) -> Option<UnseenChange> {
    let (run, model) = (own.run, own.run.description());
    let n = model.coordinates.len();
    let state = |step: usize| {
        let mut state = StateVectors::zeros(n, model.constraints.len());
        (state.coordinates, state.velocities) = (run.coordinates(step).to_vec(), run.velocities(step).to_vec());
        (state, run.conditions().inputs.row(step))
    };
    let forces = |time: f64, (state, inputs): &(StateVectors<f64>, &[f64])| -> Vec<f64> {
        let group = equations.group(Group::Residual, Instant { time, state, inputs });
        let mut forces = vec![0.0; n];
        // without multipliers, the residual is minus the force
        let residual = find(model.groups.residual, Function::ForceResidual, None);
        residual.iter(&group).for_each(|(row, _, value)| forces[row] -= value);
        forces
    };
    let samples = run.samples();
    let steps_of_samples = (0..samples).map(|k| run.step_of_sample(k));
    let all: Vec<Vec<f64>> = steps_of_samples.map(|step| forces(run.time(step), &state(step))).collect();
    let bounds = |j: usize| {
        let values = all.iter().map(|forces| forces[j]);
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], force| [least.min(force), most.max(force)])
    };
    let allowed: Vec<f64> = (0..n).map(|j| UnseenChange::allowed(bounds(j))).collect();
    let (every, places) = (samples.div_ceil(UnseenChange::MIN_CHECKED_STEPS), places(run.steps()));
    for k in 1..samples {
        let held = state(run.step_of_sample(k - 1));
        for step in run.step_of_sample(k - 1) + 1..=run.step_of_sample(k) {
            let (start, end) = (run.time(step - 1), run.time(step));
            let (before, after) = (forces(start, &held), forces(end, &held));
            if only_at_rest && before != after && !k.is_multiple_of(every) {
                continue;
            }
            let middle = if only_at_rest { before.clone() } else { forces(0.5 * (start + end), &held) };
            for place in &places {
                let time = start + (end - start) * place;
                let values = forces(time, &held);
                let seen = before.iter().zip(&after).zip(&middle);
                let unseen = values.iter().zip(seen).zip(&allowed).position(|((value, ((a, b), c)), allowed)| {
                    *value > a.max(*b).max(*c) + allowed || *value < a.min(*b).min(*c) - allowed
                });
                if let Some(j) = unseen {
                    let quantity = Changing::Force(model.coordinates[j].name);
                    return Some(UnseenChange { quantity, time, value: values[j], samples: [before[j], after[j]] });
                }
            }
        }
    }
    None
}
