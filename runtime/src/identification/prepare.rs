//! Checking an identification, and taking from the records what is not given.

use std::sync::Arc;

use crate::cost::{Cost, LeastSquares, SumCost};
use crate::gradient::{GradientMethod, check_accuracy};
use crate::identifiers::{Input, Parameter};
use crate::initial::check_parameters;
use crate::input::{InputSignal, Sampled};
use crate::model::{Model, SelectedParameters};
use crate::optimize::{OptimizerState, Variable};
use crate::problem::{Problem, Settings, SimulationError};
use crate::record::{AssumedUnit, note};
use crate::scalar::Vector;
use crate::verify::{GradientReport, check_gradient_by};

use super::Identification;
use super::error::IdentificationError;
use super::unknown::{Measurement, Taken, UnknownParameter};

/// The longest part of a step by which the last sample may lie behind a step and still be at it.
const AT_STEP: f64 = 1e-9;

/// Everything checked and prepared.
pub(super) struct Prepared<'a, M: Model> {
    pub problem: Problem<M>,
    /// The least squares of the measured outputs, which `cost` contains.
    pub measured: Arc<LeastSquares>,
    pub cost: SumCost<'a>,
    pub channels: Vec<Taken<'a>>,
    pub unknown: Vec<usize>,
    pub state: OptimizerState,
}

impl<'a, M: Model> Identification<'a, M> {
    /// The simulation that the identification runs, with the step size, end time and inputs that it has taken from
    /// the records.
    ///
    /// # Errors
    /// As [`run`](Self::run), before anything runs.
    pub fn problem(&self) -> Result<Problem<M>, IdentificationError> {
        self.problem_with(self.run_settings()?)
    }

    fn problem_with(&self, settings: Settings) -> Result<Problem<M>, IdentificationError> {
        let signals = self.input_signals(settings.end)?;
        let problem = Problem::with_tables(settings, &signals, self.tables.clone())?;
        let problem = problem.with_interrupt(self.interrupt.clone());
        Ok(problem.with_steps_for(&self.model.parameters())?)
    }

    /// Compares the gradient of the identification's own cost at the start values, by its
    /// [`gradient_method`](Self::gradient_method), with dual numbers; see [`check_gradient`](crate::check_gradient).
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn check_gradient(&self) -> Result<GradientReport, IdentificationError> {
        let Prepared { problem, cost, unknown, .. } = self.prepare()?;
        let unknown: Vec<Parameter<M>> = unknown.into_iter().map(Parameter::at).collect();
        Ok(check_gradient_by(self.gradient_method, &problem, &self.model, &cost, &unknown)?)
    }

