//! Steps and order that a fit has chosen.

use serde::{Deserialize, Serialize};

use super::Definition;
use super::experiment::ExperimentDefinition;

/// Steps and order of the runs of which no step was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepChoice {
    /// Number of steps in a sampling interval.
    pub parts: usize,
    /// Order of the runs of which no other order than 2 was given.
    pub order: u32,
    /// Number of steps of all runs that runs of second order would need, as far as they were compared.
    pub of_second_order: Option<usize>,
    /// Number of times that the choice was made again for found values.
    pub renewals: usize,
}

/// Largest number of steps in a sampling interval: as many times more than at the beginning as where a run looks for
/// its step.
pub const MAX_PARTS: usize = 64;

impl StepChoice {
    /// Steps of a sampling interval each, of second order.
    pub const FIRST: Self = Self { parts: 1, order: 2, of_second_order: None, renewals: 0 };

    /// Returns true for numbers that can have been chosen.
    pub fn is_possible(self) -> bool {
        (1..=MAX_PARTS).contains(&self.parts) && (2..=6).contains(&self.order)
    }
}

impl Definition {
    /// Returns true if the fit chooses its steps: it may, and no experiment has a step or a tolerance, or a cost that
    /// was made for the steps.
    pub fn chooses_steps(&self) -> bool {
        let is_free = |one: &&ExperimentDefinition| {
            let run = self.run_of(one);
            one.step.or(run.step).is_none() && !run.settings.steps.is_adaptive() && one.costs.is_empty()
        };
        let runs = self.fitted_runs();
        self.may_choose_steps && self.finer == 1 && !runs.is_empty() && runs.iter().all(is_free)
    }

    /// Returns the number of steps in a sampling interval of a run without a given step.
    pub fn parts_of(&self, experiment: &ExperimentDefinition) -> usize {
        match (self.choice, experiment.step.or(self.run_of(experiment).step)) {
            (Some(choice), None) => choice.parts,
            _ => 1,
        }
    }
}
