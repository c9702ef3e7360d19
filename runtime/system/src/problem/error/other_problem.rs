//! The error of a run that belongs to another problem.

use std::fmt;

/// The error of a run that is given together with a problem to which it does not belong.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "the run does not belong to this problem, {difference}: pass the run together with the problem that it was made \
     with, or run the problem again"
)]
pub struct OtherProblem {
    /// The difference between both.
    pub difference: ProblemDifference,
}

/// The difference between a run and those of a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ProblemDifference {
    /// The models differ.
    Model {
        /// Model of the run.
        run: &'static str,
        /// Model of the problem.
        problem: &'static str,
    },
    /// The numbers of steps differ.
    Steps {
        /// Steps of the run.
        run: usize,
        /// Steps of the problem.
        problem: usize,
    },
    /// The step sizes differ.
    Step {
        /// Step size of the run in s.
        run: f64,
        /// Step size of the problem in s.
        problem: f64,
    },
    /// The lengths of adaptive steps differ.
    StepLengths,
    /// The weights of the time integration differ, which follow from the settings.
    Scheme,
    /// The samples of the inputs differ.
    Inputs,
    /// The data of the tables differ.
    Tables,
    /// Parts of a run begin at other times, or with other positions and velocities.
    Start,
}

impl fmt::Display for ProblemDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model { run, problem } if run == problem => write!(f, "it is one of another model `{run}`"),
            Self::Model { run, problem } => {
                write!(f, "it is one of the model `{run}` instead of `{problem}`")
            }
            Self::Steps { run, problem } => write!(f, "it has {run} steps instead of {problem}"),
            Self::Step { run, problem } => write!(f, "it has steps of {run} s instead of {problem} s"),
            Self::StepLengths => f.write_str("its adaptive steps have other lengths"),
            Self::Scheme => f.write_str("it has other settings of the time integration"),
            Self::Inputs => f.write_str("it has other inputs"),
            Self::Tables => f.write_str("it has other data in its tables"),
            Self::Start => f.write_str("it begins at another time, or with other positions and velocities"),
        }
    }
}
