//! One experiment of a campaign.

use costate::identify::{Correction, Experiment};
use costate::simulate::Simulation;

use super::inputs::{self, Inputs};
use super::{Records, measured, predictions, simulation, spectra};
use crate::fit::campaign::error::CampaignError;
use crate::fit::campaign::place::Located;
use crate::fit::campaign::{Campaign, CorrectionEntry, ExperimentEntry};
use crate::loaded::Loaded;

/// Step and end of a run in s, as far as they are given.
#[derive(Debug, Clone, Copy)]
pub struct RunLength {
    /// The step.
    pub step: Option<f64>,
    /// The end.
    pub end: Option<f64>,
}

/// Makes an experiment with its simulation and its measurements.
///
/// # Errors
/// [`CampaignError`].
pub fn build(
    name: &str,
    entry: &Located<ExperimentEntry>,
    of: (&Campaign, &Simulation, &Loaded),
    records: &mut Records,
) -> Result<Experiment, CampaignError> {
    let (own, inputs) = simulation_of(entry, of, records)?;
    let (campaign, _, loaded) = of;
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
    for (output, measurement) in measured::of_experiment(entry, (campaign, loaded), records)? {
        experiment = experiment.measured(output, measurement);
    }
    let description = own.description();
    let length = RunLength { step: description.step, end: description.end };
    for cost in spectra::of_experiment(entry, loaded, length, records)? {
        // lines have weights of their own
        experiment = experiment.cost(1.0, cost);
    }
    predictions::add(experiment, entry, &own, loaded)
}

/// Makes the simulation of an experiment; what is to be found of its inputs is left to the experiment.
///
/// # Errors
/// [`CampaignError`].
pub fn simulation_of(
    entry: &Located<ExperimentEntry>,
    (campaign, common, loaded): (&Campaign, &Simulation, &Loaded),
    records: &mut Records,
) -> Result<(Simulation, Inputs), CampaignError> {
    records.read_by(entry.reading.as_ref().unwrap_or(&campaign.reading).reader());
    let mut own = common.clone();
    for one in &entry.parameters {
        let parameter = super::parameter(loaded, &one.name)?;
        own = own.parameter(parameter, one.value.finite(parameter.name(), parameter.quantity().unit)?);
    }
    let settings = entry.run.clone().over(&campaign.run);
    own = simulation::with_settings(own, &settings, loaded)?;
    let mut inputs = inputs::of_experiment(entry, (campaign, loaded), settings.step.map(f64::from), records)?;
    for (input, signal) in inputs.signals.drain(..) {
        own = own.input(input, signal);
    }
    Ok((own, inputs))
}

/// Makes a correction whose numbers are those of the quantity `name` with this unit.
///
/// # Errors
/// Units that do not fit, and bounds in the wrong order.
pub fn correction(entry: &CorrectionEntry, name: &str, unit: &str) -> Result<Correction, CampaignError> {
    let value = entry.value.finite(name, unit)?;
    if !entry.is_unknown {
        return Ok(Correction::known(value));
    }
    let mut correction = Correction::unknown(value);
    if let Some(bounds) = &entry.bounds {
        let (lower, upper) = bounds.in_unit(name, unit)?;
        correction = correction.within(lower, upper);
    }
    if let Some(typical) = &entry.typical {
        correction = correction.typical(typical.positive(name, unit)?);
    }
    Ok(match &entry.common {
        Some(name) => correction.common(name),
        None => correction,
    })
}
