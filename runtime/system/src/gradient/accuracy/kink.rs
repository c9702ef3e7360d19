//! Kinks of motions that constraints prescribe.

use std::fmt;

use costate_numerics::linalg::block::find;

use crate::model::{Function, Group};
use crate::run::Trajectory;
use crate::system::{Equations, Instant, StateVectors};

use super::compare::Own;

/// A place where a motion that a constraint prescribes is not smooth: a kink, where its velocity jumps and its force is
/// an impulse, or a jump of its acceleration, and of forces with it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MotionKink {
    /// The constraint's name.
    pub constraint: &'static str,
    /// Time of the kink in s.
    pub time: f64,
    /// True if the velocity jumps, false if the acceleration alone does.
    pub is_impulse: bool,
}

impl fmt::Display for MotionKink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // within the rounding of the search
        let time: f64 = format!("{:.6e}", self.time).parse().unwrap_or(self.time);
        match self.is_impulse {
            true => write!(f, "the motion that the constraint `{}` prescribes has a kink at {time} s", self.constraint),
            false => {
                write!(f, "the acceleration that the constraint `{}` prescribes jumps at {time} s", self.constraint)
            }
        }
    }
}

/// Finds the last kink in the steps before the end of step `last`, and the one after it, with the velocities of the
/// constraints, C_q v + C_t, along straight lines between the positions of the run; where there is none, with their
/// accelerations.
pub(super) fn last_kink(own: Own<'_>, last: usize) -> Option<MotionKink> {
    /// Number of steps in which a kink is looked for: what it leaves fades in as many.
    const STEPS: usize = 20;
    let (run, mut found) = (own.run, None);
    if run.description().constraints.is_empty() {
        return None;
    }
    run.system().with_equations(own.problem, run.parameters(), &mut |equations| {
        let last = (last + 1).min(run.steps());
        let steps = last.saturating_sub(STEPS) + 1..=last;
        let (n, m) = (run.description().coordinates.len(), run.description().constraints.len());
        let in_steps = |of| {
            let rest = vec![0.0; n];
            let mut sizes = vec![0.0_f64; m];
            // what rests after a motion has rounding of that motion
            for i in steps.clone() {
                let all = constrained(equations, run, (i, 1.0), of, [run.velocities(i), run.accelerations(i)]);
                let prescribed = constrained(equations, run, (i, 1.0), of, [&rest, &rest]);
                for (size, (all, prescribed)) in sizes.iter_mut().zip(all.iter().zip(&prescribed)) {
                    *size = size.max(prescribed.abs()).max((all - prescribed).abs());
                }
            }
            steps.clone().rev().find_map(|i| kink_in_step(equations, run, i, (of, &sizes)))
        };
        found = in_steps(Function::ConstraintVelocity).or_else(|| in_steps(Function::ConstraintAcceleration));
    });
    found
}

/// Returns the values of this function of the constraints in step i, at this part of it.
fn constrained(
    equations: &dyn Equations<f64>,
    run: &Trajectory,
    (i, part): (usize, f64),
    of: Function,
    [speeds, accelerations]: [&[f64]; 2],
) -> Vec<f64> {
    let model = run.description();
    let (before, after) = (run.coordinates(i - 1), run.coordinates(i));
    let (start, length) = (run.time(i - 1), run.time(i) - run.time(i - 1));
    let mut state = StateVectors::zeros(model.coordinates.len(), model.constraints.len());
    state.coordinates = before.iter().zip(after).map(|(before, after)| before + part * (after - before)).collect();
    (state.velocities, state.accelerations) = (speeds.to_vec(), accelerations.to_vec());
    let at = Instant { time: start + part * length, state: &state, inputs: run.conditions().inputs.row(i) };
    let group = equations.group(Group::Kinematics, at);
    let mut values = vec![0.0; model.constraints.len()];
    find(model.groups.kinematics, of, None).iter(&group).for_each(|(row, _, value)| values[row] = value);
    values
}

/// Finds a jump of this function of the constraints within step i; `sizes` are the largest prescribed values beside it.
fn kink_in_step(
    equations: &dyn Equations<f64>,
    run: &Trajectory,
    i: usize,
    (of, sizes): (Function, &[f64]),
) -> Option<MotionKink> {
    /// Jump of a velocity, relative to its terms, from which on it is no rounding.
    const MIN_JUMP: f64 = 1e-6;
    /// Smallest jump, relative to the prescribed values of all constraints: one that stays zero is rounding.
    const MIN_JUMP_OF_ALL: f64 = 1e-9;
    /// Jump of an acceleration, relative to its terms, from which on it matters.
    const MIN_ACCELERATION_JUMP: f64 = 1e-2;
    /// Part of the change in a step that is left in ever shorter intervals, if there is a jump.
    const JUMP_PART: f64 = 0.5;
    /// Number of times that the step is divided in two.
    const HALVINGS: u32 = 40;
    let model = run.description();
    let is_impulse = of == Function::ConstraintVelocity;
    let least = if is_impulse { MIN_JUMP } else { MIN_ACCELERATION_JUMP };
    let (start, length) = (run.time(i - 1), run.time(i) - run.time(i - 1));
    let motion = [run.velocities(i - 1), run.accelerations(i - 1)];
    let values = |part: f64| constrained(equations, run, (i, part), of, motion);
    let ends = [0.0, 1.0].map(values);
    let rounding = MIN_JUMP_OF_ALL * sizes.iter().copied().fold(0.0, f64::max);
    (0..model.constraints.len()).find_map(|k| {
        let change = (ends[1][k] - ends[0][k]).abs();
        if change <= (least * sizes[k]).max(rounding) || !change.is_finite() {
            return None;
        }
        let (mut parts, mut sides) = ([0.0, 1.0], [ends[0][k], ends[1][k]]);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (parts[0] + parts[1]);
            let own = values(middle)[k];
            let side = usize::from((own - sides[0]).abs() > (sides[1] - own).abs());
            (parts[side], sides[side]) = (middle, own);
            if (sides[1] - sides[0]).abs() < JUMP_PART * change {
                return None;
            }
        }
        Some(MotionKink { constraint: model.constraints[k].name, time: start + parts[1] * length, is_impulse })
    })
}
