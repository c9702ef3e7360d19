//! Burg's method for samples with gaps.

use std::ops::Range;

use crate::residuals::absent::Absent;
use crate::residuals::information::{Deviation, log_likelihood};
use crate::residuals::noise_error::NoiseError;
use crate::residuals::sampling::Sampling;

/// Largest magnitude of a partial autocorrelation: noise with a larger one is not stationary to rounding.
pub const MAX_PARTIAL: f64 = 1.0 - 1e-12;

/// Autoregressive noise of the orders from 0 up, estimated from the same samples.
pub struct Burg {
    /// Partial autocorrelations at the lags from 1 up; those of order m are the first m.
    pub partials: Vec<f64>,
    /// Further estimates of every order.
    pub orders: Vec<OfOrder>,
    /// Number of samples.
    pub samples: usize,
}

/// Estimates for noise of one order.
pub struct OfOrder {
    /// Standard deviation of the innovations, in the unit of the samples.
    pub innovation_deviation: f64,
    /// Logarithm of the likelihood of the samples, up to a constant that is the same for all orders.
    pub log_likelihood: f64,
}

/// Prediction errors of the samples of all parts, from the samples before and after them.
struct Errors {
    parts: Vec<Range<usize>>,
    /// Errors of forward predictions of order m, or of order j for sample j of a part where j is less than m.
    forward: Vec<f64>,
    /// Errors of backward predictions of order m, from sample m of every part on.
    backward: Vec<f64>,
}

/// Estimates the noise of all orders up to `limit` for which there are enough samples.
pub fn burg(series: &[(&Sampling, &[f64])], limit: usize) -> Result<Burg, NoiseError> {
    /// Mean square, relative to that of the samples, below which the rest is rounding and no more coefficients are
    /// determined.
    const UNEXPLAINED_ROUNDING: f64 = 1e-20;
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    // Squares of samples do not underflow once divided by the largest magnitude.
    let scale = series.iter().map(|(_, values)| largest(values)).fold(0.0, f64::max);
    if scale == 0.0 {
        return Err(Absent::ZeroResiduals.into());
    }
    let mut errors = Errors::new(series, scale);
    let mut partials = Vec::with_capacity(limit);
    let mut orders = vec![errors.order(&partials, scale)?];
    let mut unexplained = 1.0;
    while partials.len() < limit {
        let partial = if unexplained > UNEXPLAINED_ROUNDING { errors.next_partial(partials.len() + 1) } else { 0.0 };
        unexplained *= 1.0 - partial * partial;
        partials.push(partial);
        orders.push(errors.order(&partials, scale)?);
    }
    Ok(Burg { partials, orders, samples: errors.forward.len() })
}

impl Errors {
    /// Returns the prediction errors of order 0: the samples themselves.
    fn new(series: &[(&Sampling, &[f64])], scale: f64) -> Self {
        let (mut parts, mut forward) = (Vec::new(), Vec::new());
        for (sampling, values) in series {
            let offset = forward.len();
            parts.extend(sampling.parts.iter().map(|part| part.start + offset..part.end + offset));
            forward.extend(values.iter().map(|value| value / scale));
        }
        Self { parts, backward: forward.clone(), forward }
    }

    /// Returns the partial autocorrelation at lag `order` that minimises the squares of both errors of that
    /// order, and updates the errors to that order. It is twice the sum of products over the sum of squares, and
    /// does not exceed 1.
    fn next_partial(&mut self, order: usize) -> f64 {
        let (mut products, mut squares) = (0.0, 0.0);
        for part in &self.parts {
            for j in part.start + order..part.end {
                let (forward, backward) = (self.forward[j], self.backward[j - 1]);
                products += forward * backward;
                squares += 0.5 * (forward * forward + backward * backward);
            }
        }
        if squares == 0.0 {
            return 0.0;
        }
        let partial = (products / squares).clamp(-MAX_PARTIAL, MAX_PARTIAL);
        for part in &self.parts {
            for j in (part.start + order..part.end).rev() {
                let (forward, backward) = (self.forward[j], self.backward[j - 1]);
                self.forward[j] = forward - partial * backward;
                self.backward[j] = backward - partial * forward;
            }
        }
        partial
    }

    /// Returns the deviation of the innovations with the largest likelihood, and the logarithm of that likelihood.
    ///
    /// Sample j of a part is predicted from the min(j, m) samples before it, with an error whose variance is that
    /// of the innovations over the product of 1 - pi_k^2 over the orders k between j and m.
    fn order(&self, partials: &[f64], scale: f64) -> Result<OfOrder, NoiseError> {
        let order = partials.len();
        let mut weights = vec![1.0; order + 1];
        for (k, partial) in partials.iter().enumerate().rev() {
            weights[k] = weights[k + 1] * (1.0 - partial * partial);
        }
        let (mut squares, mut logarithms) = (0.0, 0.0);
        for part in &self.parts {
            for (before, error) in self.forward[part.clone()].iter().enumerate() {
                squares += weights[before.min(order)] * error * error;
            }
            logarithms += weights.iter().take(part.len()).map(|weight: &f64| weight.ln()).sum::<f64>();
        }
        let samples = self.forward.len();
        let log_likelihood = log_likelihood(squares, samples, Deviation::Estimated)? + 0.5 * logarithms;
        let innovation_deviation = scale * (squares / samples as f64).sqrt();
        Ok(OfOrder { innovation_deviation, log_likelihood })
    }
}
