//! Checking an identification, and running it.

use nalgebra::DMatrix;

use crate::cost::LeastSquares;
use crate::identifiers::Input;
use crate::input::{InputSignal, Sampled};
use crate::integrator::{Settings, SimulationError};
use crate::model::Model;
use crate::optimize::{OptimizeError, OptimizerState, Stop, Variable, minimize};
use crate::problem::Problem;
use crate::record::Channel;
use crate::series::Series;

use super::Identification;
use super::covariance::{ChannelRows, Covariance, covariance};
use super::error::{IdentificationError, StateFileError};
use super::evaluation::Evaluation;
use super::fit::{Fit, Outcome};
use super::progress::Progress;
use super::state_file::{self, Stored};

/// The longest part of a step by which the last sample may lie behind a step and still be at it.
const AT_STEP: f64 = 1e-9;

/// Everything checked and prepared.
struct Prepared<'a, M: Model> {
    problem: Problem<M>,
    cost: LeastSquares,
    channels: Vec<&'a Channel>,
    unknown: Vec<usize>,
    state: OptimizerState,
}

impl<'a, M: Model> Identification<'a, M> {
    /// Identifies.
    ///
    /// # Errors
    /// [`IdentificationError`]. A simulation that fails at trial parameters is no error, the line search steps
    /// back from there; one that fails at the start values is.
    pub fn run(mut self) -> Result<Fit<M>, IdentificationError> {
        let Prepared { problem, cost, channels, unknown, mut state } = self.prepare()?;
        let mut progress = Progress::new(self.progress, &problem);
        let problem = progress.follow(problem);
        let mut evaluation = Evaluation::new(&problem, &cost, &self.model, &unknown);
        self.minimise(&mut evaluation, &mut state, &mut progress)?;
        let rows = self.rows(&mut evaluation, &cost, &state)?;
        progress.finish();
        Ok(Fit::new(Outcome {
            model: M::from_parameters(&evaluation.parameters(&state.parameters())),
            unknown: &unknown,
            measurements: &self.measurements,
            channels: &channels,
            covariance: self.physical(covariance(&rows, unknown.len()), &state),
            state: &state,
            forward: evaluation.forward,
            backward: evaluation.backward,
        }))
    }

