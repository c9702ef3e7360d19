//! Failures at the start values.

use costate_system::problem::SimulationError;

/// A run at the start values, or its derivatives, with which no fit can begin: choose other start values, or change the
/// model there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartValuesError {
    /// The simulation fails at the start values.
    #[error("the simulation fails at the start values; choose others or check model and inputs")]
    Start {
        /// The reason.
        #[source]
        source: SimulationError,
    },
    /// Cost or gradient are NaN or infinite at the start values.
    #[error("the cost or its gradient is not finite at the start values; choose others")]
    StartNotFinite,
    /// A run at the start values whose outputs or derivatives are infinite or NaN.
    #[error(
        "`{output}` is not finite at {time} s with the start values{}; choose others, or check the model for a \
             division by zero \
             there", .by.as_ref().map_or(String::new(), |by| format!(", or its derivative with respect to `{by}`"))
    )]
    NotFinite {
        /// The output's name.
        output: &'static str,
        /// The time of the first such sample in s.
        time: f64,
        /// The unknown of an infinite derivative; `None` if the output itself is not finite.
        by: Option<String>,
    },
    /// Unknowns on which no residual depends.
    #[error(
        "no residual and no cost depends on {} at the start values; treat unknowns without influence as known, \
             measure an output that depends on them, choose other start values, or skip this check with \
             `.ignore_check()`", .unknowns.join(", ")
    )]
    WithoutInfluence {
        /// The unknowns.
        unknowns: Vec<String>,
    },
    /// Unknowns on which residuals depend, although their derivatives vanish.
    #[error(
        "the residuals have no derivative with respect to {} at the start values, but depend on it: it acts only \
             through jumps, as in a condition, or between the time steps; write the jump as a `smooth_step` over \
             several steps, take shorter steps or other start values, fit with several fixed values of it in turn, or \
             skip this check with `.ignore_check()`", .unknowns.join(", ")
    )]
    WithoutDerivative {
        /// The unknowns.
        unknowns: Vec<String>,
    },
    /// A table without influence on the data.
    #[error(
        "no measured output depends on the table `{table}` at the start values; measure what it changes, or leave it \
             known"
    )]
    UntouchedTable {
        /// The table's name.
        table: &'static str,
    },
}
