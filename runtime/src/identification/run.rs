//! Running an identification.

use std::path::Path;
use std::time::Duration;

use nalgebra::DMatrix;

use crate::cost::LeastSquares;
use crate::dual::Dual;
use crate::interrupt::{Interrupted, InterruptedWork};
use crate::model::Model;
use crate::optimize::{OptimizeError, OptimizerState, Stop, minimize_least_squares};
use crate::series::Series;
use crate::state_file::{Description, StateFile};

use super::covariance::{ChannelRows, Covariance, covariance};
use super::error::IdentificationError;
use super::evaluation::{Differentiated, Evaluation};
use super::explanation::Explanation;
use super::fit::{AdaptiveSteps, Fit, FittedCost, Outcome};
use super::prepare::Prepared;
use super::progress::Progress;
use super::state_file::WORK;
use super::{Identification, WeightedCost};

/// Adaptive steps that leave more than this, in units of their tolerance, at the parameters that were found with them are chosen
/// anew, at most so often.
const MOST_EXCESS: f64 = 4.0;
const MOST_RENEWALS: usize = 5;

impl<'a, M: Model> Identification<'a, M> {
    /// Identifies. Adaptive steps are those of the start, so that the cost is a smooth function; if they leave too much at the
    /// parameters that were found, they are chosen anew for these and the minimisation goes on from there.
    ///
    /// # Errors
    /// [`IdentificationError`]. A simulation that fails at trial parameters is no error, the line search steps
    /// back from there; one that fails at the start values is.
    #[inline(never)]
    pub fn run(mut self) -> Result<Fit<M>, IdentificationError> {
        let mut prepared = self.prepare()?;
        self.check_start(&prepared)?;
        let mut progress = Progress::new(self.progress, &prepared.problem);
        prepared.problem = progress.follow(prepared.problem);
        let (method, gradient) = (self.optimizer.method, self.gradient_method);
        let mut state = prepared.state.clone();
        let file = self.state_file.as_deref().map(|path| StateFile::open(path, WORK)).transpose()?;
        let file = file.map(|file| (file, self.description(&state, &prepared.problem, &prepared.channels)));
        if let Some((file, description)) = &file {
            state = self.continued(state, file, description)?;
        }
        let (mut earlier, mut spent) = (Vec::new(), (0, Duration::ZERO, Duration::ZERO));
        loop {
            let Prepared { problem, cost, unknown, .. } = &prepared;
            let mut evaluation = Evaluation::new(problem, cost, &self.model, unknown, method, gradient);
            (evaluation.simulations, evaluation.forward, evaluation.backward) = spent;
            self.minimise(&mut evaluation, &mut state, file.as_ref(), &mut progress)?;
            let found = evaluation.parameters(&state.parameters());
            let excess = problem.step_excess(&found)?;
            // a file continues with the steps of the start
            if excess <= MOST_EXCESS || earlier.len() == MOST_RENEWALS || file.is_some() {
                let fit = self.conclude(&mut evaluation, &prepared, &state)?;
                progress.finish();
                return Ok(fit.with_steps(AdaptiveSteps::of(problem, earlier.len(), excess), &earlier));
            }
            spent = (evaluation.simulations, evaluation.forward, evaluation.backward);
            drop(evaluation);
            progress.say(&format!(
                "steps are chosen anew: at these parameters they leave {excess:.1} times the tolerance"
            ));
            prepared.problem = prepared.problem.with_steps_for(&found)?;
            let next = state.restarted();
            earlier.push(state);
            state = next;
        }
    }

    /// The result of a minimisation that ended in `state`.
    pub(super) fn conclude(
        &self,
        evaluation: &mut Evaluation<'_, M>,
        prepared: &Prepared<'_, M>,
        state: &OptimizerState,
    ) -> Result<Fit<M>, IdentificationError> {
        let found = evaluation.sensitivities(&state.parameters()).map_err(|error| {
            IdentificationError::from(error).within(|| interrupted(state, self.state_file.as_deref()))
        })?;
        let (rows, costs) = self.rows(&found, &prepared.measured, state);
        let accuracy = found.accuracy.as_ref();
        let measured = (&prepared.channels[..], &rows[..]);
        let explanation = Explanation::of(&prepared.problem, &self.measurements, measured, accuracy);
        Ok(Fit::new(Outcome {
            model: M::from_parameters(&evaluation.parameters(&state.parameters())),
            unknown: &prepared.unknown,
            measurements: &self.measurements,
            channels: &prepared.channels,
            assumed_units: self.assumed_units(prepared),
            costs: &costs,
            accuracy,
            explanation,
            covariance: self.physical(covariance(&rows, prepared.unknown.len()), state),
            state,
            simulations: evaluation.simulations,
            forward: evaluation.forward,
            backward: evaluation.backward,
        }))
    }

