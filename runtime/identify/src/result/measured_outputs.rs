//! The measured outputs of experiments beside what was computed of them, in fits and validations.

use costate_cost::residuals::{Autoregression, ChannelAssessment, root_mean_square};
use costate_system::causes::with_causes;

use super::assessed::Assessed;
use super::fitted_experiment::ExperimentResult;
use super::outcome::Outcome;
use super::summary::{MeasuredOutput, Validation};
use crate::definition::measurement::Taken;
use crate::estimation::experiment_problem::ExperimentProblem;
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::observed::Observed;

/// Returns the measured outputs of all experiments.
pub fn measurements(outcome: &Outcome<'_>) -> Vec<MeasuredOutput> {
    let (estimation, unknowns) = (outcome.estimation, outcome.round.state.parameters());
    let mut rest = &outcome.covariance.deviations[..];
    let mut percents = &outcome.explanation.fit_percent[..];
    let mut all = Vec::new();
    for (prepared, found) in estimation.experiments.iter().zip(&outcome.found) {
        let channels = prepared.comparison.channels.len();
        let (deviations, others) = rest.split_at(channels.min(rest.len()));
        let (percent, other_percents) = percents.split_at(channels.min(percents.len()));
        (rest, percents) = (others, other_percents);
        let name = estimation.name_of(prepared.number);
        all.extend(measured(prepared, name, found, &unknowns, (deviations, percent)));
    }
    all
}

/// Returns the measured outputs of one experiment, with the deviations of its channels and the explained part of
/// them.
fn measured(
    prepared: &ExperimentProblem,
    experiment: Option<&str>,
    found: &LinearizedRun,
    unknowns: &[f64],
    (deviations, percents): (&[f64], &[Option<f64>]),
) -> Vec<MeasuredOutput> {
    let channels = prepared.comparison.channels.iter().zip(&prepared.channels);
    let statistics = deviations.iter().zip(percents);
    let measured = |((observed, taken), (deviation, percent)): ((&Observed, &Taken), (&f64, &Option<f64>))| {
        let output = prepared.problem.description().outputs[observed.output];
        let noise = observed.noise.as_ref().and_then(|noise| noise.model.clone());
        MeasuredOutput {
            experiment: experiment.map(str::to_owned),
            output: output.name,
            unit: output.unit,
            record: taken.record.to_owned(),
            sha256: taken.sha256.clone(),
            channel: taken.name.to_owned(),
            samples: observed.times.len(),
            missing: taken.missing,
            masked: taken.masked,
            gaps: taken.samples.gaps.clone(),
            beginning: taken.beginning,
            late: taken.late,
            doubts: taken.doubts.clone(),
            standard_deviation: noise.as_ref().map_or(*deviation, Autoregression::deviation),
            noise,
            filter: taken.filter.clone(),
            fit_percent: *percent,
            step_error: found.step_error(observed, unknowns),
        }
    };
    channels.zip(statistics).map(measured).collect()
}

/// Simulates an experiment that was not fitted; returns its run if it could be simulated.
pub(crate) fn validated(
    prepared: &ExperimentProblem,
    unknowns: &[f64],
) -> (Validation, Option<ExperimentResult>, Vec<ChannelAssessment>) {
    let experiment = prepared.name.clone();
    let found = match prepared.simulated(unknowns) {
        Ok(found) => found,
        Err(error) => {
            let failed = Some(with_causes(&error));
            let (measurements, predictions) = (Vec::new(), Vec::new());
            let said = Validation { experiment, measurements, predictions, failed, ..Validation::default() };
            return (said, None, Vec::new());
        }
    };
    let rows = prepared.comparison.channel_rows(&found.outputs, &[], unknowns);
    let mut assessed = Assessed::default();
    assessed.add(prepared, Some(&experiment), (&found, &rows), unknowns);
    let deviations: Vec<f64> = rows.iter().map(|rows| root_mean_square(&rows.residuals)).collect();
    let statistics = (&deviations[..], &assessed.fit_percent[..]);
    let measurements = measured(prepared, Some(&experiment), &found, unknowns, statistics);
    let (verdict, predictions) = (assessed.verdict(), Vec::new());
    let validation = Validation { experiment, measurements, predictions, verdict, ..Validation::default() };
    (validation, Some(ExperimentResult::new(prepared, found, unknowns)), assessed.into_assessments())
}
