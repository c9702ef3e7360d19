//! Innovations of samples, and their likelihood.

use std::f64::consts::TAU;

use super::{Autoregression, coefficients, same_interval};
use crate::residuals::error::{ResidualError, check_values};
use crate::residuals::noise_error::NoiseError;
use crate::residuals::sampling::Sampling;

impl Autoregression {
    /// Makes samples of this noise white, with the standard deviation 1, and loses none of them.
    ///
    /// The result is w = L^-1 x with the Cholesky factor L of the covariance C = L L^T of the samples of every part
    /// between gaps: a sample less its best prediction from the p samples before it, or from all that its part has
    /// before it, over the standard deviation of the error of that prediction. So the sum of the squares of w is x^T
    /// C^-1 x. The operation is linear in the samples: derivatives of residuals are whitened by the same function,
    /// column by column.
    ///
    /// # Errors
    /// [`NoiseError`]: values that are not finite or not one per sample, another sampling interval than that of the
    /// samples that the noise is estimated from, values so large that a result is not finite.
    pub fn whiten(&self, sampling: &Sampling, values: &[f64]) -> Result<Vec<f64>, NoiseError> {
        let mut white = values.to_vec();
        self.whiten_in_place(sampling, &mut white)?;
        Ok(white)
    }

    /// Puts what [`whiten`](Self::whiten) gives in the place of the samples.
    ///
    /// # Errors
    /// As of [`whiten`](Self::whiten); the samples are as they were, unless a result is not finite.
    pub fn whiten_in_place(&self, sampling: &Sampling, values: &mut [f64]) -> Result<(), NoiseError> {
        self.check_sampling(sampling)?;
        sampling.check("values", values)?;
        check_values("values", values)?;
        let mut lattice = Lattice { noise: self, backward: Vec::with_capacity(self.order()) };
        for part in &sampling.parts {
            lattice.backward.clear();
            for (before, value) in values[part.clone()].iter_mut().enumerate() {
                *value = lattice.innovation(*value) / self.deviations[before.min(self.order())];
            }
        }
        match values.iter().find(|value| !value.is_finite()) {
            Some(&value) => {
                let limit = "finite; the deviation of the innovations is far too small";
                Err(ResidualError::OutOfRange { field: "whitened value", value, limit }.into())
            }
            None => Ok(()),
        }
    }

    /// Puts L^-T x in the place of x, with the factor L of [`whiten`](Self::whiten): from derivatives by white samples
    /// to derivatives by the samples.
    ///
    /// # Errors
    /// As of [`whiten`](Self::whiten).
    pub fn whiten_transposed_in_place(&self, sampling: &Sampling, values: &mut [f64]) -> Result<(), NoiseError> {
        self.check_sampling(sampling)?;
        sampling.check("values", values)?;
        check_values("values", values)?;
        // the best predictors from 0 to p samples
        let predictors: Vec<Vec<f64>> = (0..=self.order()).map(|known| coefficients(&self.partials[..known])).collect();
        for part in &sampling.parts {
            // a sample is part of predictions after it alone
            for (before, j) in part.clone().enumerate() {
                let known = before.min(self.order());
                let white = values[j] / self.deviations[known];
                values[j] = white;
                for (m, coefficient) in predictors[known].iter().enumerate() {
                    values[j - 1 - m] -= coefficient * white;
                }
            }
        }
        Ok(())
    }

    /// The natural logarithm of the determinant of the covariance of the samples, in the square of the unit of the
    /// noise for every sample.
    ///
    /// # Errors
    /// [`NoiseError::Interval`]: another sampling interval than that of the samples that the noise is estimated from.
    pub fn log_determinant(&self, sampling: &Sampling) -> Result<f64, NoiseError> {
        self.check_sampling(sampling)?;
        let of_part = |samples: usize| -> f64 {
            let (first, last) = (samples.min(self.order()), samples.saturating_sub(self.order()));
            let first: f64 = self.deviations[..first].iter().map(|deviation| deviation.ln()).sum();
            2.0 * (first + last as f64 * self.innovation_deviation.ln())
        };
        Ok(sampling.parts.iter().map(|part| of_part(part.len())).sum())
    }

    /// The natural logarithm of the likelihood of samples of this noise,
    ///
    /// ```text
    /// -(n ln(2 pi) + ln det C + x^T C^-1 x) / 2
    /// ```
    ///
    /// with the covariance C of the samples x of every part between gaps.
    ///
    /// # Errors
    /// As of [`whiten`](Self::whiten).
    pub fn log_likelihood(&self, sampling: &Sampling, values: &[f64]) -> Result<f64, NoiseError> {
        let white = self.whiten(sampling, values)?;
        let squares: f64 = white.iter().map(|value| value * value).sum();
        let likelihood = -0.5 * (white.len() as f64 * TAU.ln() + self.log_determinant(sampling)? + squares);
        if likelihood.is_finite() {
            return Ok(likelihood);
        }
        let limit = "finite; the deviation of the innovations is far too small";
        let field = "logarithm of the likelihood";
        Err(ResidualError::OutOfRange { field, value: likelihood, limit }.into())
    }

    fn check_sampling(&self, sampling: &Sampling) -> Result<(), NoiseError> {
        self.interval.map_or(Ok(()), |interval| same_interval(sampling.interval, interval))
    }
}

/// The recursion over samples and orders at once: the errors of forward predictions of order m are those of order m - 1
/// less the partial autocorrelation times the backward ones of the sample before, and the other way round. It needs no
/// predictor of any order, and begins with no sample before the first one.
struct Lattice<'a> {
    noise: &'a Autoregression,
    /// Errors of backward predictions of the orders 0 to p - 1 at the sample before, as far as its part has them.
    backward: Vec<f64>,
}

impl Lattice<'_> {
    /// The next sample of a part less its best prediction.
    fn innovation(&mut self, sample: f64) -> f64 {
        let (mut forward, mut next) = (sample, sample);
        for (partial, backward) in self.noise.partials.iter().zip(&mut self.backward) {
            let before = std::mem::replace(backward, next);
            next = before - partial * forward;
            forward -= partial * before;
        }
        if self.backward.len() < self.noise.order() {
            self.backward.push(next);
        }
        forward
    }
}
