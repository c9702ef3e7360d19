//! One experiment of a campaign.

use costate_identify::Experiment;
use costate_system::simulation::Simulation;

use super::inputs::Inputs;
use super::{Builder, parameter, simulation};
use crate::ExperimentEntry;
use crate::error::CampaignError;
use crate::place::Located;
use crate::values::Duration;

impl Builder<'_> {
    /// Makes an experiment with its simulation and its measurements.
    ///
    /// # Errors
    /// [`CampaignError`].
    pub fn experiment(&mut self, name: &str, entry: &Located<ExperimentEntry>) -> Result<Experiment, CampaignError> {
        let (own, inputs) = self.simulation(entry)?;
        let mut experiment = Experiment::new(name).simulation(&own);
        if let Some(group) = &entry.group {
            experiment = experiment.group(group);
        }
        if entry.validation {
            experiment = experiment.validation();
        }
        for (input, delay) in inputs.delays {
            experiment = experiment.input_delay(input, delay);
        }
        for unknown in inputs.unknown {
            experiment = experiment.unknown_input(unknown);
        }
        let all = self.measured(entry)?;
        self.question_clock(&own, entry, &all);
        for measured in all {
            experiment = experiment.measured(measured.output, measured.measurement()?);
        }
        for cost in self.spectra(entry, own.description())? {
            // lines have weights of their own
            experiment = experiment.cost(1.0, cost);
        }
        self.predictions(experiment, entry, &own)
    }

    /// Makes the simulation of an experiment; what is to be found of its inputs is left to the experiment.
    ///
    /// # Errors
    /// [`CampaignError`].
    pub fn simulation(&mut self, entry: &Located<ExperimentEntry>) -> Result<(Simulation, Inputs), CampaignError> {
        self.records.read_by(entry.reading.as_ref().unwrap_or(&self.campaign.reading).reader());
        let mut own = self.common.clone();
        for known in &entry.parameters {
            let parameter = parameter(self.loaded, &known.name)?;
            own = own.parameter(parameter, known.value.finite(parameter.name(), parameter.quantity().unit)?);
        }
        let mut settings = entry.run.clone().over(&self.campaign.run);
        settings.end = self.end(entry)?.map(Duration);
        own = simulation::with_settings(own, &settings, self.loaded)?;
        let mut inputs = self.inputs(entry, settings.step.map(f64::from))?;
        for (input, signal) in inputs.signals.drain(..) {
            own = own.input(input, signal);
        }
        Ok((own, inputs))
    }

    /// Returns the end of the run of an experiment in s: the given one, or the last step within a record with spectra.
    ///
    /// # Errors
    /// Those of reading the record.
    pub fn end(&mut self, entry: &ExperimentEntry) -> Result<Option<f64>, CampaignError> {
        /// Part of a step by which the last time of a record may be before that step, by its decimals.
        const ROUNDING: f64 = 1e-6;
        let settings = entry.run.clone().over(&self.campaign.run);
        let of_spectra = entry.record.as_ref().filter(|_| settings.end.is_none() && !entry.spectra.is_empty());
        let (Some(path), Some(Duration(step))) = (of_spectra, settings.step) else {
            return Ok(settings.end.map(|end| end.0));
        };
        let last = self.records.at(path)?.times().last().copied();
        Ok(last.map(|last| (last / step + ROUNDING).floor() * step))
    }
}
