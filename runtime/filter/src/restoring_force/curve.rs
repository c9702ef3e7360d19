//! Curves through noisy samples with correlated coordinates (KE 2.3.2): sorted over the moving average of the
//! coordinate, they are the positions of a target on its way along the curve, which an alpha-filter follows.

use std::ops::Range;

use super::error::RestoringForceError;
use super::samples::CurveSample;
use costate_numerics::scalar::out_of_range::OutOfRange;
use costate_system::table::{Curve, Extension};

/// Settings of a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveSettings {
    /// Number of samples in the central moving average of the coordinate by which samples are sorted (KE: 5).
    pub window: usize,
    /// e_c,inf, the lag of the filter behind the average slope, as a part of the whole curve (KE 2.84: 0.01).
    pub lag: f64,
    /// True if the filter runs back as well, which removes the lag and half of the noise. KE goes one way.
    pub smooth: bool,
    /// Part of the samples that is discarded at each end, where there are few on one side.
    pub trim: f64,
    /// Largest uncertainty of the ends: samples from either end on are discarded while half of the distance between
    /// the uncertainty curves (KE 2.85, 2.86) is more than this many times its median, as KE 2.3.2 reads off a
    /// figure. Infinity, the default, discards none.
    pub uncertain: f64,
    /// Number of nodes of the resulting table.
    pub nodes: usize,
}

impl Default for CurveSettings {
    fn default() -> Self {
        Self { window: 5, lag: 0.01, smooth: true, trim: 0.002, uncertain: f64::INFINITY, nodes: 60 }
    }
}

impl CurveSettings {
    fn check(&self) -> Result<(), RestoringForceError> {
        let out_of_range = |field, value, limit| Err(OutOfRange { field, value, limit }.into());
        if self.window.is_multiple_of(2) {
            return out_of_range("window", self.window as f64, "odd");
        }
        if !(self.lag > 0.0 && self.lag < 1.0) {
            return out_of_range("lag", self.lag, "between 0 and 1");
        }
        if !(0.0..0.5).contains(&self.trim) {
            return out_of_range("trim", self.trim, "from 0 to below 0.5");
        }
        if self.uncertain.is_nan() || self.uncertain < 1.0 {
            return out_of_range("uncertain", self.uncertain, "1 or more, of the median");
        }
        if self.nodes < 4 {
            return out_of_range("nodes", self.nodes as f64, "4 or more");
        }
        Ok(())
    }
}

/// A point of a fitted curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// z in m or v in m/s.
    pub coordinate: f64,
    /// f in N.
    pub force: f64,
    /// Standard deviation of the coordinate.
    pub coordinate_deviation: f64,
    /// Standard deviation of the force.
    pub force_deviation: f64,
}

/// Smoothed samples in their order along the curve.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveFit {
    /// Index of each sample among the given ones.
    pub order: Vec<usize>,
    /// Smoothed coordinate and force.
    pub points: Vec<[f64; 2]>,
    /// Variance of the coordinate, covariance, variance of the force.
    pub covariances: Vec<[f64; 3]>,
}

/// A noise-free restoring force curve.
#[derive(Debug, Clone, PartialEq)]
pub struct RestoringForceCurve {
    /// Nodes with rising coordinates.
    pub points: Vec<CurvePoint>,
    /// Number of samples from which the curve was fitted.
    pub samples: usize,
}

/// Runs the alpha-filter over `samples` sorted by `recursion`, which has a value for each (KE 2.75, 2.84); with
/// `smooth`, also back.
///
/// # Errors
/// [`RestoringForceError::TooFewSamples`] for fewer than 20 samples, or samples that do not differ.
pub fn fit_curve(
    samples: &[CurveSample],
    recursion: &[f64],
    lag: f64,
    smooth: bool,
) -> Result<CurveFit, RestoringForceError> {
    const FEWEST: usize = 20;
    let mut order: Vec<usize> = (0..samples.len().min(recursion.len())).collect();
    order.sort_by(|&a, &b| recursion[a].total_cmp(&recursion[b]));
    let range = match (order.first(), order.last()) {
        (Some(&first), Some(&last)) => recursion[last] - recursion[first],
        _ => 0.0,
    };
    if order.len() < FEWEST || range.is_nan() || range <= 0.0 {
        let (what, remedy) = ("curve", "Record for longer, or look at the convergence errors.");
        return Err(RestoringForceError::TooFewSamples { what, samples: order.len(), needed: FEWEST, remedy });
    }
    let count = order.len() as f64;
    let mut mean = [0.0; 3];
    for &i in &order {
        for (mean, entry) in mean.iter_mut().zip(samples[i].covariance) {
            *mean += entry / count;
        }
    }
    let mut points = Vec::with_capacity(order.len());
    let mut covariances = Vec::with_capacity(order.len());
    let mut predicted = Vec::with_capacity(order.len());
    let first = &samples[order[0]];
    let (mut x, mut p) = ([first.coordinate, first.force], first.covariance);
    points.push(x);
    covariances.push(p);
    predicted.push(p);
    for pair in order.windows(2) {
        let part = (recursion[pair[1]] - recursion[pair[0]]) / (lag * range);
        let prior = add(p, scaled(mean, part * part));
        let sample = &samples[pair[1]];
        let gain = quotient(prior, add(prior, sample.covariance));
        let difference = [sample.coordinate - x[0], sample.force - x[1]];
        for (x, row) in x.iter_mut().zip(gain) {
            *x += row[0] * difference[0] + row[1] * difference[1];
        }
        p = joseph(gain, prior, sample.covariance);
        points.push(x);
        covariances.push(p);
        predicted.push(prior);
    }
    if smooth {
        for i in (0..order.len() - 1).rev() {
            let gain = quotient(covariances[i], predicted[i + 1]);
            let difference = [0, 1].map(|k| points[i + 1][k] - points[i][k]);
            for (x, row) in points[i].iter_mut().zip(gain) {
                *x += row[0] * difference[0] + row[1] * difference[1];
            }
            let noise = add(predicted[i + 1], scaled(covariances[i], -1.0));
            covariances[i] = add(joseph(gain, covariances[i], noise), congruent(gain, covariances[i + 1]));
        }
    }
    Ok(CurveFit { order, points, covariances })
}

