//! The results of a fit for predictions: their groups with what was measured.

use costate_cost::residuals::{ChannelAssessment, Residuals, fit_percent, root_mean_square};
use costate_system::causes::with_causes;

use super::assessed::Assessed;
use super::group_residuals::GroupResiduals;
use super::summary::{FittedPrediction, Validation};
use crate::estimation::covariance::ChannelRows;
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::predicted::PredictedProblem;

/// Returns the results for the groups of one prediction, with the estimated `deviations` and the determined parameters
/// of each; `start` has the numbers at the start values.
fn fitted(
    predicted: &PredictedProblem,
    experiment: Option<&str>,
    (found, rows): (&LinearizedRun, &[ChannelRows]),
    start: Option<&LinearizedRun>,
    (deviations, determined): (&[f64], &[f64]),
    unknowns: (&[f64], &[f64]),
) -> Vec<FittedPrediction> {
    let (unknowns, at_start) = unknowns;
    let costs = predicted.comparison.channel_values(&found.outputs, unknowns);
    let mut all = Vec::new();
    for (place, (compared, channel)) in predicted.groups.iter().zip(&predicted.comparison.channels).enumerate() {
        let group = predicted.prediction.groups().get(compared.index);
        let (Some(group), Some(rows)) = (group, rows.get(place)) else { continue };
        let common = deviations.get(place).copied().unwrap_or(f64::NAN);
        let each = |sample: usize| channel.roots.as_ref().map_or(common, |roots| common / roots[sample]);
        let name = predicted.channel_name(compared);
        let determined = determined.get(place).copied().unwrap_or(0.0);
        let judged = GroupResiduals { name, experiment, channel, compared, rows, determined };
        let fitted = channel.fitted(&found.outputs, unknowns);
        let differences: Vec<f64> = fitted.iter().zip(&channel.values).map(|(s, y)| s - y).collect();
        let residuals = Residuals::new(group.name.as_str(), &channel.times, &differences, &channel.values);
        all.push(FittedPrediction {
            experiment: experiment.map(str::to_owned),
            prediction: predicted.prediction.name().to_owned(),
            group: group.name.clone(),
            unit: group.unit.clone(),
            abscissa: group.abscissa.clone(),
            abscissa_unit: group.abscissa_unit.clone(),
            source: compared.source.clone(),
            places: channel.times.clone(),
            measured: channel.values.clone(),
            standard_deviations: (0..channel.values.len()).map(each).collect(),
            are_deviations_given: channel.given_deviation.is_some(),
            start: start.map_or(Vec::new(), |start| channel.fitted(&start.outputs, at_start)),
            fitted,
            cost: costs.get(place).copied().unwrap_or(f64::NAN),
            determined,
            fit_percent: residuals.ok().and_then(|residuals| fit_percent(&residuals)),
            left_out_tests: judged.left_out(),
        });
    }
    all
}

/// Returns the groups of all predictions, with the deviations and the degrees of freedom of all channels.
pub(super) fn predictions(
    estimation: &EstimationProblem,
    found: &[LinearizedRun],
    (deviations, degrees): (&[f64], &[f64]),
    (unknowns, start): (&[f64], &[f64]),
) -> Vec<FittedPrediction> {
    if estimation.predictions.is_empty() {
        return Vec::new();
    }
    let rows = estimation.channel_rows(found, unknowns);
    let mut place = estimation.run_channels();
    let mut all = Vec::new();
    let found = found.iter().skip(estimation.experiments.len());
    for (predicted, found) in estimation.predictions.iter().zip(found) {
        let own = place..place + predicted.groups.len();
        place = own.end;
        let deviations = deviations.get(own.clone()).unwrap_or_default();
        let determined = degrees.get(own.clone()).unwrap_or_default();
        let at_start = predicted.outputs(start).ok();
        let at_start = at_start.map(LinearizedRun::without_derivatives);
        all.extend(fitted(
            predicted,
            estimation.name_of(predicted.number),
            (found, rows.get(own).unwrap_or_default()),
            at_start.as_ref(),
            (deviations, determined),
            (unknowns, start),
        ));
    }
    all
}

/// Predicts the numbers of an experiment that was not fitted.
pub(crate) fn validated_prediction(
    predicted: &PredictedProblem,
    unknowns: &[f64],
) -> (Validation, Vec<ChannelAssessment>) {
    let experiment = predicted.label();
    let found = match predicted.outputs(unknowns) {
        Ok(outputs) => LinearizedRun::without_derivatives(outputs),
        Err(error) => {
            let failed = Some(with_causes(&error));
            let (measurements, predictions) = (Vec::new(), Vec::new());
            let said = Validation { experiment, measurements, predictions, failed, ..Validation::default() };
            return (said, Vec::new());
        }
    };
    let rows = predicted.comparison.channel_rows(&found.outputs, &[], unknowns);
    let mut assessed = Assessed::default();
    assessed.add_predicted(predicted, Some(&experiment), (&found, &rows), &[], unknowns);
    let deviations: Vec<f64> = predicted
        .comparison
        .channels
        .iter()
        .zip(&rows)
        .map(|(channel, rows)| channel.given_deviation.unwrap_or_else(|| root_mean_square(&rows.residuals)))
        .collect();
    let predictions =
        fitted(predicted, Some(&experiment), (&found, &rows), None, (&deviations, &[]), (unknowns, unknowns));
    let verdict = assessed.verdict();
    let said = Validation { experiment, predictions, verdict, ..Validation::default() };
    (said, assessed.into_assessments())
}
