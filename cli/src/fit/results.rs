//! The answer of a fit: the table, the files that were written, and what is doubtful.

use std::f64::consts::TAU;
use std::path::PathBuf;

use costate::campaign::{Campaign, ResamplingEntry};
use costate::command::shown::Shown;
use costate::identify::residuals::{Contradiction, Finding, Judgement, Verdict};
use costate::identify::{Bootstrap, Fit, FitSummary, FittedPrediction, FittedStart, LeaveOneOut};
use costate::model::Parameter;
use serde_json::{Value, json};

use super::error::JsonError;
use super::outputs::may_replace;
use crate::answer::Answer;
use crate::error::CommandError;
use crate::loaded::Loaded;
use crate::output::replace;
use crate::selection::Selection;
use crate::{doubts as of_files, words};

/// Length of steps with errors of some percent in those that a fit chooses, with errors of about a thousandth.
const STEPS_OF_PERCENT: f64 = 4.0;

/// Writes the files of a fit, and returns its answer, with what was found and what could not be written.
///
/// # Errors
/// [`JsonError`].
pub fn answer(campaign: &Campaign, loaded: &Loaded, fit: &Fit) -> Result<Answer, CommandError> {
    let mut text = words::of_command(&fit.to_string());
    if !text.ends_with('\n') {
        text.push('\n');
    }
    // effects of known values are compared with deviations
    let known = fit.summary().deviations_valid.then(|| fit.known_parameters().ok()).flatten();
    text += &known.as_ref().map_or(String::new(), ToString::to_string);
    let mut failed: Vec<CommandError> = Vec::new();
    let mut files: Vec<PathBuf> = Vec::new();
    if let Some(folder) = &campaign.output.folder {
        match fit.write_where(folder, &may_replace) {
            Ok(written) => {
                files = written;
                text += &format!("results: {} files in `{}`\n", files.len(), folder.display());
            }
            Err(error) => failed.push(error.into()),
        }
    }
    let mut changed = Vec::new();
    if campaign.output.write_defaults {
        let (values, left) = defaults(loaded, fit);
        match write_defaults(campaign, &values) {
            Ok(names) => {
                changed = names;
                text += &format!(
                    "defaults: `{}` has the values of {}\n",
                    campaign.model.file.display(),
                    changed.join(", ")
                );
            }
            Err(error) => failed.push(error),
        }
        if !left.is_empty() {
            text += &format!("not written, since they are no defaults: {}\n", left.join(", "));
        }
    }
    let mut report = campaign.output.report.as_deref();
    if let Some(path) = report {
        match fit.report(path) {
            Ok(()) => text += &format!("report: `{}`\n", path.display()),
            Err(error) => {
                failed.push(error.into());
                report = None;
            }
        }
    }
    let (resampled, bootstrap, leave_one_out) = resampled(&campaign.resampling, fit, &mut failed);
    text += &resampled;
    let mut doubts: Vec<String> =
        doubts(fit.summary(), fit.starts()).iter().map(|doubt| words::of_command(doubt)).collect();
    // steps for little noise are short beside a right record as well
    if !doubts.is_empty()
        && let Some(step) = fit.summary().chosen_steps.as_ref().and_then(|chosen| chosen.step)
    {
        of_files::of_steps(STEPS_OF_PERCENT * step);
    }
    doubts.extend(loaded.compiled.impossible_inertias(&values(campaign, loaded, fit)));
    doubts.extend(of_runs(loaded, fit));
    let fit: Value = serde_json::to_value(fit).map_err(JsonError)?;
    let json = json!({ "fit": fit, "report": report, "files": files, "defaults": changed, "doubts": doubts,
        "known_parameters": known, "bootstrap": bootstrap, "leave_one_out": leave_one_out });
    Ok(Answer::new(text, json).without(failed).doubted(&doubts))
}

