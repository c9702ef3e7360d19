//! Predictions among the data of a campaign: their numbers stand where outputs of a run would stand.

use std::sync::Arc;

use costate_system::prediction::{Prediction, PredictionError};
use nalgebra::DMatrix;

use costate_system::problem::SimulationError;
use costate_system::series::Series;

use super::changed_curve::ChangedCurve;
use super::comparison::Comparison;
use super::covariance::ChannelRows;
use super::layout::{Selection, Value};
use super::linearized_run::LinearizedRun;

/// A prediction that does not keep what its groups promise.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
enum BrokenPrediction {
    /// Another number of values or derivatives than the groups have.
    #[error("it returns {found} {what}, and its groups have {expected}; this is a mistake of the prediction")]
    Count { what: &'static str, found: usize, expected: usize },
    /// A number or a derivative that is not finite.
    #[error("number {index} of the group `{group}`, counted from 0, is \
         {value}{}", if *.is_derivative { " by its derivative" } else { "" })]
    NotFinite { group: String, index: usize, value: f64, is_derivative: bool },
}

/// A group of a prediction that was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ComparedGroup {
    /// Index among the groups of the prediction.
    pub index: usize,
    /// The origin of the measured numbers.
    pub source: String,
    /// Unit in which the numbers were given.
    pub heading: String,
    /// True if errors of different numbers are independent of each other.
    pub are_independent: bool,
}

/// One prediction of an experiment, checked and prepared.
#[derive(Clone)]
pub(crate) struct PredictedProblem {
    /// Index after the runs that are fitted.
    pub number: usize,
    /// Name of the experiment; empty where an identification has no experiments.
    pub experiment: String,
    pub prediction: Arc<dyn Prediction>,
    /// Parameters of the experiment; entries of unknown ones are overwritten.
    pub known: Vec<f64>,
    pub selection: Selection,
    /// The groups that were measured, one for each channel of the comparison.
    pub groups: Vec<ComparedGroup>,
    pub comparison: Comparison,
    /// Curves that were measured with another factor, sign or delay.
    pub changes: Vec<ChangedCurve>,
}

impl PredictedProblem {
    /// Returns the name of the prediction with that of its experiment.
    pub fn label(&self) -> String {
        let name = self.prediction.name();
        match &self.experiment[..] {
            "" => name.to_owned(),
            experiment if experiment == name => name.to_owned(),
            experiment => format!("{experiment}: {name}"),
        }
    }

    /// Returns all parameters of the model in this experiment.
    pub fn parameters(&self, unknowns: &[f64]) -> Vec<f64> {
        let mut parameters = self.known.clone();
        for (&index, &unknown) in self.selection.parameters.iter().zip(&self.selection.unknowns) {
            if let (Some(parameter), Some(value)) = (parameters.get_mut(index), unknowns.get(unknown)) {
                *parameter = *value;
            }
        }
        parameters
    }

    /// Returns the values of the unknowns on which the prediction depends.
    fn of_prediction(&self, unknowns: &[f64]) -> Vec<f64> {
        let own = self.selection.unknowns.iter().map(|unknown| Value::Unknown(*unknown));
        let of_changes = self.changes.iter().flat_map(|change| [change.gain, change.delay]);
        own.chain(of_changes).map(|value| value.of(unknowns)).collect()
    }

    fn failed(&self, source: PredictionError) -> SimulationError {
        if let Some(interrupted) = source.interruption() {
            return interrupted.clone().into();
        }
        SimulationError::Prediction { prediction: self.prediction.name().to_owned(), source }
    }

    /// Returns the predicted numbers, one after the other as samples of a single output.
    pub fn outputs(&self, unknowns: &[f64]) -> Result<Series<f64>, SimulationError> {
        let values = self.prediction.values(&self.parameters(unknowns));
        let series = values.and_then(|values| self.series(values, unknowns, false));
        series.map_err(|error| self.failed(error))
    }

    /// Returns the predicted numbers with their derivatives by the unknowns.
    pub fn linearized(&self, unknowns: &[f64]) -> Result<LinearizedRun, SimulationError> {
        let (parameters, by) = (self.parameters(unknowns), &self.selection.parameters);
        let linearized = || {
            let (values, derivatives) = self.prediction.derivatives(&parameters, by)?;
            let outputs = self.series(values, unknowns, false)?;
            let columns = self.columns(&derivatives, unknowns)?;
            let mut derivatives: Vec<_> = self.selection.unknowns.iter().copied().zip(columns).collect();
            let numbers: Vec<f64> = (0..outputs.samples()).flat_map(|i| outputs.row(i).first().copied()).collect();
            for change in &self.changes {
                let of_change = change.derivatives(self.prediction.groups(), &numbers, unknowns);
                derivatives.extend(of_change.into_iter().map(|(unknown, column)| (unknown, of_numbers(&column))));
            }
            Ok(LinearizedRun { outputs, derivatives, accuracy: None, parts: 1 })
        };
        linearized().map_err(|error: PredictionError| self.failed(error))
    }

    fn columns(&self, derivatives: &DMatrix<f64>, unknowns: &[f64]) -> Result<Vec<Series<f64>>, PredictionError> {
        let (found, expected) = (derivatives.ncols(), self.selection.parameters.len());
        if found != expected {
            let what = "columns of derivatives";
            return Err(PredictionError::anywhere(BrokenPrediction::Count { what, found, expected }));
        }
        derivatives.column_iter().map(|column| self.series(column.as_slice().to_vec(), unknowns, true)).collect()
    }

