//! Criterion, end conditions and limits as a function of the variables.

use std::cell::RefCell;

use costate_numerics::linalg::MatrixFault;
use costate_optimize::{Failure, Objective};
use costate_system::problem::{Problem, SimulationError};

use crate::information_gradient::{Evaluated, Experiment, FirstOrder};
use crate::{Criterion, InformationError};

use super::condition::{EndCondition, InputLimit};
use super::designed_input::PreparedInput;
use super::error::OptimalInputError;
use super::lagrangian::Lagrangian;

/// A search that is set up, without the values of its variables.
#[derive(Clone)]
pub(super) struct Search {
    pub problem: Problem,
    pub experiment: Experiment,
    pub inputs: Vec<PreparedInput>,
    pub conditions: Vec<EndCondition>,
    /// Scale of every condition.
    pub scales: Vec<f64>,
    pub limits: Vec<InputLimit>,
    pub measure: Measure,
}

/// A monotone function of the criterion, of size 1 in all units: its logarithm, except for the determinant, whose
/// criterion is a logarithm itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Measure {
    /// ln |Phi| for criteria that are positive, -ln |Phi| for those that are negative.
    Logarithm,
    Criterion,
}

impl Measure {
    pub fn of(criterion: Criterion) -> Self {
        match criterion {
            Criterion::Determinant => Self::Criterion,
            _ => Self::Logarithm,
        }
    }

    fn value(self, cost: f64) -> f64 {
        match self {
            Self::Logarithm => cost.signum() * cost.abs().ln(),
            Self::Criterion => cost,
        }
    }

    /// Returns the divisor of the criterion's derivative that gives that of the measure.
    fn divisor(self, cost: f64) -> f64 {
        match self {
            Self::Logarithm => cost.abs(),
            Self::Criterion => 1.0,
        }
    }
}

/// The values of criterion, end conditions and limits.
#[derive(Debug, Clone, Default)]
pub(super) struct Values {
    /// Phi of the criterion.
    pub cost: f64,
    /// c, one per condition: the distance from the target over the scale.
    pub conditions: Vec<f64>,
    /// g of all limits.
    pub limits: Vec<f64>,
}

impl Search {
    /// Returns the start values of the variables.
    pub fn start(&self) -> Vec<f64> {
        let variables = self.inputs.iter().flat_map(|input| &input.variables);
        variables.map(|variable| variable.start()).collect()
    }

    /// Returns the experiment with the inputs of these variables.
    pub fn problem_with(&self, variables: &[f64]) -> Result<Problem, SimulationError> {
        let mut inputs = self.problem.inputs().clone();
        let mut rest = variables;
        for designed in &self.inputs {
            let (own, others) = rest.split_at(designed.variables.len().min(rest.len()));
            rest = others;
            for (i, value) in designed.values(own).into_iter().enumerate().take(inputs.len()) {
                inputs.row_mut(i)[designed.index] = value;
            }
        }
        self.problem.clone().with_inputs(inputs.rows())
    }

    /// Simulates, and evaluates criterion, end conditions and limits.
    pub fn evaluate(&self, problem: &Problem) -> Result<(Values, Evaluated), InformationError> {
        let evaluated = self.experiment.evaluate(problem)?;
        let outputs = evaluated.outputs.row(evaluated.outputs.samples() - 1);
        let values = Values {
            cost: evaluated.cost,
            conditions: self.conditions(&evaluated.end, outputs),
            limits: self.limits(problem),
        };
        Ok((values, evaluated))
    }

