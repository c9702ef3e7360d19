//! Preparation of predictions, and of the measured numbers that are compared with them.

use std::sync::Arc;

use costate_contract::units::Purpose;
use costate_cost::SumCost;
use costate_system::prediction::{Part, PredictedGroup};

use crate::definition::Definition;
use crate::definition::error::{DataError, IdentificationError, NumbersError, SpecificationError};
use crate::definition::experiment::ExperimentDefinition;
use crate::definition::predicted::{Errors, MeasuredNumbers, MeasuredPrediction};
use crate::estimation::comparison::Comparison;
use crate::estimation::layout::{Layout, Selection, Value};
use crate::estimation::observed::{Observed, Places};
use crate::estimation::predicted::{ComparedGroup, PredictedProblem};
use crate::thresholds::ROUNDING_OF_DECIMALS;

impl Definition {
    /// Refuses predictions in an identification of this kind, which cannot have them.
    pub(crate) fn check_no_predictions(
        &self,
        what: &'static str,
        remedy: &'static str,
    ) -> Result<(), SpecificationError> {
        let mut predictions = self.experiments.iter().chain([&self.own]).flat_map(|one| &one.predictions);
        match predictions.next() {
            None => Ok(()),
            Some(first) => {
                Err(SpecificationError::NotPredicted { what, prediction: first.prediction.name().to_owned(), remedy })
            }
        }
    }

    /// Prepares the predictions of an experiment; errors contain its name if there are several.
    pub(super) fn predictions_of(
        &self,
        experiment: &ExperimentDefinition,
        selection: &Selection,
        layout: &mut Layout,
        several: bool,
    ) -> Result<Vec<PredictedProblem>, IdentificationError> {
        if experiment.predictions.is_empty() {
            return Ok(Vec::new());
        }
        if !self.unknown_tables.is_empty() {
            self.check_no_predictions(
                "an unknown table",
                "its derivatives are those by parameters: leave out the prediction, or write the table as a formula \
                     with parameters",
            )?;
        }
        let mut all = || -> Result<Vec<PredictedProblem>, IdentificationError> {
            let known = self.known(experiment)?;
            let mut prepare = |measured: &MeasuredPrediction| {
                let compared = self.compared(measured)?;
                Ok(PredictedProblem {
                    number: 0,
                    experiment: experiment.name.clone(),
                    prediction: Arc::clone(&measured.prediction),
                    known: known.clone(),
                    selection: selection.clone(),
                    groups: compared.0,
                    comparison: Comparison { channels: compared.1, costs: SumCost::new(), multiplicity: 1.0 },
                    changes: measured.changes.iter().map(|change| layout.changed_curve(change)).collect(),
                })
            };
            experiment.predictions.iter().map(&mut prepare).collect()
        };
        all().map_err(|error| match several {
            true => error.in_experiment(&experiment.name),
            false => error,
        })
    }

    /// Returns the groups of a prediction that were measured, with the numbers to be compared.
    fn compared(
        &self,
        measured: &MeasuredPrediction,
    ) -> Result<(Vec<ComparedGroup>, Vec<Observed>), IdentificationError> {
        let (prediction, model) = (&measured.prediction, self.model.description().name);
        let name = || prediction.name().to_owned();
        if prediction.model() != model {
            let predicted = prediction.model().to_owned();
            return Err(SpecificationError::OtherPrediction { prediction: name(), predicted, model }.into());
        }
        let all = prediction.groups();
        let names = || all.iter().map(|group| format!("`{}`", group.name)).collect::<Vec<_>>();
        if measured.measured.is_empty() {
            return Err(DataError::NothingMeasured { prediction: name(), groups: names() }.into());
        }
        let refused = |group: &str, source: NumbersError| -> IdentificationError {
            DataError::Numbers { prediction: name(), group: group.to_owned(), source }.into()
        };
        for (place, numbers) in measured.measured.iter().enumerate() {
            let group = &numbers.group;
            if !all.iter().any(|one| one.name == *group) {
                return Err(refused(group, NumbersError::UnknownGroup { groups: names() }));
            }
            if measured.measured.iter().take(place).any(|other| other.group == *group) {
                return Err(refused(group, NumbersError::Repeated));
            }
        }
        let (mut groups, mut channels, mut first) = (Vec::new(), Vec::new(), 0);
        for (index, group) in all.iter().enumerate() {
            if let Some(numbers) = measured.measured.iter().find(|numbers| numbers.group == group.name) {
                let observed = self.observed_numbers(group, numbers, first);
                channels.push(observed.map_err(|source| refused(&group.name, source))?);
                let (source, are_independent) = (numbers.source.clone(), numbers.are_independent);
                let heading = numbers.heading.as_ref().or(numbers.unit.as_ref()).unwrap_or(&group.unit).clone();
                groups.push(ComparedGroup { index, source, heading, are_independent });
            }
            first += group.places.len();
        }
        Ok((groups, channels))
    }

