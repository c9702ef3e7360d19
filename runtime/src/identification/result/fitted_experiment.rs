//! What a fit leaves of one experiment.

use std::borrow::Cow;

use crate::identifiers::{Input, Output, Parameter};
use crate::model::Model;
use crate::record::{Record, RecordError};
use crate::series::Series;

use crate::identification::campaign::campaign::Prepared;
use crate::identification::campaign::differentiated::Differentiated;

/// The run of one experiment at the found parameters, beside what was measured.
#[derive(Debug, Clone)]
pub struct FittedExperiment<M> {
    name: String,
    model: M,
    outputs: Series<f64>,
    /// Of all inputs in turn, at the steps.
    inputs: Vec<Vec<f64>>,
    channels: Vec<FittedChannel>,
}

/// One measured output beside the fitted one.
#[derive(Debug, Clone)]
struct FittedChannel {
    /// Index of the output.
    output: usize,
    times: Vec<f64>,
    measured: Vec<f64>,
    /// With gain, offset and delay of the channel.
    fitted: Vec<f64>,
}

impl<M: Model> FittedExperiment<M> {
    pub(crate) fn new(prepared: &Prepared<'_, M>, found: Differentiated, unknowns: &[f64]) -> Self {
        let channels = prepared.comparison.channels.iter().map(|channel| FittedChannel {
            output: channel.output,
            times: channel.times.clone(),
            measured: channel.values.clone(),
            fitted: channel.fitted(&found.outputs, unknowns),
        });
        let problem = prepared.problem_at(unknowns).unwrap_or(Cow::Borrowed(&prepared.problem));
        let at = |sample: usize| problem.inputs_at(sample as f64).ok();
        let sampled: Vec<_> = (0..problem.samples()).map_while(at).collect();
        let course = |input: Input<M>| sampled.iter().map(|inputs| inputs.as_ref()[input.index()]).collect();
        Self {
            inputs: Input::<M>::all().map(course).collect(),
            name: prepared.name.clone(),
            model: M::from_parameters(&prepared.parameters(unknowns)),
            channels: channels.collect(),
            outputs: found.outputs,
        }
    }

    /// The model with the parameters of this experiment, found and known ones.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// The value of a parameter in this experiment.
    pub fn parameter(&self, parameter: Parameter<M>) -> f64 {
        self.model.parameters().as_ref()[parameter.index()]
    }

    /// The times of the run's samples in s.
    pub fn times(&self) -> Vec<f64> {
        (0..self.outputs.samples()).map(|i| i as f64 * self.outputs.step()).collect()
    }

    /// An output of the run, in its unit, at every sample.
    pub fn output(&self, output: Output<M>) -> Vec<f64> {
        (0..self.outputs.samples()).map(|i| self.outputs.row(i)[output.index()]).collect()
    }

    /// All inputs of the run at its samples, known and found ones, as a record that can be written.
    ///
    /// # Errors
    /// [`RecordError`].
    pub fn inputs(&self) -> Result<Record, RecordError> {
        let mut record = Record::new(self.times())?.named(&self.name);
        for (input, course) in Input::<M>::all().zip(&self.inputs) {
            record = record.with_channel(input.name(), Some(input.quantity().unit), course.clone())?;
        }
        Ok(record)
    }

    /// All outputs of the run, as a record that can be written.
    ///
    /// # Errors
    /// [`RecordError`], as for an output that is infinite.
    pub fn run(&self) -> Result<Record, RecordError> {
        let mut record = Record::new(self.times())?.named(&self.name);
        for output in Output::<M>::all() {
            record =
                record.with_channel(heading(output), Some(output.quantity().unit), self.output(output))?;
        }
        Ok(record)
    }

    /// A measured output, in its unit: channels `measured`, `fitted` (with gain, offset and delay of the channel) and
    /// `residual`, fitted minus measured, at the times that were compared; `None` for one that was not measured.
    ///
    /// # Errors
    /// [`RecordError`], as for an output that is infinite.
    pub fn residuals(&self, output: Output<M>) -> Option<Result<Record, RecordError>> {
        let channel = self.channels.iter().find(|channel| channel.output == output.index())?;
        let unit = Some(output.quantity().unit);
        let name = format!("{} {}", self.name, output.name());
        let FittedChannel { times, measured, fitted, .. } = channel;
        let residual: Vec<f64> = fitted.iter().zip(measured).map(|(s, y)| s - y).collect();
        let record = Record::new(times.clone()).and_then(|record| {
            let record = record.named(name.trim_start()).with_channel("measured", unit, measured.clone())?;
            record.with_channel("fitted", unit, fitted.clone())?.with_channel("residual", unit, residual)
        });
        Some(record)
    }
}

impl<M> FittedExperiment<M> {
    /// The experiment's name; empty where an identification has no experiments but its own run.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The name of an output as a heading, in which brackets would be those of a unit.
fn heading<M: Model>(output: Output<M>) -> String {
    output.name().replace('[', "_").replace(']', "")
}
