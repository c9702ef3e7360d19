//! Errors of frequency responses.

use costate_contract::shown::{Exact, Shown};

use crate::formats::FormatError;

/// Reason why a frequency response cannot be made, converted or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// A frequency that is no number from 0 on, or does not follow the one before it.
    #[error(
        "`{response}`: the frequency {index}, {frequency} Hz, is not a number from 0 on that follows the one before \
             it; give each frequency once, increasing", frequency = Exact(*.frequency)
    )]
    Frequency {
        /// Name of the response.
        response: String,
        /// Index of the frequency, from 0.
        index: usize,
        /// The frequency in Hz.
        frequency: f64,
    },
    /// A number of values that is not that of the frequencies.
    #[error("`{response}` has {values} {what} for {frequencies} frequencies; give one per frequency")]
    Length {
        /// Name of the response.
        response: String,
        /// The values.
        what: &'static str,
        /// Number of values.
        values: usize,
        /// Number of frequencies.
        frequencies: usize,
    },
    /// A value that cannot be one.
    #[error(
        "`{response}` has {value} among its {what} at {frequency} Hz: real and imaginary parts are finite, coherences \
             from 0 to 1, variances not negative; \
         correct the value or leave the frequency out", frequency = Exact(*.frequency), value = Shown(*.value)
    )]
    Value {
        /// Name of the response.
        response: String,
        /// The values.
        what: &'static str,
        /// The frequency in Hz.
        frequency: f64,
        /// The value.
        value: f64,
    },
    /// A band without a frequency.
    #[error(
        "`{response}` has no frequency from {from} to {to} Hz; it has those from {least} to {largest} \
             Hz", from = Exact(*.from), to = Exact(*.to), least = Exact(*.least), largest = Exact(*.largest)
    )]
    EmptyBand {
        /// Name of the response.
        response: String,
        /// Lower end in Hz.
        from: f64,
        /// Upper end in Hz.
        to: f64,
        /// Lowest frequency in Hz.
        least: f64,
        /// Highest frequency in Hz.
        largest: f64,
    },
    /// Units that are not those of a motion and a force.
    #[error(
        "`{response}` is in {} per {}, and not in a displacement, velocity or acceleration per force or moment, or \
             the reverse; set its units by `in_units(\"m/s^2\", \"N\")`",
        shown(unit),
        shown(reference_unit)
    )]
    Units {
        /// Name of the response.
        response: String,
        /// Unit of the numerator.
        unit: Option<String>,
        /// Unit of the denominator.
        reference_unit: Option<String>,
    },
    /// A division by `i omega` at 0 Hz.
    #[error("`{response}` at 0 Hz has no {wanted}, which is an integral there; leave 0 Hz out by `between(..)`")]
    ZeroFrequency {
        /// Name of the response.
        response: String,
        /// The wanted kind.
        wanted: super::ResponseKind,
    },
    /// An inverse of 0, or a value beyond the range of numbers.
    #[error(
        "`{response}` at {frequency} Hz: the {wanted} exceeds the range of numbers, since the response is {size}; \
             leave the frequency out by `between(..)`", frequency = Exact(*.frequency), size = Shown(*.size)
    )]
    Range {
        /// Name of the response.
        response: String,
        /// The wanted kind.
        wanted: super::ResponseKind,
        /// The frequency in Hz.
        frequency: f64,
        /// Magnitude of the response.
        size: f64,
    },
    /// A file that is no table of a response.
    #[error(transparent)]
    Table(Box<crate::record::RecordError>),
    /// An added decay that is not positive, or not the same at all frequencies.
    #[error(
        "`{response}` has the added decay {value} 1/s beside {first} 1/s; write the same number from 0 on in all lines"
    )]
    Decay {
        /// Name of the response.
        response: String,
        /// The decay in 1/s.
        value: f64,
        /// The decay in the first line, in 1/s.
        first: f64,
    },
    /// The file cannot be written.
    #[error("`{file}` cannot be written")]
    File {
        /// Name of the file.
        file: String,
        /// The reason.
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
