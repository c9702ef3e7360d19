//! Delays as the cause of a fit that explains little: channels that are late, as by a trigger or a filter, or an input
//! that acts later than its record. The fit is made once more with the delays of the channels as further unknowns.

use costate_cost::residuals::{Cause, Regression, Suspicion, mean_period};

use super::definition::Definition;
use super::definition::correction::Correction;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::layout::Value;
use super::estimation::observed::Observed;
use super::refits::Refit;
use super::result::suspicions::Compared;

/// Part of a record by which a channel may be late or early.
const MAX_PART: f64 = 0.25;

/// Smallest delay that is told, in intervals of the samples.
const MIN_INTERVALS: f64 = 0.5;

/// The delay of a channel that is tried.
#[derive(Debug, Clone, Copy)]
struct Trial {
    delay: f64,
    /// Largest distance of the delay that is found.
    within: f64,
}

impl Definition {
    /// Returns fits with unknown delays of the channels, which begin near those at which the measured signals look most
    /// like those that are computed with the start values, or with the found ones.
    pub(super) fn with_unknown_delays(&self, estimation: &EstimationProblem, unknowns: &[f64]) -> Vec<Self> {
        let mut tried: Vec<Vec<Option<Trial>>> = Vec::new();
        let starts = [estimation.state.parameters(), unknowns.to_vec()];
        let sets = starts.iter().filter_map(|at| candidates(estimation, at)).flat_map(|channels| sets(&channels));
        for trials in sets {
            let is_zero = trials.iter().flatten().all(|trial| trial.delay == 0.0);
            if !is_zero && !tried.iter().any(|known| is_near(known, &trials)) {
                tried.push(trials);
            }
        }
        tried.iter().map(|trials| self.with_delays(trials)).collect()
    }

    /// Makes the delays of channels unknown.
    fn with_delays(&self, trials: &[Option<Trial>]) -> Self {
        let mut definition = self.clone();
        let measurements = definition.fitted_runs_mut().flat_map(|experiment| &mut experiment.measurements);
        for (measurement, trial) in measurements.zip(trials) {
            if let Some(Trial { delay, within }) = *trial {
                let delay_of = &mut measurement.data.corrections.delay;
                let delay = delay_of.value + delay;
                *delay_of = Correction::unknown(delay).within(delay - within, delay + within);
            }
        }
        definition
    }
}

/// Returns the delays of every channel at which its computed values are like the measured ones, the likest first;
/// none for a channel whose delay is unknown. `None` without a run.
fn candidates(estimation: &EstimationProblem, unknowns: &[f64]) -> Option<Vec<Vec<Trial>>> {
    let outputs = estimation.outputs(unknowns).ok()?;
    let of_run = estimation.experiments.iter().zip(&outputs).flat_map(|(prepared, outputs)| {
        let of_channel = |channel: &Observed| match channel.delay {
            Value::Unknown(_) => Vec::new(),
            Value::Known(_) => alike(&channel.times, &channel.values, &channel.fitted(outputs, unknowns)),
        };
        prepared.comparison.channels.iter().map(of_channel).collect::<Vec<_>>()
    });
    Some(of_run.collect())
}

/// Returns sets of a delay for every channel, the k-th one of each.
fn sets(channels: &[Vec<Trial>]) -> Vec<Vec<Option<Trial>>> {
    let most = channels.iter().map(Vec::len).max().unwrap_or(0);
    let set = |k: usize| channels.iter().map(|trials| trials.get(k).or(trials.last()).copied()).collect();
    (0..most).map(set).collect()
}

/// Returns the delays at which measured values are most like the computed ones, the likest first.
fn alike(times: &[f64], measured: &[f64], computed: &[f64]) -> Vec<Trial> {
    /// Samples at most that are compared, each with every delay.
    const MAX_SAMPLES: usize = 4000;
    /// Delays at most, and the part of the largest correlation that they have at least: start values bend phases too.
    const MAX_TRIALS: usize = 3;
    const MIN_PART: f64 = 0.5;
    /// Distance of the delay in periods of the measured signal, and the least one in intervals.
    const PERIODS: f64 = 0.5;
    const MIN_DISTANCE: f64 = 4.0;
    let stride = times.len().div_ceil(MAX_SAMPLES).max(1);
    let thinned = |values: &[f64]| values.iter().step_by(stride).copied().collect::<Vec<f64>>();
    let (measured_values, computed) = (thinned(measured), thinned(computed));
    let interval = mean_interval(times) * stride as f64;
    let length = interval * measured_values.len() as f64;
    let period = mean_period(times, measured).unwrap_or(0.0);
    let within = (PERIODS * period).max(MIN_DISTANCE * interval).min(MAX_PART * length);
    let longest = (MAX_PART * measured_values.len() as f64) as isize;
    let correlation = |lag: isize| {
        Regression::shifted(&measured_values, &computed, lag).map_or(0.0, |regression| regression.correlation)
    };
    let correlations: Vec<f64> = (-longest..=longest).map(correlation).collect();
    let most = correlations.iter().copied().fold(0.0, f64::max);
    let is_peak = |place: &usize| {
        let beside = [place.wrapping_sub(1), place + 1].map(|other| correlations.get(other).copied().unwrap_or(-1.0));
        let here = correlations[*place];
        here > 0.0 && here >= MIN_PART * most && here >= beside[0] && here > beside[1]
    };
    let mut peaks: Vec<usize> = (0..correlations.len()).filter(is_peak).collect();
    peaks.sort_by(|a, b| correlations[*b].total_cmp(&correlations[*a]));
    let delay = |place: &usize| (*place as f64 - longest as f64) * interval;
    peaks.iter().take(MAX_TRIALS).map(|place| Trial { delay: delay(place), within }).collect()
}

/// Returns true if two sets of delays find the same.
fn is_near(one: &[Option<Trial>], other: &[Option<Trial>]) -> bool {
    one.iter().flatten().zip(other.iter().flatten()).all(|(a, b)| (a.delay - b.delay).abs() < 0.1 * a.within)
}

/// Returns the suspicions that found delays show; measured inputs may be the reason where all channels have one delay.
pub(super) fn of_delays(
    before: &[Compared],
    after: &Refit,
    estimation: &EstimationProblem,
    input: Option<&'static str>,
) -> Vec<Suspicion> {
    /// Intervals of the samples by which delays may differ that are one.
    const SAME: f64 = 1.0;
    let changes: Vec<f64> =
        before.iter().zip(&after.compared).map(|(before, after)| after.delay - before.delay).collect();
    let intervals: Vec<f64> = estimation.channels().map(|channel| mean_interval(&channel.times)).collect();
    let is_one =
        changes.iter().zip(&intervals).all(|(change, interval)| (change - changes[0]).abs() <= SAME * interval);
    let input = input.filter(|_| is_one).map(str::to_owned);
    let late = before.iter().zip(&changes).zip(&intervals);
    let late = late.filter(|((_, change), interval)| change.abs() >= MIN_INTERVALS * **interval);
    let of_channel = |((one, delay), _): ((&Compared, &f64), &f64)| {
        one.suspicion(false, Cause::Delay { delay: *delay, explained: Some(after.explained()), input: input.clone() })
    };
    late.map(of_channel).collect()
}

fn mean_interval(times: &[f64]) -> f64 {
    let length = times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first);
    length / times.len().saturating_sub(1).max(1) as f64
}
