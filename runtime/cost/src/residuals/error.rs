//! Errors of samples and settings.

use serde::Serialize;

/// Error of samples or settings for which no statistic can be computed.
///
/// `index` and `part` are counted from 0.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum ResidualError {
    /// There are no values.
    #[error("there are no {field}; give at least one value")]
    Empty {
        /// Name of the empty quantity.
        field: &'static str,
    },
    /// The numbers of values and of times differ.
    #[error("there are {values} {field} at {times} times; give one for every time")]
    Length { field: String, values: usize, times: usize },
    /// A value is NaN or infinite.
    #[error("value {index} of the {field} is {value}, not a finite number; remove the sample")]
    NotFinite { field: String, index: usize, value: f64 },
    /// The square of a value is too large to be added to others.
    #[error("value {index} of the {field} is {value}; its magnitude must not exceed {limit:e}, choose another unit")]
    TooLarge { field: String, index: usize, value: f64, limit: f64 },
    /// A time is not later than the one before it.
    #[error("time {index}, {time} s, is not at least {limit:e} s after {before} s before it; sort the samples by time")]
    NotIncreasing { index: usize, time: f64, before: f64, limit: f64 },
    /// The parts of a sampling are not all samples in order of time.
    #[error(
        "part {part} of the sampling has the samples {start}..{end}; a part must not be empty, and this one must begin \
         with sample {wanted}, the one after the previous part"
    )]
    Parts { part: usize, start: usize, end: usize, wanted: usize },
    /// A setting or a sum is out of its range.
    #[error("the {field} is {value}; it must be {limit}")]
    OutOfRange { field: &'static str, value: f64, limit: &'static str },
}

/// Refuses values of which one is not finite or so large that squares overflow.
pub(crate) fn check_values(field: &str, values: &[f64]) -> Result<(), ResidualError> {
    for (index, &value) in values.iter().enumerate() {
        if !value.is_finite() {
            return Err(ResidualError::NotFinite { field: field.to_owned(), index, value });
        }
        if value.abs() > MAX_MAGNITUDE {
            return Err(ResidualError::TooLarge { field: field.to_owned(), index, value, limit: MAX_MAGNITUDE });
        }
    }
    Ok(())
}

/// Refuses times that do not increase.
pub(crate) fn check_times(times: &[f64]) -> Result<(), ResidualError> {
    /// Least distance of two times in s; the sampling rate of closer times has no finite square.
    const MIN_TIME_DISTANCE: f64 = 1e-100;
    if times.is_empty() {
        return Err(ResidualError::Empty { field: "times" });
    }
    check_values("times", times)?;
    let increases = |pair: &[f64]| pair[1] - pair[0] >= MIN_TIME_DISTANCE;
    match times.windows(2).position(|pair| !increases(pair)) {
        Some(at) => {
            let (index, time, before) = (at + 1, times[at + 1], times[at]);
            Err(ResidualError::NotIncreasing { index, time, before, limit: MIN_TIME_DISTANCE })
        }
        None => Ok(()),
    }
}

/// Refuses a probability that is not between 0 and 1, both excluded.
pub(crate) fn check_probability(field: &'static str, value: f64) -> Result<(), ResidualError> {
    if value > 0.0 && value < 1.0 {
        return Ok(());
    }
    Err(ResidualError::OutOfRange { field, value, limit: "between 0 and 1" })
}

/// Largest magnitude of a sample: squares of any number of such values have a finite sum.
pub(crate) const MAX_MAGNITUDE: f64 = 1e140;
