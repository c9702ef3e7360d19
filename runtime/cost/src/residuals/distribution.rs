//! Distribution functions, total on all arguments.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};
use statrs::function::gamma::checked_gamma_ur;

/// Two-sided quantile of the standard normal distribution for 95 %.
pub(crate) const NORMAL_QUANTILE_95: f64 = 1.959_963_984_540_054;

/// Two-sided quantile of the standard normal distribution for 99 %.
pub(crate) const NORMAL_QUANTILE_99: f64 = 2.575_829_303_548_901;

/// Probability that a chi-squared variable exceeds `value`; 1 where the arguments have none.
pub(crate) fn chi_squared_tail(value: f64, degrees_of_freedom: f64) -> f64 {
    if value == f64::INFINITY {
        return 0.0;
    }
    let tail = checked_gamma_ur(0.5 * degrees_of_freedom, 0.5 * value).unwrap_or(1.0);
    if tail.is_nan() { 1.0 } else { tail.clamp(0.0, 1.0) }
}

/// The value that a chi-squared variable does not exceed with `probability`; NaN where the arguments have none.
pub(crate) fn chi_squared_quantile(probability: f64, degrees_of_freedom: f64) -> f64 {
    if !(probability > 0.0 && probability < 1.0) {
        return f64::NAN;
    }
    ChiSquared::new(degrees_of_freedom).map_or(f64::NAN, |law| law.inverse_cdf(probability))
}

/// The value that a variable of Student's distribution does not exceed with `probability`; NaN where the arguments have
/// none.
///
/// For many degrees of freedom n it is the expansion in 1/n about the normal distribution (Abramowitz, Stegun, 26.7.5).
pub fn student_quantile(probability: f64, degrees_of_freedom: f64) -> f64 {
    /// Degrees of freedom from which on Student's distribution is found from the normal one.
    const MIN_NORMAL_DEGREES: f64 = 200.0;
    if !(probability > 0.0 && probability < 1.0) {
        return f64::NAN;
    }
    let is_almost_normal = degrees_of_freedom >= MIN_NORMAL_DEGREES;
    if !is_almost_normal {
        return StudentsT::new(0.0, 1.0, degrees_of_freedom).map_or(f64::NAN, |law| law.inverse_cdf(probability));
    }
    let z = Normal::standard().inverse_cdf(probability);
    let (square, n) = (z * z, degrees_of_freedom);
    let terms = [
        (square + 1.0) / 4.0,
        ((5.0 * square + 16.0) * square + 3.0) / 96.0,
        (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
    ];
    z * (1.0 + (terms[0] + (terms[1] + terms[2] / n) / n) / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        for (value, freedom, wanted) in [
            (3.2, 1.0, 0.07363827012030258),
            (31.4, 20.0, 0.0501264153534208),
            (100.0, 20.0, 1.2596084591660847e-12),
            (250.0, 50.0, 2.177291001112404e-28),
            (1400.0, 1000.0, 7.032145641828496e-16),
            (0.3, 4.0, 0.9898141728888165),
        ] {
            let found = chi_squared_tail(value, freedom);
            assert!((found / wanted - 1.0).abs() < 1e-9, "{value} {freedom}: {found:e}");
        }
        for (probability, freedom, wanted) in
            [(0.025, 15.2, 6.390312352525075), (0.975, 15.2, 27.760742506700588), (0.975, 1800.0, 1919.4805319887935)]
        {
            assert!((chi_squared_quantile(probability, freedom) / wanted - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn published_quantiles_of_students_distribution() {
        // the last one by the tails of the normal distribution and the first term beside it
        for (freedom, wanted) in
            [(1.0, 12.706_204_736_4), (5.0, 2.570_581_835_6), (30.0, 2.042_272_456_3), (1e6, 1.959_966_357_0)]
        {
            assert!((student_quantile(0.975, freedom) / wanted - 1.0).abs() < 1e-9, "{freedom}");
        }
        let (below, above) = (student_quantile(0.9, 199.999), student_quantile(0.9, 200.0));
        assert!((below / above - 1.0).abs() < 1e-6, "{below} {above}");
        assert!(student_quantile(1.0, 3.0).is_nan() && student_quantile(0.9, 0.0).is_nan());
    }

    #[test]
    fn arguments_without_a_probability() {
        assert_eq!(chi_squared_tail(0.0, 3.0), 1.0);
        assert_eq!(chi_squared_tail(1.0, 0.0), 1.0);
        assert_eq!(chi_squared_tail(f64::NAN, 3.0), 1.0);
        assert_eq!(chi_squared_tail(f64::INFINITY, 3.0), 0.0);
        assert!(chi_squared_quantile(1.0, 3.0).is_nan() && chi_squared_quantile(0.5, 0.0).is_nan());
    }
}
