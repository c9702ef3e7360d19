//! Names of a model in a campaign.

use costate_contract::shown::plain;
use costate_system::identifiers::{Input, Output, Parameter};
use costate_system::model::UnknownName;

use crate::Loaded;
use crate::error::{CampaignError, Fault};
use crate::place::Located;

/// Finds a parameter.
///
/// # Errors
/// [`Fault::UnknownName`].
pub fn parameter(loaded: &Loaded, name: &Located<String>) -> Result<Parameter, CampaignError> {
    loaded.system.parameter(&name.value).map_err(|error| refused(name, error))
}

/// Finds an input.
///
/// # Errors
/// [`Fault::UnknownName`].
pub fn input(loaded: &Loaded, name: &Located<String>) -> Result<Input, CampaignError> {
    loaded.system.input(&name.value).map_err(|error| refused(name, error))
}

/// Finds an output.
///
/// # Errors
/// [`Fault::UnknownName`].
pub fn output(loaded: &Loaded, name: &Located<String>) -> Result<Output, CampaignError> {
    loaded.system.output(&name.value).map_err(|error| refused(name, error))
}

/// Returns the error of a name at its place.
pub fn refused(name: &Located<String>, error: UnknownName) -> CampaignError {
    let UnknownName { kind, name: given, available: known, .. } = error;
    CampaignError::new(&name.place, Fault::UnknownName { kind, name: plain(&given).into_owned(), known })
}
