//! Delays as the cause of a fit that explains little: channels that are late, as by a trigger or a filter, or an input
//! that acts later than its record. The fit is made once more with the delays of the channels as further unknowns.

use costate_cost::residuals::{Cause, Regression, Suspicion, mean_period};

use super::definition::Definition;
use super::definition::correction::Correction;
use super::estimation::experiment_problem::EstimationProblem;
use super::estimation::layout::Value;
use super::estimation::observed::Observed;
use super::result::suspicions::Compared;
use super::wrong_scale::Refit;

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
    /// Returns the delays of channels with which the model explains most of what a fit has left. They are sought near
    /// those at which the measured signals look most like those that are computed with the start values, or with the
    /// found ones.
    pub(super) fn delays(
        &self,
        estimation: &EstimationProblem,
        before: &[Compared],
        unknowns: &[f64],
        inputs: &[&'static str],
    ) -> Vec<Suspicion> {
        let mut tried: Vec<Vec<Option<Trial>>> = Vec::new();
        for at in [estimation.state.parameters(), unknowns.to_vec()] {
            let Some(trials) = trials(estimation, &at) else { continue };
            if trials.iter().flatten().all(|trial| trial.delay == 0.0)
                || tried.iter().any(|known| is_near(known, &trials))
            {
                continue;
            }
            let after = self.with_delays(&trials).refit(&[]).filter(|after| self.is_needed(before, after));
            if let Some(after) = after {
                return of_delays(before, &after, estimation, inputs);
            }
            tried.push(trials);
        }
        Vec::new()
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

/// Returns the delay of every channel at which its computed values are most like the measured ones; `None` for a
/// channel whose delay is unknown. `None` without a run.
fn trials(estimation: &EstimationProblem, unknowns: &[f64]) -> Option<Vec<Option<Trial>>> {
    let outputs = estimation.outputs(unknowns).ok()?;
    let of_run = estimation.experiments.iter().zip(&outputs).flat_map(|(prepared, outputs)| {
        let of_channel = |channel: &Observed| match channel.delay {
            Value::Unknown(_) => None,
            Value::Known(_) => trial(&channel.times, &channel.values, &channel.fitted(outputs, unknowns)),
        };
        prepared.comparison.channels.iter().map(of_channel).collect::<Vec<_>>()
    });
    Some(of_run.collect())
}

/// Returns the shortest delay at which measured values are about as like the computed ones as at any.
fn trial(times: &[f64], measured: &[f64], computed: &[f64]) -> Option<Trial> {
    /// Samples at most that are compared, each with every delay.
    const MAX_SAMPLES: usize = 4000;
    /// Part of the largest correlation from which on signals are about as like each other.
    const SAME_CORRELATION: f64 = 0.95;
    /// Distance of the delay in periods of the measured signal, as wrong start values shift phases as well; and the
    /// least one in intervals.
    const PERIODS: f64 = 0.5;
    const MIN_DISTANCE: f64 = 4.0;
    let stride = times.len().div_ceil(MAX_SAMPLES).max(1);
    let thinned = |values: &[f64]| values.iter().step_by(stride).copied().collect::<Vec<f64>>();
    let (measured_signal, period) = (thinned(measured), mean_period(times, measured));
    let computed = thinned(computed);
    let length = times.last()? - times.first()?;
    let interval = length * stride as f64 / (times.len() - 1).max(1) as f64;
    let longest = (MAX_PART * measured_signal.len() as f64) as i64;
    let correlation = |lag: i64| {
        let (late, early) = (lag.max(0) as usize, (-lag).max(0) as usize);
        let (y, s) = (&measured_signal[late..], &computed[early..]);
        let count = y.len().min(s.len());
        Regression::of(&y[..count], &s[..count]).map_or(0.0, |regression| regression.correlation)
    };
    let mut lags: Vec<(i64, f64)> = (-longest..=longest).map(|lag| (lag, correlation(lag))).collect();
    let most = lags.iter().map(|(_, correlation)| *correlation).fold(0.0, f64::max);
    lags.retain(|(_, correlation)| *correlation >= SAME_CORRELATION * most);
    // of neighbours, the best one
    let shortest = lags.iter().map(|(lag, _)| lag.abs()).min()?;
    let near = lags
        .iter()
        .filter(|(lag, _)| lag.abs() as f64 * interval <= shortest as f64 * interval + period.unwrap_or(0.0) / 4.0);
    let (lag, _) = near.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let within = period.map_or(0.0, |period| PERIODS * period).max(MIN_DISTANCE * interval).min(MAX_PART * length);
    Some(Trial { delay: *lag as f64 * interval, within })
}

/// Returns true if two sets of delays find the same.
fn is_near(one: &[Option<Trial>], other: &[Option<Trial>]) -> bool {
    one.iter().flatten().zip(other.iter().flatten()).all(|(a, b)| (a.delay - b.delay).abs() < 0.1 * a.within)
}

/// Returns the suspicions that found delays show; measured inputs may be the reason where all channels have one delay.
fn of_delays(
    before: &[Compared],
    after: &Refit,
    estimation: &EstimationProblem,
    inputs: &[&'static str],
) -> Vec<Suspicion> {
    /// Intervals of the samples by which delays may differ that are one.
    const SAME: f64 = 1.0;
    let changes: Vec<f64> =
        before.iter().zip(&after.compared).map(|(before, after)| after.delay - before.delay).collect();
    let intervals: Vec<f64> = estimation.channels().map(|channel| mean_interval(&channel.times)).collect();
    let worst = after.compared.iter().filter_map(|one| one.explained).fold(100.0, f64::min);
    let is_one =
        changes.iter().zip(&intervals).all(|(change, interval)| (change - changes[0]).abs() <= SAME * interval);
    let input = inputs.first().filter(|_| is_one).map(|name| (*name).to_owned());
    let late = before.iter().zip(&changes).zip(&intervals);
    let late = late.filter(|((_, change), interval)| change.abs() >= MIN_INTERVALS * **interval);
    let of_channel = |((one, delay), _): ((&Compared, &f64), &f64)| {
        one.suspicion(false, Cause::Delay { delay: *delay, explained: Some(worst), input: input.clone() })
    };
    late.map(of_channel).collect()
}

fn mean_interval(times: &[f64]) -> f64 {
    let length = times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first);
    length / times.len().saturating_sub(1).max(1) as f64
}
