//! Corrections of single channels that would remove most of what a fit has left, to first order: a zero, or a delay.

use costate_cost::residuals::Cause;
use nalgebra::{DMatrix, DVector};

use crate::estimation::covariance::ChannelRows;
use crate::estimation::experiment_problem::EstimationProblem;
use crate::estimation::layout::Value;
use crate::estimation::linearized_run::LinearizedRun;
use crate::estimation::observed::Observed;

/// The kinds of corrections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Offset,
    Delay,
}

/// A correction of a channel of a run.
#[derive(Debug, Clone)]
pub(crate) struct Extension {
    /// Index of the channel among those of runs.
    pub channel: usize,
    kind: Kind,
    /// Measured minus computed values, or the time in s by which measured values are late.
    value: f64,
}

impl Extension {
    /// Returns the cause that the correction suggests.
    pub fn cause(&self, unit: &str) -> Cause {
        match self.kind {
            Kind::Offset => Cause::Offset { offset: self.value, unit: unit.to_owned() },
            Kind::Delay => Cause::Delay { delay: self.value, explained: None, input: None },
        }
    }
}

/// Returns the correction that removes the largest part of what noise does not explain, if it removes most of that. All
/// unknowns adapt to it, to first order, as in a score test.
pub(crate) fn extension(
    estimation: &EstimationProblem,
    found: &[LinearizedRun],
    rows: &[ChannelRows],
    unknowns: &[f64],
) -> Option<Extension> {
    /// Most unknowns for which corrections are computed.
    const MAX_UNKNOWNS: usize = 200;
    /// Smallest ratio of the residuals' squares to those of noise at which a correction is asked for.
    const MIN_NOISE_RATIO: f64 = 1.5;
    /// Share of the residuals' squares, beyond those of noise, that a correction has to remove. Those of a missing term
    /// have other courses: a delay or an offset removes a part of them only.
    const MIN_REMOVED_SHARE: f64 = 0.9;
    let count = unknowns.len();
    if count > MAX_UNKNOWNS {
        return None;
    }
    let rows = &rows[..estimation.run_channels().min(rows.len())];
    let normal = Normal::of(rows, count)?;
    let (mut squares, mut of_noise) = (0.0, 0.0);
    let mut best: Option<(f64, Extension)> = None;
    let channels = estimation
        .experiments
        .iter()
        .zip(found)
        .flat_map(|(prepared, found)| prepared.comparison.channels.iter().map(move |channel| (channel, found)));
    for (number, ((channel, found), rows)) in channels.zip(rows).enumerate() {
        let weighed = |(residual, weight): (&f64, &f64)| weight * residual * residual;
        squares += rows.residuals.iter().zip(&rows.weights).map(weighed).sum::<f64>();
        let noise = noise_of(&channel.values);
        of_noise += noise * noise * rows.weights.iter().sum::<f64>();
        // whitened and filtered residuals have other corrections
        if channel.noise.is_some() || channel.filter.is_some() || channel.roots.is_some() {
            continue;
        }
        for (kind, column) in columns(channel, &channel.fitted(&found.outputs, unknowns)) {
            if let Some((value, removed)) = normal.with(rows, &column) {
                let is_small = kind == Kind::Offset || is_delay(value, channel, &column);
                if is_small && best.as_ref().is_none_or(|(most, _)| removed > *most) {
                    best = Some((removed, Extension { channel: number, kind, value }));
                }
            }
        }
    }
    let (removed, extension) = best?;
    (squares > MIN_NOISE_RATIO * of_noise && removed > MIN_REMOVED_SHARE * (squares - of_noise)).then_some(extension)
}

/// Returns the derivatives of a channel's computed values by its offset and its delay, where these are known.
fn columns(channel: &Observed, fitted: &[f64]) -> Vec<(Kind, Vec<f64>)> {
    let mut all = Vec::new();
    if matches!(channel.offset, Value::Known(_)) {
        all.push((Kind::Offset, vec![1.0; fitted.len()]));
    }
    let times = &channel.times;
    if matches!(channel.delay, Value::Known(_)) && fitted.len() > 2 {
        let last = fitted.len() - 1;
        let slope = |j: usize| {
            let (before, after) = (j.saturating_sub(1), (j + 1).min(last));
            (fitted[after] - fitted[before]) / (times[after] - times[before])
        };
        all.push((Kind::Delay, (0..=last).map(|j| -slope(j)).collect()));
    }
    all
}

