//! What a search has found.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Criterion;
use crate::identification::{significant, write_columns};
use crate::identifiers::{Dynamic, Input};
use crate::information::{Fisher, Information};
use crate::information_gradient::Evaluated;
use crate::input::Sampled;
use crate::optimize::Stop;
use crate::problem::Problem;
use crate::series::Series;

use super::evaluation::{Search, Values, channel};

/// An iteration of a search for an optimal input; number 0 is the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DesignIteration {
    /// Number of the iteration.
    pub number: usize,
    /// The round that it belongs to, from 0.
    pub round: usize,
    /// Phi, the criterion of the relative information.
    pub cost: f64,
    /// The largest violation of end conditions and limits, as a part of their scales.
    pub violation: f64,
    /// Norm of the gradient of what is minimised in this round, in scaled variables.
    pub gradient_norm: f64,
    /// Simulations of the experiment so far.
    pub evaluations: usize,
}

/// How well an end condition is met.
#[derive(Debug, Clone, PartialEq)]
pub struct EndDeviation {
    /// What the condition is about.
    pub name: String,
    /// The value that it shall have.
    pub target: f64,
    /// The value that it has.
    pub value: f64,
    /// The size that the tolerance belongs to.
    pub scale: f64,
}

impl EndDeviation {
    /// |value - target|/scale
    pub fn relative(&self) -> f64 {
        (self.value - self.target).abs() / self.scale
    }
}

/// The inputs of an optimal experiment, and what it tells, beside those that were given as start.
///
/// [`Display`](fmt::Display) prints a table.
#[derive(Debug, Clone)]
pub struct OptimalExperiment<M = Dynamic> {
    inputs: Vec<Input<M>>,
    start_information: Information<M>,
    information: Information<M>,
    found: Found,
}

/// What an [`OptimalExperiment`] says whatever the type of its model.
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

/// What a result is made of.
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

    /// With the type of the model.
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
    /// The designed inputs.
    pub fn inputs(&self) -> &[Input<M>] {
        &self.inputs
    }

    /// An input of the optimal experiment at all steps, in its unit.
    pub fn samples(&self, input: Input<M>) -> Vec<f64> {
        channel(&self.found.problem, input.index())
    }

    /// An input at all steps, as it was given as start, also to a search that began elsewhere.
    pub fn start_samples(&self, input: Input<M>) -> Vec<f64> {
        channel(&self.found.start, input.index())
    }

    /// An input of the optimal experiment as a record, linear between the steps, to drive a
    /// `Simulation` or the test bench.
    pub fn signal(&self, input: Input<M>) -> Sampled {
        let step = self.found.problem.settings().step;
        Sampled::equidistant(step, self.samples(input))
    }

    /// The optimal experiment, ready to be simulated.
    pub fn problem(&self) -> &Problem {
        &self.found.problem
    }

    /// The experiment with the inputs that were given as start.
    pub fn start_problem(&self) -> &Problem {
        &self.found.start
    }

    /// What the optimal experiment tells of the parameters.
    pub fn information(&self) -> &Information<M> {
        &self.information
    }

    /// What the experiment with the given start tells of them.
    pub fn start_information(&self) -> &Information<M> {
        &self.start_information
    }

    /// Phi of the optimal experiment.
    pub fn cost(&self) -> f64 {
        self.found.cost
    }

    /// The outputs of the optimal experiment at all steps.
    pub fn outputs(&self) -> &Series<f64> {
        &self.found.outputs
    }

    /// How well the end conditions are met.
    pub fn ends(&self) -> &[EndDeviation] {
        &self.found.ends
    }

    /// The largest violation of end conditions and limits, as a part of their scales.
    pub fn violation(&self) -> f64 {
        self.found.violation
    }

    /// Whether conditions and limits are kept to the tolerance.
    pub fn keeps(&self) -> bool {
        self.found.violation <= self.found.tolerance
    }

    /// Whether conditions and limits are kept to the tolerance and the minimisation has not run out of iterations.
    pub fn is_converged(&self) -> bool {
        self.keeps() && self.found.stop != Stop::MaximumIterations
    }

    /// All iterations, the start first.
    pub fn history(&self) -> &[DesignIteration] {
        &self.found.history
    }

    /// Rounds of the augmented Lagrangian.
    pub fn rounds(&self) -> usize {
        self.found.rounds
    }

    /// Simulations, without those for gradients.
    pub fn evaluations(&self) -> usize {
        self.found.evaluations
    }

    /// Why the last round ended.
    pub fn stop(&self) -> Stop {
        self.found.stop
    }

    /// Time that the search took.
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

/// As a table; `names` are those of the designed inputs.
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
        vec![["parameter", "value", "std. deviation, start", "optimal", "ratio"].map(str::to_owned).into()];
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
            "\nat the end {} = {:.3e}, {:.1e} of {:.3e} from {}",
            end.name,
            end.value,
            end.relative(),
            end.scale,
            end.target
        )?;
    }
    if found.violation > found.tolerance {
        write!(
            f,
            "\nnot converged: conditions or limits are violated by {:.1e} of their scales",
            found.violation
        )?;
    }
    Ok(())
}
