//! The noise of a fit by prediction errors, and the drifts of its sensors.

use costate_identify::{NoiseDeviation, ProcessNoise};

use super::names::refused;
use crate::Loaded;
use crate::PredictionErrorEntry;
use crate::error::CampaignError;
use crate::place::Located;
use crate::values::{Named, Positive};

/// Makes the noise of coordinates and inputs, and the drifts of outputs.
///
/// # Errors
/// [`CampaignError`] for a name that is none of these.
pub fn process_noise(entry: &PredictionErrorEntry, loaded: &Loaded) -> Result<ProcessNoise, CampaignError> {
    let mut noise = ProcessNoise::new();
    for (name, deviation) in deviations(&entry.unknown_noise, &entry.known_noise) {
        noise = match (loaded.system.coordinate(&name.value), loaded.system.input(&name.value)) {
            (Ok(coordinate), _) => noise.on_velocity(coordinate, deviation),
            (_, Ok(input)) => noise.on_input(input, deviation),
            (Err(error), _) => return Err(refused(name, error)),
        };
    }
    for (name, deviation) in deviations(&entry.unknown_drift, &entry.known_drift) {
        let output = loaded.system.output(&name.value).map_err(|error| refused(name, error))?;
        noise = noise.drift_of(output, deviation);
    }
    Ok(if entry.vanishing { noise.vanishing() } else { noise })
}

/// Returns unknown deviations, then known ones, with their names.
fn deviations<'a>(
    unknown: &'a [Named<Positive>],
    known: &'a [Named<Positive>],
) -> impl Iterator<Item = (&'a Located<String>, NoiseDeviation)> {
    let unknown = unknown.iter().map(|one| (&one.name, NoiseDeviation::Unknown(one.value.0)));
    unknown.chain(known.iter().map(|one| (&one.name, NoiseDeviation::Known(one.value.0))))
}
