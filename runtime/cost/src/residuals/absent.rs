//! Reasons why a statistic does not exist for some samples.

use serde::Serialize;

use crate::residuals::digits::three_digits;

/// Reason why a statistic does not exist for these samples. The samples are not wrong: they do not suffice for
/// the statistic.
///
/// `index` is counted from 0; a resolution is in the unit of the channel.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum Absent {
    /// There are too few samples.
    #[error("there are {samples} samples; at least {needed} are needed")]
    TooFewSamples { samples: usize, needed: usize },
    /// The times between gaps are not equidistant.
    #[error("the times are not equidistant: they deviate by {deviation:.1e} of the interval, more than {limit:.1e}")]
    NotEquidistant {
        /// Largest deviation from equidistant times, relative to their interval.
        deviation: f64,
        limit: f64,
    },
    /// Gaps cut the samples into parts that are too short.
    #[error("the longest part without a gap has {longest} samples; at least {needed} are needed")]
    ShortParts { longest: usize, needed: usize },
    /// No degree of freedom is left.
    #[error("{lags} lags leave no degree of freedom for {parameters} parameters of the noise; choose more lags")]
    NoFreedom { lags: usize, parameters: usize },
    /// The residuals are no function of the time, so that they have no spectrum.
    #[error("the residuals are no function of the time")]
    NotInTime,
    /// Errors of neighbouring residuals were said to be dependent.
    #[error("the errors of neighbouring numbers depend on each other")]
    DependentErrors,
    /// Too few residuals for the parameters that they determine.
    #[error(
        "there are {residuals} residuals, which determine {parameters:.1} parameters; at least {needed} are needed"
    )]
    FewBesideParameters { residuals: usize, parameters: f64, needed: usize },
    /// The residuals are those of rounding to the resolution of the channel.
    #[error(
        "they are as large as rounding of the measured values to their resolution of {} makes them, and say nothing \
         about the model: a finer sensor would",
        three_digits(*.resolution)
    )]
    Rounding { resolution: f64 },
    /// All residuals are zero.
    #[error("all residuals are zero")]
    ZeroResiduals,
    /// All residuals are equal.
    #[error("the residuals are constant")]
    ConstantResiduals,
    /// All values of the input are equal.
    #[error("the input is constant")]
    ConstantInput,
    /// The input does not have one value per residual.
    #[error("the input has {values} values for {samples} residuals")]
    InputLength { values: usize, samples: usize },
    /// A value of the input is not finite, or its square is not.
    #[error("value {index} of the input is {value}, which has no finite square")]
    InputValue { index: usize, value: f64 },
    /// There are too few segments to average over.
    #[error("the samples have {segments} segments; at least {needed} are needed")]
    TooFewSegments { segments: usize, needed: usize },
    /// A level of significance is not a probability.
    #[error("the level {level} is not between 0 and 1")]
    Level { level: f64 },
}

/// Refuses a level that is not between 0 and 1, both excluded.
pub(crate) fn check_level(level: f64) -> Result<(), Absent> {
    if level > 0.0 && level < 1.0 { Ok(()) } else { Err(Absent::Level { level }) }
}