    /// Returns the derivatives of the measure of the criterion, and of the terms of the Lagrangian, with respect to
    /// the variables.
    fn gradient(&self, lagrangian: &Lagrangian, variables: &[f64]) -> Result<Vec<f64>, InformationError> {
        let problem = self.problem_with(variables)?;
        let further = |cost: f64, end: &[f64], outputs: &[f64]| {
            let mut further = FirstOrder::none(problem.description());
            let factors = lagrangian.of_equalities(&self.conditions(end, outputs));
            for ((condition, scale), factor) in self.conditions.iter().zip(&self.scales).zip(factors) {
                // the result is divided by the divisor below
                let factor = self.measure.divisor(cost) * factor / scale;
                condition.add_gradient(factor, &mut further.state, &mut further.outputs);
            }
            further
        };
        let result = self.experiment.differentiate(&problem, &further)?;
        let divisor = self.measure.divisor(result.cost);
        let factors = lagrangian.of_inequalities(&self.limits(&problem));
        let mut gradient = vec![0.0; variables.len()];
        let mut start = 0;
        for designed in &self.inputs {
            let end = start + designed.variables.len();
            let mut of_samples: Vec<f64> = result
                .inputs
                .channel(designed.index)
                .into_iter()
                .flatten()
                .map(|derivative| derivative / divisor)
                .collect();
            let mut factors = &factors[..];
            for limit in &self.limits {
                let (own, others) = factors.split_at(limit.count(problem.settings()));
                factors = others;
                if limit.input() == designed.index {
                    limit.add_gradient(
                        problem.settings().step,
                        &channel(&problem, designed.index),
                        own,
                        &mut of_samples,
                    );
                }
            }
            designed.add_gradient(&variables[start..end], of_samples, &mut gradient[start..end]);
            start = end;
        }
        Ok(gradient)
    }

    fn conditions(&self, end: &[f64], outputs: &[f64]) -> Vec<f64> {
        let conditions = self.conditions.iter().zip(&self.scales);
        conditions.map(|(condition, scale)| (condition.value(end, outputs) - condition.target()) / scale).collect()
    }

    fn limits(&self, problem: &Problem) -> Vec<f64> {
        let values = |limit: &InputLimit| limit.values(problem.settings().step, &channel(problem, limit.input()));
        self.limits.iter().flat_map(values).collect()
    }

    /// Returns the numbers of equalities and inequalities.
    pub fn constraints(&self) -> (usize, usize) {
        let limits = self.limits.iter().map(|limit| limit.count(self.problem.settings()));
        (self.conditions.len(), limits.sum())
    }
}

/// Returns one input at all steps.
pub(super) fn channel(problem: &Problem, input: usize) -> Vec<f64> {
    problem.inputs().rows().map(|row| row[input]).collect()
}

/// The augmented Lagrangian of one round.
pub(super) struct Evaluation<'a> {
    pub search: &'a Search,
    pub lagrangian: &'a Lagrangian,
    /// Values of the latest simulation.
    latest: Values,
    /// Values at the latest gradient.
    pub reached: &'a RefCell<Values>,
}

impl<'a> Evaluation<'a> {
    pub fn new(search: &'a Search, lagrangian: &'a Lagrangian, reached: &'a RefCell<Values>) -> Self {
        Self { search, lagrangian, latest: Values::default(), reached }
    }
}

impl Objective for Evaluation<'_> {
    type Error = OptimalInputError;

    fn cost(&mut self, variables: &[f64]) -> Result<f64, Failure<OptimalInputError>> {
        let problem = self.search.problem_with(variables).map_err(|error| failure(error.into()))?;
        let (values, _) = self.search.evaluate(&problem).map_err(failure)?;
        let cost = self.search.measure.value(values.cost) + self.lagrangian.value(&values.conditions, &values.limits);
        self.latest = values;
        Ok(cost)
    }

    fn gradient(&mut self, variables: &[f64], gradient: &mut [f64]) -> Result<(), Failure<OptimalInputError>> {
        gradient.copy_from_slice(&self.search.gradient(self.lagrangian, variables).map_err(failure)?);
        self.reached.replace(self.latest.clone());
        Ok(())
    }
}

/// Converts an error: one that would occur with any input ends the search, any other makes a bad trial.
fn failure(error: InformationError) -> Failure<OptimalInputError> {
    let here = match &error {
        InformationError::Simulation(error) => !error.fails_anywhere(),
        InformationError::Sensitivity { .. }
        | InformationError::Singular { .. }
        | InformationError::Matrix(MatrixFault::NotFinite { .. }) => true,
        _ => false,
    };
    if here { Failure::Here(error.into()) } else { Failure::Stop(error.into()) }
}