/// Returns true if a delay is short compared with the signal, whose derivative by the time is given, and not compared
/// with the samples.
fn is_delay(delay: f64, channel: &Observed, slopes: &[f64]) -> bool {
    /// Largest delay, in inverse frequencies of the signal, that holds to first order.
    const MAX_DELAY: f64 = 1.0;
    /// Smallest delay that is reported, in intervals of the samples.
    const MIN_DELAY: f64 = 0.5;
    let (values, times) = (&channel.values, &channel.times);
    let length = times.last().zip(times.first()).map_or(0.0, |(last, first)| last - first);
    let interval = length / times.len().saturating_sub(1).max(1) as f64;
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let of_slopes: f64 = slopes.iter().map(|slope| slope * slope).sum();
    delay.abs() >= MIN_DELAY * interval && delay.abs() * of_slopes.sqrt() < MAX_DELAY * squares.sqrt()
}

/// Estimates the standard deviation of white noise in samples, from third differences.
fn noise_of(values: &[f64]) -> f64 {
    let differences = values.windows(4).map(|y| y[3] - 3.0 * y[2] + 3.0 * y[1] - y[0]);
    let (sum, count) = differences.fold((0.0, 0_usize), |(sum, count), d| (sum + d * d, count + 1));
    // the squares of 1, 3, 3, 1 add up to 20
    (sum / (20.0 * count.max(1) as f64)).sqrt()
}

/// The normal equations of the unknowns.
struct Normal {
    /// Inverse of J^T W J in the directions that the data determine.
    inverse: DMatrix<f64>,
    /// J^T W r.
    gradient: DVector<f64>,
}

impl Normal {
    fn of(rows: &[ChannelRows], count: usize) -> Option<Self> {
        /// Eigenvalues of the information, relative to the largest one, below which a direction is not determined.
        const MIN_EIGENVALUE: f64 = 1e-10;
        let (mut information, mut gradient) = (DMatrix::zeros(count, count), DVector::zeros(count));
        for rows in rows {
            let mut weighed = rows.sensitivities.clone();
            for (mut row, weight) in weighed.row_iter_mut().zip(&rows.weights) {
                row *= *weight;
            }
            information += weighed.tr_mul(&rows.sensitivities);
            gradient += weighed.tr_mul(&DVector::from_column_slice(&rows.residuals));
        }
        let scales: Vec<f64> = (0..count)
            .map(|k| match information[(k, k)] {
                square if square > 0.0 && square.is_finite() => square.sqrt().recip(),
                _ => 0.0,
            })
            .collect();
        for (row, a) in scales.iter().enumerate() {
            gradient[row] *= *a;
            for (column, b) in scales.iter().enumerate() {
                information[(row, column)] *= a * b;
            }
        }
        if information.iter().chain(gradient.iter()).any(|entry| !entry.is_finite()) {
            return None;
        }
        let eigen = information.symmetric_eigen();
        let largest = eigen.eigenvalues.iter().copied().fold(0.0, f64::max);
        let mut inverse = DMatrix::zeros(count, count);
        for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            if *value > MIN_EIGENVALUE * largest {
                inverse += vector * vector.transpose() / *value;
            }
        }
        for (row, a) in scales.iter().enumerate() {
            gradient[row] /= if *a > 0.0 { *a } else { 1.0 };
            for (column, b) in scales.iter().enumerate() {
                inverse[(row, column)] *= a * b;
            }
        }
        Some(Self { inverse, gradient })
    }

    /// Returns the value of a further unknown with this derivative of the residuals of one channel, and the sum of
    /// squares that it removes.
    fn with(&self, rows: &ChannelRows, column: &[f64]) -> Option<(f64, f64)> {
        let weighed = column.iter().zip(&rows.weights).map(|(entry, weight)| entry * weight);
        let weighed = DVector::from_iterator(column.len(), weighed);
        let mixed = rows.sensitivities.tr_mul(&weighed);
        let by_unknowns = &self.inverse * &mixed;
        let residuals = DVector::from_column_slice(&rows.residuals);
        let own = weighed.dot(&DVector::from_column_slice(column));
        let left = own - by_unknowns.dot(&mixed);
        let gradient = weighed.dot(&residuals) - by_unknowns.dot(&self.gradient);
        // what the unknowns do as well shows nothing
        let is_told = left > 1e-6 * own && left.is_finite() && gradient.is_finite();
        is_told.then(|| (-gradient / left, gradient * gradient / left))
    }
}
