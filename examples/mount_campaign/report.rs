//! Text and JSON output of the program.

use std::collections::BTreeMap;
use std::fmt::Write;

use costate::Fit;
use costate::identify::{FitSummary, FittedParameter, ModelComparison, Profile};
use costate_examples::{FoundParameter, Table};
use costate_models::PreloadedMount;
use serde::Serialize;

use crate::Options;
use crate::bench::{RUNS, truth};

/// Describes the campaign.
pub fn campaign(options: &Options) -> String {
    format!(
        "Hydraulic engine mount: identification from a campaign of {} runs, {} % noise, seed {}\n",
        RUNS.len() - 1,
        100.0 * options.noise,
        options.seed
    )
}

/// Lists the distances of the found values from the true ones, in standard deviations.
pub fn comparison(fit: &Fit<PreloadedMount>) -> Table {
    let mut table = Table::new(["unknown", "true value", "found", "error/std. dev."]);
    for fitted in &fit.summary().parameters {
        let Some(truth) = truth(&fitted.quantity, fitted.of.as_deref()) else { continue };
        let score = format!("{:.2}", (fitted.found - truth) / fitted.standard_deviation);
        table = table.row([fitted.name.clone(), format!("{truth:.5e}"), format!("{:.6e}", fitted.found), score]);
    }
    table
}

/// Lists intervals by profiles and those by standard deviations.
pub fn profiles(profiles: &[Profile]) -> String {
    let mut text =
        "95 % confidence intervals by profile likelihood (in brackets: from standard deviations)\n".to_owned();
    for profile in profiles {
        let [lower, upper] = &profile.interval;
        let [linear_lower, linear_upper] = profile.linear_interval;
        let _ = writeln!(
            text,
            "  {:5}  {lower} to {upper} ({linear_lower:.5e} to {linear_upper:.5e}) {}: {}",
            profile.name, profile.unit, profile.identifiability
        );
    }
    text
}

/// Describes the residuals of a mount without the losses of its flow.
pub fn without_flow(fit: &FitSummary, models: &ModelComparison) -> String {
    let mut text = "The same records and a mount whose flow has no turbulent losses:\n".to_owned();
    if let Some(verdict) = &fit.verdict {
        let _ = writeln!(text, "{verdict}");
    }
    let _ = writeln!(text, "{models}");
    text
}

/// The result of the campaign.
#[derive(Debug, Serialize)]
pub struct Summary {
    parameters: BTreeMap<String, FoundParameter>,
    verdict: String,
    verdict_in_words: String,
    /// Fit in percent by experiment and output.
    fit_percent: BTreeMap<String, BTreeMap<&'static str, Option<f64>>>,
    validation_percent: BTreeMap<&'static str, Option<f64>>,
    without_flow: WithoutFlow,
    iterations: usize,
    forward_seconds: f64,
    gradient_seconds: f64,
}

#[derive(Debug, Serialize)]
struct WithoutFlow {
    verdict: String,
    /// BIC without the losses of the flow minus BIC with them.
    bic_behind: Option<f64>,
}

impl Summary {
    /// Summarises the fit, and the one without losses of the flow.
    pub fn new(fit: &Fit<PreloadedMount>, without_flow: &FitSummary, models: &ModelComparison) -> Self {
        let summary = fit.summary();
        let unknown =
            |fitted: &FittedParameter| FoundParameter::new(fitted, truth(&fitted.quantity, fitted.of.as_deref()));
        let mut fit_percent: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
        for measured in &summary.measurements {
            let experiment = measured.experiment.clone().unwrap_or_default();
            fit_percent.entry(experiment).or_default().insert(measured.output, measured.fit_percent);
        }
        let validated = summary.validation.iter().flat_map(|validation| &validation.measurements);
        let behind = models.models.iter().find(|model| model.name == "without").map(|model| model.behind);
        Self {
            parameters: summary.parameters.iter().map(|p| (p.name.clone(), unknown(p))).collect(),
            verdict: judgement(summary),
            verdict_in_words: summary.verdict.as_ref().map_or(String::new(), |verdict| verdict.to_string()),
            fit_percent,
            validation_percent: validated.map(|measured| (measured.output, measured.fit_percent)).collect(),
            without_flow: WithoutFlow { verdict: judgement(without_flow), bic_behind: behind },
            iterations: summary.iterations,
            forward_seconds: summary.seconds_forward,
            gradient_seconds: summary.seconds_gradient,
        }
    }
}

/// Returns `sufficient`, `doubtful` or `insufficient`.
fn judgement(fit: &FitSummary) -> String {
    let judged = fit.verdict.as_ref().map(|verdict| format!("{:?}", verdict.judgement).to_lowercase());
    judged.unwrap_or_else(|| "nothing to judge".to_owned())
}