    /// Returns numbers as samples of one output, as they were measured, after a check of their count, and that those
    /// that are compared are finite.
    fn series(
        &self,
        mut values: Vec<f64>,
        unknowns: &[f64],
        is_derivative: bool,
    ) -> Result<Series<f64>, PredictionError> {
        let groups = self.prediction.groups();
        let expected = groups.iter().map(|group| group.places.len()).sum();
        if values.len() != expected {
            let (what, found) = (if is_derivative { "derivatives" } else { "numbers" }, values.len());
            return Err(PredictionError::anywhere(BrokenPrediction::Count { what, found, expected }));
        }
        self.changes.iter().for_each(|change| change.apply(groups, &mut values, unknowns, is_derivative));
        let mut rest = &values[..];
        for (place, group) in groups.iter().enumerate() {
            let (own, others) = rest.split_at(group.places.len().min(rest.len()));
            rest = others;
            let is_compared = self.groups.iter().any(|compared| compared.index == place);
            let wrong = own.iter().enumerate().find(|(_, value)| is_compared && !value.is_finite());
            if let Some((index, &value)) = wrong {
                let group = group.name.clone();
                return Err(PredictionError::here(BrokenPrediction::NotFinite { group, index, value, is_derivative }));
            }
        }
        Ok(of_numbers(&values))
    }
}

/// Returns numbers as samples of one output.
fn of_numbers(values: &[f64]) -> Series<f64> {
    let mut series = Series::zeros(1.0, 1, values.len());
    for (i, value) in values.iter().enumerate() {
        series.row_mut(i).fill(*value);
    }
    series
}

/// The latest numbers of one prediction.
pub(crate) struct Predictions<'a> {
    prepared: &'a PredictedProblem,
    latest: Option<Latest>,
}

/// Numbers, and the unknowns on which they depend.
struct Latest {
    unknowns: Vec<f64>,
    outputs: Series<f64>,
    /// The derivatives, once they are known.
    derivatives: Option<Vec<(usize, Series<f64>)>>,
}

impl<'a> Predictions<'a> {
    pub fn new(prepared: &'a PredictedProblem) -> Self {
        Self { prepared, latest: None }
    }

    /// The prediction.
    pub fn prepared(&self) -> &'a PredictedProblem {
        self.prepared
    }

    /// Returns the numbers.
    fn outputs(&mut self, unknowns: &[f64]) -> Result<&Series<f64>, SimulationError> {
        let wanted = self.prepared.of_prediction(unknowns);
        let latest = match self.latest.take().filter(|latest| latest.unknowns == wanted) {
            Some(latest) => latest,
            None => {
                let outputs = self.prepared.outputs(unknowns)?;
                Latest { unknowns: wanted, outputs, derivatives: None }
            }
        };
        Ok(&self.latest.insert(latest).outputs)
    }

    /// Returns the numbers with their derivatives.
    pub fn sensitivities(&mut self, unknowns: &[f64]) -> Result<LinearizedRun, SimulationError> {
        let wanted = self.prepared.of_prediction(unknowns);
        if let Some(Latest { unknowns, outputs, derivatives: Some(derivatives) }) = &self.latest
            && *unknowns == wanted
        {
            let (outputs, derivatives) = (outputs.clone(), derivatives.clone());
            return Ok(LinearizedRun { outputs, derivatives, accuracy: None, parts: 1 });
        }
        let found = self.prepared.linearized(unknowns)?;
        let (outputs, derivatives) = (found.outputs.clone(), Some(found.derivatives.clone()));
        self.latest = Some(Latest { unknowns: wanted, outputs, derivatives });
        Ok(found)
    }

    /// Begins with what the [`sensitivities`](Self::sensitivities) at these unknowns were.
    pub fn know(&mut self, unknowns: &[f64], found: LinearizedRun) {
        let unknowns = self.prepared.of_prediction(unknowns);
        let LinearizedRun { outputs, derivatives, .. } = found;
        self.latest = Some(Latest { unknowns, outputs, derivatives: Some(derivatives) });
    }

    /// The part of J.
    pub fn cost(&mut self, unknowns: &[f64]) -> Result<f64, SimulationError> {
        let comparison = &self.prepared.comparison;
        Ok(comparison.value(self.outputs(unknowns)?, unknowns))
    }

    /// The part of J of every group.
    pub fn channel_costs(&mut self, unknowns: &[f64]) -> Result<Vec<f64>, SimulationError> {
        let comparison = &self.prepared.comparison;
        Ok(comparison.channel_values(self.outputs(unknowns)?, unknowns))
    }

    /// Adds the part of dJ/dz.
    pub fn add_gradient(&mut self, unknowns: &[f64], gradient: &mut [f64]) -> Result<(), SimulationError> {
        let found = self.sensitivities(unknowns)?;
        let by_outputs = self.prepared.comparison.gradient(&found.outputs, unknowns, gradient);
        for (unknown, series) in &found.derivatives {
            let products = (0..series.samples())
                .map(|i| series.row(i).iter().zip(by_outputs.row(i)).map(|(a, b)| a * b).sum::<f64>());
            if let Some(entry) = gradient.get_mut(*unknown) {
                *entry += products.sum::<f64>();
            }
        }
        Ok(())
    }

    /// The residuals of every group with their derivatives.
    pub fn rows(&mut self, unknowns: &[f64]) -> Result<Vec<ChannelRows>, SimulationError> {
        let found = self.sensitivities(unknowns)?;
        Ok(self.prepared.comparison.channel_rows(&found.outputs, &found.derivatives, unknowns))
    }

    /// The residuals of every group without derivatives.
    pub fn values(&mut self, unknowns: &[f64]) -> Result<Vec<ChannelRows>, SimulationError> {
        let comparison = &self.prepared.comparison;
        Ok(comparison.channel_rows(self.outputs(unknowns)?, &[], unknowns))
    }
}
