//! Bodies whose mass and inertia are to be found together.

use costate_identify::Identification;
use costate_system::body_inertia::BodyInertia;
use costate_system::identifiers::Parameter;

use super::names::parameter;
use crate::error::{CampaignError, Fault};
use crate::place::{Located, Place};
use crate::{InertiaEntry, Loaded};

/// Adds the bodies of a campaign.
///
/// # Errors
/// Names that the model does not have, and lists of names that are not three.
pub fn add(
    mut identification: Identification,
    bodies: &[Located<InertiaEntry>],
    loaded: &Loaded,
) -> Result<Identification, CampaignError> {
    for entry in bodies {
        let body = body(entry, loaded)?;
        identification = match &entry.deviation {
            Some(deviation) => identification.unknown_inertia_near(body, deviation.0),
            None => identification.unknown_inertia(body),
        };
    }
    Ok(identification)
}

/// Finds the parameters of a body.
///
/// # Errors
/// Names that the model does not have, and lists of names that are not three.
pub fn body(entry: &InertiaEntry, loaded: &Loaded) -> Result<BodyInertia, CampaignError> {
    let place = &entry.mass.place;
    let mut body =
        BodyInertia::new(parameter(loaded, &entry.mass)?, three("moments", (&entry.moments, place), loaded)?);
    if !entry.products.is_empty() {
        body = body.products(three("products", (&entry.products, place), loaded)?);
    }
    if !entry.center.is_empty() {
        body = body.center(three("center", (&entry.center, place), loaded)?);
    }
    Ok(body)
}

fn three(
    field: &str,
    (names, place): (&[Located<String>], &Place),
    loaded: &Loaded,
) -> Result<[Parameter; 3], CampaignError> {
    let found = names.iter().map(|name| parameter(loaded, name)).collect::<Result<Vec<_>, _>>()?;
    let wrong = |found: Vec<Parameter>| {
        let message = format!("`{field}` has {} names; write three", found.len());
        CampaignError::new(names.first().map_or(place, |first| &first.place), Fault::Text(message))
    };
    found.try_into().map_err(wrong)
}
