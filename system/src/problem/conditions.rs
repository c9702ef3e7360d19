//! What a run depends on besides its parameters; by it runs of one problem are told from those of another.

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
    /// The numbers of a step.
    pub weights: Weights,
    /// u_i at the ends of all steps, and at the start.
    pub inputs: Arc<InputSamples>,
    /// The data of the tables.
    pub tables: Tables,
    /// The lengths of the steps, where they differ.
    pub steps: Option<Arc<StepPlan>>,
}

/// A run that is given together with a problem is not one of that problem.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "the run is not one of this problem, {difference}: give the run and the problem that it was made with, or run \
     the problem anew"
)]
pub struct OtherProblem {
    /// What tells them apart.
    pub difference: ProblemDifference,
}

/// What tells a run from those of a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ProblemDifference {
    /// Their models.
    Model {
        /// That of the run.
        run: &'static str,
        /// That of the problem.
        problem: &'static str,
    },
    /// Their numbers of steps.
    Steps {
        /// Steps of the run.
        run: usize,
        /// Steps of the problem.
        problem: usize,
    },
    /// Their step sizes.
    Step {
        /// That of the run in s.
        run: f64,
        /// That of the problem in s.
        problem: f64,
    },
    /// The lengths of adaptive steps.
    StepLengths,
    /// The weights of the time integration, which follow from the settings.
    Scheme,
    /// The samples of the inputs.
    Inputs,
    /// The data of the tables.
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

    /// The error of a run under these conditions where one of another `model` is expected.
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
        // as a rule they are shared, and nothing is compared
        if !Arc::ptr_eq(&self.inputs, &problem.inputs) && self.inputs != problem.inputs {
            return Some(ProblemDifference::Inputs);
        }
        (self.tables != problem.tables).then_some(ProblemDifference::Tables)
    }
}
