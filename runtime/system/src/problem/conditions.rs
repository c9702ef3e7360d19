//! The conditions of a run besides its parameters, by which the runs of different problems are distinguished.

use std::sync::Arc;

use crate::model::Weights;
use crate::system::System;
use crate::table::Tables;

use super::GivenStart;
use super::error::{OtherProblem, ProblemDifference};
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
    /// The order of the run.
    pub order: u32,
    /// u_i at the ends of all steps, and at the start.
    pub inputs: Arc<InputSamples>,
    /// The data of the tables.
    pub tables: Tables,
    /// The lengths of the steps; `None` if they are constant.
    pub steps: Option<Arc<StepPlan>>,
    /// Number of steps of the whole run before those of this part.
    pub first: usize,
    /// The start of a part of a run; `None` for that of the model.
    pub start: Option<Arc<GivenStart>>,
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
        if (self.weights, self.order) != (problem.weights, problem.order) {
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
        if (self.first, &self.start) != (problem.first, &problem.start) {
            return Some(ProblemDifference::Start);
        }
        (self.tables != problem.tables).then_some(ProblemDifference::Tables)
    }
}
