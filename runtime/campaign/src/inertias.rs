//! Bodies of a campaign whose mass and inertia are to be found together.

use serde::Deserialize;

use crate::error::{CampaignError, Fault};
use crate::place::{Located, Place};
use crate::values::{Plain, list, sections};

sections!(InertiaEntry);

/// The names of the parameters of a spatial body.
#[derive(Debug, Clone, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct InertiaEntry {
    pub mass: Located<String>,
    #[serde(deserialize_with = "list")]
    pub moments: Vec<Located<String>>,
    #[serde(default, deserialize_with = "list")]
    pub products: Vec<Located<String>>,
    #[serde(default, deserialize_with = "list")]
    pub center: Vec<Located<String>>,
    pub deviation: Option<Plain>,
}

impl InertiaEntry {
    /// Takes the names of an option: mass, i_xx, i_yy, i_zz, then i_xy, i_xz, i_yz, then x, y, z of the centre.
    ///
    /// # Errors
    /// [`Fault::Text`] for another number of names.
    pub fn of_option(option: &str, text: &str) -> Result<Self, CampaignError> {
        let place = Place::option(option, text);
        let names: Vec<_> = text.split(',').map(|name| Located::new(name.trim().to_owned(), place.clone())).collect();
        let [mass, others @ ..] = &names[..] else { return Err(count(&place)) };
        if !matches!(others.len(), 3 | 6 | 9) {
            return Err(count(&place));
        }
        let part = |from: usize| others.get(from..from + 3).unwrap_or_default().to_vec();
        Ok(Self { mass: mass.clone(), moments: part(0), products: part(3), center: part(6), deviation: None })
    }
}

fn count(place: &Place) -> CampaignError {
    let message = "the names of 4, 7 or 10 parameters belong here: mass, i_xx, i_yy, i_zz, then i_xy, i_xz, i_yz, then \
                   x, y, z of the centre of mass";
    CampaignError::new(place, Fault::Text(message.to_owned()))
}
