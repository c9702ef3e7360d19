//! Errors of fits by prediction errors.

use costate_filter::FilterError;

/// A fit by the innovations of a filter that cannot be made, or that ended without a result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredictionErrorFault {
    /// A setting of the identification that a filter cannot take.
    #[error("a fit by prediction errors cannot take {what}: {remedy}")]
    Refused {
        /// The setting.
        what: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// A sample between two steps.
    #[error(
        "the sample of `{output}` at {time} s is between two steps of {step} s: a filter is corrected at steps alone; \
         choose a step that divides the intervals of the samples, or resample the record"
    )]
    Between {
        /// Name of the output.
        output: &'static str,
        /// Time of the sample in s.
        time: f64,
        /// Length of a step in s.
        step: f64,
    },
    /// Noise or drift of an output that is not measured.
    #[error(
        "noise or drift of the output `{output}` is given, but the output is not measured: remove it, or measure the \
         output"
    )]
    NotMeasured {
        /// Name of the output.
        output: &'static str,
    },
    /// A standard deviation that is not positive and finite.
    #[error("the standard deviation of {of} is {value}; give one that is positive and finite")]
    Deviation {
        /// The noise.
        of: String,
        /// The value.
        value: f64,
    },
    /// Unknowns that change no innovation.
    #[error(
        "{} without influence on any innovation: remove {}, or measure an output that depends on it",
        .names.join(" and "), if .names.len() > 1 { "them" } else { "it" }
    )]
    NoInfluence {
        /// Names of the unknowns.
        names: Vec<String>,
    },
    /// Accelerations that nothing determines.
    #[error(
        "nothing determines the accelerations or multipliers at {time} s: give each coordinate a mass, and remove \
         redundant constraints"
    )]
    Undetermined {
        /// Time in s.
        time: f64,
    },
    /// Constraints that depend on each other.
    #[error("the constraints depend on each other at {time} s: remove redundant constraints")]
    Dependent {
        /// Time in s.
        time: f64,
    },
    /// A filter that diverges at the start values.
    #[error(
        "the filter diverges with the start values: shorten the steps if the model is stiff, increase the process \
         noise, or choose other start values"
    )]
    Diverged {
        /// The sample with its time, and the reason.
        #[source]
        source: FilterError,
    },
    /// A minimisation that ended without a result.
    #[error("the minimisation of -2 log L ended without a result")]
    Minimisation {
        /// The reason.
        #[source]
        source: Box<costate_optimize::OptimizeError<FilterError>>,
    },
}