/// Fits to data that are drawn again, as far as the campaign asks for it; returns the tables and the results.
fn resampled(
    wanted: &ResamplingEntry,
    fit: &Fit,
    failed: &mut Vec<CommandError>,
) -> (String, Option<Bootstrap>, Option<LeaveOneOut>) {
    let mut text = String::new();
    let mut draw = |result: Result<String, CommandError>| match result {
        Ok(table) => text += &format!("\n{table}\n"),
        Err(error) => failed.push(error),
    };
    let (mut bootstrap, mut left_out) = (None, None);
    if let Some(repetitions) = wanted.bootstrap {
        let drawn = fit.bootstrap(wanted.of.0, repetitions, wanted.seed);
        draw(drawn.map(|drawn| bootstrap.insert(drawn).to_string()).map_err(CommandError::from));
    }
    if wanted.leave_one_out {
        let drawn = fit.leave_one_out();
        draw(drawn.map(|drawn| left_out.insert(drawn).to_string()).map_err(CommandError::from));
    }
    (text, bootstrap, left_out)
}

/// Collects the doubts about a fit, with those about its end and about the model.
pub fn doubts(summary: &FitSummary, starts: &[FittedStart]) -> Vec<String> {
    /// Number of unknowns from which on a cost often has several minima, as in laws of friction and hysteresis.
    const MANY_UNKNOWNS: usize = 3;
    let mut doubts = summary.doubts();
    if !summary.stop.converged() {
        doubts.push(format!("The search has not converged: {}.", summary.stop));
    }
    let may_be_local = starts.is_empty() && summary.parameters.len() >= MANY_UNKNOWNS;
    doubts.extend(summary.verdict.iter().filter_map(|verdict| of_verdict(verdict, may_be_local)));
    doubts.extend(of_common_ratio(summary));
    doubts.extend(summary.predictions.iter().filter_map(of_frequencies));
    doubts
}

/// Returns the question about measured frequencies that are far from those of the found values, or 2 pi times those of
/// the start values.
fn of_frequencies(prediction: &FittedPrediction) -> Option<String> {
    /// Ratio of two frequencies of one mode, whose stiffnesses differ by half.
    const MAX_RATIO: f64 = 1.25;
    let FittedPrediction { group, unit, measured, start, fitted, .. } = prediction;
    let is_turn = |(measured, start): (&f64, &f64)| (TAU / MAX_RATIO..TAU * MAX_RATIO).contains(&(measured / start));
    if unit == "Hz" && start.len() > 1 && measured.iter().zip(start).all(is_turn) {
        return Some(format!(
            "The measured `{group}` are about 2 pi times those of the start values: are they in rad/s, and not in Hz?"
        ));
    }
    let ratio = |(measured, fitted): &(&f64, &f64)| (*measured / *fitted).max(*fitted / *measured);
    let all = measured.iter().zip(fitted).filter(|_| unit == "Hz");
    let (measured, fitted) = all.max_by(|a, b| ratio(a).total_cmp(&ratio(b))).filter(|pair| ratio(pair) > MAX_RATIO)?;
    Some(format!(
        "The fit leaves one of the `{group}` at {} Hz that is measured as {} Hz: is this another mode, or another \
         unit?",
        Shown(*fitted),
        Shown(*measured)
    ))
}

/// Returns the question about the unit of a channel that has none where all found values are about so many times their
/// start values, as with forces in mN that are taken in N.
fn of_common_ratio(summary: &FitSummary) -> Option<String> {
    /// Ratio that is no error of a guess, and the largest ratio of two of these ratios, by errors of guesses.
    const MIN_RATIO: f64 = 10.0;
    const MAX_SPREAD: f64 = 3.0;
    let assumed = summary.assumed_units.first()?;
    let ratios: Vec<f64> = summary.parameters.iter().map(|one| one.found / one.start).collect();
    let (least, most) = (ratios.iter().copied().reduce(f64::min)?, ratios.iter().copied().reduce(f64::max)?);
    let is_common = least > 0.0 && most < MAX_SPREAD * least && (least > MIN_RATIO || most < MIN_RATIO.recip());
    let ratio: f64 = format!("{:.0e}", (least * most).sqrt()).parse().ok()?;
    (ratios.len() > 1 && is_common).then(|| {
        format!(
            "All found values are about {} times their start values, and `{}` of `{}` has no unit: is it in another \
                 one than {}?",
            Shown(ratio),
            assumed.column,
            assumed.source,
            assumed.unit
        )
    })
}