    fn prepare(&self) -> Result<Prepared<'a, M>, IdentificationError> {
        let unknown = self.unknown_indices()?;
        let start = self.model.parameters();
        let variable = |(unknown, &index): (&super::UnknownParameter<M>, &usize)| -> Variable {
            unknown.variable(start.as_ref()[index])
        };
        let variables = self.unknowns.iter().zip(&unknown).map(variable).collect();
        let state = OptimizerState::new(variables, self.optimizer.clone())?;
        let mut channels = Vec::new();
        for measurement in &self.measurements {
            if let Some(deviation) = measurement.deviation.filter(|d| !(*d > 0.0 && d.is_finite())) {
                let output = measurement.output.name();
                return Err(IdentificationError::Deviation { output, deviation });
            }
            channels.push(measurement.chosen()?);
        }
        let problem = Problem::new(self.run_settings()?, &self.input_signals()?)?
            .with_interrupt(self.interrupt.clone());
        let cost = self.cost(&problem, &channels)?;
        let state = self.continued(state, &problem, &channels)?;
        Ok(Prepared { problem, cost, channels, unknown, state })
    }

    fn unknown_indices(&self) -> Result<Vec<usize>, IdentificationError> {
        if self.unknowns.is_empty() {
            return Err(IdentificationError::NoUnknowns { model: M::DESCRIPTION.name });
        }
        let mut indices = Vec::new();
        for unknown in &self.unknowns {
            let parameter = unknown.parameter();
            if indices.contains(&parameter.index()) {
                return Err(IdentificationError::RepeatedUnknown { name: parameter.name() });
            }
            indices.push(parameter.index());
        }
        Ok(indices)
    }

    /// The signals given, and for inputs without one the record's channel with the input's name.
    fn input_signals(&self) -> Result<Vec<(Input<M>, InputSignal)>, IdentificationError> {
        let mut signals = self.signals.clone();
        for input in Input::<M>::all() {
            if signals.iter().any(|(given, _)| *given == input) {
                continue;
            }
            let recorded = self.measurements.iter().find_map(|measurement| {
                let channel = measurement.record.channel(input.name()).ok()?;
                Some((measurement.record.times().to_vec(), channel.values().to_vec()))
            });
            if let Some((times, values)) = recorded {
                let sampled = Sampled::new(times, values).map_err(SimulationError::from)?;
                signals.push((input, sampled.into()));
            }
        }
        Ok(signals)
    }

    /// Step and end, from the records where they are not given.
    fn run_settings(&self) -> Result<Settings, IdentificationError> {
        let Some(first) = self.measurements.first() else {
            return Err(IdentificationError::NoMeasurement { model: M::DESCRIPTION.name });
        };
        let record = || first.record.name().to_owned();
        let step = match self.step {
            Some(step) => step,
            None => {
                first.record.interval().ok_or_else(|| IdentificationError::NoStep { record: record() })?
            }
        };
        let last_times = self.measurements.iter().filter_map(|m| m.record.times().last());
        let last = last_times.fold(0.0_f64, |last, &time| last.max(time));
        let end = self.end.unwrap_or_else(|| (last / step - AT_STEP).ceil().max(1.0) * step);
        Ok(Settings { step, end, ..self.settings.clone() })
    }

    fn cost(&self, problem: &Problem<M>, channels: &[&Channel]) -> Result<LeastSquares, IdentificationError> {
        let mut cost = LeastSquares::new(problem.settings().step, problem.steps() + 1, self.quadrature);
        for (measurement, channel) in self.measurements.iter().zip(channels) {
            let (output, times) = (measurement.output, measurement.record.times());
            let added = cost.with_channel(output.index(), times, channel.values(), measurement.weight);
            cost = added.map_err(|source| IdentificationError::Measurement {
                record: measurement.record.name().to_owned(),
                output: output.name(),
                source,
            })?;
        }
        Ok(cost)
    }

    /// The state to begin with: the stored one if there is one.
    fn continued(
        &self,
        fresh: OptimizerState,
        problem: &Problem<M>,
        channels: &[&Channel],
    ) -> Result<OptimizerState, StateFileError> {
        let Some(path) = &self.state_file else { return Ok(fresh) };
        let given = self.stored(fresh, problem, channels);
        let Some(stored) = state_file::read(path)? else { return Ok(given.optimizer) };
        stored.check(&given, path)?;
        let mut state = stored.optimizer;
        state.set_maximum_iterations(self.optimizer.maximum_iterations);
        Ok(state)
    }

    fn stored(&self, optimizer: OptimizerState, problem: &Problem<M>, channels: &[&Channel]) -> Stored {
        let measurements = self.measurements.iter().zip(channels);
        Stored::new(
            &self.model,
            problem,
            measurements.map(|(m, channel)| (m.output.name(), m.weight, m.record.times(), channel.values())),
            self.quadrature,
            optimizer,
        )
    }

    fn minimise(
        &mut self,
        evaluation: &mut Evaluation<'_, M>,
        state: &mut OptimizerState,
        progress: &mut Progress,
    ) -> Result<Stop, IdentificationError> {
        let mut envelope = None;
        if self.state_file.is_some() {
            let channels = self.measurements.iter().map(|m| m.chosen()).collect::<Result<Vec<_>, _>>()?;
            envelope = Some(self.stored(state.clone(), evaluation.problem(), &channels));
        }
        let (path, interrupt, observer) = (&self.state_file, &self.interrupt, &mut self.observer);
        let mut observed = state.history().len();
        let result = minimize(evaluation, state, |state| {
            if let (Some(path), Some(envelope)) = (path, &mut envelope) {
                envelope.optimizer = state.clone();
                state_file::write(path, envelope)?;
            }
            if let Some(observer) = observer.as_mut() {
                state.history()[observed..].iter().for_each(observer);
            }
            observed = state.history().len();
            progress.show(state);
            match interrupt.is_triggered() && state.stop().is_none() {
                true => Err(SimulationError::Interrupted { time: 0.0 }.into()),
                false => Ok(()),
            }
        });
        result.map_err(|error| match error {
            OptimizeError::Start { source: IdentificationError::Simulation(source) } => {
                IdentificationError::Start { source }
            }
            OptimizeError::Start { source } | OptimizeError::Stopped { source } => {
                self.interrupted(source, state)
            }
            OptimizeError::StartNotFinite => IdentificationError::StartNotFinite,
        })
    }

    fn interrupted(&self, error: IdentificationError, state: &OptimizerState) -> IdentificationError {
        match error {
            IdentificationError::Simulation(SimulationError::Interrupted { .. }) => {
                IdentificationError::Interrupted {
                    iterations: state.iterations(),
                    state_file: self.state_file.clone(),
                }
            }
            other => other,
        }
    }

    /// Sensitivities, weights and residuals of every channel at the result.
    fn rows(
        &self,
        evaluation: &mut Evaluation<'_, M>,
        cost: &LeastSquares,
        state: &OptimizerState,
    ) -> Result<Vec<ChannelRows>, IdentificationError> {
        let found = evaluation.sensitivities(&state.parameters());
        let (outputs, derivatives) = found.map_err(|error| self.interrupted(error.into(), state))?;
        let scales = scales(state);
        let rows = |(channel, measurement): (&crate::MeasuredChannel, &super::Measurement<'_, M>)| {
            let mut sensitivities = DMatrix::zeros(channel.values().len(), derivatives.len());
            for (k, derivative) in derivatives.iter().enumerate() {
                for (j, value) in channel.interpolated(derivative as &Series<f64>).enumerate() {
                    sensitivities[(j, k)] = value * scales[k];
                }
            }
            ChannelRows {
                sensitivities,
                weights: channel.weights().to_vec(),
                residuals: channel.residuals(&outputs).collect(),
                deviation: measurement.deviation,
            }
        };
        Ok(cost.channels().iter().zip(&self.measurements).map(rows).collect())
    }

    /// The covariance of the parameters from that of the scaled variables.
    fn physical(&self, mut covariance: Covariance, state: &OptimizerState) -> Covariance {
        let scales = scales(state);
        for (row, a) in scales.iter().enumerate() {
            for (column, b) in scales.iter().enumerate() {
                covariance.matrix[(row, column)] *= a * b;
            }
        }
        covariance
    }
}

/// dp/dx of every unknown at the result.
fn scales(state: &OptimizerState) -> Vec<f64> {
    state.variables().iter().zip(state.parameters()).map(|(variable, p)| variable.slope(p)).collect()
}
