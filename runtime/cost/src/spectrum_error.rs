//! The errors of lines, windows and measured spectra.

use costate_contract::machine::OutOfMemory;
use costate_contract::shown::{Exact, Shown};
use costate_contract::units::UnitError;
use costate_measure::record::Gap;

/// A spectrum or a cost in frequency that cannot be formed.
///
/// `sample` is counted from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum SpectrumError {
    /// A frequency or an order that is not positive.
    #[error("the {what} {value} is not a positive number; choose one above 0", value = Shown(*value))]
    NotPositive {
        /// The quantity: frequency in Hz, order, working cycle in rad, number of revolutions.
        what: &'static str,
        value: f64,
    },
    /// A frequency that the samples do not resolve.
    #[error(
        "the frequency {frequency} Hz is not below {nyquist} Hz, half of the sampling rate; choose a lower one or \
         sample more finely",
        frequency = Exact(*frequency), nyquist = Exact(*nyquist)
    )]
    Nyquist { frequency: f64, nyquist: f64 },
    /// An order that the samples of the angle do not resolve.
    #[error(
        "the order {order} is not below {limit}, above which a period has fewer than two samples; choose a lower one \
         or sample more finely",
        order = Exact(*order), limit = Exact(*limit)
    )]
    OrderNyquist { order: f64, limit: f64 },
    /// A band without a line.
    #[error(
        "no line k * {spacing} Hz is in the band from {low} to {high} Hz; widen the band or lengthen the interval",
        spacing = Exact(*spacing), low = Exact(*low), high = Exact(*high)
    )]
    EmptyBand { low: f64, high: f64, spacing: f64 },
    /// An interval that does not go forward.
    #[error(
        "the interval from {from} to {to} is empty or reversed; give its start first, then a later end",
        from = Exact(*from), to = Exact(*to)
    )]
    EmptyInterval {
        /// Start in s, or in rad for orders over an angle.
        from: f64,
        to: f64,
    },
    /// An interval that is not inside the record or the run.
    #[error(
        "the window from {from} to {to} s is not inside the samples from {start} to {end} s; move it or lengthen the \
         run or record",
        from = Exact(*from), to = Exact(*to), start = Exact(*start), end = Exact(*end)
    )]
    Outside { from: f64, to: f64, start: f64, end: f64 },
    /// An angle that does not pass through the interval.
    #[error(
        "the angle goes from {start} to {end} rad and does not cover the window from {from} to {to} rad; choose other \
         cycles or lengthen the run or record",
        start = Exact(*start), end = Exact(*end), from = Exact(*from), to = Exact(*to)
    )]
    OutsideAngle { from: f64, to: f64, start: f64, end: f64 },
    /// A speed that the run-up does not reach.
    #[error(
        "the speed {speed} rev/s is outside the run-up from {low} to {high} rev/s; choose one inside",
        speed = Exact(*speed), low = Exact(*low), high = Exact(*high)
    )]
    Speed { speed: f64, low: f64, high: f64 },
    /// A run-up that does not change its speed or does not go forward.
    #[error(
        "a run-up from {start_speed} rev/s at {start} s to {end_speed} rev/s at {end} s does not assign one time to \
         each speed; give two different positive speeds and two increasing times",
        start_speed = Exact(*start_speed), start = Exact(*start), end_speed = Exact(*end_speed), end = Exact(*end)
    )]
    RunUp { start_speed: f64, end_speed: f64, start: f64, end: f64 },
    /// A weight that is not from 1e-100 to 1e100.
    #[error(
        "the weight {weight} of the line at {line} is not from 1e-100 to 1e100; choose one in this range",
        weight = Shown(*weight)
    )]
    Weight { line: String, weight: f64 },
    /// A measured amplitude or coefficient that cannot be one.
    #[error(
        "the measured value of the line at {line} is {value}; amplitudes must be finite and not negative, coefficients \
         must be finite",
        value = Shown(*value)
    )]
    Measured { line: String, value: f64 },
    /// A vanishing amplitude has no level.
    #[error("the measured amplitude of the line at {line} is 0, which has no level in decibels; remove the line")]
    ZeroAmplitude { line: String },
    /// An amplitude where both coefficients are needed.
    #[error(
        "the line at {line} has only a measured amplitude, but this cost compares the cosine and the sine coefficient; \
         give both coefficients, or choose a form of the spectrum that compares amplitudes"
    )]
    NoPhase { line: String },
    /// A number of values that differs from the number of times or angles.
    #[error("there are {values} values for {times} samples; give one value per sample")]
    Length { times: usize, values: usize },
    /// Too few samples for a spectrum.
    #[error("a spectrum of {samples} samples cannot be computed; give at least two")]
    Samples { samples: usize },
    /// A value that is not finite.
    #[error(
        "sample {sample} is {value}; leave it out, as `Record::samples` does with missing samples, and choose windows \
         outside of the gap",
        value = Shown(*value)
    )]
    Value { sample: usize, value: f64 },
    /// A time that does not follow the one before it.
    #[error(
        "sample {sample}, at {time} s, does not follow the one before it; sort the samples by time",
        time = Exact(*time)
    )]
    Order { sample: usize, time: f64 },
    /// Samples that are missing where coefficients are taken.
    #[error(
        "{} a gap {gap}, in which the signal and so its spectrum are not known; choose windows outside of it, or cut \
         the record there",
        .channel.as_ref().map_or("the samples have".to_owned(), |channel| format!("the channel `{channel}` has"))
    )]
    Gap { channel: Option<String>, gap: Gap },
    /// Two measured values of one line.
    #[error(
        "the output `{output}` has two measured values of the line at {line} with the same window; remove one of them, \
         or give their mean (measurements of separate experiments need separate runs)"
    )]
    Repeated { output: &'static str, line: String },
    /// A fast Fourier transform of samples at different distances.
    #[error(
        "the samples of `{record}` are not equidistant; resample them, or take single lines with `fourier_coefficients`"
    )]
    NotEquidistant { record: String },
    /// A channel in a unit that the output does not have.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// A spectrum that needs more memory than the machine has.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}
