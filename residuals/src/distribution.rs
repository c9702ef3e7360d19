//! Distribution functions, total on all arguments.

use statrs::distribution::{ChiSquared, ContinuousCDF};
use statrs::function::gamma::checked_gamma_ur;

/// Two-sided quantile of the standard normal distribution for 95 %.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Two-sided quantile of the standard normal distribution for 99 %.
pub(crate) const NORMAL_99: f64 = 2.575_829_303_548_901;

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
