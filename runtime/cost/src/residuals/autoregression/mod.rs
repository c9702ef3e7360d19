//! Coloured noise as an autoregressive process.

mod burg;
mod order;
mod whiten;

use serde::Serialize;

use crate::residuals::error::{MAX_MAGNITUDE, ResidualError, check_values};
use crate::residuals::noise_error::NoiseError;
use crate::residuals::sampling::{EQUIDISTANCE, Sampling};

use burg::MAX_PARTIAL;

pub use order::{AutoregressionOrder, OrderCriterion};

/// Stationary Gaussian noise in which every sample is a combination of the p samples before it and an innovation:
///
/// ```text
/// x_j = a_1 x_{j-1} + ... + a_p x_{j-p} + e_j,    e white with the standard deviation sigma
/// ```
///
/// p is the order, a are the coefficients, e the innovations. The noise has no mean value. It describes
/// equidistant samples, some of which may be missing ([`Sampling`]); samples on the two sides of a gap count as
/// independent.
///
/// Residuals of coloured noise become white by [`whiten`](Self::whiten), which is linear, so that derivatives of
/// residuals are whitened by the same function; least squares of the whitened residuals are maximum-likelihood
/// estimates:
///
/// ```
/// use costate_cost::residuals::{Autoregression, AutoregressionOrder, EQUIDISTANCE, OrderCriterion, Sampling};
///
/// let times: Vec<f64> = (0..6).map(|j| f64::from(j) * 1e-3).collect();
/// let sampling = Sampling::of_times(&times, EQUIDISTANCE)?;
/// let noise = Autoregression::new(vec![0.6], 0.1)?;
/// let white = noise.whiten(&sampling, &[1.0, 0.6, 0.36, 0.3, 0.1, 0.0])?;
/// // The first one over the deviation of the noise itself, 0.1/sqrt(1 - 0.6^2), then innovations over 0.1.
/// assert!((white[0] - 8.0).abs() < 1e-12 && white[1].abs() < 1e-12 && (white[3] - 0.84).abs() < 1e-12);
///
/// // Estimated from residuals, with an order of 10 or less that Schwarz's criterion prefers.
/// let residuals: Vec<f64> = (0..6).map(|j| 0.6_f64.powi(j)).collect();
/// let order = AutoregressionOrder::Chosen { criterion: OrderCriterion::Bic, limit: 10 };
/// let estimated = Autoregression::estimate(&[(&sampling, &residuals)], order)?;
/// assert!(estimated.coefficients()[0] > 0.5);
/// # Ok::<(), costate_cost::residuals::NoiseError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Autoregression {
    coefficients: Vec<f64>,
    innovation_deviation: f64,
    /// Sampling interval in s of the samples that the noise is estimated from; `None` if its coefficients were given.
    interval: Option<f64>,
    /// Partial autocorrelations at the lags 1 to p.
    #[serde(skip)]
    partials: Vec<f64>,
    /// Standard deviation of the error of the best prediction from 0 to p earlier samples: the first is that of
    /// the noise, the last that of the innovations.
    #[serde(skip)]
    deviations: Vec<f64>,
}

impl Autoregression {
    /// Makes noise with the coefficients a_1 to a_p and the standard deviation of its innovations, in the unit of
    /// the noise. White noise has no coefficients.
    ///
    /// # Errors
    /// [`NoiseError::Unstable`]: coefficients that no stationary noise has. [`NoiseError::Samples`]: coefficients that
    /// are not finite, a deviation that is not between 1e-140 and 1e140.
    pub fn new(coefficients: Vec<f64>, innovation_deviation: f64) -> Result<Self, NoiseError> {
        check_values("coefficients", &coefficients)?;
        let partials = partials(&coefficients)?;
        Self::with_partials(coefficients, partials, innovation_deviation, None)
    }