    fn minimise(
        &mut self,
        evaluation: &mut Evaluation<'_, M>,
        state: &mut OptimizerState,
        file: Option<&(StateFile, Description)>,
        progress: &mut Progress,
    ) -> Result<Stop, IdentificationError> {
        let (path, interrupt, observer) = (&self.state_file, &self.interrupt, &mut self.observer);
        let mut observed = state.history().len();
        let result = minimize_least_squares(evaluation, state, |state| {
            if let Some((file, description)) = file {
                file.write(description, state)?;
            }
            if let Some(observer) = observer.as_mut() {
                state.history()[observed..].iter().for_each(observer);
            }
            observed = state.history().len();
            progress.show(state);
            match interrupt.is_triggered() && state.stop().is_none() {
                true => Err(interrupted(state, path.as_deref()).into()),
                false => Ok(()),
            }
        });
        result.map_err(|error| ended(error).within(|| interrupted(state, path.as_deref())))
    }

    /// Sensitivities, weights and residuals at the result, of every channel and then of every further cost; and what
    /// there is to tell about the further costs.
    fn rows(
        &self,
        found: &Differentiated,
        measured: &LeastSquares,
        state: &OptimizerState,
    ) -> (Vec<ChannelRows>, Vec<FittedCost>) {
        let Differentiated { outputs, derivatives, .. } = found;
        let scales = scales(state);
        let mut rows = self.channel_rows(measured, outputs, derivatives, &scales);
        if self.costs.is_empty() {
            return (rows, Vec::new());
        }
        let further = cost_rows(&self.costs, outputs, derivatives, &scales);
        let fitted = |((weight, cost), rows): (&WeightedCost<'_>, &Option<ChannelRows>)| FittedCost {
            weight: *weight,
            cost: cost.value(outputs),
            residuals: rows.as_ref().map_or(0, |rows| rows.residuals.len()),
            standard_deviation: f64::INFINITY,
        };
        let costs = self.costs.iter().zip(&further).map(fitted).collect();
        rows.extend(
            further.into_iter().map(|rows| rows.unwrap_or_else(|| ChannelRows::unknown(scales.len()))),
        );
        (rows, costs)
    }

    fn channel_rows(
        &self,
        measured: &LeastSquares,
        outputs: &Series<f64>,
        derivatives: &[Series<f64>],
        scales: &[f64],
    ) -> Vec<ChannelRows> {
        let rows = |(channel, measurement): (&crate::cost::MeasuredChannel, &super::Measurement<'_, M>)| {
            let mut sensitivities = DMatrix::zeros(channel.values().len(), derivatives.len());
            for (k, derivative) in derivatives.iter().enumerate() {
                for (j, value) in channel.interpolated(derivative).enumerate() {
                    sensitivities[(j, k)] = value * scales[k];
                }
            }
            ChannelRows {
                sensitivities,
                weights: channel.weights().to_vec(),
                residuals: channel.residuals(outputs).collect(),
                deviation: measurement.deviation,
            }
        };
        measured.channels().iter().zip(&self.measurements).map(rows).collect()
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

/// An identification that has come to this state.
pub(super) fn interrupted(state: &OptimizerState, file: Option<&Path>) -> Interrupted {
    Interrupted::with_state(InterruptedWork::Identification { iterations: state.iterations() }, file)
}

/// Why a minimisation ended without a result.
pub(super) fn ended(error: OptimizeError<IdentificationError>) -> IdentificationError {
    match error {
        OptimizeError::Start { source: IdentificationError::Simulation(source) } => {
            IdentificationError::Start { source }
        }
        OptimizeError::Start { source } | OptimizeError::Stopped { source } => source,
        OptimizeError::StartNotFinite => IdentificationError::StartNotFinite,
        OptimizeError::Method(error) => IdentificationError::Unknowns(error.into()),
    }
}

/// The residuals of the further costs, with their sensitivities by dual numbers; `None` for a cost without residuals.
fn cost_rows(
    costs: &[WeightedCost<'_>],
    outputs: &Series<f64>,
    derivatives: &[Series<f64>],
    scales: &[f64],
) -> Vec<Option<ChannelRows>> {
    let directions: Vec<_> =
        derivatives.iter().zip(scales).map(|(series, scale)| directed(outputs, series, *scale)).collect();
    let rows = |(weight, cost): &WeightedCost<'_>| {
        let columns: Vec<_> =
            directions.iter().map(|outputs| cost.residuals(outputs)).collect::<Option<_>>()?;
        let first = columns.first()?;
        Some(ChannelRows {
            sensitivities: DMatrix::from_fn(first.residuals.len(), scales.len(), |j, k| {
                columns[k].residuals[j].derivative
            }),
            weights: first.weights.iter().map(|own| weight * own).collect(),
            residuals: first.residuals.iter().map(|residual| residual.value).collect(),
            deviation: None,
        })
    };
    costs.iter().map(rows).collect()
}

/// The outputs, carrying `scale` times a derivative.
pub(super) fn directed(outputs: &Series<f64>, derivative: &Series<f64>, scale: f64) -> Series<Dual> {
    let mut directed = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        let numbers = outputs.row(i).iter().zip(derivative.row(i));
        for (to, (&value, &derivative)) in directed.row_mut(i).iter_mut().zip(numbers) {
            *to = Dual { value, derivative: scale * derivative };
        }
    }
    directed
}

/// dp/dx of every unknown at the result.
fn scales(state: &OptimizerState) -> Vec<f64> {
    state.variables().iter().zip(state.parameters()).map(|(variable, p)| variable.slope(p)).collect()
}
