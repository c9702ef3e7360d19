//! From a campaign and its model to an identification.

mod clock;
mod experiment;
mod inertias;
mod inputs;
mod measured;
mod names;
mod noise;
mod predictions;
mod records;
mod simulation;
mod spectra;
mod tables;
mod unknowns;

use costate_identify::Identification;
use costate_system::interrupt::Interrupt;
use costate_system::simulation::Simulation;

use crate::Loaded;
use crate::error::{CampaignError, Fault};
use crate::files::FilePath;
use crate::place::Located;
use crate::seen::Observe;
use crate::{Campaign, ExperimentEntry};

pub use inertias::body;
pub use measured::MeasuredOutput;
use names::parameter;
pub use noise::process_noise;
use records::Records;

/// A campaign with its model, and the records that have been read for it.
struct Builder<'c> {
    campaign: &'c Campaign,
    loaded: &'c Loaded,
    /// The simulation that all experiments have in common, without inputs.
    common: Simulation,
    records: Records<'c>,
    observe: Observe<'c>,
}

impl<'c> Builder<'c> {
    fn new(
        campaign: &'c Campaign,
        loaded: &'c Loaded,
        interrupt: &Interrupt,
        observe: Observe<'c>,
    ) -> Result<Self, CampaignError> {
        let mut common = Simulation::of(loaded.system, parameters(campaign, loaded)?);
        common = simulation::with_settings(common, &campaign.run, loaded)?.interrupt(interrupt.clone());
        let common = tables::with_data(common, &campaign.tables, loaded)?;
        Ok(Self { campaign, loaded, common, records: Records::new(observe), observe })
    }
}

/// Makes the identification of a campaign.
///
/// # Errors
/// [`CampaignError`] for names, units and files that do not fit.
pub fn identification(
    campaign: &Campaign,
    loaded: &Loaded,
    interrupt: &Interrupt,
    observe: Observe<'_>,
) -> Result<Identification, CampaignError> {
    let mut builder = Builder::new(campaign, loaded, interrupt, observe)?;
    let mut identification = Identification::of(loaded.system, &builder.common)
        .choosing_steps()
        .weighting(campaign.residuals.weighting.0)
        .loss(campaign.residuals.loss)
        .quadrature(campaign.residuals.quadrature.0)
        .optimizer(campaign.optimizer.settings())
        .gradient_method(campaign.optimizer.gradient.0)
        .approach(campaign.optimizer.approach);
    if campaign.optimizer.ignore_check {
        identification = identification.ignore_check();
    }
    identification = unknowns::add(identification, &campaign.unknowns, loaded)?;
    identification = inertias::add(identification, &campaign.inertias, loaded)?;
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
        identification = identification.experiment(builder.experiment(&name, entry)?);
        names.push(name);
    }
    Ok(identification)
}

/// Makes the simulation of the first experiment with a record, and returns it with the channels that measure its
/// outputs.
///
/// # Errors
/// [`CampaignError`] for names, units and files that do not fit.
pub fn first_run(
    campaign: &Campaign,
    loaded: &Loaded,
    interrupt: &Interrupt,
    observe: Observe<'_>,
) -> Result<Option<(Simulation, Vec<MeasuredOutput>)>, CampaignError> {
    let with_record = |entry: &&Located<ExperimentEntry>| entry.record.is_some();
    let Some(entry) = campaign.experiments.iter().find(with_record) else { return Ok(None) };
    let mut builder = Builder::new(campaign, loaded, interrupt, observe)?;
    let (simulation, _) = builder.simulation(entry)?;
    Ok(Some((simulation, builder.measured(entry)?)))
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
pub fn parameters(campaign: &Campaign, loaded: &Loaded) -> Result<Vec<f64>, CampaignError> {
    let mut values = loaded.parameters.clone();
    let given = campaign.parameters.iter().map(|known| (&known.name, Some(&known.value)));
    let starts = campaign.unknowns.iter().map(|unknown| (&unknown.name, unknown.value.start.as_ref()));
    for (name, amount) in given.chain(starts) {
        let parameter = parameter(loaded, name)?;
        if let (Some(amount), Some(value)) = (amount, values.get_mut(parameter.index())) {
            *value = Some(amount.finite(parameter.name(), parameter.quantity().unit)?);
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
