//! Causes of a fit that does not explain the data, other than an incomplete model.

use std::fmt;

use serde::Serialize;

use crate::residuals::digits::{four_digits, three_digits};

/// A likely cause of residuals that says nothing about the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub enum Cause {
    /// The computed signal runs out of phase with the measured one, as in a local minimum.
    OutOfPhase {
        /// Time in s of the first sample.
        from: f64,
        /// Time in s until which both are in phase; that of the first sample if they never are.
        until: f64,
        /// True if a fit over growing parts of the record has found no better minimum.
        has_grown: bool,
    },
    /// Measured values are a multiple of the computed ones.
    Scale {
        /// Measured over computed values.
        ratio: f64,
        /// The correlation coefficient of both; `None` where they are out of phase, and their sizes alone have this
        /// ratio.
        correlation: Option<f64>,
        /// Question about the unit that would explain the ratio.
        question: Option<String>,
    },
    /// Measured values have the opposite sign.
    Sign {
        /// Measured over computed values, negative.
        ratio: f64,
        /// The correlation coefficient of both, negative.
        correlation: f64,
    },
    /// A measured input has another scale.
    Input {
        /// Name of the input.
        input: String,
        /// The factor with which the model explains the channels.
        factor: f64,
        /// The least part in % of a channel that is explained then.
        explained: f64,
        /// Question about the unit, or the sign, that would explain the factor.
        question: String,
    },
    /// Times have no unit, and are taken in s.
    Clock {
        /// The unit with which the model explains the channels.
        unit: String,
        /// The least part in % of a channel that is explained then.
        explained: f64,
    },
    /// A measured response has another scale, sign or sense of its angles, or a delay.
    Response {
        /// The change with which the model explains the responses.
        change: ResponseChange,
        /// The least part in % of a response that is explained then.
        explained: f64,
        /// Question about the unit that would explain the ratio of a scale.
        question: Option<String>,
    },
    /// Further costs, such as spectra, contradict the channel, which a fit without them explains.
    Costs,
    /// Measured values are shifted.
    Offset {
        /// Measured minus computed values, in the channel's unit.
        offset: f64,
        /// The unit of the channel.
        unit: String,
    },
    /// Measured values are late, or early.
    Delay {
        /// Time in s by which the measured values follow the computed ones.
        delay: f64,
        /// The least part in % of a channel that a fit with delays explains; `None` where none was made.
        explained: Option<f64>,
        /// Name of the measured input that may act later than its record, where all channels have this delay.
        input: Option<String>,
    },
}

/// A change with which a measured response is that of the model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub enum ResponseChange {
    /// Measured numbers are a multiple of the computed ones.
    Scale {
        /// Measured over computed numbers.
        ratio: f64,
    },
    /// Measured numbers have the opposite sign.
    Sign,
    /// Angles are counted the other way, as with exp(-i w t).
    Conjugate,
    /// Measured numbers are the computed ones times exp(-i w delay).
    Delay {
        /// Time in s by which the measured output follows the computed one.
        delay: f64,
    },
}

