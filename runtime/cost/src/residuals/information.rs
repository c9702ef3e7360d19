//! Likelihoods and information criteria, for choosing between models of different size.

use std::f64::consts::TAU;

use serde::Serialize;

use crate::residuals::error::ResidualError;

/// The standard deviation of a channel's noise.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum Deviation {
    /// Known, in the channel's unit.
    Known(f64),
    /// Estimated from the residuals, sigma^2 = sum r^2 / n, the value of largest likelihood; it counts as an unknown.
    Estimated,
}

/// The natural logarithm of the likelihood of one channel with independent Gaussian noise,
///
/// ```text
/// -(n/2) ln(2 pi sigma^2) - sum r^2 / (2 sigma^2)
/// ```
///
/// of `samples` = n residuals with this sum of squares, in the square of the channel's unit. The logarithms of several
/// channels and experiments with independent noise add up.
///
/// # Errors
/// [`ResidualError::OutOfRange`]: no samples, a sum of squares that is negative or not finite, or zero where the
/// deviation is estimated; a deviation that is not positive; a likelihood whose logarithm is not finite.
pub fn log_likelihood(sum_of_squares: f64, samples: usize, deviation: Deviation) -> Result<f64, ResidualError> {
    check_samples(samples)?;
    let out_of_range = |field, value, limit| Err(ResidualError::OutOfRange { field, value, limit });
    if !(0.0..f64::INFINITY).contains(&sum_of_squares) {
        return out_of_range("sum of squares", sum_of_squares, "finite and not negative");
    }
    let n = samples as f64;
    // The logarithm of sigma, so that no square underflows, and the sum of the squares of r/sigma.
    let (logarithm, squares) = match deviation {
        Deviation::Known(sigma) if sigma > 0.0 && sigma < f64::INFINITY => (sigma.ln(), sum_of_squares / sigma / sigma),
        Deviation::Known(sigma) => return out_of_range("standard deviation", sigma, "positive and finite"),
        Deviation::Estimated if sum_of_squares > 0.0 => (0.5 * (sum_of_squares.ln() - n.ln()), n),
        Deviation::Estimated => {
            return out_of_range("sum of squares", sum_of_squares, "positive where the deviation is estimated");
        }
    };
    let likelihood = -n * (0.5 * TAU.ln() + logarithm) - 0.5 * squares;
    if likelihood.is_finite() {
        return Ok(likelihood);
    }
    out_of_range("logarithm of the likelihood", likelihood, "finite; the deviation is far too small")
}

/// Akaike's and Schwarz's criterion; of several models of the same data the one with the smallest value is to be
/// preferred.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct InformationCriteria {
    /// ln L, the logarithm of the likelihood.
    pub log_likelihood: f64,
    /// Number k of unknowns.
    pub unknowns: usize,
    /// Number n of samples.
    pub samples: usize,
    /// Akaike's criterion, 2 k - 2 ln L: it prefers the model that predicts best.
    pub aic: f64,
    /// Akaike's criterion for few samples, AIC + 2 k (k + 1) / (n - k - 1) (Hurvich, Tsai, Biometrika 76, 1989); None
    /// where n does not exceed k + 1.
    pub corrected_aic: Option<f64>,
    /// Schwarz's criterion, k ln n - 2 ln L: it prefers the true model where there are many samples.
    pub bic: f64,
}

/// The criteria of a fit with this [`log_likelihood`] over all channels; `unknowns` counts everything that was fitted,
/// estimated deviations too.
///
/// # Errors
/// [`ResidualError::OutOfRange`]: a likelihood that is not finite, no samples.
pub fn information_criteria(
    log_likelihood: f64,
    unknowns: usize,
    samples: usize,
) -> Result<InformationCriteria, ResidualError> {
    check_samples(samples)?;
    if !log_likelihood.is_finite() {
        let field = "logarithm of the likelihood";
        return Err(ResidualError::OutOfRange { field, value: log_likelihood, limit: "finite" });
    }
    let (k, n) = (unknowns as f64, samples as f64);
    let aic = 2.0 * k - 2.0 * log_likelihood;
    let spare = n - k - 1.0;
    Ok(InformationCriteria {
        log_likelihood,
        unknowns,
        samples,
        aic,
        corrected_aic: (spare > 0.0).then(|| aic + 2.0 * k * (k + 1.0) / spare),
        bic: k * n.ln() - 2.0 * log_likelihood,
    })
}

fn check_samples(samples: usize) -> Result<(), ResidualError> {
    if samples > 0 {
        return Ok(());
    }
    Err(ResidualError::OutOfRange { field: "number of samples", value: 0.0, limit: "at least 1" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_closed_form() {
        // Residuals 1, -1, 2 with sigma = 2: -3/2 ln(8 pi) - 6/8.
        let known = log_likelihood(6.0, 3, Deviation::Known(2.0)).unwrap();
        assert!((known + 1.5 * (8.0 * std::f64::consts::PI).ln() + 0.75).abs() < 1e-14);
        // Estimated: sigma^2 = 2, -3/2 (ln(4 pi) + 1).
        let estimated = log_likelihood(6.0, 3, Deviation::Estimated).unwrap();
        assert!((estimated + 1.5 * ((2.0 * TAU).ln() + 1.0)).abs() < 1e-14);
        let at_estimate = log_likelihood(6.0, 3, Deviation::Known(2.0_f64.sqrt())).unwrap();
        assert!((estimated - at_estimate).abs() < 1e-14);

        let criteria = information_criteria(-10.0, 3, 20).unwrap();
        assert_eq!(criteria.aic, 26.0);
        assert!((criteria.bic - (3.0 * 20.0_f64.ln() + 20.0)).abs() < 1e-14);
        assert_eq!(criteria.corrected_aic, Some(26.0 + 24.0 / 16.0));
        assert_eq!(information_criteria(-10.0, 3, 4).unwrap().corrected_aic, None);
    }

    #[test]
    fn what_has_no_likelihood_is_refused() {
        for (squares, samples, deviation) in [
            (1.0, 0, Deviation::Estimated),
            (0.0, 3, Deviation::Estimated),
            (f64::NAN, 3, Deviation::Estimated),
            (-1.0, 3, Deviation::Known(1.0)),
            (1.0, 3, Deviation::Known(0.0)),
            (1.0, 3, Deviation::Known(f64::INFINITY)),
            (1.0, 3, Deviation::Known(1e-300)),
        ] {
            assert!(log_likelihood(squares, samples, deviation).is_err(), "{squares} {samples} {deviation:?}");
        }
        assert!(log_likelihood(0.0, 3, Deviation::Known(1e-300)).is_ok());
        assert!(information_criteria(f64::NAN, 1, 3).is_err() && information_criteria(1.0, 1, 0).is_err());
    }
}
