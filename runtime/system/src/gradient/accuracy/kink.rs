//! Kinks of motions that constraints prescribe.

use std::fmt;

use costate_numerics::linalg::block::find;

use crate::model::{Function, Group};
use crate::run::Trajectory;
use crate::system::{Equations, Instant, StateVectors};

use super::compare::Own;

/// A kink of a motion that a constraint prescribes, where its velocity jumps and its force is an impulse.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MotionKink {
    /// The constraint's name.
    pub constraint: &'static str,
    /// Time of the kink in s.
    pub time: f64,
}

impl fmt::Display for MotionKink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // within the rounding of the search
        let time: f64 = format!("{:.6e}", self.time).parse().unwrap_or(self.time);
        write!(f, "the motion that the constraint `{}` prescribes has a kink at {time} s", self.constraint)
    }
}

/// Finds the last kink in the steps before the end of step `last`, and the one after it, with the velocities of the
/// constraints, C_q v + C_t, along straight lines between the positions of the run.
pub(super) fn last_kink(own: Own<'_>, last: usize) -> Option<MotionKink> {
    /// Number of steps in which a kink is looked for: what it leaves fades in as many.
    const STEPS: usize = 20;
    let (run, mut found) = (own.run, None);
    if run.description().constraints.is_empty() {
        return None;
    }
    run.system().with_equations(own.problem, run.parameters(), &mut |equations| {
        let last = (last + 1).min(run.steps());
        found = (last.saturating_sub(STEPS) + 1..=last).rev().find_map(|i| kink_in_step(equations, run, i));
    });
    found
}

/// Finds a kink within step i.
fn kink_in_step(equations: &dyn Equations<f64>, run: &Trajectory, i: usize) -> Option<MotionKink> {
    /// Jump of a velocity, relative to its terms, from which on it is no rounding.
    const MIN_JUMP: f64 = 1e-6;
    /// Smallest jump, relative to the velocities of all constraints: one that stays zero is rounding.
    const MIN_JUMP_OF_ALL: f64 = 1e-9;
    /// Part of the change in a step that is left in ever shorter intervals, if there is a jump.
    const JUMP_PART: f64 = 0.5;
    /// Number of times that the step is divided in two.
    const HALVINGS: u32 = 40;
    let (model, n) = (run.description(), run.description().coordinates.len());
    let inputs = run.conditions().inputs.row(i);
    let (before, after) = (run.coordinates(i - 1), run.coordinates(i));
    let (start, length) = (run.time(i - 1), run.time(i) - run.time(i - 1));
    let velocities = |part: f64, speeds: &[f64]| -> Vec<f64> {
        let coordinates = before.iter().zip(after).map(|(before, after)| before + part * (after - before)).collect();
        let mut state = StateVectors::zeros(n, model.constraints.len());
        (state.coordinates, state.velocities) = (coordinates, speeds.to_vec());
        let at = Instant { time: start + part * length, state: &state, inputs };
        let group = equations.group(Group::Kinematics, at);
        find(model.groups.kinematics, Function::ConstraintVelocity, None).values(&group).to_vec()
    };
    let (speeds, rest) = (run.velocities(i - 1), vec![0.0; n]);
    let ends = [0.0, 1.0].map(|part| (velocities(part, speeds), velocities(part, &rest)));
    let size = |k: usize| {
        ends.iter()
            .fold(0.0, |most: f64, (all, prescribed)| most.max(prescribed[k].abs()).max((all[k] - prescribed[k]).abs()))
    };
    let largest = (0..model.constraints.len()).map(size).fold(0.0, f64::max);
    (0..model.constraints.len()).find_map(|k| {
        let change = (ends[1].0[k] - ends[0].0[k]).abs();
        if change <= (MIN_JUMP * size(k)).max(MIN_JUMP_OF_ALL * largest) || !change.is_finite() {
            return None;
        }
        let (mut parts, mut values) = ([0.0, 1.0], [ends[0].0[k], ends[1].0[k]]);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (parts[0] + parts[1]);
            let own = velocities(middle, speeds)[k];
            let side = usize::from((own - values[0]).abs() > (values[1] - own).abs());
            (parts[side], values[side]) = (middle, own);
            if (values[1] - values[0]).abs() < JUMP_PART * change {
                return None;
            }
        }
        Some(MotionKink { constraint: model.constraints[k].name, time: start + parts[1] * length })
    })
}
