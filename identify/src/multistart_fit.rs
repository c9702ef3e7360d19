//! The result of an identification from many starts.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::causes::with_causes;
use crate::identifiers::Dynamic;
use crate::optimize::{OptimizerState, Stop};

use super::definition::digits::significant;
use super::definition::error::IdentificationError;
use super::result::fit::Fit;
use super::result::table::write_columns;

/// The best fit of a multistart and the outcome of every start; [`Display`](fmt::Display) prints both as tables.
#[derive(Debug, Serialize)]
#[serde(bound = "")]
pub struct MultistartFit<M = Dynamic> {
    best: Fit<M>,
    starts: Vec<FittedStart>,
}

impl MultistartFit {
    /// Adds the type of the model.
    pub(super) fn tagged<N>(self) -> MultistartFit<N> {
        let Self { best, starts } = self;
        MultistartFit { best: best.tagged(), starts }
    }
}

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
pub(super) struct EndedStart {
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

impl<M> MultistartFit<M> {
    pub(super) fn new(best: Fit<M>, starts: Vec<FittedStart>) -> Self {
        Self { best, starts }
    }

    /// The fit with the lowest cost; its times are the sums over all starts and threads.
    pub fn best(&self) -> &Fit<M> {
        &self.best
    }

    /// The fit with the lowest cost.
    pub fn into_best(self) -> Fit<M> {
        self.best
    }

    /// Every start, lowest cost first and failed ones last.
    pub fn starts(&self) -> &[FittedStart] {
        &self.starts
    }
}

impl FittedStart {
    pub(super) fn new(ended: EndedStart) -> Self {
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

impl<M> fmt::Display for MultistartFit<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.best)?;
        let mut headings: Vec<String> =
            ["start", "cost", "iterations", "evaluations"].map(str::to_owned).into();
        headings.extend(self.best.summary().parameters.iter().map(|parameter| parameter.name.to_owned()));
        headings.push("outcome".to_owned());
        let lines: Vec<_> =
            std::iter::once(headings).chain(self.starts.iter().map(FittedStart::cells)).collect();
        write_columns(f, &lines)
    }
}

fn outcome<S: Serializer>(
    outcome: &Result<Stop, IdentificationError>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match outcome {
        Ok(stop) => stop.serialize(serializer),
        Err(error) => serializer.collect_str(&with_causes(error)),
    }
}
