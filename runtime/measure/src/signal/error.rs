//! Errors of preparations.

use costate_contract::shown::{Exact, Shown};

use crate::record::{RecordError, ResponseError};

/// Reason why a signal cannot be prepared as wanted.
///
/// `first` and `index` are counted from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum SignalError {
    /// A channel or time that the record does not have, or a unit that does not fit.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Samples that are missing where all are needed.
    #[error(
        "`{record}`, channel `{channel}` misses {missing} samples, the first at {first} s; cut the record there, such \
             as by the option `part`, or resample it if linear interpolation between their neighbours will \
             do", first = Exact(*.first)
    )]
    Missing { record: String, channel: String, missing: usize, first: f64 },
    /// Samples that are not equidistant.
    #[error(
        "the {samples} samples of `{record}` are not equidistant; take a part without gaps by the option `part`, set \
             the option `rate` if an even clock has taken them, or resample the record"
    )]
    Uneven { record: String, samples: usize },
    /// Too few samples.
    #[error("`{record}` has {samples} samples, {what} needs {least}; take a longer part of the record")]
    Short { record: String, what: &'static str, samples: usize, least: usize },
    /// A number that is outside its limits.
    #[error("{what} of {value} is not {limits}; {remedy}", value = Exact(*.value))]
    Number { what: &'static str, value: f64, limits: String, remedy: &'static str },
    /// A span of time without samples of the channel.
    #[error("`{record}`, channel `{channel}` has no sample from {from} to {to} s; choose a span inside the \
         record", from = Exact(*.from), to = Exact(*.to))]
    Nothing { record: String, channel: String, from: f64, to: f64 },
    /// A unit that has two meanings here.
    #[error(
        "`{record}`, channel `{channel}` is in `{unit}`, which is an acceleration or a mass; give it the unit that is \
             meant, such as `m/s^2`, with `in_unit`"
    )]
    UnitMeaning { record: String, channel: String, unit: String },
    /// A channel without a unit where one is needed.
    #[error(
        "`{record}`, channel `{channel}` has no unit; name it in the heading of the file, as in `{channel} [{example}]`"
    )]
    NoUnit { record: String, channel: String, example: &'static str },
    /// A channel that cannot be continued, since its jumps fit no period.
    #[error("`{record}`, channel `{channel}` {reason}")]
    NoPeriod { record: String, channel: String, reason: String },
    /// Pulses that are not those of whole teeth.
    #[error(
        "`{record}`, channel `{channel}`: the pulse at {time} s follows {ratio} times the interval before it, so \
             pulses are missing or counted twice; correct the threshold and its hysteresis, or cut the record \
             there", time = Exact(*.time), ratio = Shown(*.ratio)
    )]
    Pulses { record: String, channel: String, time: f64, ratio: f64 },
    /// A channel that never passes the threshold.
    #[error(
        "`{record}`, channel `{channel}` passes the threshold {threshold} {found} times, {least} are needed; its \
             values are from {low} to {high}, so choose a threshold between \
             them", threshold = Exact(*.threshold), low = Shown(*.low), high = Shown(*.high)
    )]
    FewEvents { record: String, channel: String, threshold: f64, found: usize, least: usize, low: f64, high: f64 },
    /// Two channels that have too little in common.
    #[error(
        "the channels `{first}` and `{second}` are correlated by {correlation} at most, at a delay of {delay} s, \
             {least} is needed; choose channels that both recorders have measured, filter both to the band they have \
             in common, or allow longer \
             delays", correlation = Shown(*.correlation), delay = Shown(*.delay), least = Shown(*.least)
    )]
    Unrelated { first: String, second: String, correlation: f64, delay: f64, least: f64 },
    /// Two delays that are nearly as likely.
    #[error(
        "the channels `{first}` and `{second}` fit at a delay of {delay} s (correlation {correlation}) and nearly as \
             well at {other} s ({second_correlation}); bound the delay more narrowly, or synchronise by an event that \
             occurs once, such as a \
             blow", delay = Shown(*.delay), other = Shown(*.other), correlation = Shown(*.correlation),
             second_correlation = Shown(*.second_correlation)
    )]
    Ambiguous { first: String, second: String, delay: f64, correlation: f64, other: f64, second_correlation: f64 },
    /// Repetitions that cannot be averaged.
    #[error(
        "repetition {index}, `{record}`, differs from the first in its {what}; cut all repetitions alike, with the \
             same channels and times"
    )]
    Repetition { index: usize, record: String, what: &'static str },
    /// Settings that do not fit together.
    #[error("{what} has no meaning; {instead}")]
    Setting { what: &'static str, instead: &'static str },
    /// Too few averages for a coherence.
    #[error(
        "{averages} averages do not tell the coherence of {inputs} input{s}, nor how uncertain the response is; take \
             shorter segments or more \
             repetitions{alone}", averages = Shown(*.averages), s = if *.inputs == 1 { "" } else { "s" },
             alone = if *.inputs == 1 { ", or set `without_coherence()`" } else { "" }
    )]
    OneAverage { averages: f64, inputs: usize },
    /// One channel that is given twice.
    #[error("the channel `{channel}` is given twice, and its response to itself is 1; name each input and output once")]
    Repeated { channel: String },
    /// Two repetitions with the same samples.
    #[error(
        "the records {first} and {second}, `{record}`, have the same samples and are one measurement; give each once"
    )]
    Twice { first: usize, second: usize, record: String },
    /// A channel without a density at a frequency.
    #[error(
        "`{record}`, channel `{channel}` has nothing but rounding at {frequency} Hz, so that there is no response; \
             keep the excited frequencies by `between(from, to)`", frequency = Exact(*.frequency)
    )]
    Unexcited { record: String, channel: String, frequency: f64 },
    /// Inputs whose effects cannot be distinguished.
    #[error(
        "the input `{first}` has a coherence of {coherence} with the others at {frequency} Hz, most with `{second}`, \
             {limit} is the limit: their effects are not told apart; excite by independent signals, keep other \
             frequencies by `between(from, to)`, or leave one input \
             out", coherence = Shown(*.coherence), frequency = Exact(*.frequency), limit = Shown(*.limit)
    )]
    CorrelatedInputs { first: String, second: String, frequency: f64, coherence: f64, limit: f64 },
    /// A band without a line.
    #[error(
        "no line is between {from} and {to} Hz; there is one every {spacing} Hz up to {half} \
             Hz", from = Exact(*.from), to = Exact(*.to), spacing = Shown(*.spacing), half = Shown(*.half)
    )]
    Band { from: f64, to: f64, spacing: f64, half: f64 },
    /// A speed that does not change.
    #[error(
        "the {segments} segments of `{record}` that have a speed have {low} to {high} 1/min, which is not a run-up; \
             take a spectrogram over the time, shorter segments, or a record with other \
             speeds", low = Shown(*.low), high = Shown(*.high)
    )]
    Steady { record: String, low: f64, high: f64, segments: usize },
    /// A file that cannot be written.
    #[error("`{file}` cannot be written")]
    Write {
        file: String,
        #[source]
        source: std::io::Error,
    },
    /// Values that are no frequency response.
    #[error(transparent)]
    Response(#[from] ResponseError),
    /// A rig that is not stiffer than what it measures.
    #[error(
        "the measured stiffness of {measured} N/m leaves nothing beside the rig's {rig} N/m; correct the stiffness of \
             the rig, which must exceed the measured one", measured = Shown(*.measured), rig = Shown(*.rig)
    )]
    Rig { measured: f64, rig: f64 },
    /// A result that is beyond the range of numbers.
    #[error(
        "`{record}`, channel `{channel}`: {what} exceeds the range of numbers; scale the channel, or choose another \
             unit"
    )]
    Range { record: String, channel: String, what: &'static str },
}

