//! The part of a measured signal that a fit explains.

use crate::residuals::channel::{Residuals, normalised};

/// Fit in per cent, 100 (1 - |y - s| / |y - mean y|), as toolboxes of system identification define it (NRMSE): 100
/// where fitted and measured values agree, 0 where the mean of the measured values would do as well, negative where it
/// does better.
///
/// None for measured values that are constant but for rounding.
pub fn fit_percent(residuals: &Residuals) -> Option<f64> {
    let measured = deviations(residuals.measured())?;
    let unexplained = norm(residuals.values());
    let percent = 100.0 * (1.0 - unexplained / measured);
    percent.is_finite().then_some(percent)
}

/// Root of the mean square, in the unit of the values; 0 without any.
pub fn root_mean_square(values: &[f64]) -> f64 {
    norm(values) / (values.len().max(1) as f64).sqrt()
}

/// |y - mean y|; none where that is rounding.
fn deviations(values: &[f64]) -> Option<f64> {
    let (values, scale) = normalised(values)?;
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let centred: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let largest = centred.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    (largest > 1e-12).then(|| scale * norm(&centred))
}

/// Euclidean norm, by values over their largest magnitude.
fn norm(values: &[f64]) -> f64 {
    match normalised(values) {
        Some((values, scale)) => scale * values.iter().map(|value| value * value).sum::<f64>().sqrt(),
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(residuals: &[f64], measured: &[f64]) -> Option<f64> {
        let times: Vec<f64> = (0..measured.len()).map(|i| i as f64).collect();
        fit_percent(&Residuals::new("x", &times, residuals, measured).unwrap())
    }

    #[test]
    fn values_by_hand() {
        // |y - mean y|^2 = 4 + 1 + 1 + 4 = 10 (mean 3), |r|^2 = 0.4.
        let measured = [1.0, 2.0, 4.0, 5.0];
        let found = percent(&[0.2, -0.4, 0.2, 0.4], &measured).unwrap();
        assert!((found - 100.0 * (1.0 - (0.4_f64 / 10.0).sqrt())).abs() < 1e-12);
        assert_eq!(percent(&[0.0; 4], &measured), Some(100.0));
        let as_mean = percent(&[2.0, 1.0, -1.0, -2.0], &measured).unwrap();
        assert!(as_mean.abs() < 1e-12);
    }

    #[test]
    fn magnitudes_do_not_matter_and_constants_have_none() {
        for scale in [1e-200, 1e130] {
            let measured = [1.0, 2.0, 4.0, 5.0].map(|y| y * scale);
            let found = percent(&[0.2, -0.4, 0.2, 0.4].map(|r| r * scale), &measured).unwrap();
            assert!((found - 80.0).abs() < 1e-9, "{found}");
        }
        assert_eq!(percent(&[0.1, 0.2, 0.3], &[0.1; 3]), None);
        assert_eq!(percent(&[0.1, 0.2], &[0.0; 2]), None);
        assert_eq!(percent(&[1e100, 0.0], &[0.0, 1e-300]), None);
    }
}
