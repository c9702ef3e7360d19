//! Section of the report with everything that is needed to reproduce the fit.

use costate_view::Page;
use serde::Serialize;
use serde_json::Value;

use crate::result::summary::{FitSummary, FittedRun, MeasuredOutput};

pub fn write(page: &mut Page, summary: &FitSummary) {
    page.heading("Settings and data, to reproduce the fit");
    let settings = &summary.settings;
    let weighting = match settings.by_likelihood {
        true => "from standard deviations",
        false => "given with the measurements",
    };
    let rows = [
        ("costate", settings.version.to_owned()),
        ("fingerprint of the samples", summary.data.clone()),
        ("scheme", words_of(&settings.scheme)),
        ("steps", words_of(&settings.steps)),
        ("weights of residuals", weighting.to_owned()),
        ("loss", words_of(&settings.loss)),
    ];
    let finer =
        settings.finer_steps.map(|finer| ("parts into which steps of residuals are divided", finer.parts.to_string()));
    let mut rows: Vec<_> = rows.into_iter().chain(finer).map(|(name, value)| vec![name.to_owned(), value]).collect();
    if let Ok(Value::Object(optimizer)) = serde_json::to_value(&settings.optimizer) {
        rows.extend(optimizer.iter().map(|(name, value)| vec![spaced(name), words(value)]));
    }
    page.table(&["setting", "value"], &rows);
    let run = |run: &FittedRun| {
        let numbers = [run.step.to_string(), run.order.to_string(), run.end.to_string()];
        [run.experiment.clone().unwrap_or_default()].into_iter().chain(numbers).collect::<Vec<_>>()
    };
    let runs: Vec<_> = settings.runs.iter().map(run).collect();
    page.table(&["experiment", "step in s", "order", "end in s"], &runs);
    let measurement = |measured: &MeasuredOutput| {
        vec![
            measured.experiment.clone().unwrap_or_default(),
            measured.output.to_owned(),
            measured.record.clone(),
            measured.channel.clone(),
            measured.sha256.clone().unwrap_or_else(|| "none, not read from a file".to_owned()),
        ]
    };
    let validating = summary.validation.iter().flat_map(|validation| &validation.measurements);
    let records: Vec<_> = summary.measurements.iter().chain(validating).map(measurement).collect();
    page.table(&["experiment", "output", "record", "channel", "SHA-256 of the file"], &records);
}

/// Formats a setting in words.
fn words_of(setting: &impl Serialize) -> String {
    serde_json::to_value(setting).map_or_else(|_| String::new(), |value| words(&value))
}

/// Formats a value: names with spaces, and the settings of a choice after its name.
fn words(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::String(name) => spaced(name),
        Value::Array(values) => values.iter().map(words).collect::<Vec<_>>().join(", "),
        Value::Object(entries) => {
            let entry = |(name, value): (&String, &Value)| match value {
                Value::Object(_) => format!("{}: {}", spaced(name), words(value)),
                _ => format!("{} {}", spaced(name), words(value)),
            };
            entries.iter().map(entry).collect::<Vec<_>>().join(", ")
        }
        Value::Number(number) => number.to_string(),
    }
}

/// Separates the words of a name: `GeneralizedAlpha` and `strong_wolfe` become `generalized alpha` and `strong
/// wolfe`.
fn spaced(name: &str) -> String {
    let mut spaced = String::new();
    for (i, letter) in name.chars().enumerate() {
        if letter == '_' || (letter.is_uppercase() && i > 0) {
            spaced.push(' ');
        }
        if letter != '_' {
            spaced.extend(letter.to_lowercase());
        }
    }
    spaced
}
