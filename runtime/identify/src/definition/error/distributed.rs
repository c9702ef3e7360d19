//! Failures of joint costs over processes.

/// A disagreement of the processes that share a joint cost, or a failure of one of them: start them with the same
/// program and settings, and each with its own experiments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DistributedError {
    /// More processes than experiments.
    #[error("{processes} processes cannot share {experiments} experiments; start at most {experiments}")]
    IdleProcesses {
        /// Number of processes.
        processes: usize,
        /// Number of experiments.
        experiments: usize,
    },
    /// Other experiments than those of this process.
    #[error(
        "{given} experiments are given, and this process has those with the numbers {} to {}, counted from 0; add \
             these, in their order",
        .own.start, .own.end.saturating_sub(1)
    )]
    ExperimentsOfOthers {
        /// Number of given experiments.
        given: usize,
        /// Numbers of the experiments of this process.
        own: std::ops::Range<usize>,
    },
    /// A setting that needs the data of all experiments in one process.
    #[error(
        "{what} is not possible in a distributed identification, in which no process has all experiments; {remedy}"
    )]
    NotDistributed {
        /// The setting.
        what: &'static str,
        /// Remedy, for the message.
        remedy: &'static str,
    },
    /// Processes with different settings.
    #[error(
        "{what} is {there} in process {process} and {root} in process 0; all processes must have the same definition \
             except for their experiments"
    )]
    ProcessesDiffer {
        /// The process.
        process: usize,
        /// Name of the setting that differs.
        what: String,
        /// Value of the setting in this process.
        there: String,
        /// Value of the setting in process 0.
        root: String,
    },
    /// The error of another process.
    #[error("process {process} has failed: {message}")]
    OtherProcess {
        /// The process.
        process: usize,
        /// The error with its causes.
        message: String,
    },
}
