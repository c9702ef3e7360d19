//! The result of a search for an optimal input.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use costate_identify::{significant, write_columns};
use costate_optimize::Stop;
use costate_system::identifiers::{Dynamic, Input};
use costate_system::input::Sampled;
use costate_system::problem::Problem;
use costate_system::series::Series;

use crate::Criterion;
use crate::information::{Fisher, Information};
use crate::information_gradient::Evaluated;

use super::evaluation::{Search, Values, channel};

/// An iteration of a search for an optimal input; number 0 is the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DesignIteration {
    /// Number of the iteration.
    pub number: usize,
    /// Number of the round of the iteration, from 0.
    pub round: usize,
    /// Phi, the criterion of the relative information.
    pub cost: f64,
    /// The largest violation of end conditions and limits, as a part of their scales.
    pub violation: f64,
    /// Norm of the gradient of the augmented Lagrangian of this round, in scaled variables.
    pub gradient_norm: f64,
    /// Simulations of the experiment so far.
    pub evaluations: usize,
}

/// The deviation from an end condition.
#[derive(Debug, Clone, PartialEq)]
pub struct EndDeviation {
    /// Name of the quantity of the condition.
    pub name: String,
    /// Target value.
    pub target: f64,
    /// Value at the end.
    pub value: f64,
    /// Size to which the tolerance is relative.
    pub scale: f64,
}

impl EndDeviation {
    /// Returns |value - target|/scale.
    pub fn relative(&self) -> f64 {
        (self.value - self.target).abs() / self.scale
    }
}

/// The inputs of an optimal experiment, and its information, with those of the given start for comparison.
///
/// [`Display`](fmt::Display) prints a table.
#[derive(Debug, Clone)]
pub struct OptimalExperiment<M = Dynamic> {
    inputs: Vec<Input<M>>,
    start_information: Information<M>,
    information: Information<M>,
    found: Found,
}

/// The result in an [`OptimalExperiment`] that does not depend on the type of its model.
#[derive(Debug, Clone)]
struct Found {
    criterion: Criterion,
    start: Problem,
    problem: Problem,
    cost: f64,
    outputs: Series<f64>,
    ends: Vec<EndDeviation>,
    violation: f64,
    tolerance: f64,
    history: Vec<DesignIteration>,
    rounds: usize,
    evaluations: usize,
    stop: Stop,
    elapsed: Duration,
}

/// The data from which a result is made.
pub(super) struct Outcome<'a> {
    pub search: &'a Search,
    pub inputs: Vec<Input>,
    pub start: Problem,
    pub found: Problem,
    pub start_information: Fisher,
    pub evaluated: Evaluated,
    pub values: Values,
    pub tolerance: f64,
    pub history: Vec<DesignIteration>,
    pub rounds: usize,
    pub evaluations: usize,
    pub stop: Stop,
    pub elapsed: Duration,
}

impl OptimalExperiment {
    pub(super) fn new(outcome: Outcome<'_>) -> Self {
        let Outcome { search, values, evaluated, .. } = outcome;
        let conditions = search.conditions.iter().zip(&search.scales).zip(&values.conditions);
        let ends = conditions.map(|((condition, &scale), distance)| {
            let target = condition.target();
            EndDeviation { name: condition.name(), target, value: target + distance * scale, scale }
        });
        let found = Found {
            criterion: search.experiment.criterion,
            start: outcome.start,
            problem: outcome.found,
            cost: evaluated.cost,
            outputs: evaluated.outputs,
            ends: ends.collect(),
            violation: super::lagrangian::Lagrangian::violation(&values.conditions, &values.limits).max(0.0),
            tolerance: outcome.tolerance,
            history: outcome.history,
            rounds: outcome.rounds,
            evaluations: outcome.evaluations,
            stop: outcome.stop,
            elapsed: outcome.elapsed,
        };
        Self {
            inputs: outcome.inputs,
            start_information: Information::of(outcome.start_information),
            information: Information::of(evaluated.fisher),
            found,
        }
    }

    /// Adds the type of the model.
    pub(super) fn tagged<N>(self) -> OptimalExperiment<N> {
        let Self { inputs, start_information, information, found } = self;
        OptimalExperiment {
            inputs: inputs.into_iter().map(Input::tagged).collect(),
            start_information: start_information.tagged(),
            information: information.tagged(),
            found,
        }
    }
}

impl<M> OptimalExperiment<M> {
    /// Returns the designed inputs.
    pub fn inputs(&self) -> &[Input<M>] {
        &self.inputs
    }

