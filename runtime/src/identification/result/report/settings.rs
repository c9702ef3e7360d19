//! What is needed to find the same again.

use costate_view::Page;

use crate::identification::result::summary::{FitSummary, FittedRun, MeasuredOutput};

pub fn write(page: &mut Page, summary: &FitSummary) {
    page.heading("To find it again");
    let settings = &summary.settings;
    let weighting = match settings.by_likelihood {
        true => "by standard deviations",
        false => "by the weights of the measurements",
    };
    let rows = [
        ("costate", settings.version.to_owned()),
        ("fingerprint of the samples", summary.data.clone()),
        ("scheme", format!("{:?}", settings.scheme)),
        ("steps", format!("{:?}", settings.steps)),
        ("residuals are weighed", weighting.to_owned()),
        ("loss", format!("{:?}", settings.loss)),
        ("optimizer", format!("{:?}", settings.optimizer)),
    ];
    let rows: Vec<_> = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    page.table(&["", ""], &rows);
    let run = |run: &FittedRun| {
        vec![run.experiment.clone().unwrap_or_default(), run.step.to_string(), run.end.to_string()]
    };
    let runs: Vec<_> = settings.runs.iter().map(run).collect();
    page.table(&["experiment", "step in s", "end in s"], &runs);
    let measurement = |measured: &MeasuredOutput| {
        vec![
            measured.experiment.clone().unwrap_or_default(),
            measured.output.to_owned(),
            measured.record.clone(),
            measured.channel.clone(),
            measured.sha256.clone().unwrap_or_else(|| "made by the program".to_owned()),
        ]
    };
    let validating = summary.validation.iter().flat_map(|validation| &validation.measurements);
    let records: Vec<_> = summary.measurements.iter().chain(validating).map(measurement).collect();
    page.table(&["experiment", "output", "record", "channel", "SHA-256 of the file"], &records);
}
