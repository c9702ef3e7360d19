//! Unknowns that an experiment which validates has for itself: they are found from its data, with all others held.

use std::sync::Arc;

use costate_system::causes::with_causes;
use costate_system::identifiers::Parameter;

use super::build::Shared;
use super::definition::Definition;
use super::definition::correction::Correction;
use super::definition::error::IdentificationError;
use super::definition::experiment::ExperimentDefinition;
use super::estimation::experiment_problem::{EstimationProblem, ExperimentProblem};
use super::estimation::layout::{Layout, Owner, Unknown, common_correction};
use super::result::fitted_tables::with_fitted;
use super::result::summary::FittedParameter;

/// The unknowns that an experiment which validates has for itself.
pub(crate) struct OwnUnknowns {
    /// Name of the experiment.
    pub experiment: String,
    /// The found values; empty where the fit to the experiment failed.
    pub found: Vec<FittedParameter>,
    /// The error of the fit to the experiment; `None` if it succeeded.
    pub failed: Option<String>,
}

impl Definition {
    /// Finds the unknowns that experiments which validate have for themselves, with the values that the others have
    /// found, and sets them in the problem.
    ///
    /// # Errors
    /// [`IdentificationError::Interrupted`] alone: a fit that fails is part of the result.
    pub(super) fn find_own_of_validation(
        &self,
        estimation: &mut EstimationProblem,
        unknowns: &[f64],
    ) -> Result<Vec<OwnUnknowns>, IdentificationError> {
        let mut all = Vec::new();
        for experiment in self.experiments.iter().filter(|experiment| experiment.validates) {
            let own = self.own_parameters(experiment, &estimation.unknowns);
            let has_corrections = self.has_own_corrections(experiment, &estimation.unknowns);
            if own.is_empty() && !has_corrections {
                continue;
            }
            let name = experiment.name.clone();
            let fit = self.alone(experiment, &own, (estimation, unknowns)).fit_from(None, None);
            let corrected = fit.and_then(|fit| {
                let mut found = fit.summary().parameters.clone();
                if has_corrections {
                    self.prepare_with_corrections(estimation, experiment, &found)?;
                }
                for correction in found.iter_mut().skip(own.len()) {
                    correction.name = format!("{} [{name}]", correction.quantity);
                    correction.of = Some(name.clone());
                }
                Ok(found)
            });
            match corrected {
                Ok(found) => {
                    for (parameter, fitted) in own.iter().zip(&found) {
                        estimation.set_of_validation(&name, parameter.index(), fitted.found);
                    }
                    all.push(OwnUnknowns { experiment: name, found, failed: None });
                }
                Err(error) if self.run.interrupt.is_triggered() => return Err(error),
                Err(error) => {
                    let failed = Some(with_causes(&error));
                    all.push(OwnUnknowns { experiment: name, found: Vec::new(), failed });
                }
            }
        }
        Ok(all)
    }

    /// Returns the unknown parameters that no fitted experiment has for this one, in the order of the unknowns.
    fn own_parameters(&self, experiment: &ExperimentDefinition, found: &[Unknown]) -> Vec<Parameter> {
        let of = |owner: &Owner| match owner {
            Owner::All => None,
            Owner::Experiment => Some(&experiment.name),
            Owner::Group => Some(experiment.group.as_ref().unwrap_or(&experiment.name)),
        };
        let is_found = |parameter: Parameter, of: &String| {
            found.iter().any(|one| one.parameter == Some(parameter.index()) && one.of.as_ref() == Some(of))
        };
        let own = self.unknowns.iter().filter_map(|(unknown, owner)| {
            let parameter = unknown.parameter();
            of(owner).filter(|of| !is_found(parameter, of)).map(|_| parameter)
        });
        own.collect()
    }

    /// Returns an experiment that validates, with the corrections that no fitted experiment has at their start values.
    pub(super) fn with_own_held(&self, experiment: &ExperimentDefinition, found: &[Unknown]) -> ExperimentDefinition {
        let mut held = experiment.clone();
        self.hold_corrections(&mut held, |_, given| is_own(given, found).then_some(given.value));
        held
    }

    fn has_own_corrections(&self, experiment: &ExperimentDefinition, found: &[Unknown]) -> bool {
        let mut has_own = false;
        self.hold_corrections(&mut experiment.clone(), |_, given| {
            has_own |= is_own(given, found);
            None
        });
        has_own
    }