    /// Returns the measured numbers of a group whose first number is the one with the index `first` of the prediction.
    fn observed_numbers(
        &self,
        group: &PredictedGroup,
        numbers: &MeasuredNumbers,
        first: usize,
    ) -> Result<Observed, NumbersError> {
        let needed = group.places.len();
        let check_count = |what, given: usize| match given == needed {
            true => Ok(()),
            false => Err(NumbersError::Count { what, given, needed }),
        };
        check_count("values", numbers.values.len())?;
        increasing("predicted", &group.places)?;
        check_places(group, numbers)?;
        let scale = |values: &[f64]| scaled(values, numbers.unit.as_deref(), &group.name, &group.unit);
        let values = scale(&numbers.values)?;
        if let Some((index, &value)) = values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            return Err(NumbersError::NotFinite { index, value });
        }
        let deviations = match &numbers.errors {
            Errors::Estimated => None,
            Errors::Common(deviation) => Some(vec![*deviation; needed]),
            Errors::Each(deviations) | Errors::Relative(deviations) => Some(deviations.clone()),
        };
        let (mut roots, mut given_deviation) = (None, None);
        if let Some(deviations) = deviations {
            check_count("standard deviations", deviations.len())?;
            let deviations = scale(&deviations)?;
            let is_size = |deviation: f64| deviation.is_normal() && deviation > 0.0;
            let wrong = deviations.iter().enumerate().find(|(_, deviation)| !is_size(**deviation));
            if let Some((index, &deviation)) = wrong {
                return Err(NumbersError::Deviation { index, deviation });
            }
            // residuals are counted in deviations, of which the common factor is known or not
            roots = Some(deviations.iter().map(|deviation| deviation.recip()).collect());
            given_deviation = (!matches!(numbers.errors, Errors::Relative(_))).then_some(1.0);
        }
        Ok(Observed {
            output: 0,
            times: group.places.clone(),
            values,
            filter: None,
            weights: vec![1.0; needed],
            roots,
            noise: None,
            given_deviation,
            deviation: given_deviation,
            loss: self.loss,
            gain: Value::Known(1.0),
            offset: Value::Known(0.0),
            delay: Value::Known(0.0),
            places: Places::Numbered { first, are_angles: group.part == Part::Angle },
            finer: None,
            is_unknown: false,
        })
    }
}

/// Converts numbers to the unit `wanted`.
fn scaled(values: &[f64], unit: Option<&str>, column: &str, wanted: &str) -> Result<Vec<f64>, NumbersError> {
    let Some(unit) = unit.filter(|unit| unit.trim() != wanted.trim()) else { return Ok(values.to_vec()) };
    let quantity = format!("the prediction `{column}`");
    let purpose = Purpose { origin: "the measured numbers", column, quantity: &quantity, wanted };
    let scale = purpose.conversion(unit)?;
    Ok(values.iter().map(|value| scale.apply(*value)).collect())
}

/// Checks that an abscissa is finite and increases strictly.
fn increasing(whose: &'static str, places: &[f64]) -> Result<(), NumbersError> {
    let mut before = f64::NEG_INFINITY;
    for (index, &value) in places.iter().enumerate() {
        if !(value > before && value.is_finite()) {
            return Err(NumbersError::Places { whose, index, value, before });
        }
        before = value;
    }
    Ok(())
}

/// Checks that the numbers were measured where they are predicted.
fn check_places(group: &PredictedGroup, numbers: &MeasuredNumbers) -> Result<(), NumbersError> {
    let Some((places, unit)) = &numbers.places else { return Ok(()) };
    let (given, needed) = (places.len(), group.places.len());
    if given != needed {
        return Err(NumbersError::Count { what: "places", given, needed });
    }
    increasing("measured", places)?;
    let places = scaled(places, Some(unit), &group.abscissa, &group.abscissa_unit)?;
    let largest = group.places.iter().fold(0.0_f64, |largest, place| largest.max(place.abs()));
    for (index, (&measured, &predicted)) in places.iter().zip(&group.places).enumerate() {
        if (measured - predicted).abs() > ROUNDING_OF_DECIMALS * largest {
            let unit = group.abscissa_unit.clone();
            return Err(NumbersError::OtherPlace { index, measured, predicted, unit });
        }
    }
    Ok(())
}