    pub(super) fn prepare(&self) -> Result<Prepared<'a, M>, IdentificationError> {
        let unknown = self.unknown_indices()?;
        self.check_gradient_method()?;
        let start = self.model.parameters();
        let variable = |(unknown, &index): (&UnknownParameter<M>, &usize)| -> Variable {
            unknown.variable(start.as_ref()[index])
        };
        let variables = self.unknowns.iter().zip(&unknown).map(variable).collect();
        let state = OptimizerState::new(variables, self.optimizer.clone())?;
        check_parameters::<M, f64>(&start).map_err(SimulationError::from)?;
        self.check_outputs()?;
        let mut channels = Vec::new();
        for measurement in &self.measurements {
            if let Some(deviation) = measurement.deviation.filter(|d| !(*d > 0.0 && d.is_finite())) {
                let output = measurement.output.name();
                return Err(IdentificationError::Deviation { output, deviation });
            }
            channels.push(measurement.taken()?);
        }
        let problem = self.problem()?;
        if problem.has_checkpoints() && self.is_continuous() {
            return Err(SimulationError::StatesMissing { method: self.gradient_method.to_string() }.into());
        }
        let measured = Arc::new(self.least_squares(&problem, &channels)?);
        let cost = self.total(&problem, Arc::clone(&measured))?;
        Ok(Prepared { problem, measured, cost, channels, unknown, state })
    }

    /// Whether the step is small enough at the start values. A simulation that fails there is left to the optimizer, and one
    /// with checkpoints is not looked at.
    pub(super) fn check_start(&self, prepared: &Prepared<'_, M>) -> Result<(), IdentificationError> {
        let problem = &prepared.problem;
        if problem.has_checkpoints() || problem.settings().error_limit.is_none() {
            return Ok(());
        }
        let Ok(run) = problem.forward(&self.model.parameters()) else { return Ok(()) };
        let settings = Settings { step: 0.5 * problem.settings().step, ..problem.settings().clone() };
        let finer = || match self.problem_with(settings) {
            _ if problem.step_plan().is_some() => problem.refined(),
            Err(IdentificationError::Simulation(error)) => Err(error),
            finer => Ok(finer.unwrap_or_else(|_| problem.clone())),
        };
        check_accuracy(problem, &run, &run.outputs(), finer)
            .map_err(|source| IdentificationError::Start { source })
    }

    fn check_gradient_method(&self) -> Result<(), IdentificationError> {
        let (method, gradient) = (self.optimizer.method, self.gradient_method);
        gradient.check().map_err(SimulationError::from)?;
        if self.is_continuous() && method.needs_residuals() {
            return Err(IdentificationError::GradientMethod { method, gradient });
        }
        Ok(())
    }

    fn is_continuous(&self) -> bool {
        matches!(self.gradient_method, GradientMethod::ContinuousAdjoint { .. })
    }

    fn unknown_indices(&self) -> Result<Vec<usize>, IdentificationError> {
        if self.unknowns.is_empty() {
            return Err(IdentificationError::NoUnknowns { model: M::DESCRIPTION.name });
        }
        let indices: Vec<usize> = self.unknowns.iter().map(|unknown| unknown.parameter().index()).collect();
        SelectedParameters::of::<M>(&indices)?;
        Ok(indices)
    }

    /// The signals given, and for inputs without one the record's channel with the input's name, which may have no gap.
    /// The last value is held from the end of the record to that of the run.
    fn input_signals(&self, end: f64) -> Result<Vec<(Input<M>, InputSignal)>, IdentificationError> {
        let mut signals = self.signals.clone();
        for input in Input::<M>::all() {
            if signals.iter().any(|(given, _)| *given == input) {
                continue;
            }
            let recorded = self.measurements.iter().find(|m| m.record.channel(input.name()).is_ok());
            if let Some(Measurement { record, .. }) = recorded {
                let sampled = Sampled::from_record(record, input.name())?;
                signals.push((input, sampled.held_to(end).into()));
            }
        }
        Ok(signals)
    }

    /// Step and end, from the records where they are not given.
    fn run_settings(&self) -> Result<Settings, IdentificationError> {
        if self.measurements.is_empty() && self.costs.is_empty() {
            return Err(IdentificationError::NoMeasurement { model: M::DESCRIPTION.name });
        }
        let step = match (self.step, self.measurements.first()) {
            (Some(step), _) => step,
            (None, Some(Measurement { record, .. })) => record
                .interval()
                .ok_or_else(|| IdentificationError::NoStep { record: record.name().to_owned() })?,
            (None, None) => {
                return Err(IdentificationError::NoRecord { what: "step size", method: "step" });
            }
        };
        let last_times = self.measurements.iter().filter_map(|m| m.record.times().last());
        let last = last_times.copied().reduce(f64::max);
        let end = match (self.end, last) {
            (Some(end), _) => end,
            (None, Some(last)) => (last / step - AT_STEP).ceil().max(1.0) * step,
            (None, None) => return Err(IdentificationError::NoRecord { what: "end", method: "until" }),
        };
        Ok(Settings { step, end, ..self.settings.clone() })
    }

    /// The least squares and the further costs.
    fn total(
        &self,
        problem: &Problem<M>,
        measured: Arc<LeastSquares>,
    ) -> Result<SumCost<'a>, IdentificationError> {
        let (step, samples) = (problem.settings().step, problem.samples());
        let outputs = <M::Outputs<f64> as Vector<f64>>::LENGTH;
        let mut total = SumCost::new();
        if !self.measurements.is_empty() {
            total = total.with_shared(1.0, measured)?;
        }
        for (index, (weight, cost)) in self.costs.iter().enumerate() {
            if !cost.fits(step, samples, outputs) {
                return Err(IdentificationError::CostRun { index, step, samples, outputs });
            }
            total = total.with_shared(*weight, Arc::clone(cost))?;
        }
        Ok(total)
    }

    /// The data that have no unit and are taken in the model's.
    pub(super) fn assumed_units(&self, prepared: &Prepared<'_, M>) -> Vec<AssumedUnit> {
        let mut assumed = Vec::new();
        note(&mut assumed, prepared.channels.iter().filter_map(|channel| channel.assumed.clone()));
        note(&mut assumed, self.costs.iter().flat_map(|(_, cost)| cost.assumed_units()));
        note(&mut assumed, prepared.problem.assumed_units().iter().cloned());
        assumed
    }

    fn least_squares(
        &self,
        problem: &Problem<M>,
        channels: &[Taken<'_>],
    ) -> Result<LeastSquares, IdentificationError> {
        let mut cost = LeastSquares::new(problem.settings().step, problem.samples(), self.quadrature);
        for (measurement, Taken { samples, .. }) in self.measurements.iter().zip(channels) {
            let output = measurement.output;
            let added = cost.with_channel(output, &samples.times, &samples.values, measurement.weight);
            cost = added.map_err(|source| IdentificationError::Measurement {
                record: measurement.record.name().to_owned(),
                output: output.name(),
                source,
            })?;
        }
        Ok(cost)
    }
}
