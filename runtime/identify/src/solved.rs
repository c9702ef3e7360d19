//! An estimation problem at its solution: what a fit keeps for questions about the neighbourhood of its minimum.

use std::fmt;

use costate_system::state_file::Description;

use super::definition::Definition;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::reweighting::Round;
use super::pieces::ShiftsByKnown;

/// The data, the weights and the minimum of a fit.
pub(crate) struct Solved {
    pub definition: Definition,
    /// The experiments, weighed as in the last minimisation.
    pub estimation: EstimationProblem,
    /// Found values of all unknowns.
    pub unknowns: Vec<f64>,
    /// J of the found values.
    pub cost: f64,
    /// Description of everything that tasks with these data depend on.
    pub description: Description,
    /// Effects of known parameters; `None` unless continuous pieces are the result.
    pub by_known: Option<ShiftsByKnown>,
}

impl Solved {
    /// Creates the problem at the end of its last minimisation.
    pub fn new(definition: Definition, estimation: EstimationProblem, round: Round, description: Description) -> Self {
        let (unknowns, cost) = (round.state.parameters(), round.state.cost());
        let by_known = round.growth.filter(|growth| growth.only_in_pieces).map(|growth| growth.by_known);
        Self { definition, estimation, unknowns, cost, description, by_known }
    }
}

impl fmt::Debug for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solved").field("unknowns", &self.unknowns).field("cost", &self.cost).finish_non_exhaustive()
    }
}
