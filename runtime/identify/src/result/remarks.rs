//! Remarks on a fit: what moves the found values, and what is not known of them.

use costate_cost::residuals::ChannelAssessment;
use costate_system::problem::Steps;

use super::first_samples::far_beginning;
use super::moved_by_steps::{StepsOf, moved_by_inputs, moved_by_steps};
use super::outcome::Outcome;
use crate::definition::digits::significant;
use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::linearized_run::LinearizedRun;

/// Returns all remarks: those from before the end, and one on the shift of the unknowns by the steps.
pub fn remarks(outcome: &Outcome<'_>, deviation: &dyn Fn(usize) -> f64) -> Vec<String> {
    let mut remarks = outcome.ended.remarks.clone();
    remarks.extend(outcome.explanation.assessments.iter().filter_map(irregular));
    remarks.extend(outcome.explanation.remarks.iter().cloned());
    let in_deviations = |(k, shift): (usize, &f64)| (outcome.estimation.unknowns[k].name(), shift / deviation(k));
    if let Some(shifts) = &outcome.input_shifts {
        let moved: Vec<_> = shifts.iter().enumerate().map(in_deviations).collect();
        remarks.extend(moved_by_inputs(&moved, &outcome.inputs_by_default));
    }
    remarks.extend(without_deviations(outcome, deviation));
    remarks.extend(outcome.estimation.experiments.iter().filter_map(|prepared| late(prepared, outcome)));
    if outcome.explanation.is_insufficient() {
        let unknowns = outcome.round.state.parameters();
        let runs = outcome.estimation.experiments.iter().zip(&outcome.found);
        remarks.extend(runs.filter_map(|(prepared, found)| {
            far_beginning(prepared, outcome.estimation.name_of(prepared.number), found, &unknowns)
        }));
    }
    let failed = outcome.ended.of_validation.iter().filter_map(|own| Some((&own.experiment, own.failed.as_ref()?)));
    remarks.extend(failed.map(|(experiment, error)| {
        format!(
            "the unknowns that the validation experiment `{experiment}` has for itself keep their start values, \
             as they could not be found there: {error}"
        )
    }));
    // the line on chosen steps says what they leave
    let Some(shifts) = outcome.step_shifts.as_ref().filter(|_| outcome.chosen.is_none()) else { return remarks };
    let settings = || outcome.estimation.experiments.iter().map(|prepared| prepared.problem.settings());
    let runs: Vec<_> = settings().map(|settings| (settings.step, settings.end)).collect();
    let steps = match settings().next().map(|settings| settings.steps) {
        Some(Steps::Adaptive { tolerance }) => StepsOf::Adaptive(tolerance),
        _ => StepsOf::Constant(&runs),
    };
    let moved: Vec<_> = shifts.iter().enumerate().map(in_deviations).collect();
    remarks.extend(moved_by_steps(&moved, &steps, LinearizedRun::order_of(&outcome.found), outcome.order_four));
    remarks
}

/// Returns a remark on the channels that leave too few degrees of freedom to estimate their deviations, and on the
/// unknowns whose deviations are not known for this reason.
fn without_deviations(outcome: &Outcome<'_>, deviation: &dyn Fn(usize) -> f64) -> Option<String> {
    let count = outcome.estimation.unknowns.len();
    // where no number of all is left, no channel is special
    let is_none_left =
        count > 0 && outcome.covariance.undetermined.is_empty() && (0..count).all(|k| deviation(k).is_infinite());
    let names = match outcome.estimation.names_without_deviation() {
        names if names.is_empty() && !is_none_left => return None,
        names if names.is_empty() => vec!["the measured numbers".to_owned()],
        names => names,
    };
    let unknowns = outcome.estimation.unknowns.iter().enumerate();
    let affected: Vec<_> =
        unknowns.filter(|(k, _)| deviation(*k).is_infinite()).map(|(_, unknown)| unknown.name()).collect();
    let consequence = match affected.is_empty() {
        true => "they hardly count beside the other data".to_owned(),
        false => format!("the standard deviations of {} are not known", affected.join(", ")),
    };
    Some(format!(
        "{} do not leave enough numbers beside the unknowns to estimate their errors: {consequence}. Give the \
             standard deviations of the measured numbers, or measure more",
        names.join(" and ")
    ))
}

/// Returns a remark on an experiment whose records begin later than its run, if no input drives the run until then: its
/// initial values alone say how it moves.
fn late(prepared: &ExperimentProblem, outcome: &Outcome<'_>) -> Option<String> {
    let late = prepared.channels.iter().map(|taken| taken.late).reduce(f64::min).filter(|late| *late > 0.0)?;
    let inputs = prepared.problem.inputs();
    let is_driven = !prepared.driven.of_knots.is_empty() || (1..inputs.len()).any(|i| inputs.row(i) != inputs.row(0));
    let experiment = outcome.estimation.name_of(prepared.number);
    let experiment = experiment.map_or(String::new(), |name| format!("{name}: "));
    let late = significant(late, 4);
    (!is_driven).then(|| {
        format!(
            "{experiment}the run begins at 0 s with its initial values, and its first sample is {late} s later: \
             if the initial values are those of the first sample, leave out the end of the run, so that it begins there"
        )
    })
}

/// Returns a remark on the tests of a channel whose times are not equidistant.
fn irregular(channel: &ChannelAssessment) -> Option<String> {
    let percent = 100.0 * channel.irregular?;
    let experiment = channel.experiment.iter().map(|name| format!("{name}: ")).collect::<String>();
    Some(format!(
        "{experiment}times of {} deviate by up to {} % of their interval from equidistant ones: the tests of its \
             residuals treat the samples as equidistant",
        channel.channel,
        significant(percent, 2)
    ))
}
