//! Errors of frequency responses.

use costate_contract::shown::{Exact, Shown};

use crate::formats::FormatError;

/// Reason why a frequency response cannot be made, converted or written.
///
/// `index` is counted from 0.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum ResponseError {
    /// A frequency that is no number from 0 on, or does not follow the one before it.
    #[error(
        "`{response}`: the frequency {index}, {frequency} Hz, is not a number from 0 on that follows the one before \
             it; give each frequency once, increasing", frequency = Exact(*.frequency)
    )]
    Frequency { response: String, index: usize, frequency: f64 },
    /// A number of values that is not that of the frequencies.
    #[error("`{response}` has {values} {what} for {frequencies} frequencies; give one per frequency")]
    Length { response: String, what: &'static str, values: usize, frequencies: usize },
    /// A value that cannot be one.
    #[error(
        "`{response}` has {value} among its {what} at {frequency} Hz: real and imaginary parts are finite, coherences \
             from 0 to 1, variances not negative; \
         correct the value or leave the frequency out", frequency = Exact(*.frequency), value = Shown(*.value)
    )]
    Value { response: String, what: &'static str, frequency: f64, value: f64 },
    /// A band without a frequency.
    #[error(
        "`{response}` has no frequency from {from} to {to} Hz; it has those from {least} to {largest} \
             Hz", from = Exact(*.from), to = Exact(*.to), least = Exact(*.least), largest = Exact(*.largest)
    )]
    EmptyBand { response: String, from: f64, to: f64, least: f64, largest: f64 },
    /// Units that are not those of a motion and a force.
    #[error(
        "`{response}` is in {} per {}, and not in a displacement, velocity or acceleration per force or moment, or \
             the reverse; set its units by `in_units(\"m/s^2\", \"N\")`",
        shown(unit),
        shown(reference_unit)
    )]
    Units { response: String, unit: Option<String>, reference_unit: Option<String> },
    /// A division by `i omega` at 0 Hz.
    #[error("`{response}` at 0 Hz has no {wanted}, which is an integral there; leave 0 Hz out by `between(..)`")]
    ZeroFrequency { response: String, wanted: super::ResponseKind },
    /// An inverse of 0, or a value beyond the range of numbers.
    #[error(
        "`{response}` at {frequency} Hz: the {wanted} exceeds the range of numbers, since the response is {size}; \
             leave the frequency out by `between(..)`", frequency = Exact(*.frequency), size = Shown(*.size)
    )]
    Range { response: String, wanted: super::ResponseKind, frequency: f64, size: f64 },
    /// A file that is no table of a response.
    #[error(transparent)]
    Table(Box<crate::record::RecordError>),
    /// An added decay that is not positive, or not the same at all frequencies.
    #[error(
        "`{response}` has the added decay {value} 1/s beside {first} 1/s; write the same number from 0 on in all lines"
    )]
    Decay { response: String, value: f64, first: f64 },
    /// The file cannot be written.
    #[error("`{file}` cannot be written")]
    File {
        file: String,
        #[source]
        source: std::io::Error,
    },
    /// The file cannot be written in this format.
    #[error(transparent)]
    Format(#[from] FormatError),
}

fn shown(unit: &Option<String>) -> String {
    unit.as_ref().map_or_else(|| "no unit".to_owned(), |unit| format!("`{unit}`"))
}
