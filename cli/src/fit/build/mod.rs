//! From a campaign and its model to an identification.

mod experiment;
mod inputs;
mod measured;
mod names;
mod predictions;
mod records;
mod simulation;
mod spectra;
mod tables;
mod unknowns;

use costate::identify::Identification;
use costate::simulate::Interrupt;
use costate::simulate::Simulation;

use super::campaign::error::{CampaignError, Fault};
use super::campaign::place::{FilePath, Located};
use super::campaign::{Campaign, ExperimentEntry, Values};
use crate::loaded::Loaded;

pub use measured::MeasuredOutput;
pub use names::parameter;
use records::Records;

/// Makes the identification of a campaign.
///
/// # Errors
/// [`CampaignError`] for names, units and files that do not serve.
pub fn identification(
    campaign: &Campaign,
    loaded: &Loaded,
    interrupt: &Interrupt,
) -> Result<Identification, CampaignError> {
    let mut records = Records::default();
    let common = common(campaign, loaded, interrupt)?;
    let mut identification = Identification::of(loaded.system, &common)
        .weighting(campaign.residuals.weighting)
        .loss(campaign.residuals.loss)
        .quadrature(campaign.residuals.quadrature)
        .optimizer(campaign.optimizer.settings())
        .gradient_method(campaign.optimizer.gradient)
        .growing(campaign.optimizer.growing);
    if campaign.optimizer.ignore_check {
        identification = identification.ignore_check();
    }
    identification = unknowns::add(identification, &campaign.unknowns, loaded)?;
    for unknown in tables::unknown(&campaign.tables, loaded)? {
        identification = identification.unknown_table(unknown);
    }
    let mut names: Vec<String> = Vec::new();
    for entry in &campaign.experiments {
        let name = experiment_name(entry);
        if names.contains(&name) {
            let place = entry.name.as_ref().map_or(&entry.place, |name| &name.place);
            return Err(CampaignError::new(place, Fault::Twice { what: "the experiment", name }));
        }
        let experiment = experiment::build(&name, entry, (campaign, &common, loaded), &mut records)?;
        identification = identification.experiment(experiment);
        names.push(name);
    }
    Ok(identification)
}

/// Makes the simulation of the first experiment with a record, and returns it with the channels that measure its
/// outputs.
///
/// # Errors
/// [`CampaignError`] for names, units and files that do not serve.
pub fn first_run(
    campaign: &Campaign,
    loaded: &Loaded,
    interrupt: &Interrupt,
) -> Result<Option<(Simulation, Vec<MeasuredOutput>)>, CampaignError> {
    let with_record = |entry: &&Located<ExperimentEntry>| entry.record.is_some();
    let Some(entry) = campaign.experiments.iter().find(with_record) else { return Ok(None) };
    let mut records = Records::default();
    let common = common(campaign, loaded, interrupt)?;
    let (simulation, _) = experiment::simulation_of(entry, (campaign, &common, loaded), &mut records)?;
    Ok(Some((simulation, measured::channels_of(entry, (campaign, loaded), &mut records)?)))
}

/// Makes the simulation that all experiments have in common, without inputs.
fn common(campaign: &Campaign, loaded: &Loaded, interrupt: &Interrupt) -> Result<Simulation, CampaignError> {
    let mut common = Simulation::of(loaded.system, parameters(campaign, loaded)?);
    common = simulation::with_settings(common, &campaign.run, loaded)?.interrupt(interrupt.clone());
    tables::with_data(common, &campaign.tables, loaded)
}

/// Returns the name of an experiment: the given one, or that of the file of its record or of its first measured
/// numbers.
fn experiment_name(entry: &ExperimentEntry) -> String {
    let stem = |file: &Located<FilePath>| {
        file.value.file_stem().unwrap_or(file.value.as_os_str()).to_string_lossy().into_owned()
    };
    let of_file = || entry.record.as_ref().or_else(|| entry.file_of_predictions()).map(stem);
    let given = entry.name.as_ref().map(|name| name.value.clone());
    given.or_else(of_file).unwrap_or_else(|| "modes".to_owned())
}

/// Returns the values of all parameters: those of the campaign, start values of unknowns, and defaults of the model.
fn parameters(campaign: &Campaign, loaded: &Loaded) -> Result<Vec<f64>, CampaignError> {
    let mut values = loaded.parameters.clone();
    set(&mut values, &campaign.parameters, loaded)?;
    for unknown in &campaign.unknowns {
        let parameter = parameter(loaded, &unknown.name)?;
        if let Some(start) = &unknown.value.start {
            let value = start.finite(parameter.name(), parameter.quantity().unit)?;
            if let Some(own) = values.get_mut(parameter.index()) {
                *own = Some(value);
            }
        }
    }
    let each = values.into_iter().zip(loaded.system.description().parameters);
    each.map(|(value, quantity)| {
        value.ok_or_else(|| {
            let fault = Fault::NoDefault {
                parameter: quantity.name.to_owned(),
                remedy: campaign.remedy_of_parameter(quantity.name),
            };
            CampaignError::new(&campaign.model.place, fault)
        })
    })
    .collect()
}

/// Sets the values of named parameters.
fn set(values: &mut [Option<f64>], given: &Values, loaded: &Loaded) -> Result<(), CampaignError> {
    for one in given {
        let parameter = parameter(loaded, &one.name)?;
        let value = one.value.finite(parameter.name(), parameter.quantity().unit)?;
        if let Some(own) = values.get_mut(parameter.index()) {
            *own = Some(value);
        }
    }
    Ok(())
}