    /// Prepares an experiment that validates anew, with the corrections that a fit to it alone has found.
    fn prepare_with_corrections(
        &self,
        estimation: &mut EstimationProblem,
        experiment: &ExperimentDefinition,
        found: &[FittedParameter],
    ) -> Result<(), IdentificationError> {
        let mut corrected = experiment.clone();
        self.hold_corrections(&mut corrected, |name, given| {
            let fitted = found.iter().find(|fitted| fitted.name == name);
            fitted.filter(|_| is_own(given, &estimation.unknowns)).map(|fitted| fitted.found)
        });
        let by_likelihood = estimation.by_likelihood;
        let mut layout = Layout { unknowns: estimation.unknowns.clone() };
        for old in estimation.validation.iter_mut().filter(|old| old.name == experiment.name) {
            let shared = Shared { tables: Arc::clone(&old.tables), by_likelihood, several: true, parts: 1.0 };
            let new = self.prepare_named(&corrected, old.selection.clone(), &mut layout, &shared)?;
            *old = ExperimentProblem { number: old.number, known: old.known.clone(), ..new };
        }
        Ok(())
    }

    /// Makes unknown corrections of an experiment known, where `value` returns one for their name in a fit of this
    /// experiment alone.
    fn hold_corrections(
        &self,
        experiment: &mut ExperimentDefinition,
        mut value: impl FnMut(&str, &Correction) -> Option<f64>,
    ) {
        let mut hold = |name: String, correction: &mut Correction| {
            let name = correction.common.clone().unwrap_or(name);
            if let Some(found) = value(&name, correction).filter(|_| correction.is_unknown) {
                *correction = Correction::known(found);
            }
        };
        for measurement in &mut experiment.measurements {
            let (output, corrections) = (measurement.output.name(), &mut measurement.data.corrections);
            hold(format!("gain of {output}"), &mut corrections.gain);
            hold(format!("offset of {output}"), &mut corrections.offset);
            hold(format!("delay of {output}"), &mut corrections.delay);
        }
        let mut delays = self.input_delays(experiment);
        delays.iter_mut().for_each(|(input, delay)| hold(format!("delay of {}", input.name()), delay));
        experiment.input_delays = delays;
    }

    /// Returns the definition of a fit to this experiment alone, whose unknowns are its `own` ones.
    fn alone(
        &self,
        experiment: &ExperimentDefinition,
        own: &[Parameter],
        (estimation, unknowns): (&EstimationProblem, &[f64]),
    ) -> Self {
        let mut sub = self.clone();
        sub.unknowns.retain(|(unknown, _)| own.contains(&unknown.parameter()));
        sub.priors.retain(|(parameter, _)| own.contains(parameter));
        // all experiments have inertias in common
        sub.inertias.clear();
        (sub.unknown_tables, sub.state_file) = (Vec::new(), None);
        (sub.progress, sub.ignores_check) = (false, true);
        let mut only = experiment.clone();
        only.validates = false;
        if let Some(parameters) = estimation.parameters_of_validation(&only.name, unknowns) {
            only.known = Parameter::each_of(self.model.description()).zip(parameters).collect();
        }
        // corrections that all measurements have in common are those of the other experiments
        self.hold_corrections(&mut only, |_, correction| {
            let place = correction.common.as_deref().and_then(|common| common_correction(&estimation.unknowns, common));
            place.and_then(|place| unknowns.get(place)).copied()
        });
        let tables = with_fitted(estimation, self.tables.clone(), unknowns);
        if let Some(run) = &mut only.run {
            run.tables = tables.clone();
        }
        sub.run.tables = tables.clone();
        (sub.tables, sub.experiments) = (tables, vec![only]);
        sub
    }
}

/// Returns true for an unknown correction that no fitted experiment has.
fn is_own(correction: &Correction, found: &[Unknown]) -> bool {
    let is_common = correction.common.as_deref().is_some_and(|common| common_correction(found, common).is_some());
    correction.is_unknown && !is_common
}

impl EstimationProblem {
    /// Returns all parameters of an experiment that validates.
    fn parameters_of_validation(&self, name: &str, unknowns: &[f64]) -> Option<Vec<f64>> {
        let run = self.validation.iter().find(|prepared| prepared.name == name);
        let prediction = self.validation_predictions.iter().find(|predicted| predicted.experiment == name);
        run.map(|prepared| prepared.parameters(unknowns))
            .or_else(|| prediction.map(|predicted| predicted.parameters(unknowns)))
    }

    /// Sets the value of a parameter in an experiment that validates.
    fn set_of_validation(&mut self, name: &str, parameter: usize, value: f64) {
        let of_runs = self.validation.iter_mut().filter(|prepared| prepared.name == name);
        let of_runs = of_runs.map(|prepared| &mut prepared.known);
        let predictions = self.validation_predictions.iter_mut().filter(|one| one.experiment == name);
        for known in of_runs.chain(predictions.map(|predicted| &mut predicted.known)) {
            if let Some(own) = known.get_mut(parameter) {
                *own = value;
            }
        }
    }
}