/// Returns one line on a verdict, whose own lines stand above. `may_be_local` says that no other starts were tried.
fn of_verdict(verdict: &Verdict, may_be_local: bool) -> Option<String> {
    let is_outlier = |finding: &Finding| finding.contradiction == Contradiction::NotNormal;
    let count = |mut names: Vec<(&String, &Option<String>)>| {
        names.sort_unstable();
        names.dedup();
        match &names[..] {
            [(channel, None)] => format!("`{channel}`"),
            [(channel, Some(experiment))] => format!("`{channel}` in `{experiment}`"),
            all => format!("{} channels", all.len()),
        }
    };
    let of_findings = |wanted: &dyn Fn(&&Finding) -> bool| {
        count(verdict.findings.iter().filter(wanted).map(|one| (&one.channel, &one.experiment)).collect())
    };
    if !verdict.suspicions.is_empty() {
        let suspected = verdict.suspicions.iter().map(|one| (&one.channel, &one.experiment)).collect();
        return Some(format!(
            "The fit says nothing about the model yet, and deviations mean nothing: see above, {}.",
            count(suspected)
        ));
    }
    if verdict.judgement == Judgement::Insufficient {
        let channels = of_findings(&|finding| finding.certain);
        let or_local = match may_be_local {
            true => {
                " The search may also have ended in a local minimum: `[multistart]` of a campaign tries many starts."
            }
            false => "",
        };
        return Some(format!("Tests of the residuals contradict the model: see above, {channels}.{or_local}"));
    }
    let has_outliers = verdict.findings.iter().any(is_outlier);
    has_outliers.then(|| {
        format!(
            "Outliers among the residuals of {}, see above: `without` leaves them out, `loss = \"huber\"` in \
                 `[residuals]` of a campaign bounds their influence.",
            of_findings(&|finding| is_outlier(finding))
        )
    })
}

/// Returns the found values of the parameters that all experiments have in common, and the names of the other unknowns.
fn defaults(loaded: &Loaded, fit: &Fit) -> (Vec<(String, f64)>, Vec<String>) {
    let (mut values, mut left) = (Vec::new(), Vec::new());
    for fitted in fit.summary().parameters.iter().filter(|fitted| fitted.part_of.is_none()) {
        match fitted.of.is_none() && loaded.system.parameter(&fitted.quantity).is_ok() {
            true => values.push((fitted.quantity.clone(), fitted.rounded())),
            false => left.push(fitted.name.clone()),
        }
    }
    (values, left)
}

/// Returns the values of all parameters of the model: found ones, those of the campaign, and defaults.
fn values(campaign: &Campaign, loaded: &Loaded, fit: &Fit) -> Vec<Option<f64>> {
    let mut values = loaded.parameters.clone();
    let known = Parameter::each_of(loaded.system.description()).zip(&mut values);
    let found = &fit.summary().parameters;
    for (parameter, value) in known {
        let (name, unit) = (parameter.name(), parameter.quantity().unit);
        let given = campaign.parameters.iter().rfind(|one| *one.name.value == *name);
        let given = given.and_then(|one| one.value.value.finite(name, unit).ok());
        let found = found.iter().find(|one| one.part_of.is_none() && one.of.is_none() && one.quantity == name);
        *value = found.map(|one| one.found).or(given).or(*value);
    }
    values
}

/// Returns which tables bend at an end that a run of the fit reaches, and which forces change between its steps, a
/// sentence each.
fn of_runs(loaded: &Loaded, fit: &Fit) -> Vec<String> {
    let mut all = Vec::new();
    let step = fit.summary().chosen_steps.as_ref().and_then(|chosen| chosen.step);
    for experiment in fit.experiments() {
        let parameters = Parameter::each_of(loaded.system.description()).map(|of| experiment.parameter(of));
        let (parameters, mut times): (Vec<f64>, _) = (parameters.collect(), experiment.times());
        let end = times.last().copied().unwrap_or(0.0);
        all.extend(loaded.bent_table_ends(end, &parameters, fit.tables()));
        if let Some(step) = step {
            times = (0..=(end / step).round() as usize).map(|k| k as f64 * step).collect();
        }
        all.extend(loaded.compiled.kicks(&times, &parameters));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Writes values into the model as defaults; returns their names.
fn write_defaults(campaign: &Campaign, values: &[(String, f64)]) -> Result<Vec<String>, CommandError> {
    let selection = Selection::from(campaign);
    let old = selection.read()?;
    let new = old.with_defaults(selection.model.as_deref(), &selection.arguments(), values)?;
    if new.text() != old.text() {
        replace(&selection.file, new.text())?;
    }
    Ok(values.iter().map(|(name, _)| name.clone()).collect())
}
