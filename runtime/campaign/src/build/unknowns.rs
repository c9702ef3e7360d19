//! Parameters that are to be found.

use costate_identify::{Identification, Prior, UnknownParameter};
use costate_system::identifiers::Parameter;

use super::names::parameter;
use crate::Loaded;
use crate::error::{CampaignError, Fault};
use crate::{Named, Owner, PriorEntry, ScalingEntry, UnknownEntry};

/// Adds the unknowns of a campaign, with their priors.
///
/// # Errors
/// Names that the model does not have, names that are given twice, and units that do not fit.
pub fn add(
    mut identification: Identification,
    unknowns: &[Named<UnknownEntry>],
    loaded: &Loaded,
) -> Result<Identification, CampaignError> {
    let mut known: Vec<Parameter> = Vec::new();
    for Named { name, value: entry } in unknowns {
        let parameter = parameter(loaded, name)?;
        if known.contains(&parameter) {
            let fault = Fault::Twice { what: "the unknown", name: name.value.clone() };
            return Err(CampaignError::new(&name.place, fault));
        }
        known.push(parameter);
        let unknown = unknown(parameter, entry)?;
        identification = match entry.owner.0 {
            Owner::All => identification.unknown([unknown]),
            Owner::Group => identification.unknown_per_group([unknown]),
            Owner::Experiment => identification.unknown_per_experiment([unknown]),
        };
        if let Some(prior) = &entry.prior {
            identification = identification.prior(parameter, prior_of(parameter, prior)?);
        }
    }
    Ok(identification)
}

fn unknown(parameter: Parameter, entry: &UnknownEntry) -> Result<UnknownParameter, CampaignError> {
    let (name, unit) = (parameter.name(), parameter.quantity().unit);
    let mut unknown = UnknownParameter::from(parameter);
    if let Some(bounds) = &entry.bounds {
        let (lower, upper) = bounds.in_unit(name, unit)?;
        unknown = unknown.within(lower, upper);
    }
    Ok(match &entry.scaling {
        None => unknown,
        Some(ScalingEntry::Logarithmic) => unknown.logarithmic(),
        Some(ScalingEntry::Linear(typical)) => unknown.linear(typical.positive(name, unit)?),
    })
}

fn prior_of(parameter: Parameter, entry: &PriorEntry) -> Result<Prior, CampaignError> {
    let (name, unit) = (parameter.name(), parameter.quantity().unit);
    Ok(match entry {
        PriorEntry::Normal(mean, deviation) => {
            Prior::Normal { mean: mean.finite(name, unit)?, standard_deviation: deviation.positive(name, unit)? }
        }
        PriorEntry::LogNormal(median, log_deviation) => {
            Prior::LogNormal { median: median.positive(name, unit)?, log_deviation: *log_deviation }
        }
    })
}