    /// Estimates the noise of one or several series of samples, such as the residuals of one channel in several
    /// experiments, together: each with its [`Sampling`], all in one unit and with one sampling interval.
    ///
    /// The coefficients are Burg's, which minimise the errors of forward and backward predictions inside the
    /// parts between gaps; they always describe stationary noise. The deviation of the innovations maximises the
    /// likelihood with these coefficients. A mean value is not subtracted.
    ///
    /// # Errors
    /// [`NoiseError`]: no series, values that are not finite or not one per sample, different sampling intervals,
    /// a given order that is too large, values that are all zero.
    pub fn estimate(series: &[(&Sampling, &[f64])], order: AutoregressionOrder) -> Result<Self, NoiseError> {
        let Some((first, _)) = series.first() else {
            return Err(ResidualError::Empty { field: "series" }.into());
        };
        for (sampling, values) in series {
            sampling.check("values", values)?;
            check_values("values", values)?;
            same_interval(sampling.interval, first.interval)?;
        }
        let mut found = burg::burg(series, order.limit(series)?)?;
        let order = order.choose(&found)?;
        found.partials.truncate(order);
        let deviation = found.orders[order].innovation_deviation;
        Self::with_partials(coefficients(&found.partials), found.partials, deviation, Some(first.interval))
    }

    fn with_partials(
        coefficients: Vec<f64>,
        partials: Vec<f64>,
        innovation_deviation: f64,
        interval: Option<f64>,
    ) -> Result<Self, NoiseError> {
        if !(1.0 / MAX_MAGNITUDE..=MAX_MAGNITUDE).contains(&innovation_deviation) {
            let (field, value) = ("deviation of the innovations", innovation_deviation);
            return Err(ResidualError::OutOfRange { field, value, limit: "between 1e-140 and 1e140" }.into());
        }
        let mut deviations = vec![innovation_deviation];
        let mut deviation = innovation_deviation;
        for partial in partials.iter().rev() {
            deviation /= (1.0 - partial * partial).sqrt();
            deviations.push(deviation);
        }
        deviations.reverse();
        Ok(Self { coefficients, innovation_deviation, interval, partials, deviations })
    }

    /// Returns the order p of the noise: number of earlier samples that a sample depends on.
    pub fn order(&self) -> usize {
        self.coefficients.len()
    }

    /// The coefficients a_1 to a_p.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Returns the standard deviation sigma of the innovations, in the unit of the noise.
    pub fn innovation_deviation(&self) -> f64 {
        self.innovation_deviation
    }

    /// Standard deviation of the noise itself, in its unit.
    pub fn deviation(&self) -> f64 {
        self.deviations[0]
    }

    /// Returns the sampling interval in s; `None` unless the noise was estimated from samples.
    pub fn interval(&self) -> Option<f64> {
        self.interval
    }
}

/// Refuses a sampling interval other than that of the noise.
fn same_interval(interval: f64, expected: f64) -> Result<(), NoiseError> {
    if (interval - expected).abs() <= EQUIDISTANCE * expected.abs() {
        return Ok(());
    }
    Err(NoiseError::Interval { interval, expected })
}

/// Computes the partial autocorrelations of the noise with these coefficients, by Levinson's recursion from the
/// last order to the first.
fn partials(coefficients: &[f64]) -> Result<Vec<f64>, NoiseError> {
    let order = coefficients.len();
    let mut predictor = coefficients.to_vec();
    let mut partials = vec![0.0; order];
    while let Some(partial) = predictor.pop() {
        let lag = predictor.len() + 1;
        // NaN, as after an overflow, is not stationary.
        let is_stationary = partial.abs() <= MAX_PARTIAL;
        if !is_stationary {
            return Err(NoiseError::Unstable { order, lag, partial });
        }
        partials[lag - 1] = partial;
        let reversed: Vec<f64> = predictor.iter().rev().copied().collect();
        let unexplained = 1.0 - partial * partial;
        predictor.iter_mut().zip(reversed).for_each(|(a, b)| *a = (*a + partial * b) / unexplained);
    }
    Ok(partials)
}

/// Computes the coefficients of the noise with these partial autocorrelations, by Levinson's recursion.
fn coefficients(partials: &[f64]) -> Vec<f64> {
    let mut coefficients: Vec<f64> = Vec::with_capacity(partials.len());
    for &partial in partials {
        let reversed: Vec<f64> = coefficients.iter().rev().copied().collect();
        coefficients.iter_mut().zip(reversed).for_each(|(a, b)| *a -= partial * b);
        coefficients.push(partial);
    }
    coefficients
}
