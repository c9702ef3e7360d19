//! Cost and gradient of one experiment by simulation.

use std::time::{Duration, Instant};

use crate::gradient::{self, GradientMethod};
use crate::identifiers::Parameter;
use crate::model::Model;
use crate::optimize::LinearResiduals;
use crate::problem::SimulationError;
use crate::run::StoredRun;
use crate::scalar::LANES;

use super::campaign::Prepared;
use super::covariance::ChannelRows;
use super::differentiated::Differentiated;
use super::together::Membership;

/// Fewer runs than these cost less one by one than in lanes.
const LEAST_IN_LANES: usize = 3;

/// A run before it was asked for, and its parameters.
struct Announced<M: Model> {
    parameters: M::Parameters<f64>,
    run: Result<StoredRun<M>, SimulationError>,
}

impl<M: Model> Prepared<'_, M> {
    /// The outputs, without derivatives, and how accurate they are.
    pub fn simulated(&self, unknowns: &[f64]) -> Result<Differentiated, SimulationError> {
        let run = self.problem.run(&self.parameters(unknowns))?;
        let accuracy =
            run.trajectory().map(|states| gradient::accuracy(&self.problem, states, run.outputs()));
        let accuracy = accuracy.transpose()?;
        Ok(Differentiated { accuracy, outputs: run.into_outputs(), derivatives: Vec::new() })
    }
}

/// The runs of one experiment.
pub(super) struct Simulations<'a, M: Model> {
    prepared: &'a Prepared<'a, M>,
    /// The run at the latest trial parameters.
    latest: Option<StoredRun<M>>,
    /// Runs at parameters that were announced, and others of the same line search.
    announced: Vec<Announced<M>>,
    /// Simulations for the cost.
    pub count: usize,
    /// Time that was spent waiting for others in lanes.
    pub waited: Duration,
}

impl<'a, M: Model> Simulations<'a, M> {
    pub fn new(prepared: &'a Prepared<'a, M>) -> Self {
        Self { prepared, latest: None, announced: Vec::new(), count: 0, waited: Duration::ZERO }
    }

    /// Gives the memory of old runs back before new states are stored.
    fn forget(&mut self) {
        self.latest = None;
        self.announced.clear();
    }

    /// The outputs, their derivatives with respect to the unknown parameters, and how accurate they are.
    pub fn sensitivities(&mut self, unknowns: &[f64]) -> Result<Differentiated, SimulationError> {
        self.forget();
        let Prepared { problem, selection, .. } = self.prepared;
        let mut run = problem.run(&self.prepared.parameters(unknowns))?;
        let derivatives =
            gradient::sensitivities(problem, &mut run, &Parameter::each_at(&selection.parameters))?;
        let states = run.trajectory();
        let accuracy = states.map(|states| gradient::accuracy(problem, states, run.outputs()));
        let derivatives = selection.unknowns.iter().copied().zip(derivatives).collect();
        Ok(Differentiated { accuracy: accuracy.transpose()?, outputs: run.into_outputs(), derivatives })
    }

    /// J of the experiment. In a multistart the runs of several starts go `together`.
    pub fn cost(
        &mut self,
        unknowns: &[f64],
        together: Option<&Membership<'_, '_, M>>,
    ) -> Result<f64, SimulationError> {
        let Prepared { problem, comparison, number, .. } = self.prepared;
        let parameters = self.prepared.parameters(unknowns);
        if let Some(run) = self.take_announced(&parameters) {
            let run = run?;
            let cost = comparison.value(run.outputs(), unknowns);
            self.latest = Some(run);
            return Ok(cost);
        }
        // trials that differ in the numbers of measurements, or of other experiments, alone
        if let Some(latest) = &self.latest
            && latest.parameters().as_ref() == parameters.as_ref()
        {
            return Ok(comparison.value(latest.outputs(), unknowns));
        }
        self.forget();
        self.count += 1;
        let start = Instant::now();
        let run = match together {
            Some(membership) => {
                let (run, time) = membership.run(*number, parameters);
                self.waited += start.elapsed().saturating_sub(time);
                run?
            }
            None => problem.run(&parameters)?,
        };
        let cost = comparison.value(run.outputs(), unknowns);
        self.latest = Some(run);
        Ok(cost)
    }

    /// Simulates at several trial parameters at once, in lanes.
    pub fn announce(&mut self, trials: &[Vec<f64>]) {
        if trials.len() < LEAST_IN_LANES || !self.prepared.problem.runs_in_lanes() {
            return;
        }
        self.forget();
        let parameters: Vec<_> = trials.iter().map(|unknowns| self.prepared.parameters(unknowns)).collect();
        for four in parameters.chunks(LANES) {
            let runs = self.prepared.problem.run_four(four).into_iter().zip(four);
            self.announced
                .extend(runs.map(|(run, parameters)| Announced { parameters: parameters.clone(), run }));
        }
        self.count += parameters.len();
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
    fn simulated(&mut self, unknowns: &[f64]) -> Result<(), SimulationError> {
        let wanted = self.prepared.parameters(unknowns);
        let known = |latest: &StoredRun<M>| latest.parameters().as_ref() == wanted.as_ref();
        if !self.latest.as_ref().is_some_and(known) {
            self.cost(unknowns, None)?;
        }
        Ok(())
    }

    /// dJ/dz of the experiment.
    pub fn gradient(
        &mut self,
        unknowns: &[f64],
        method: GradientMethod,
        together: Option<&Membership<'_, '_, M>>,
    ) -> Result<Vec<f64>, SimulationError> {
        self.simulated(unknowns)?;
        let mut gradient = vec![0.0; unknowns.len()];
        let Some(mut latest) = self.latest.take() else { return Ok(gradient) };
        let Prepared { problem, comparison, selection, number, .. } = self.prepared;
        let by_outputs = comparison.gradient(latest.outputs(), unknowns, &mut gradient);
        let by_parameters = match together {
            Some(membership) => {
                let start = Instant::now();
                let (latest, result, time) = membership.gradient(*number, latest, by_outputs);
                self.waited += start.elapsed().saturating_sub(time);
                self.latest = latest;
                result?
            }
            None => {
                let result = method.gradient(
                    problem,
                    &mut latest,
                    &by_outputs,
                    &Parameter::each_at(&selection.parameters),
                );
                self.latest = Some(latest);
                result?
            }
        };
        for (&unknown, derivative) in selection.unknowns.iter().zip(by_parameters) {
            gradient[unknown] += derivative;
        }
        Ok(gradient)
    }

    /// The residuals of the experiment, weights included, with their derivatives by all unknowns; `None` for a cost without
    /// residuals.
    pub fn residuals(&mut self, unknowns: &[f64]) -> Result<Option<LinearResiduals>, SimulationError> {
        self.simulated(unknowns)?;
        let Prepared { problem, comparison, selection, .. } = self.prepared;
        let Some(latest) = &mut self.latest else { return Ok(None) };
        let derivatives =
            gradient::sensitivities(problem, &mut *latest, &Parameter::each_at(&selection.parameters))?;
        let derivatives: Vec<_> = selection.unknowns.iter().copied().zip(derivatives).collect();
        let outputs = latest.outputs();
        let channels = comparison.channel_rows(outputs, &derivatives, unknowns).into_iter().map(Some);
        let costs = comparison.cost_rows(outputs, &derivatives, unknowns.len());
        let rows: Option<Vec<ChannelRows>> = channels.chain(costs).collect();
        Ok(rows.map(|rows| {
            let mut linear = LinearResiduals::default();
            rows.iter().for_each(|rows| rows.add_linear(&mut linear));
            linear
        }))
    }
}
