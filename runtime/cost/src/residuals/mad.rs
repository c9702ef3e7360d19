//! A standard deviation that outliers do not change.

use crate::residuals::error::{ResidualError, check_values};

/// 1 over the quantile of the standard normal distribution for 3/4.
const DEVIATION_OVER_MAD: f64 = 1.482_602_218_505_602;

/// The median of |r - median r|, times 1.4826: the standard deviation of Gaussian residuals, in their unit, of which up
/// to half may be outliers.
///
/// Zero where more than half of the residuals are equal.
///
/// # Errors
/// [`ResidualError`]: no residuals, residuals that are not finite or larger than 1e140.
pub fn normalised_mad(residuals: &[f64]) -> Result<f64, ResidualError> {
    check_values("residuals", residuals)?;
    let mut values = residuals.to_vec();
    let middle = median(&mut values).ok_or(ResidualError::Empty { field: "residuals" })?;
    values.iter_mut().for_each(|value| *value = (*value - middle).abs());
    Ok(DEVIATION_OVER_MAD * median(&mut values).unwrap_or(0.0))
}

/// The median; the mean of the two values in the middle where their number is even. None for no values.
fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(if even { 0.5 * (lower + upper) } else { upper })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_by_hand() {
        let mad = |values: &[f64]| normalised_mad(values).unwrap();
        // Median 3, distances 2, 1, 0, 1, 97.
        assert_eq!(mad(&[1.0, 100.0, 3.0, 2.0, 4.0]), DEVIATION_OVER_MAD);
        // Median 2.5, distances 1.5, 0.5, 0.5, 1.5.
        assert_eq!(mad(&[4.0, 2.0, 3.0, 1.0]), DEVIATION_OVER_MAD);
        assert_eq!(mad(&[7.0]), 0.0);
        assert_eq!(normalised_mad(&[]), Err(ResidualError::Empty { field: "residuals" }));
        let Err(ResidualError::NotFinite { index: 1, .. }) = normalised_mad(&[1.0, f64::NAN]) else {
            panic!("accepted")
        };
    }
}
