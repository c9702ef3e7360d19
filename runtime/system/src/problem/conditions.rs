//! The conditions of a run besides its parameters, which tell the runs of different problems apart.

use std::fmt;
use std::sync::Arc;

use crate::model::Weights;
use crate::system::System;
use crate::table::Tables;

use super::input_samples::InputSamples;
use super::step_plan::StepPlan;

/// Scheme, inputs and tables of a problem, shared with its runs.
#[derive(Clone)]
#[allow(missing_debug_implementations)]
pub struct Conditions {
    /// The model.
    pub system: &'static dyn System,
    /// The weights of a step.
    pub weights: Weights,
    /// u_i at the ends of all steps, and at the start.
    pub inputs: Arc<InputSamples>,
    /// The data of the tables.
    pub tables: Tables,
    /// The lengths of the steps; `None` if they are constant.
    pub steps: Option<Arc<StepPlan>>,
}

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
        }
    }
}

impl Conditions {
    /// Checks that a run under these conditions is one of the problem with the conditions `problem`.
    pub fn check(&self, problem: &Self) -> Result<(), OtherProblem> {
        self.difference(problem).map_or(Ok(()), |difference| Err(OtherProblem { difference }))
    }

    /// Creates the error of a run under these conditions where one of another `model` is expected.
    pub fn of_other_model(&self, model: &'static str) -> OtherProblem {
        let run = self.system.description().name;
        OtherProblem { difference: ProblemDifference::Model { run, problem: model } }
    }

    fn difference(&self, problem: &Self) -> Option<ProblemDifference> {
        let (own, expected) = (self.system.description(), problem.system.description());
        if !own.is_same(expected) {
            return Some(ProblemDifference::Model { run: own.name, problem: expected.name });
        }
        let (steps, expected) = (self.inputs.len().saturating_sub(1), problem.inputs.len().saturating_sub(1));
        if steps != expected {
            return Some(ProblemDifference::Steps { run: steps, problem: expected });
        }
        if self.weights.step != problem.weights.step {
            return Some(ProblemDifference::Step { run: self.weights.step, problem: problem.weights.step });
        }
        if self.weights != problem.weights {
            return Some(ProblemDifference::Scheme);
        }
        let same_plan = match (&self.steps, &problem.steps) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other) || one == other,
            (one, other) => one.is_none() && other.is_none(),
        };
        if !same_plan {
            return Some(ProblemDifference::StepLengths);
        }
        // usually both share the inputs, and nothing is compared
        if !Arc::ptr_eq(&self.inputs, &problem.inputs) && self.inputs != problem.inputs {
            return Some(ProblemDifference::Inputs);
        }
        (self.tables != problem.tables).then_some(ProblemDifference::Tables)
    }
}
