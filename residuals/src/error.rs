//! What is wrong with samples or settings.

use serde::Serialize;

/// Samples or settings of which no statistic can be computed.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
pub enum ResidualError {
    /// There are no values.
    #[error("there are no {field}; give at least one value")]
    Empty {
        /// What is empty.
        field: &'static str,
    },
    /// There is not one value per time.
    #[error("there are {values} {field} at {times} times; give one for every time")]
    Length {
        /// What has another length.
        field: String,
        /// How many values it has.
        values: usize,
        /// How many times there are.
        times: usize,
    },
    /// A value is NaN or infinite.
    #[error("value {index} of the {field} is {value}, not a finite number; remove the sample")]
    NotFinite {
        /// Where the value stands.
        field: String,
        /// Its index, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// The square of a value could not be added to others.
    #[error(
        "value {index} of the {field} is {value}; its magnitude must not exceed {limit:e}, choose another unit"
    )]
    TooLarge {
        /// Where the value stands.
        field: String,
        /// Its index, from 0.
        index: usize,
        /// The value.
        value: f64,
        /// The largest magnitude.
        limit: f64,
    },
    /// A time is not after the one before it.
    #[error(
        "time {index}, {time} s, is not at least {limit:e} s after {before} s before it; sort the samples by time"
    )]
    NotIncreasing {
        /// Its index, from 0.
        index: usize,
        /// The time in s.
        time: f64,
        /// The time before it in s.
        before: f64,
        /// The least distance in s.
        limit: f64,
    },
    /// The parts of a sampling are not all samples in order of time.
    #[error(
        "part {part} of the sampling has the samples {start}..{end}; parts are not empty, and this one begins with sample \
         {wanted}, behind the part before it"
    )]
    Parts {
        /// Its index, from 0.
        part: usize,
        /// Its first sample.
        start: usize,
        /// The sample behind its last one.
        end: usize,
        /// What its first sample has to be.
        wanted: usize,
    },
    /// A setting or a sum is out of its range.
    #[error("the {field} is {value}; it must be {limit}")]
    OutOfRange {
        /// What is out of range.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What it must be, in words.
        limit: &'static str,
    },
}

/// Refuses values of which one is not finite or is so large that squares overflow.
pub(crate) fn check_values(field: &str, values: &[f64]) -> Result<(), ResidualError> {
    for (index, &value) in values.iter().enumerate() {
        if !value.is_finite() {
            return Err(ResidualError::NotFinite { field: field.to_owned(), index, value });
        }
        if value.abs() > LARGEST {
            return Err(ResidualError::TooLarge { field: field.to_owned(), index, value, limit: LARGEST });
        }
    }
    Ok(())
}

/// Refuses times that do not increase.
pub(crate) fn check_times(times: &[f64]) -> Result<(), ResidualError> {
    if times.is_empty() {
        return Err(ResidualError::Empty { field: "times" });
    }
    check_values("times", times)?;
    let increases = |pair: &[f64]| pair[1] - pair[0] >= SHORTEST;
    match times.windows(2).position(|pair| !increases(pair)) {
        Some(at) => {
            let (index, time, before) = (at + 1, times[at + 1], times[at]);
            Err(ResidualError::NotIncreasing { index, time, before, limit: SHORTEST })
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

/// Least distance of two times in s; the sampling rate of closer ones has no finite square.
const SHORTEST: f64 = 1e-100;

/// Largest magnitude of a sample: squares of any number of such values have a finite sum.
pub(crate) const LARGEST: f64 = 1e140;
