//! Cost and gradient by simulation.

use std::time::{Duration, Instant};

use crate::cost::Cost;
use crate::dual::Dual;
use crate::gradient::{self, Accuracy, GradientMethod};
use crate::identifiers::Parameter;
use crate::model::Model;
use crate::optimize::{
    Failure, LeastSquaresObjective, LinearResiduals, Method, MethodError, Objective, StartError,
};
use crate::problem::{Problem, SimulationError};
use crate::run::StoredRun;
use crate::scalar::LANES;
use crate::series::Series;

use super::error::IdentificationError;
use super::run::directed;
use super::together::Membership;

/// Fewer runs than these cost less one by one than in lanes.
const LEAST_IN_LANES: usize = 3;

/// A run before it was asked for, and its parameters.
struct Announced<M: Model> {
    parameters: M::Parameters<f64>,
    run: Result<StoredRun<M>, SimulationError>,
}

/// A run with its derivatives.
pub(super) struct Differentiated {
    pub outputs: Series<f64>,
    /// By each unknown parameter.
    pub derivatives: Vec<Series<f64>>,
    /// `None` for a run with checkpoints.
    pub accuracy: Option<Accuracy>,
}

/// The cost as a function of the unknown parameters.
pub(super) struct Evaluation<'a, M: Model> {
    problem: &'a Problem<M>,
    cost: &'a dyn Cost,
    /// The parameters that are not unknown; the places of the unknown ones are overwritten.
    known: M::Parameters<f64>,
    unknown: &'a [usize],
    /// The run at the latest trial parameters.
    latest: Option<StoredRun<M>>,
    /// Runs at parameters that were announced, and others of the same line search.
    announced: Vec<Announced<M>>,
    /// Simulations for the cost.
    pub simulations: usize,
    method: Method,
    gradient_method: GradientMethod,
    /// The minimisations whose simulations go in lanes with these, if any.
    together: Option<Membership<'a, 'a, M>>,
    /// Time that was spent waiting for them.
    waited: Duration,
    pub forward: Duration,
    pub backward: Duration,
}

impl<'a, M: Model> Evaluation<'a, M> {
    pub fn new(
        problem: &'a Problem<M>,
        cost: &'a dyn Cost,
        model: &M,
        unknown: &'a [usize],
        method: Method,
        gradient_method: GradientMethod,
    ) -> Self {
        Self {
            problem,
            cost,
            known: model.parameters(),
            unknown,
            latest: None,
            announced: Vec::new(),
            simulations: 0,
            method,
            gradient_method,
            together: None,
            waited: Duration::ZERO,
            forward: Duration::ZERO,
            backward: Duration::ZERO,
        }
    }

    /// The same with simulations and gradients by the discrete adjoint in lanes with those of others.
    pub fn together(self, membership: Membership<'a, 'a, M>) -> Self {
        Self { together: Some(membership), ..self }
    }

    /// All parameters with the unknown ones replaced.
    pub fn parameters(&self, unknown: &[f64]) -> M::Parameters<f64> {
        let mut parameters = self.known.clone();
        for (&index, &value) in self.unknown.iter().zip(unknown) {
            parameters.as_mut()[index] = value;
        }
        parameters
    }

    /// The outputs, their derivatives with respect to the unknown parameters, and how accurate they are.
    pub fn sensitivities(&mut self, unknown: &[f64]) -> Result<Differentiated, SimulationError> {
        self.latest = None;
        self.announced.clear();
        let parameters = self.parameters(unknown);
        let mut run = self.problem.run(&parameters)?;
        let derivatives = gradient::sensitivities(self.problem, &mut run, &Parameter::each_at(self.unknown))?;
        let states = run.trajectory();
        let accuracy = states.map(|states| gradient::accuracy(self.problem, states, run.outputs()));
        Ok(Differentiated { accuracy: accuracy.transpose()?, outputs: run.into_outputs(), derivatives })
    }

    fn simulate(&mut self, unknown: &[f64]) -> Result<f64, SimulationError> {
        let parameters = self.parameters(unknown);
        if let Some(run) = self.take_announced(&parameters) {
            let run = run?;
            let cost = self.cost.value(run.outputs());
            self.latest = Some(run);
            return Ok(cost);
        }
        // Free the old states before the new ones are stored.
        self.latest = None;
        self.announced.clear();
        self.simulations += 1;
        let start = Instant::now();
        let run = match &self.together {
            Some(membership) => {
                let (run, time) = membership.run(parameters);
                self.waited += start.elapsed().saturating_sub(time);
                run?
            }
            None => self.problem.run(&parameters)?,
        };
        let cost = self.cost.value(run.outputs());
        self.latest = Some(run);
        Ok(cost)
    }

    /// The run that was announced with these parameters; keeps the latest one in its place, as the search may return.
    fn take_announced(
        &mut self,
        parameters: &M::Parameters<f64>,
    ) -> Option<Result<StoredRun<M>, SimulationError>> {
        let wanted = |announced: &Announced<M>| announced.parameters.as_ref() == parameters.as_ref();
        let place = self.announced.iter().position(wanted)?;
        let Announced { run, .. } = self.announced.swap_remove(place);
        if let Some(latest) = self.latest.take() {
            self.announced.push(Announced { parameters: latest.parameters().clone(), run: Ok(latest) });
        }
        Some(run)
    }

