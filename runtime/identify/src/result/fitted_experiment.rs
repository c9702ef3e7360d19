//! The result of a fit for one experiment.

use std::borrow::Cow;
use std::sync::OnceLock;

use costate_measure::record::{Record, RecordError};
use costate_numerics::scalar::array;
use costate_system::identifiers::{Dynamic, Output, Parameter};
use costate_system::model::Model;
use costate_system::series::Series;
use costate_system::system::ModelValue;

use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::linearized_run::LinearizedRun;

/// The run of one experiment at the found parameters, with the measured values.
#[derive(Debug, Clone)]
pub struct FittedExperiment<M = Dynamic> {
    result: ExperimentResult,
    model: OnceLock<M>,
}

/// The result of a fit for one experiment, without the type of its model.
#[derive(Debug, Clone)]
pub(crate) struct ExperimentResult {
    pub name: String,
    model: ModelValue,
    outputs: Series<f64>,
    /// Samples of every input at the steps.
    inputs: Vec<Vec<f64>>,
    channels: Vec<FittedChannel>,
}

/// The measured and the fitted values of one output.
#[derive(Debug, Clone)]
struct FittedChannel {
    /// Index of the output.
    output: usize,
    times: Vec<f64>,
    measured: Vec<f64>,
    /// With gain, offset and delay of the channel.
    fitted: Vec<f64>,
}

impl ExperimentResult {
    pub fn new(prepared: &ExperimentProblem, found: LinearizedRun, unknowns: &[f64]) -> Self {
        let channels = prepared.comparison.channels.iter().map(|channel| FittedChannel {
            output: channel.output,
            times: channel.times.clone(),
            measured: channel.values.clone(),
            fitted: channel.fitted(&found.outputs, unknowns),
        });
        let problem = prepared.problem_at(unknowns).unwrap_or(Cow::Borrowed(&prepared.problem));
        let at = |sample: usize| problem.inputs_at(sample as f64).ok();
        let sampled: Vec<_> = (0..problem.samples()).map_while(at).collect();
        let course = |input: usize| sampled.iter().map(|inputs| inputs[input]).collect();
        Self {
            inputs: (0..problem.description().inputs.len()).map(course).collect(),
            name: prepared.name.clone(),
            model: ModelValue { system: prepared.model, parameters: prepared.parameters(unknowns) },
            channels: channels.collect(),
            outputs: found.outputs,
        }
    }

    /// Returns the values of all parameters, found and known ones.
    pub fn parameters(&self) -> &[f64] {
        &self.model.parameters
    }

    fn times(&self) -> Vec<f64> {
        (0..self.outputs.samples()).map(|i| i as f64 * self.outputs.step()).collect()
    }

    fn output(&self, output: usize) -> Vec<f64> {
        self.outputs.channel(output).into_iter().flatten().collect()
    }

    /// See [`FittedExperiment::inputs`].
    pub fn inputs(&self) -> Result<Record, RecordError> {
        let mut record = Record::new(self.times())?.named(&self.name);
        for (input, course) in self.model.description().inputs.iter().zip(&self.inputs) {
            record = record.with_channel(input.name, Some(input.unit), course.clone())?;
        }
        Ok(record)
    }

    /// Returns true if the model has inputs.
    pub fn has_inputs(&self) -> bool {
        !self.inputs.is_empty()
    }

    /// See [`FittedExperiment::run`].
    pub fn run(&self) -> Result<Record, RecordError> {
        let mut record = Record::new(self.times())?.named(&self.name);
        for (k, output) in self.model.description().outputs.iter().enumerate() {
            record = record.with_channel(heading(output.name), Some(output.unit), self.output(k))?;
        }
        Ok(record)
    }

    /// See [`FittedExperiment::residuals`], of all measured outputs with their names.
    pub fn all_residuals(&self) -> impl Iterator<Item = (&'static str, Result<Record, RecordError>)> {
        let outputs = self.model.description().outputs.iter().enumerate();
        outputs.filter_map(|(k, output)| Some((output.name, self.residuals(k)?)))
    }

    fn residuals(&self, output: usize) -> Option<Result<Record, RecordError>> {
        let channel = self.channels.iter().find(|channel| channel.output == output)?;
        let quantity = self.model.description().outputs.get(output)?;
        let unit = Some(quantity.unit);
        let name = format!("{} {}", self.name, quantity.name);
        let FittedChannel { times, measured, fitted, .. } = channel;
        let residual: Vec<f64> = fitted.iter().zip(measured).map(|(s, y)| s - y).collect();
        let record = Record::new(times.clone()).and_then(|record| {
            let record = record.named(name.trim_start()).with_channel("measured", unit, measured.clone())?;
            record.with_channel("fitted", unit, fitted.clone())?.with_channel("residual", unit, residual)
        });
        Some(record)
    }
}

impl<M: Model> FittedExperiment<M> {
    /// Returns the model with the parameters of this experiment, found and known ones.
    pub fn model(&self) -> &M {
        self.model.get_or_init(|| M::from_parameters(&array(self.result.parameters())))
    }
}

impl<M> FittedExperiment<M> {
    pub(crate) fn of(result: ExperimentResult) -> Self {
        Self { result, model: OnceLock::new() }
    }

    /// Adds the type of the model.
    pub(crate) fn tagged<N>(self) -> FittedExperiment<N> {
        FittedExperiment::of(self.result)
    }

    /// Returns the result without the type of the model.
    pub(crate) fn result(&self) -> &ExperimentResult {
        &self.result
    }

    /// Returns the name of the experiment; empty where an identification has no experiments but its own run.
    pub fn name(&self) -> &str {
        &self.result.name
    }

    /// Returns the value of a parameter in this experiment.
    pub fn parameter(&self, parameter: Parameter<M>) -> f64 {
        self.result.parameters()[parameter.index()]
    }

    /// Returns the times of the run's samples in s.
    pub fn times(&self) -> Vec<f64> {
        self.result.times()
    }

    /// Returns an output of the run, in its unit, at every sample.
    pub fn output(&self, output: Output<M>) -> Vec<f64> {
        self.result.output(output.index())
    }

    /// Returns all inputs of the run at its samples, known and found ones, as a record that can be written.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn inputs(&self) -> Result<Record, RecordError> {
        self.result.inputs()
    }

    /// Returns all outputs of the run, as a record that can be written.
    ///
    /// # Errors
    /// [`RecordError`], as for an output that is infinite.
    pub fn run(&self) -> Result<Record, RecordError> {
        self.result.run()
    }

    /// Returns a measured output, in its unit: channels `measured`, `fitted` (with gain, offset and delay of the
    /// channel) and `residual`, fitted minus measured, at the times that were compared; `None` for an output that was
    /// not measured.
    ///
    /// # Errors
    /// [`RecordError`], as for an output that is infinite.
    pub fn residuals(&self, output: Output<M>) -> Option<Result<Record, RecordError>> {
        self.result.residuals(output.index())
    }
}

/// Returns the name of an output as a heading, without brackets, which would enclose a unit.
fn heading(output: &str) -> String {
    output.replace('[', "_").replace(']', "")
}