impl SignalError {
    /// The error of a record with too few samples.
    pub(crate) fn short(record: &str, what: &'static str, samples: usize, least: usize) -> Self {
        Self::Short { record: record.to_owned(), what, samples, least }
    }

    /// The error of a setting that is outside its limits.
    pub(crate) fn number(what: &'static str, value: f64, limits: impl Into<String>, remedy: &'static str) -> Self {
        Self::Number { what, value, limits: limits.into(), remedy }
    }
}

/// Checks that a setting, given with its name, is within its limits.
pub(crate) fn limited(
    is_within: bool,
    (what, value): (&'static str, f64),
    limits: impl Into<String>,
    remedy: &'static str,
) -> Result<f64, SignalError> {
    if is_within { Ok(value) } else { Err(SignalError::number(what, value, limits, remedy)) }
}

/// Checks that a number is positive and finite.
pub(crate) fn positive(what: &'static str, value: f64, remedy: &'static str) -> Result<f64, SignalError> {
    limited(value > 0.0 && value.is_finite(), (what, value), "positive and finite", remedy)
}

/// Checks that a number is finite and not negative.
pub(crate) fn not_negative(what: &'static str, value: f64, remedy: &'static str) -> Result<f64, SignalError> {
    limited(value >= 0.0 && value.is_finite(), (what, value), "0 or more and finite", remedy)
}

/// Checks that a number is a part of a whole, less than all of it.
pub(crate) fn part(what: &'static str, value: f64, remedy: &'static str) -> Result<f64, SignalError> {
    limited((0.0..1.0).contains(&value), (what, value), "from 0 to below 1", remedy)
}
