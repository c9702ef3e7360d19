//! Preparation of measured channels, and of the weights of their residuals.

use std::collections::BTreeSet;
use std::sync::Arc;

use costate_measure::signal::{FilterMap, SignalError};
use serde::{Deserialize, Serialize};

use costate_cost::{SmoothStencil, Stencil, intervals};
use costate_system::problem::Problem;

use crate::definition::Definition;
use crate::definition::error::{DataError, IdentificationError, SpecificationError};
use crate::definition::experiment::ExperimentDefinition;
use crate::definition::measurement::{OutputMeasurement, Taken};
use crate::definition::noise::ChannelNoise;
use crate::definition::unknown_input::UnknownInput;
use crate::definition::unknown_table::UnknownTable;
use crate::definition::weighting::Weighting;
use crate::estimation::layout::Value;
use crate::estimation::observed::{Observed, Places};

impl Definition {
    /// Prepares the samples of a measurement for comparison with a run.
    pub(super) fn observed(
        &self,
        problem: &Problem,
        measurement: &OutputMeasurement,
        taken: &mut Taken,
        [gain, offset, delay]: [Value; 3],
        by_likelihood: bool,
    ) -> Result<Observed, IdentificationError> {
        let (step, samples) = (problem.settings().step, problem.samples());
        let output = measurement.output;
        let is_delayed = delay != Value::Known(0.0);
        if is_delayed {
            let longest = measurement.data.corrections.delay.bounds;
            let (least, most) = match delay {
                Value::Known(delay) => (delay, delay),
                Value::Unknown(_) => longest.unwrap_or_default(),
            };
            let is_in = |time: f64| SmoothStencil::at(time, step, samples).is_some();
            taken.retain(|time| is_in(time - least) && is_in(time - most));
            if taken.samples.times.is_empty() {
                let record = measurement.data.record.name().to_owned();
                let samples = taken.masked;
                return Err(DataError::NothingLeft { output: output.name(), record, samples }.into());
            }
        }
        let filter = filter_of(measurement, taken)?;
        // the public cost checks weight, times and values, and that they are within the run
        let weight = measurement.data.weight.unwrap_or(1.0);
        let times = &taken.samples.times;
        let check_times: Vec<f64> = if is_delayed { Vec::new() } else { times.clone() };
        measurement.check(step, samples, &check_times, weight)?;
        // by likelihood, weights are precisions: weights of samples express how their deviations differ
        let of_samples = taken.weights.as_deref();
        let (weights, roots) = match by_likelihood {
            true => (vec![weight; times.len()], of_samples.map(|w| w.iter().map(|w| w.sqrt()).collect())),
            false => {
                let intervals = intervals(times, step, self.quadrature).into_iter().enumerate();
                let of_sample = |j: usize| of_samples.map_or(1.0, |weights| weights[j]);
                (intervals.map(|(j, delta)| weight * of_sample(j) * delta).collect(), None)
            }
        };
        let noise = self.noise_of(measurement, &taken.samples.times, roots.is_some())?;
        let places = match is_delayed {
            true => Places::Delayed { step, samples },
            false => Places::Fixed(times.iter().filter_map(|&time| Stencil::at(time, step, samples)).collect()),
        };
        Ok(Observed {
            output: output.index(),
            times: times.clone(),
            values: taken.samples.values.clone(),
            filter,
            weights,
            roots,
            noise,
            given_deviation: measurement.data.deviation,
            deviation: measurement.data.deviation.filter(|_| by_likelihood),
            loss: self.loss,
            gain,
            offset,
            delay,
            places,
            finer: None,
            is_unknown: false,
        })
    }

    /// Returns the coloured noise of a measurement, if there is any.
    fn noise_of(
        &self,
        measurement: &OutputMeasurement,
        times: &[f64],
        has_weights: bool,
    ) -> Result<Option<ChannelNoise>, IdentificationError> {
        let Some(wanted) = &measurement.data.noise else { return Ok(None) };
        let output = measurement.output.name();
        let record = || measurement.data.record.name().to_owned();
        let noise = ChannelNoise::new(wanted.clone(), times);
        let noise = noise.map_err(|source| DataError::Noise { output, record: record(), source })?;
        let contradicts = |what, remedy| Err(SpecificationError::NoiseAnd { output, what, remedy }.into());
        if measurement.data.deviation.is_some() {
            return contradicts(
                "a standard deviation",
                "give the standard deviation of the innovations with the noise, or let it be estimated from the \
                     residuals",
            );
        }
        if has_weights {
            return contradicts("weights of samples", "leave out samples with `.without(from, to)` instead");
        }
        if noise.is_estimated() && self.loss != costate_cost::residuals::Loss::Squares {
            return contradicts(
                "a robust loss, with which the noise cannot be estimated",
                "give the noise model, or use `Loss::Squares`",
            );
        }
        Ok(Some(noise))
    }

