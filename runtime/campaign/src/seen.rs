//! Findings in the files of a campaign, for those who judge them.

use costate_measure::record::Record;

/// Receives what is seen.
pub type Observe<'o> = &'o dyn Fn(Seen<'_>);

/// A use of a record, whose samples may be doubtful for it.
#[allow(missing_debug_implementations, reason = "it holds a function")]
pub enum Seen<'r> {
    /// A record that was read.
    Record(&'r Record),
    /// Samples before 0 s, where a run begins, which are left out.
    Early { record: &'r Record, count: usize },
    /// A channel that drives an input.
    Input { record: &'r Record, channel: &'r str },
    /// A channel that measures an output.
    Output {
        record: &'r Record,
        channel: &'r str,
        /// True for times in s whose samples count.
        counts: &'r dyn Fn(f64) -> bool,
    },
    /// A channel that is continued over its jumps.
    Continued { record: &'r Record, channel: &'r str },
    /// A motion from the start values, beside the record that it is compared with.
    Motion {
        record: &'r Record,
        /// Sampling interval of the record in s.
        interval: f64,
        /// Length in s of the steps that the motion needs.
        step: f64,
    },
    /// A channel of which smoothing takes much off.
    Smoothed {
        record: &'r Record,
        channel: &'r str,
        /// Distance of the knots in s.
        knots: f64,
        /// The part that is taken off, by root mean squares.
        part: f64,
    },
}