    /// Simulates unless the latest run has these parameters.
    fn simulated(&mut self, unknown: &[f64]) -> Result<(), SimulationError> {
        let wanted = self.parameters(unknown);
        let known = |latest: &StoredRun<M>| latest.parameters().as_ref() == wanted.as_ref();
        if !self.latest.as_ref().is_some_and(known) {
            self.simulate(unknown)?;
        }
        Ok(())
    }

    fn differentiate(&mut self, unknown: &[f64], gradient: &mut [f64]) -> Result<(), SimulationError> {
        self.simulated(unknown)?;
        let Some(mut latest) = self.latest.take() else { return Ok(()) };
        let outputs = latest.outputs();
        let mut by_outputs = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        self.cost.add_gradient(outputs, &mut by_outputs);
        if let Some(membership) = &self.together {
            let start = Instant::now();
            let (latest, result, time) = membership.gradient(latest, by_outputs);
            self.waited += start.elapsed().saturating_sub(time);
            self.latest = latest;
            gradient.copy_from_slice(&result?);
            return Ok(());
        }
        let result = self.gradient_method.gradient(
            self.problem,
            &mut latest,
            &by_outputs,
            &Parameter::each_at(self.unknown),
        );
        self.latest = Some(latest);
        gradient.copy_from_slice(&result?);
        Ok(())
    }
}

impl<M: Model> Evaluation<'_, M> {
    /// sqrt(w_j) r_j with their derivatives, from the sensitivities; `None` for a cost without residuals.
    fn linearise(&mut self, unknown: &[f64]) -> Result<Option<LinearResiduals>, SimulationError> {
        self.simulated(unknown)?;
        let Some(latest) = &mut self.latest else { return Ok(None) };
        let sensitivities =
            gradient::sensitivities(self.problem, &mut *latest, &Parameter::each_at(self.unknown))?;
        let mut linear = LinearResiduals { values: Vec::new(), derivatives: Vec::new() };
        for sensitivity in &sensitivities {
            let Some(residuals) = self.cost.residuals(&directed(latest.outputs(), sensitivity, 1.0)) else {
                return Ok(None);
            };
            let scaled = |part: fn(&Dual) -> f64| -> Vec<f64> {
                let rows = residuals.weights.iter().zip(&residuals.residuals);
                rows.map(|(weight, residual)| weight.sqrt() * part(residual)).collect()
            };
            linear.values = scaled(|residual| residual.value);
            linear.derivatives.push(scaled(|residual| residual.derivative));
        }
        Ok(Some(linear))
    }
}

impl<M: Model> LeastSquaresObjective for Evaluation<'_, M> {
    fn residuals(&mut self, parameters: &[f64]) -> Result<LinearResiduals, Failure<IdentificationError>> {
        let start = Instant::now();
        let result = self.linearise(parameters);
        self.backward += start.elapsed();
        let missing = || StartError::from(MethodError::NoResiduals { method: self.method });
        result.map_err(failure)?.ok_or_else(|| Failure::Stop(missing().into()))
    }
}

impl<M: Model> Objective for Evaluation<'_, M> {
    type Error = IdentificationError;

    fn announce(&mut self, parameters: &[Vec<f64>]) {
        let together = self.together.is_some() || !self.problem.runs_in_lanes();
        if together || parameters.len() < LEAST_IN_LANES {
            return;
        }
        let start = Instant::now();
        self.latest = None;
        self.announced.clear();
        let parameters: Vec<_> = parameters.iter().map(|unknown| self.parameters(unknown)).collect();
        for four in parameters.chunks(LANES) {
            let runs = self.problem.run_four(four).into_iter().zip(four);
            self.announced
                .extend(runs.map(|(run, parameters)| Announced { parameters: parameters.clone(), run }));
        }
        self.simulations += parameters.len();
        self.forward += start.elapsed();
    }

    fn cost(&mut self, parameters: &[f64]) -> Result<f64, Failure<IdentificationError>> {
        let start = Instant::now();
        let result = self.simulate(parameters);
        self.forward += start.elapsed().saturating_sub(std::mem::take(&mut self.waited));
        result.map_err(failure)
    }

    fn gradient(
        &mut self,
        parameters: &[f64],
        gradient: &mut [f64],
    ) -> Result<(), Failure<IdentificationError>> {
        let start = Instant::now();
        let result = self.differentiate(parameters, gradient);
        self.backward += start.elapsed().saturating_sub(std::mem::take(&mut self.waited));
        result.map_err(failure)
    }
}

/// What would fail at any parameters ends the identification; the rest is a bad trial.
fn failure(error: SimulationError) -> Failure<IdentificationError> {
    let fails_anywhere = error.fails_anywhere();
    let error = IdentificationError::from(error);
    if fails_anywhere { Failure::Stop(error) } else { Failure::Here(error) }
}