    /// Returns an input of the optimal experiment at all steps, in its unit.
    pub fn samples(&self, input: Input<M>) -> Vec<f64> {
        channel(&self.found.problem, input.index())
    }

    /// Returns an input of the optimal experiment as a record, linear between the steps, to drive a `Simulation` or
    /// the test bench.
    pub fn signal(&self, input: Input<M>) -> Sampled {
        let step = self.found.problem.settings().step;
        Sampled::equidistant(step, self.samples(input))
    }

    /// Returns the optimal experiment, ready to be simulated.
    pub fn problem(&self) -> &Problem {
        &self.found.problem
    }

    /// Returns the experiment with the inputs that were given as start.
    pub fn start_problem(&self) -> &Problem {
        &self.found.start
    }

    /// Returns the information of the optimal experiment about the parameters.
    pub fn information(&self) -> &Information<M> {
        &self.information
    }

    /// Returns the information of the experiment with the given start about the parameters.
    pub fn start_information(&self) -> &Information<M> {
        &self.start_information
    }

    /// Returns Phi of the optimal experiment.
    pub fn cost(&self) -> f64 {
        self.found.cost
    }

    /// Returns the outputs of the optimal experiment at all steps.
    pub fn outputs(&self) -> &Series<f64> {
        &self.found.outputs
    }

    /// Returns the deviations from the end conditions.
    pub fn ends(&self) -> &[EndDeviation] {
        &self.found.ends
    }

    /// Returns the largest violation of end conditions and limits, as a part of their scales.
    pub fn violation(&self) -> f64 {
        self.found.violation
    }

    /// Returns true if conditions and limits are kept to the tolerance.
    pub fn keeps(&self) -> bool {
        self.found.violation <= self.found.tolerance
    }

    /// Returns true if conditions and limits are kept to the tolerance and the minimisation has not run out of
    /// iterations.
    pub fn is_converged(&self) -> bool {
        self.keeps() && self.found.stop != Stop::MaximumIterations
    }

    /// Returns all iterations, beginning with the start.
    pub fn history(&self) -> &[DesignIteration] {
        &self.found.history
    }

    /// Returns the number of rounds of the augmented Lagrangian.
    pub fn rounds(&self) -> usize {
        self.found.rounds
    }

    /// Returns the number of simulations, without those for gradients.
    pub fn evaluations(&self) -> usize {
        self.found.evaluations
    }

    /// Returns the rule that ended the last round.
    pub fn stop(&self) -> Stop {
        self.found.stop
    }

    /// Returns the time that the search took.
    pub fn elapsed(&self) -> Duration {
        self.found.elapsed
    }
}

impl<M> fmt::Display for OptimalExperiment<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.inputs.iter().map(|input| input.name()).collect();
        write_found(f, &names, &self.found, [self.start_information.fisher(), self.information.fisher()])
    }
}

/// Writes the result as a table; `names` are those of the designed inputs.
fn write_found(
    f: &mut fmt::Formatter<'_>,
    names: &[&'static str],
    found: &Found,
    [start, optimal]: [&Fisher; 2],
) -> fmt::Result {
    writeln!(
        f,
        "{}: {} for {}, {} iterations in {} rounds, {} simulations, {:.2} s ({})",
        found.problem.description().name,
        names.join(", "),
        found.criterion,
        found.history.len().saturating_sub(1),
        found.rounds,
        found.evaluations,
        found.elapsed.as_secs_f64(),
        found.stop
    )?;
    let mut lines: Vec<Vec<String>> =
        vec![["parameter", "value", "std. deviation, start input", "optimal input", "ratio"].map(str::to_owned).into()];
    let deviations = start.standard_deviations().into_iter().zip(optimal.standard_deviations());
    for (known, (start, optimal)) in optimal.parameters.iter().zip(deviations) {
        lines.push(vec![
            known.name().to_owned(),
            significant(known.value, 6),
            significant(start, 3),
            significant(optimal, 3),
            significant(start / optimal, 3),
        ]);
    }
    write_columns(f, &lines)?;
    for end in &found.ends {
        write!(
            f,
            "\nat the end {} = {:.3e}, target {}, deviation {:.1e} relative to {:.3e}",
            end.name,
            end.value,
            end.target,
            end.relative(),
            end.scale
        )?;
    }
    if found.violation > found.tolerance {
        write!(f, "\nnot converged: conditions or limits are violated by {:.1e} of their scales", found.violation)?;
    }
    Ok(())
}
