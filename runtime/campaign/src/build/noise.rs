//! The noise of a fit by prediction errors.

use costate_identify::{NoiseDeviation, ProcessNoise};

use super::names::refused;
use crate::Loaded;
use crate::PredictionErrorEntry;
use crate::error::CampaignError;

/// Makes the noise of coordinates and inputs.
///
/// # Errors
/// [`CampaignError`] for a name that is neither.
pub fn process_noise(entry: &PredictionErrorEntry, loaded: &Loaded) -> Result<ProcessNoise, CampaignError> {
    let mut noise = ProcessNoise::new();
    let unknown = entry.unknown_noise.iter().map(|one| (&one.name, NoiseDeviation::Unknown(one.value.0)));
    let known = entry.known_noise.iter().map(|one| (&one.name, NoiseDeviation::Known(one.value.0)));
    for (name, deviation) in unknown.chain(known) {
        noise = match (loaded.system.coordinate(&name.value), loaded.system.input(&name.value)) {
            (Ok(coordinate), _) => noise.on_velocity(coordinate, deviation),
            (_, Ok(input)) => noise.on_input(input, deviation),
            (Err(error), _) => return Err(refused(name, error)),
        };
    }
    Ok(if entry.vanishing { noise.vanishing() } else { noise })
}
