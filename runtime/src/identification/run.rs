//! Running an identification.

use nalgebra::DMatrix;

use crate::cost::LeastSquares;
use crate::integrator::SimulationError;
use crate::model::Model;
use crate::optimize::{OptimizeError, OptimizerState, Stop, minimize};
use crate::problem::Problem;
use crate::record::Channel;
use crate::series::Series;

use super::Identification;
use super::covariance::{ChannelRows, Covariance, covariance};
use super::error::{IdentificationError, StateFileError};
use super::evaluation::Evaluation;
use super::fit::{Fit, Outcome};
use super::prepare::Prepared;
use super::progress::Progress;
use super::state_file::{self, Stored};

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

    /// The state to begin with: the stored one if there is one.
    pub(super) fn continued(
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