type Symmetric = [f64; 3];
type Square = [[f64; 2]; 2];

fn add(a: Symmetric, b: Symmetric) -> Symmetric {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn scaled(a: Symmetric, factor: f64) -> Symmetric {
    a.map(|entry| factor * entry)
}

/// Returns A B^-1, with scales of both rows so that units do not matter; where B is singular, the quotient of the
/// diagonals.
fn quotient(a: Symmetric, b: Symmetric) -> Square {
    let determinant = b[0] * b[2] - b[1] * b[1];
    if determinant.is_nan() || determinant <= 1e-14 * b[0] * b[2] {
        let part = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        return [[part(a[0], b[0]), 0.0], [0.0, part(a[2], b[2])]];
    }
    let inverse = [b[2] / determinant, -b[1] / determinant, b[0] / determinant];
    [
        [a[0] * inverse[0] + a[1] * inverse[1], a[0] * inverse[1] + a[1] * inverse[2]],
        [a[1] * inverse[0] + a[2] * inverse[1], a[1] * inverse[1] + a[2] * inverse[2]],
    ]
}

/// Returns K P K^T.
fn congruent(k: Square, p: Symmetric) -> Symmetric {
    let rows = k.map(|[a, b]| [a * p[0] + b * p[1], a * p[1] + b * p[2]]);
    [
        rows[0][0] * k[0][0] + rows[0][1] * k[0][1],
        rows[0][0] * k[1][0] + rows[0][1] * k[1][1],
        rows[1][0] * k[1][0] + rows[1][1] * k[1][1],
    ]
}

/// Returns (1 - K) P (1 - K)^T + K R K^T.
fn joseph(k: Square, p: Symmetric, r: Symmetric) -> Symmetric {
    let rest = [[1.0 - k[0][0], -k[0][1]], [-k[1][0], 1.0 - k[1][1]]];
    add(congruent(rest, p), congruent(k, r))
}

impl CurveFit {
    /// Returns the curve at equidistant nodes: without its ends, where the filter has few samples, and with the
    /// average of the smoothed samples around each node.
    ///
    /// # Errors
    /// [`RestoringForceError::OutOfRange`], [`RestoringForceError::TooFewSamples`].
    pub fn resampled(&self, settings: &CurveSettings) -> Result<RestoringForceCurve, RestoringForceError> {
        settings.check()?;
        let count = self.points.len().min(self.covariances.len());
        let trimmed = (settings.trim * count as f64) as usize;
        let mut sorted: Vec<usize> = self.certain(trimmed..count - trimmed, settings.uncertain).collect();
        sorted.sort_by(|&a, &b| self.points[a][0].total_cmp(&self.points[b][0]));
        let end = |k: Option<&usize>| k.map_or(f64::NAN, |&k| self.points[k][0]);
        let (low, high) = (end(sorted.first()), end(sorted.last()));
        let width = (high - low) / (settings.nodes - 1) as f64;
        let mut points: Vec<CurvePoint> = Vec::with_capacity(settings.nodes);
        let mut from = 0;
        for node in 0..settings.nodes {
            let end = low + (node as f64 + 0.5) * width;
            let to = from + sorted[from..].partition_point(|&k| self.points[k][0] <= end);
            let to = if node + 1 == settings.nodes { sorted.len() } else { to };
            if let Some(point) = self.average(&sorted[from..to])
                && points.last().is_none_or(|last| last.coordinate < point.coordinate)
            {
                points.push(point);
            }
            from = to;
        }
        if points.len() < 4 {
            let (what, remedy) = ("curve", "Record for longer, or take fewer nodes.");
            return Err(RestoringForceError::TooFewSamples { what, samples: points.len(), needed: 4, remedy });
        }
        Ok(RestoringForceCurve { points, samples: self.points.len() })
    }

    /// Restricts the samples to those without uncertain ends, where the uncertainty is more than `limit` times the
    /// median.
    fn certain(&self, kept: Range<usize>, limit: f64) -> Range<usize> {
        if limit.is_infinite() || kept.is_empty() {
            return kept;
        }
        let range = |k: usize| {
            let values = || kept.clone().map(|i| self.points[i][k]);
            values().fold(f64::NEG_INFINITY, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        let (x, f) = (range(0), range(1));
        // variance of both coordinates, relative to their ranges
        let square = |i: usize| self.covariances[i][0] / (x * x) + self.covariances[i][2] / (f * f);
        let mut sorted: Vec<f64> = kept.clone().map(square).collect();
        sorted.sort_by(f64::total_cmp);
        let largest = limit * limit * sorted[sorted.len() / 2];
        let is_certain = |i: &usize| square(*i) <= largest;
        match (kept.clone().find(is_certain), kept.clone().rev().find(is_certain)) {
            (Some(first), Some(last)) => first..last + 1,
            _ => kept,
        }
    }

    fn average(&self, group: &[usize]) -> Option<CurvePoint> {
        let count = group.len() as f64;
        let mean = |value: &dyn Fn(usize) -> f64| group.iter().map(|&k| value(k)).sum::<f64>() / count;
        (!group.is_empty()).then(|| CurvePoint {
            coordinate: mean(&|k| self.points[k][0]),
            force: mean(&|k| self.points[k][1]),
            coordinate_deviation: mean(&|k| self.covariances[k][0]).max(0.0).sqrt(),
            force_deviation: mean(&|k| self.covariances[k][2]).max(0.0).sqrt(),
        })
    }
}

impl RestoringForceCurve {
    /// Returns the curve as a table of a `model!`; beyond its ends it continues as a straight line.
    ///
    /// # Errors
    /// [`RestoringForceError::Grid`].
    pub fn table(&self) -> Result<Curve, RestoringForceError> {
        let (x, f) = self.points.iter().map(|point| (point.coordinate, point.force)).unzip();
        Ok(Curve::new(x, f, Extension::Linear)?)
    }

    /// Returns the first and the last coordinate.
    pub fn range(&self) -> [f64; 2] {
        let end = |point: Option<&CurvePoint>| point.map_or(0.0, |point| point.coordinate);
        [end(self.points.first()), end(self.points.last())]
    }

    /// Returns the slope of the straight line through the nodes, with a free offset, by least squares: the constant
    /// coefficient that stands for the curve (KE 5.2.3).
    pub fn slope(&self) -> f64 {
        let count = self.points.len() as f64;
        let (x, f) = self
            .points
            .iter()
            .fold((0.0, 0.0), |(x, f), point| (x + point.coordinate / count, f + point.force / count));
        let (product, square) = self.points.iter().fold((0.0, 0.0), |(product, square), point| {
            let distance = point.coordinate - x;
            (product + distance * (point.force - f), square + distance * distance)
        });
        product / square
    }

    /// Returns the lower and upper uncertainty curve (KE 2.85, 2.86), `times` standard deviations away; where the
    /// curve falls, the signs change.
    pub fn uncertainty(&self, times: f64) -> [Vec<(f64, f64)>; 2] {
        let falls = |k: usize| {
            let next = (k + 1).min(self.points.len() - 1);
            let before = k.saturating_sub(1);
            self.points[next].force < self.points[before].force
        };
        [1.0, -1.0].map(|side| {
            let shifted = |(k, point): (usize, &CurvePoint)| {
                let sign = if falls(k) { -side } else { side };
                (
                    point.coordinate + sign * times * point.coordinate_deviation,
                    point.force - side * times * point.force_deviation,
                )
            };
            self.points.iter().enumerate().map(shifted).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a straight line whose samples are uncertain at the lower end.
    fn fit() -> CurveFit {
        let points = (0..200).map(|i| [0.01 * f64::from(i), 0.03 * f64::from(i)]).collect();
        let deviation = |i: usize| if i < 30 { 0.5 } else { 0.02 };
        let covariances = (0..200).map(|i| [1e-6, 0.0, deviation(i) * deviation(i)]).collect();
        CurveFit { order: (0..200).collect(), points, covariances }
    }

    #[test]
    fn uncertain_ends_are_discarded() {
        let all = fit().resampled(&CurveSettings { nodes: 10, ..CurveSettings::default() }).unwrap();
        assert!(all.range()[0] < 0.1 && all.range()[1] > 1.9, "{:?}", all.range());
        let settings = CurveSettings { uncertain: 3.0, nodes: 10, ..CurveSettings::default() };
        let certain = fit().resampled(&settings).unwrap();
        assert!(certain.range()[0] > 0.3 && certain.range()[1] > 1.9, "{:?}", certain.range());
        assert!(certain.points.iter().all(|point| (point.force_deviation - 0.02).abs() < 1e-12));
        let refused = fit().resampled(&CurveSettings { uncertain: 0.5, ..settings }).unwrap_err();
        assert!(matches!(refused, RestoringForceError::OutOfRange(OutOfRange { field: "uncertain", .. })), "{refused}");
    }
}
