//! Fits by prediction errors.

use costate::campaign::build;
use costate::campaign::place::{Located, Place};
use costate::campaign::values::{Named, Positive};
use costate::campaign::{Campaign, PredictionErrorEntry};
use serde_json::{Value, json};

use super::error::{FitError, JsonError};
use crate::answer::Answer;
use crate::doubts;
use crate::error::CommandError;
use crate::interrupt::on_ctrl_c;
use crate::loaded::Loaded;
use crate::words;

/// Reads `NAME=DEVIATION`.
pub fn noise(text: &str) -> Result<(String, f64), String> {
    const WANTED: &str = "write a coordinate or an input and the deviation of its noise, such as `x=0.1`";
    let (name, deviation) = text.split_once('=').ok_or(WANTED)?;
    match deviation.trim().parse::<f64>() {
        Ok(deviation) if deviation > 0.0 && deviation.is_finite() => Ok((name.trim().to_owned(), deviation)),
        _ => Err(WANTED.to_owned()),
    }
}

/// Adds deviations of the command line, which are estimated.
pub fn add(entry: &mut PredictionErrorEntry, given: &[(String, f64)]) {
    entry.unknown_noise.extend(given.iter().map(|(name, deviation)| {
        let place = Place::option("prediction-error", &format!("{name}={deviation}"));
        Named { name: Located::new(name.clone(), place), value: Positive(*deviation) }
    }));
}

/// Fits a campaign by prediction errors.
///
/// # Errors
/// Those of the campaign and of the identification.
pub fn run(campaign: &Campaign, entry: &PredictionErrorEntry, loaded: &Loaded) -> Result<Answer, CommandError> {
    let output = &campaign.output;
    let refused = [
        (campaign.multistart.is_some(), "multistart"),
        (output.report.is_some(), "report"),
        (output.folder.is_some(), "folder of results"),
        (output.write_defaults, "defaults to be written"),
        (output.state.is_some(), "state"),
    ];
    if let Some((_, what)) = refused.into_iter().find(|(is_given, _)| *is_given) {
        return Err(FitError::BesidePredictionErrors(what).into());
    }
    let noise = build::process_noise(entry, loaded)?;
    let identification = build::identification(campaign, loaded, &on_ctrl_c(), &doubts::of)?;
    let mut fit = identification.prediction_error_by(&noise, loaded.model.dual_equations())?;
    let json: Value = serde_json::to_value(&fit).map_err(JsonError)?;
    // remarks follow as doubts
    let remarks = std::mem::take(&mut fit.remarks);
    let text = words::of_command(&fit.to_string());
    Ok(Answer::new(text, json!({ "prediction_error": json, "doubts": remarks })).doubted(&remarks))
}
