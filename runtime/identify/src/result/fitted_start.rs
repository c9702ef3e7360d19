//! The starts of an identification from many starts.

use std::fmt;

use serde::{Serialize, Serializer};

use costate_optimize::{OptimizerState, Stop};
use costate_system::causes::with_causes;

use super::columns::write_columns;
use crate::definition::digits::significant;
use crate::definition::error::IdentificationError;

/// One start of a multistart and its end.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct FittedStart {
    /// Number of the start; 0 is that of the model.
    pub number: usize,
    /// The unknown parameters at the start, in their units and in the order in which they were given.
    pub start: Vec<f64>,
    /// The unknown parameters at the end; after a failure those of the last complete iteration.
    pub found: Vec<f64>,
    /// J at the end; `None` after a failure.
    pub cost: Option<f64>,
    /// Iterations of the optimizer.
    pub iterations: usize,
    /// Simulations for the cost.
    pub evaluations: usize,
    /// The rule that stopped the minimisation, or the error; in JSON the stopping rule's name or the error's message.
    #[serde(serialize_with = "outcome")]
    pub outcome: Result<Stop, IdentificationError>,
}

/// One start with the state in which it has ended.
pub(crate) struct EndedStart {
    pub number: usize,
    pub start: Vec<f64>,
    pub state: OptimizerState,
    pub outcome: Result<Stop, IdentificationError>,
}

impl EndedStart {
    /// Returns J at the end; `None` after a failure.
    pub fn cost(&self) -> Option<f64> {
        self.outcome.is_ok().then(|| self.state.cost())
    }
}

impl FittedStart {
    pub(crate) fn new(ended: EndedStart) -> Self {
        Self {
            number: ended.number,
            cost: ended.cost(),
            found: ended.state.parameters(),
            iterations: ended.state.iterations(),
            evaluations: ended.state.evaluations(),
            outcome: ended.outcome,
            start: ended.start,
        }
    }

    fn cells(&self) -> Vec<String> {
        let mut cells = vec![
            self.number.to_string(),
            self.cost.map_or("-".to_owned(), |cost| significant(cost, 4)),
            self.iterations.to_string(),
            self.evaluations.to_string(),
        ];
        cells.extend(self.found.iter().map(|value| significant(*value, 5)));
        cells.push(match &self.outcome {
            Ok(stop) => stop.to_string(),
            Err(error) => format!("failed: {}", with_causes(error)),
        });
        cells
    }
}

/// Writes the starts as a table; `unknowns` are the names of the unknowns.
pub(super) fn write_starts(
    f: &mut fmt::Formatter<'_>,
    unknowns: impl Iterator<Item = String>,
    starts: &[FittedStart],
) -> fmt::Result {
    let mut headings: Vec<String> = ["start", "cost", "iterations", "evaluations"].map(str::to_owned).into();
    headings.extend(unknowns);
    headings.push("outcome".to_owned());
    let lines: Vec<_> = std::iter::once(headings).chain(starts.iter().map(FittedStart::cells)).collect();
    write_columns(f, &lines)
}

fn outcome<S: Serializer>(outcome: &Result<Stop, IdentificationError>, serializer: S) -> Result<S::Ok, S::Error> {
    match outcome {
        Ok(stop) => stop.serialize(serializer),
        Err(error) => serializer.collect_str(&with_causes(error)),
    }
}
