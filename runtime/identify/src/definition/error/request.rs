//! Requests that a fit cannot answer.

/// A question that the identification or its fit cannot answer: ask another one. A fit that exists remains valid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A probability outside of the range from 0 to 1.
    #[error("the confidence level {level} is not between 0 and 1; choose one such as 0.95")]
    Level {
        /// The probability.
        level: f64,
    },
    /// A fit that consists of pieces, for a task that simulates whole records.
    #[error("the result consists of pieces, and {what} simulates whole records; fit a shorter part of the records")]
    OnlyInPieces {
        /// The task.
        what: &'static str,
    },
    /// Too few repetitions.
    #[error("a standard deviation cannot be estimated from {repetitions} repetitions; give at least 2, preferably 200")]
    Repetitions {
        /// Number of repetitions.
        repetitions: usize,
    },
    /// Too few experiments to draw or leave out some.
    #[error("{experiments} experiments do not suffice, at least {needed} are needed; add some, or draw residuals")]
    TooFewExperiments {
        /// Number of experiments.
        experiments: usize,
        /// Smallest number of experiments.
        needed: usize,
    },
    /// Too few residuals of a prediction to draw errors from.
    #[error(
        "the {numbers} numbers of `{group}` determine {determined:.1} unknowns, so that their residuals are too few \
             to be drawn again; draw normal errors with `Resampling::Normal`"
    )]
    TooFewNumbers {
        /// The prediction and its group.
        group: String,
        /// Number of residuals.
        numbers: usize,
        /// Number of unknowns that they determine.
        determined: f64,
    },
    /// Errors that are not independent and normal with a known deviation.
    #[error(
        "the errors of `{channel}` are coloured, filtered or without a deviation, so that they cannot be drawn one by \
             one from a normal distribution; draw residuals with `Resampling::Residuals`"
    )]
    NotNormal {
        /// The output, or the prediction and its group.
        channel: String,
    },
    /// Channels whose errors are neither given nor can be estimated, as their numbers hardly exceed the unknowns.
    #[error(
        "how far the unknowns may move depends on the errors of {}, which are not known: give the standard deviations \
             of the measured numbers, or measure more",
        .channels.join(" and ")
    )]
    UnknownDeviations {
        /// Names of the channels.
        channels: Vec<String>,
    },
    /// A name that no unknown has.
    #[error("there is no unknown `{name}` (unknowns: {})", .unknowns.join(", "))]
    UnknownName {
        /// The name.
        name: String,
        /// Names of the unknowns.
        unknowns: Vec<String>,
    },
    /// A request for one experiment where there are several.
    #[error(
        "there are {experiments} experiments, and {what} exists only for a single one; describe one experiment, or \
             use its own `Simulation`"
    )]
    SeveralExperiments {
        /// Number of experiments.
        experiments: usize,
        /// The request.
        what: &'static str,
    },
    /// An input whose noise cannot be followed to the unknowns.
    #[error("the input `{input}` {what}")]
    InputNoise {
        /// The input's name.
        input: &'static str,
        /// The reason, and what to do instead.
        what: &'static str,
    },
    /// Another number of values than there are unknowns.
    #[error("{given} values are given for {needed} unknowns; give one for each")]
    UnknownCount {
        /// Number of given values.
        given: usize,
        /// Number of unknowns.
        needed: usize,
    },
}