/// A likely cause of the residuals of a channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suspicion {
    /// Name of the channel.
    pub channel: String,
    /// Name of the experiment; `None` if it was not given.
    pub experiment: Option<String>,
    /// True if it was seen at the start values alone.
    pub at_start: bool,
    /// The cause.
    pub cause: Cause,
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.channel)?;
        self.experiment.iter().try_for_each(|experiment| write!(f, " in `{experiment}`"))?;
        f.write_str(if self.at_start { ", at the start values: " } else { ": " })?;
        let ratio_in_words = |ratio: f64, correlation: Option<f64>| {
            let ratio = three_digits(ratio);
            match correlation.map(three_digits) {
                Some(known) => {
                    format!("measured values are {ratio} times the computed ones (correlation {known})")
                }
                None => format!("measured values are {ratio} times as large as the computed ones"),
            }
        };
        match &self.cause {
            Cause::OutOfPhase { from, until, has_grown } => {
                match until > from {
                    true => {
                        write!(f, "measured and computed values are in phase until {} s only", four_digits(*until))?
                    }
                    false => write!(f, "measured and computed values are out of phase from the beginning on")?,
                }
                match has_grown {
                    false => write!(
                        f,
                        ", probably a local minimum: fit over growing parts of the record, another output first, or \
                         from several starts"
                    ),
                    true => write!(
                        f,
                        "; a fit over growing parts of the record has found nothing better: a local minimum still (fit \
                         another output first, or from several starts), or an incomplete model"
                    ),
                }
            }
            Cause::Scale { ratio, correlation, question } => {
                let question = question.as_deref().unwrap_or("are the unit and the gain of the channel right?");
                write!(f, "{}: {question}", ratio_in_words(*ratio, *correlation))
            }
            Cause::Sign { ratio, correlation } => {
                write!(f, "{}: is the sign of the channel reversed?", ratio_in_words(*ratio, Some(*correlation)))
            }
            Cause::Input { input, factor, explained, question } => write!(
                f,
                "with {} times the measured input `{input}`, a fit explains {} %: {question}",
                three_digits(*factor),
                three_digits(*explained)
            ),
            Cause::Clock { unit, explained } => write!(
                f,
                "with times in {unit}, a fit explains {} %: the times have no unit and are taken in s; set the option \
                 `time_unit` to `{unit}`, or to `s` if this is right",
                three_digits(*explained)
            ),
            Cause::Response { change, explained, question } => {
                let explains = format!(", with which a fit explains {} %", three_digits(*explained));
                match change {
                    ResponseChange::Scale { ratio } => {
                        let question =
                            question.as_deref().unwrap_or("are the unit and the gain of the response right?");
                        write!(f, "{}{explains}: {question}", ratio_in_words(*ratio, None))
                    }
                    ResponseChange::Sign => write!(
                        f,
                        "measured values have the opposite sign of the computed ones{explains}: is the sign of a \
                         sensor or of the input reversed?"
                    ),
                    ResponseChange::Conjugate => write!(
                        f,
                        "measured imaginary parts and angles have the opposite sign of the computed ones{explains}: \
                         does the file count angles the other way, as with exp(-i w t)? Reverse the sign of imaginary \
                         parts, or of angles"
                    ),
                    ResponseChange::Delay { delay } => {
                        let verb = if *delay > 0.0 { "follow" } else { "precede" };
                        let shown = three_digits(1e3 * delay.abs());
                        let sign = if *delay > 0.0 { "" } else { "-" };
                        write!(
                            f,
                            "measured values {verb} the computed ones by {shown} ms{explains}: a filter, a trigger, or \
                             channels that were sampled one after the other? Multiply the response by \
                             exp({sign}i 2 pi f {shown} ms)"
                        )
                    }
                }
            }
            Cause::Costs => f.write_str(
                "a fit without spectra and other costs leaves only noise of it: they contradict it, as spectra do \
                 whose lines are noise; choose a band in which the signal is above its noise, or a smaller weight",
            ),
            Cause::Offset { offset, unit } => {
                let (offset, unit) = (three_digits(*offset), if unit == "1" { "" } else { unit });
                let offset = format!("{offset} {unit}");
                write!(
                    f,
                    "measured values are shifted by {} against the computed ones: is the zero of the sensor off? Make \
                     the offset of the channel an unknown",
                    offset.trim_end()
                )
            }
            Cause::Delay { delay, explained, input } => {
                let verb = if *delay > 0.0 { "follow" } else { "precede" };
                let time = three_digits(1e3 * delay.abs());
                write!(f, "measured values {verb} the computed ones by {time} ms")?;
                if let Some(explained) = explained {
                    write!(f, ", with which a fit explains {} %", three_digits(*explained))?;
                }
                match input {
                    _ if self.at_start => f.write_str(
                        ": does the record begin at another time of the motion? Give the initial values of its first \
                         sample, or make them unknown; or a trigger: make the delay of the channel an unknown",
                    ),
                    Some(input) => write!(
                        f,
                        ": a trigger, a filter, or an input `{input}` that acts at other times than its record? Make \
                         the delay of the input, or of the channel, an unknown"
                    ),
                    None => f.write_str(": a trigger, a filter? Make the delay of the channel an unknown"),
                }
            }
        }
    }
}