    /// Returns true if residuals are weighed by their deviations.
    pub(crate) fn by_likelihood(&self, weighing: &Weighing) -> Result<bool, SpecificationError> {
        let is_needed = match () {
            () if !self.priors.is_empty() || self.inertias.iter().any(|inertia| inertia.deviation.is_some()) => {
                Some("a prior")
            }
            () if weighing.knows_inputs => Some("the prior of an unknown input"),
            () if self.unknown_tables.iter().any(UnknownTable::has_prior) => Some("the prior of an unknown table"),
            () if self.loss != costate_cost::residuals::Loss::Squares => Some("a loss other than squares"),
            () if weighing.is_coloured => Some("coloured noise"),
            () if weighing.has_predictions => Some("a prediction"),
            () => None,
        };
        match (self.weighting, is_needed) {
            (Weighting::Likelihood, _) => Ok(true),
            (Weighting::Given, Some(what)) => Err(SpecificationError::NeedsLikelihood { what }),
            (Weighting::Automatic, Some(what)) if weighing.has_weights => {
                Err(SpecificationError::NeedsLikelihood { what })
            }
            (Weighting::Automatic, Some(_)) => Ok(true),
            (Weighting::Given, None) => Ok(false),
            (Weighting::Automatic, None) => Ok(!weighing.has_weights && weighing.units.len() > 1),
        }
    }
}

/// Passes the samples through the filter of their measurement, if it has one; returns the filter of as many samples.
fn filter_of(measurement: &OutputMeasurement, taken: &mut Taken) -> Result<Option<Arc<FilterMap>>, DataError> {
    let Some(filter) = &measurement.data.filter else { return Ok(None) };
    let (output, record) = (measurement.output.name(), measurement.data.record.name());
    let refused = |source| DataError::Filter { output, record: record.to_owned(), source: Box::new(source) };
    let samples = taken.samples.times.len();
    let uneven = || refused(SignalError::Uneven { record: record.to_owned(), samples });
    let interval = costate_measure::record::interval(&taken.samples.times).ok_or_else(uneven)?;
    let map = filter.map(interval, samples).map_err(refused)?;
    map.apply(&mut taken.samples.values);
    Ok(Some(Arc::new(map)))
}

/// Properties of the fitted experiments on which the weighting of residuals depends.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weighing {
    /// True if an unknown input has a prior.
    knows_inputs: bool,
    is_coloured: bool,
    /// True if there are predictions, whose residuals have no intervals of time.
    has_predictions: bool,
    /// True if a measurement has a weight.
    has_weights: bool,
    /// Units of the measured outputs.
    units: BTreeSet<String>,
}

impl Weighing {
    /// Collects the properties of those of these experiments that are fitted.
    pub fn of(experiments: &[&ExperimentDefinition]) -> Self {
        let mut weighing = Self::default();
        for experiment in experiments.iter().filter(|experiment| !experiment.validates) {
            weighing.knows_inputs |= experiment.unknown_inputs.iter().any(UnknownInput::has_prior);
            weighing.has_predictions |= !experiment.predictions.is_empty();
            for measurement in &experiment.measurements {
                weighing.is_coloured |= measurement.data.noise.is_some();
                weighing.has_weights |= measurement.data.weight.is_some();
                weighing.units.insert(measurement.output.quantity().unit.to_owned());
            }
        }
        weighing
    }

    /// Combines the properties with those of other experiments.
    pub fn and(mut self, other: &Self) -> Self {
        self.knows_inputs |= other.knows_inputs;
        self.is_coloured |= other.is_coloured;
        self.has_predictions |= other.has_predictions;
        self.has_weights |= other.has_weights;
        self.units.extend(other.units.iter().cloned());
        self
    }
}
