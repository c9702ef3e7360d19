//! Why a statistic cannot be had of some samples.

use serde::Serialize;

/// Why a statistic does not exist for these samples. The samples are not wrong: they do not suffice for it.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
pub enum Absent {
    /// There are too few samples.
    #[error("there are {samples} samples; at least {needed} are needed")]
    TooFewSamples {
        /// How many samples there are.
        samples: usize,
        /// How many are needed.
        needed: usize,
    },
    /// The times between gaps are not equidistant.
    #[error(
        "the times are not equidistant: they deviate by {deviation:.1e} of the interval, more than {limit:.1e}"
    )]
    NotEquidistant {
        /// Largest deviation from equidistant times, over their interval.
        deviation: f64,
        /// Largest deviation that is accepted.
        limit: f64,
    },
    /// Gaps cut the samples into parts that are too short.
    #[error("the longest part without a gap has {longest} samples; at least {needed} are needed")]
    ShortParts {
        /// Samples of the longest part.
        longest: usize,
        /// How many are needed.
        needed: usize,
    },
    /// No degree of freedom is left.
    #[error(
        "{lags} lags leave no degree of freedom for {parameters} parameters of the noise; choose more lags"
    )]
    NoFreedom {
        /// How many lags have pairs of samples.
        lags: usize,
        /// How many parameters were fitted to the noise.
        parameters: usize,
    },
    /// All residuals are zero.
    #[error("all residuals are zero")]
    ZeroResiduals,
    /// All residuals have one value.
    #[error("the residuals are constant")]
    ConstantResiduals,
    /// All values of the input are one.
    #[error("the input is constant")]
    ConstantInput,
    /// The input has not one value per residual.
    #[error("the input has {values} values for {samples} residuals")]
    InputLength {
        /// How many values the input has.
        values: usize,
        /// How many residuals there are.
        samples: usize,
    },
    /// A value of the input is not finite, or its square is not.
    #[error("value {index} of the input is {value}, which has no finite square")]
    InputValue {
        /// Its index, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// There are too few segments to average over.
    #[error("the samples have {segments} segments; at least {needed} are needed")]
    TooFewSegments {
        /// How many segments there are.
        segments: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A level of significance is not a probability.
    #[error("the level {level} is not between 0 and 1")]
    Level {
        /// The level.
        level: f64,
    },
}

/// Refuses a level that is not between 0 and 1, both excluded.
pub(crate) fn check_level(level: f64) -> Result<(), Absent> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(Absent::Level { level }) }
}
