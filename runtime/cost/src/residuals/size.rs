//! The size of residuals against standard deviations that were known before the fit.

use serde::Serialize;

use crate::residuals::distribution::chi_squared_tail;

/// Sum of the squares of residuals in units of their standard deviations, which were given. With a right model and
/// independent normal errors it is distributed as chi squared, exactly where the model is linear in the fitted
/// parameters.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Size {
    /// The sum of the squares.
    pub chi_squared: f64,
    /// Number of residuals less the number of parameters that they determine.
    pub degrees_of_freedom: f64,
    /// Probability of a larger sum with a right model: small where residuals are larger than their deviations.
    pub p_value: f64,
}

/// Compares residuals in units of their given standard deviations with the size that these make them expect;
/// `determined` is the number of parameters, not necessarily an integer, that these residuals determine in the fit.
/// `None` where half a degree of freedom is not left, or the sum is NaN.
pub fn size(standardised: &[f64], determined: f64) -> Option<Size> {
    let degrees_of_freedom = standardised.len() as f64 - determined.max(0.0);
    let chi_squared: f64 = standardised.iter().map(|residual| residual * residual).sum();
    if degrees_of_freedom.is_nan() || degrees_of_freedom < 0.5 || chi_squared.is_nan() {
        return None;
    }
    Some(Size { chi_squared, degrees_of_freedom, p_value: chi_squared_tail(chi_squared, degrees_of_freedom) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residuals_of_the_expected_size_are_likely() {
        let ones = size(&[1.0, -1.0].repeat(10), 0.0).unwrap();
        assert!((ones.chi_squared - 20.0).abs() < 1e-12 && ones.degrees_of_freedom == 20.0);
        // P(chi squared with 20 degrees of freedom > 20)
        assert!((ones.p_value - 0.457_929_714).abs() < 1e-8, "{}", ones.p_value);
        let threes = size(&[3.0; 20], 2.5).unwrap();
        assert!(threes.p_value < 1e-25 && threes.degrees_of_freedom == 17.5);
        assert_eq!(size(&[1.0, 1.0], 1.9), None);
        assert_eq!(size(&[f64::NAN; 5], 0.0), None);
    }
}
