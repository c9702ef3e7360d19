//! The errors of lines, windows and measured spectra.

use costate_contract::machine::OutOfMemory;
use costate_contract::shown::{Exact, Shown};
use costate_contract::units::UnitError;
use costate_measure::record::Gap;

/// A spectrum or a cost in frequency that cannot be formed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpectrumError {
    /// A frequency or an order that is not positive.
    #[error("the {what} {value} is not a positive number; choose one above 0", value = Shown(*value))]
    NotPositive {
        /// The quantity: frequency in Hz, order, working cycle in rad, number of revolutions.
        what: &'static str,
        /// Value of the quantity.
        value: f64,
    },
    /// A frequency that the samples do not resolve.
    #[error(
        "the frequency {frequency} Hz is not below {nyquist} Hz, half of the sampling rate; choose a lower one or \
         sample more finely",
        frequency = Exact(*frequency), nyquist = Exact(*nyquist)
    )]
    Nyquist {
        /// The frequency in Hz.
        frequency: f64,
        /// Half of the sampling rate in Hz.
        nyquist: f64,
    },
    /// An order that the samples of the angle do not resolve.
    #[error(
        "the order {order} is not below {limit}, above which a period has fewer than two samples; choose a lower one \
         or sample more finely",
        order = Exact(*order), limit = Exact(*limit)
    )]
    OrderNyquist {
        /// The order.
        order: f64,
        /// pi over the largest change of the angle between two samples.
        limit: f64,
    },
    /// A band without a line.
    #[error(
        "no line k * {spacing} Hz is in the band from {low} to {high} Hz; widen the band or lengthen the interval",
        spacing = Exact(*spacing), low = Exact(*low), high = Exact(*high)
    )]
    EmptyBand {
        /// Lower end in Hz.
        low: f64,
        /// Upper end in Hz.
        high: f64,
        /// Distance 1/T of the lines in Hz.
        spacing: f64,
    },
    /// An interval that does not go forward.
    #[error(
        "the interval from {from} to {to} is empty or reversed; give its start first, then a later end",
        from = Exact(*from), to = Exact(*to)
    )]
    EmptyInterval {
        /// Start in s, or in rad for orders over an angle.
        from: f64,
        /// End.
        to: f64,
    },
    /// An interval that is not inside the record or the run.
    #[error(
        "the window from {from} to {to} s is not inside the samples from {start} to {end} s; move it or lengthen the \
         run or record",
        from = Exact(*from), to = Exact(*to), start = Exact(*start), end = Exact(*end)
    )]
    Outside {
        /// Start of the window in s.
        from: f64,
        /// End of the window in s.
        to: f64,
        /// First sample in s.
        start: f64,
        /// Last sample in s.
        end: f64,
    },
    /// An angle that does not pass through the interval.
    #[error(
        "the angle goes from {start} to {end} rad and does not cover the window from {from} to {to} rad; choose other \
         cycles or lengthen the run or record",
        start = Exact(*start), end = Exact(*end), from = Exact(*from), to = Exact(*to)
    )]
    OutsideAngle {
        /// Start of the interval in rad.
        from: f64,
        /// End of the interval in rad.
        to: f64,
        /// First angle in rad.
        start: f64,
        /// Last angle in rad.
        end: f64,
    },
    /// A speed that the run-up does not reach.
    #[error(
        "the speed {speed} rev/s is outside the run-up from {low} to {high} rev/s; choose one inside",
        speed = Exact(*speed), low = Exact(*low), high = Exact(*high)
    )]
    Speed {
        /// The speed in rev/s.
        speed: f64,
        /// Lowest speed of the run-up in rev/s.
        low: f64,
        /// Highest speed of the run-up in rev/s.
        high: f64,
    },
    /// A run-up that does not change its speed or does not go forward.
    #[error(
        "a run-up from {start_speed} rev/s at {start} s to {end_speed} rev/s at {end} s does not assign one time to \
         each speed; give two different positive speeds and two increasing times",
        start_speed = Exact(*start_speed), start = Exact(*start), end_speed = Exact(*end_speed), end = Exact(*end)
    )]
    RunUp {
        /// First speed in rev/s.
        start_speed: f64,
        /// Last speed in rev/s.
        end_speed: f64,
        /// Beginning of the run-up in s.
        start: f64,
        /// End of the run-up in s.
        end: f64,
    },
    /// A weight that is not from 1e-100 to 1e100.
    #[error(
        "the weight {weight} of the line at {line} is not from 1e-100 to 1e100; choose one in this range",
        weight = Shown(*weight)
    )]
    Weight {
        /// The line.
        line: String,
        /// Weight of the line.
        weight: f64,
    },
    /// A measured amplitude or coefficient that cannot be one.
    #[error(
        "the measured value of the line at {line} is {value}; amplitudes must be finite and not negative, coefficients \
         must be finite",
        value = Shown(*value)
    )]
    Measured {
        /// The line.
        line: String,
        /// The value.
        value: f64,
    },
    /// A vanishing amplitude has no level.
    #[error("the measured amplitude of the line at {line} is 0, which has no level in decibels; remove the line")]
    ZeroAmplitude {
        /// The line.
        line: String,
    },
    /// An amplitude where both coefficients are needed.
    #[error(
        "the line at {line} has only a measured amplitude, but this cost compares the cosine and the sine coefficient; \
         give both coefficients, or choose a form of the spectrum that compares amplitudes"
    )]
    NoPhase {
        /// The line.
        line: String,
    },
    /// A number of values that differs from the number of times or angles.
    #[error("there are {values} values for {times} samples; give one value per sample")]
    Length {
        /// Number of times or angles.
        times: usize,
        /// Number of values.
        values: usize,
    },
    /// Too few samples for a spectrum.
    #[error("a spectrum of {samples} samples cannot be computed; give at least two")]
    Samples {
        /// Number of samples.
        samples: usize,
    },
    /// A value that is not finite.
    #[error(
        "sample {sample} is {value}; leave it out, as `Record::samples` does with missing samples, and choose windows \
         outside of the gap",
        value = Shown(*value)
    )]
    Value {
        /// The sample, from 0.
        sample: usize,
        /// Value of the sample.
        value: f64,
    },
    /// A time that does not follow the one before it.
    #[error(
        "sample {sample}, at {time} s, does not follow the one before it; sort the samples by time",
        time = Exact(*time)
    )]
    Order {
        /// The sample, from 0.
        sample: usize,
        /// Time of the sample in s.
        time: f64,
    },
    /// Samples that are missing where coefficients are taken.
    #[error(
        "{} a gap {gap}, in which the signal and so its spectrum are not known; choose windows outside of it, or cut \
         the record there",
        .channel.as_ref().map_or("the samples have".to_owned(), |channel| format!("the channel `{channel}` has"))
    )]
    Gap {
        /// The channel's name, where the samples are those of a record.
        channel: Option<String>,
        /// The gap.
        gap: Gap,
    },
    /// Two measured values of one line.
    #[error(
        "the output `{output}` has two measured values of the line at {line} with the same window; remove one of them, \
         or give their mean (measurements of separate experiments need separate runs)"
    )]
    Repeated {
        /// The output's name.
        output: &'static str,
        /// The line.
        line: String,
    },
    /// A fast Fourier transform of samples at different distances.
    #[error(
        "the samples of `{record}` are not equidistant; resample them, or take single lines with `fourier_coefficients`"
    )]
    NotEquidistant {
        /// The record's name.
        record: String,
    },
    /// A channel in a unit that the output does not have.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// A spectrum that needs more memory than the machine has.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}
