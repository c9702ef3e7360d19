//! A fit as one page: everything that a reader needs to trust it and to reproduce it. Pictures come from
//! `costate-view`, the page from `costate-view`; this module has the content of the page.

mod bode;
mod channels;
mod curves;
mod information_shares;
mod parameters;
mod predictions;
mod search;
mod settings;
mod spectra;
mod tests_of_residuals;

use std::fs;
use std::path::Path;

use costate_cost::residuals::ChannelAssessment;
use costate_view::Page;
use costate_view::plot::Figure;

use super::fit::Fit;
use super::fitted_experiment::{ExperimentResult, FittedExperiment};
use super::summary::{FitSummary, MeasuredOutput};
use super::written::FitFileError;

/// Largest number of unknowns that a picture shows legibly.
const MAX_PICTURED_UNKNOWNS: usize = 40;

/// Sizes of panels: over the width of the page, and of one of two side by side.
const WIDE: (u32, u32) = (1080, 280);
const HALF: (u32, u32) = (540, 300);

impl<M> Fit<M> {
    /// Writes the fit as one HTML page that needs no network: measured and fitted signals over time and frequency,
    /// residuals and their tests, parameters with intervals and bounds, correlations, the information of each
    /// experiment, found curves and inputs, the history of the search, settings, versions, and the records with the
    /// SHA-256 of their files. The folder is made if it does not exist.
    ///
    /// # Errors
    /// [`FitFileError`].
    pub fn report(&self, path: impl AsRef<Path>) -> Result<(), FitFileError> {
        let path = path.as_ref();
        let html = self.report_html()?;
        let failed = |source| FitFileError::Write { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        costate_contract::files::write(path, html).map_err(failed)
    }

    /// Returns the text of the page that [`report`](Self::report) writes.
    ///
    /// # Errors
    /// [`FitFileError::Record`], [`FitFileError::Plot`].
    pub fn report_html(&self) -> Result<String, FitFileError> {
        let experiments: Vec<_> = self.experiments().iter().map(FittedExperiment::result).collect();
        page_of(self.summary(), &experiments, self.assessments())
    }
}

/// Returns the text of the page.
fn page_of(
    summary: &FitSummary,
    experiments: &[&ExperimentResult],
    assessments: &[ChannelAssessment],
) -> Result<String, FitFileError> {
    let mut page = Page::new(format!("{}: results of the identification", summary.model));
    page.paragraph(&in_short(summary));
    for doubt in summary.doubts() {
        page.note(&doubt);
    }
    for assumed in &summary.assumed_units {
        page.note(&format!(
            "`{}` of `{}` has no unit and was taken in {}.",
            assumed.column, assumed.source, assumed.unit
        ));
    }
    for input in &summary.measured_inputs {
        page.note(&format!("The deviations take the measured input `{input}` as exact."));
    }
    parameters::write(&mut page, summary)?;
    channels::write(&mut page, summary, experiments)?;
    predictions::write(&mut page, summary)?;
    spectra::write(&mut page, summary)?;
    tests_of_residuals::write(&mut page, summary, assessments)?;
    information_shares::write(&mut page, summary)?;
    curves::write(&mut page, summary)?;
    search::write(&mut page, summary)?;
    settings::write(&mut page, summary);
    page.heading("Text output");
    page.as_it_is(&summary.to_string());
    Ok(page.html())
}

/// Summarises the fit in a few lines.
fn in_short(summary: &FitSummary) -> String {
    let unknowns = summary.parameters.len();
    let channels = summary.measurements.len();
    let samples: usize = summary.measurements.iter().map(|measured| measured.samples).sum();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (of_unknowns, of_channels) = (plural(unknowns), plural(channels));
    let predicted: usize = summary.predictions.iter().map(|predicted| predicted.measured.len()).sum();
    let groups = summary.predictions.len();
    let of_runs = format!("{samples} samples of {channels} channel{of_channels}");
    let of_predictions = format!("{predicted} numbers of {groups} predicted group{}", plural(groups));
    let from = match (channels, groups) {
        (_, 0) => of_runs,
        (0, _) => of_predictions,
        _ => format!("{of_runs} and {of_predictions}"),
    };
    let mut text = format!("{unknowns} unknown{of_unknowns} from {from}.");
    if let Some(grown) = &summary.grown {
        text += &format!(" Course: {grown}.");
    }
    if let Some(verdict) = &summary.verdict {
        text += &format!(" Tests of the residuals: {verdict}");
    }
    text
}

/// Returns the title of a measured output, with its experiment.
pub(super) fn title_of(measured: &MeasuredOutput) -> String {
    match &measured.experiment {
        Some(experiment) => format!("{experiment}: {}", measured.output),
        None => measured.output.to_owned(),
    }
}

/// Formats a unit for print.
fn in_print(unit: &str) -> String {
    unit.replace("^2", "²").replace("^3", "³").replace('*', "·")
}

/// Adds a figure to the page, unless it is empty.
fn add(page: &mut Page, figure: &Figure, caption: &str) -> Result<(), FitFileError> {
    if !figure.is_empty() {
        page.figure(&figure.svg()?, caption);
    }
    Ok(())
}
