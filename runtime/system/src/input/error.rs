//! Errors of input signals.

use costate_contract::shown::Exact;
use costate_contract::units::UnitError;

/// The reason why a record is not a valid input signal, or cannot give a value.
///
/// `row` is counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum InputError {
    /// Times and values are of different length, or there are fewer than two.
    #[error(
        "a sampled input needs two or more samples and one value for every time: it has {times} times and {values} \
         values"
    )]
    Length { times: usize, values: usize },
    /// The times do not increase, or one of them is not finite.
    #[error(
        "the times of a sampled input must be finite and increase: sample {index} is at {time} s after {previous} s",
        time = Exact(*time), previous = Exact(*previous)
    )]
    Order { index: usize, time: f64, previous: f64 },
    /// Samples that make no cubic spline.
    #[error("the samples of an input make no cubic spline: {reason}")]
    Spline { reason: String },
    /// The run asks for a time that the record does not cover.
    #[error(
        "input `{name}` is sampled from {first} s to {last} s, the run needs it at {time} s: extend the record or \
         shorten the run{}",
        later(*time, *first), first = Exact(*first), last = Exact(*last), time = Exact(*time)
    )]
    Range { name: &'static str, time: f64, first: f64, last: f64 },
    /// A value is infinite or not a number.
    #[error("input `{name}` is {value} at {time} s: inputs must be finite", value = Exact(*value), time = Exact(*time))]
    NotFinite { name: &'static str, time: f64, value: f64 },
    /// No signal is given; inputs have no default.
    #[error("input `{name}` has no signal: set one with `.input(..)` of the simulation, `0.0` if the input is zero")]
    Missing { name: &'static str },
    /// The channel of a record in a unit that the input does not have.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// A row of samples has not one number for each input.
    #[error("row {row} of the samples of the inputs has {given} numbers, but the model has {expected} inputs")]
    Width { row: usize, expected: usize, given: usize },
    /// There is not one row per step.
    #[error("the run has {expected} samples, steps and start, but {given} samples of the inputs are given")]
    Samples {
        /// N + 1.
        expected: usize,
        given: usize,
    },
}

/// Returns what to do about a record that begins later than the run.
fn later(time: f64, first: f64) -> &'static str {
    if time < first { ", or let the record begin with it by `record.starting_at_zero()`" } else { "" }
}
