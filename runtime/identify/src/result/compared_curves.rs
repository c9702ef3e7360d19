//! Comparison of measured complex curves, such as frequency responses, with what was computed of them.

use std::f64::consts::LN_10;

use costate_cost::residuals::{Verdict, root_mean_square};

use super::suspicions::MAX_LOST_PERCENT;
use crate::definition::curve::{Curve, Meaning, curves, meaning};
use crate::estimation::covariance::ChannelRows;
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::observed::Observed;
use crate::estimation::predicted::{ComparedGroup, PredictedProblem};

/// A measured curve with what was computed of it.
#[derive(Debug, Clone)]
pub(crate) struct ComparedCurve {
    /// Index of the prediction.
    pub prediction: usize,
    pub curve: Curve,
    /// Name in messages.
    pub name: String,
    pub experiment: Option<String>,
    /// Unit in which the numbers were given.
    pub heading: String,
    /// Explained part in %; `None` for a constant curve.
    pub explained: Option<f64>,
    /// Residuals relative to the numbers, of root mean squares that are weighed as those of the fit.
    pub left: f64,
    /// True if tests of the residuals contradict the curve.
    pub is_contradicted: bool,
}

impl ComparedCurve {
    /// Compares all curves that were measured with these runs.
    pub fn all(
        estimation: &EstimationProblem,
        (found, rows): (&[LinearizedRun], &[ChannelRows]),
        unknowns: &[f64],
        verdict: Option<&Verdict>,
    ) -> Vec<Self> {
        let mut all = Vec::new();
        let mut rows = rows.get(estimation.run_channels()..).unwrap_or_default();
        let found = found.get(estimation.experiments.len()..).unwrap_or_default();
        for (prediction, (predicted, found)) in estimation.predictions.iter().zip(found).enumerate() {
            let (own, others) = rows.split_at(predicted.groups.len().min(rows.len()));
            rows = others;
            for curve in curves(predicted.prediction.groups()) {
                let Some(measured) = predicted.measured(&curve) else { continue };
                let Some(groups) = measured.iter().map(|(at, ..)| own.get(*at)).collect::<Option<Vec<_>>>() else {
                    continue;
                };
                let experiment = estimation.name_of(predicted.number);
                let names: Vec<String> = measured.iter().map(|(_, group, _)| predicted.channel_name(group)).collect();
                let is_contradicted = verdict.is_some_and(|verdict| {
                    let mut certain = verdict.findings.iter().filter(|finding| finding.certain);
                    certain.any(|one| one.experiment.as_deref() == experiment && names.contains(&one.channel))
                });
                let parts: Vec<Part<'_>> = measured
                    .iter()
                    .zip(groups)
                    .filter_map(|((_, group, channel), rows)| {
                        let fitted = channel.fitted(&found.outputs, unknowns);
                        let differences = fitted.iter().zip(&channel.values).map(|(s, y)| s - y).collect();
                        let meaning = meaning(predicted.prediction.groups().get(group.index)?)?;
                        Some(Part { meaning, channel, differences, residuals: &rows.residuals })
                    })
                    .collect();
                let first = names.first().map_or("", String::as_str);
                all.push(Self {
                    prediction,
                    name: first.rsplit_once(": ").map_or(first, |(name, _)| name).to_owned(),
                    experiment: experiment.map(str::to_owned),
                    heading: measured.first().map_or_else(String::new, |(_, group, _)| group.heading.clone()),
                    explained: explained(&parts),
                    left: left(&parts),
                    is_contradicted,
                    curve,
                });
            }
        }
        all
    }

    /// Returns true if little is explained.
    pub fn explains_little(&self) -> bool {
        self.explained.is_some_and(|percent| percent < MAX_LOST_PERCENT)
    }
}

impl PredictedProblem {
    /// Returns the groups of a curve, each with its number among the measured ones; `None` where one was not measured.
    pub fn measured(&self, curve: &Curve) -> Option<Vec<(usize, &ComparedGroup, &Observed)>> {
        let channels = || self.groups.iter().zip(&self.comparison.channels).enumerate();
        let find = |index: usize| {
            let (number, (group, channel)) = channels().find(|(_, (group, _))| group.index == index)?;
            Some((number, group, channel))
        };
        curve.groups.clone().map(find).collect()
    }
}

/// Numbers of one group.
struct Part<'a> {
    meaning: Meaning,
    channel: &'a Observed,
    /// Computed minus measured numbers.
    differences: Vec<f64>,
    /// Residuals as in the fit.
    residuals: &'a [f64],
}

/// Returns 100 (1 - |residuals| / |measured - mean|), of both parts together, or of the size alone.
fn explained(parts: &[Part<'_>]) -> Option<f64> {
    let (mut unexplained, mut measured) = (0.0, 0.0);
    for Part { channel, differences, .. } in parts.iter().filter(|part| part.meaning != Meaning::Angle) {
        let mean = channel.values.iter().sum::<f64>() / channel.values.len() as f64;
        let centred: Vec<f64> = channel.values.iter().map(|value| value - mean).collect();
        unexplained = f64::hypot(unexplained, root_mean_square(differences));
        measured = f64::hypot(measured, root_mean_square(&centred));
    }
    let percent = 100.0 * (1.0 - unexplained / measured);
    percent.is_finite().then_some(percent)
}

/// Returns the residuals of the fit relative to the numbers, or in angles and logarithms of sizes.
fn left(parts: &[Part<'_>]) -> f64 {
    let (mut left, mut sizes) = (0.0, 0.0);
    for Part { meaning, channel, residuals, .. } in parts {
        let roots = channel.roots.as_deref();
        for (j, (residual, value)) in residuals.iter().zip(&channel.values).enumerate() {
            let size = match meaning {
                Meaning::Part | Meaning::Magnitude => value.abs(),
                Meaning::Decibels => 20.0 / LN_10,
                Meaning::Angle => 1.0,
            };
            let root = match (roots, meaning) {
                (Some(roots), _) => roots.get(j).copied().unwrap_or_default(),
                (None, Meaning::Part) => 1.0,
                (None, _) => size.recip(),
            };
            // without deviations, sizes and angles have units of their own
            let scale = if roots.is_none() { root } else { 1.0 };
            left = f64::hypot(left, scale * residual);
            sizes = f64::hypot(sizes, root * size);
        }
    }
    left / sizes
}
