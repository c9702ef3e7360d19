//! Jumps of inputs, which make a run less accurate.

use std::fmt;

use crate::identifiers::Input;
use crate::input::InputSignal;

use super::Problem;
use super::inputs::InputSource;

/// A jump of an input.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct InputJump {
    /// The input's name.
    pub input: &'static str,
    /// Time of the jump in s.
    pub time: f64,
    /// Values of the input before and after it, in its unit.
    pub values: [f64; 2],
}

impl fmt::Display for InputJump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // within the rounding of the search
        let time: f64 = format!("{:.6e}", self.time).parse().unwrap_or(self.time);
        write!(f, "the input `{}` jumps at {time} s", self.input)
    }
}

impl Problem {
    /// Returns the last jump of an input at or before the end of step `last`.
    pub(crate) fn last_jump(&self, last: usize) -> Option<InputJump> {
        let InputSource::Signals(description, signals) = &*self.source else { return None };
        let inputs = Input::each_of(description).zip(signals);
        let jumps = inputs.filter_map(|(input, signal)| self.last_jump_of(input, signal, last));
        jumps.max_by(|a, b| a.time.total_cmp(&b.time))
    }

    fn last_jump_of(&self, input: Input, signal: &InputSignal, last: usize) -> Option<InputJump> {
        /// Change of an input between two samples, relative to its range, from which on it may be a jump.
        const LARGE_CHANGE_RATIO: f64 = 0.1;
        /// Part of a change that is left in ever shorter intervals, if it is a jump.
        const JUMP_PART: f64 = 0.5;
        /// Number of times that an interval is divided in two.
        const HALVINGS: u32 = 40;
        let may_jump = match signal {
            InputSignal::Constant(_) => false,
            InputSignal::Function(_) => true,
            InputSignal::Sampled(record) => record.is_held(),
        };
        if !may_jump {
            return None;
        }
        let of = |i: usize| self.inputs.row(i)[input.index()];
        let all = || (0..self.inputs.len()).map(of);
        let (least, largest) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let large = LARGE_CHANGE_RATIO * (largest - least);
        let steps = (1..=last.min(self.steps())).rev();
        steps.filter(|i| large > 0.0 && (of(*i) - of(i - 1)).abs() > large).find_map(|i| {
            // samples of held signals are means over a step
            let (mut before, mut after) = (self.time(i.saturating_sub(2)), self.time((i + 1).min(self.steps())));
            let value = |time: f64| signal.at(input.name(), time).ok();
            let mut values = [value(before)?, value(after)?];
            let left = JUMP_PART * (of(i) - of(i - 1)).abs();
            for _ in 0..HALVINGS {
                let middle = 0.5 * (before + after);
                let own = value(middle)?;
                if (own - values[0]).abs() > (values[1] - own).abs() {
                    (after, values[1]) = (middle, own);
                } else {
                    (before, values[0]) = (middle, own);
                }
                if (values[1] - values[0]).abs() < left {
                    return None;
                }
            }
            Some(InputJump { input: input.name(), time: after, values })
        })
    }
}
