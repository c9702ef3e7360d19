//! The moments at which a filter's step begins and ends.

use costate_system::state_space::Step;

use super::super::step_at;
use crate::step::Moment;

/// t_{i-1} and t_i, a step of length h after it, with the inputs there.
pub(super) fn moments<'a>(step: &Step<'_>, h: f64, inputs: [&'a [f64]; 2]) -> [Moment<'a>; 2] {
    let number = step_at(step.time + h, h);
    let [before, after] = inputs;
    [
        Moment { step: number.saturating_sub(1), time: step.time, inputs: before, changes: None },
        Moment { step: number, time: step.time + h, inputs: after, changes: None },
    ]
}
