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

/// Reads `NAME=DEVIATION` of a coordinate or an input.
pub fn noise(text: &str) -> Result<(String, f64), String> {
    let wanted = || "write a coordinate or an input and the deviation of its noise, such as `x=0.1`".to_owned();
    named_deviation(text).ok_or_else(wanted)
}

/// Reads `NAME=DEVIATION` of an output.
pub fn drift(text: &str) -> Result<(String, f64), String> {
    let wanted = || "write an output and the deviation of its drift after a second, such as `s=0.01`".to_owned();
    named_deviation(text).ok_or_else(wanted)
}

fn named_deviation(text: &str) -> Option<(String, f64)> {
    let (name, deviation) = text.split_once('=')?;
    let deviation = deviation.trim().parse().ok().filter(|value: &f64| *value > 0.0 && value.is_finite())?;
    Some((name.trim().to_owned(), deviation))
}

/// Adds deviations of the command line, of noise and of drifts, which are estimated.
pub fn add(entry: &mut PredictionErrorEntry, noise: &[(String, f64)], drifts: &[(String, f64)]) {
    let named = |option: &'static str| {
        move |(name, deviation): &(String, f64)| {
            let place = Place::option(option, &format!("{name}={deviation}"));
            Named { name: Located::new(name.clone(), place), value: Positive(*deviation) }
        }
    };
    entry.unknown_noise.extend(noise.iter().map(named("prediction-error")));
    entry.unknown_drift.extend(drifts.iter().map(named("drift")));
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
