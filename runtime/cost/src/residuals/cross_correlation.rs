//! Tests of whether residuals depend on an input.

use serde::Serialize;

use crate::residuals::absent::Absent;
use crate::residuals::channel::{Residuals, centred, check_input};
use crate::residuals::distribution::chi_squared_tail;
use crate::residuals::lag::{Lag, default_lags, lagged_product, outside};
use crate::residuals::projection::projected_square;
use crate::residuals::sampling::Sampling;

/// The cross-correlation of residuals with an input and the test of their independence (Soderstrom, Stoica, System
/// Identification, section 11.2; Ljung, System Identification, section 16.6).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrossCorrelation {
    /// Number of residuals.
    pub samples: usize,
    /// Correlation at lags -L to L, C_k / sqrt(sum r^2 sum u^2) with C_k the sum of r_{j+k} u_j over pairs
    /// without a gap in between, both without their means. At positive lags the residual is later than the input:
    /// the model responds to the input differently from the system. At negative lags it is earlier: the input
    /// depends on what was measured.
    pub lags: Vec<Lag>,
    /// The statistic of the test over the lags 0 to L.
    pub statistic: f64,
    /// Degrees of freedom of the statistic: number of delayed inputs that are independent of each other.
    pub degrees_of_freedom: usize,
    /// Probability of so large a statistic where residuals are white and independent of the input.
    pub p_value: f64,
    /// Number of correlations at lags 0 to L that are outside of the bounds for 95 %. A coloured input makes
    /// neighbouring ones alike.
    pub outside_95: usize,
    /// Number of correlations at lags 0 to L that are outside of the bounds for 99 %.
    pub outside_99: usize,
}

/// Estimates the cross-correlation with `input`, one value per residual, at lags of up to `lags` in both
/// directions ([`default_lags`](crate::residuals::default_lags) where that is `None`, at most half of the samples).
///
/// The covariance of the correlations c_0, ..., c_L of white residuals with an input is sigma^2 times the
/// products of the delayed inputs, Phi^T Phi, which is n R_u except at the ends of the parts. So c^T (Phi^T
/// Phi)^-1 c / sigma^2 is chi-squared, and it is the share b of the residuals' square that the delayed inputs
/// explain, as in a regression. With sigma estimated,
///
/// ```text
/// -(n - 2 - m/2) ln(1 - b)
/// ```
///
/// with m independent delayed inputs is chi-squared with m degrees of freedom up to terms of order (m/n)^2
/// (Bartlett's factor), also for few samples. Delayed inputs that are combinations of others, as those of a sum
/// of few sines, do not count.
///
/// The probability is that for white residuals: where [`whiteness`](crate::residuals::whiteness()) is rejected it is
/// too small, and [`coherence`](crate::residuals::coherence()) shows more.
///
/// # Errors
/// [`Absent`]: samples that are too few or not equidistant, constant residuals, an input that is constant, that has
/// another number of values, or values without finite squares.
pub fn cross_correlation(
    residuals: &Residuals,
    input: &[f64],
    lags: Option<usize>,
) -> Result<CrossCorrelation, Absent> {
    let sampling = residuals.sampling()?;
    let samples = residuals.values().len();
    check_input(input, samples)?;
    let input = centred(input).ok_or(Absent::ConstantInput)?;
    residuals.normalised()?;
    let values = centred(residuals.values()).ok_or(Absent::ConstantResiduals)?;
    let most = lags.unwrap_or_else(|| default_lags(sampling)).min(samples / 2).min(sampling.longest() - 1);

    let square = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
    let residual_square = square(&values);
    let scale = (residual_square * square(&input)).sqrt();
    let n = samples as f64;
    let lag = |lag: i64| {
        let delay = lag.unsigned_abs() as usize;
        let (later, earlier) = if lag < 0 { (&input, &values) } else { (&values, &input) };
        let correlation = lagged_product(sampling, later, earlier, delay) / scale;
        Lag::new(lag, sampling.interval, correlation, (sampling.pairs(delay) as f64).sqrt() / n)
    };
    let lags: Vec<Lag> = (-(most as i64)..=most as i64).map(lag).collect();

    let mut products: Vec<f64> = lags[most..].iter().map(|lag| lag.correlation * scale).collect();
    let (explained, rank) = projected_square(&mut delayed_products(sampling, &input, most), &mut products);
    let unexplained = (1.0 - explained / residual_square).clamp(f64::EPSILON, 1.0);
    let statistic = (n - 2.0 - 0.5 * rank as f64) * -unexplained.ln();
    let (outside_95, outside_99) = outside(&lags[most..]);
    Ok(CrossCorrelation {
        samples,
        lags,
        statistic,
        degrees_of_freedom: rank,
        p_value: chi_squared_tail(statistic, rank as f64),
        outside_95,
        outside_99,
    })
}

/// Computes the products of the input delayed by 0 to `most` intervals with each other, by rows, without their
/// means over all samples; a delayed input is zero where a part has no value for it.
fn delayed_products(sampling: &Sampling, input: &[f64], most: usize) -> Vec<f64> {
    let order = most + 1;
    let mut products = vec![0.0; order * order];
    let mut sums = vec![0.0; order];
    for part in &sampling.parts {
        let input = &input[part.clone()];
        let n = input.len();
        for (delay, sum) in sums.iter_mut().enumerate() {
            *sum += input[..n.saturating_sub(delay)].iter().sum::<f64>();
        }
        for difference in 0..order.min(n) {
            // The product of delays d and 0 has the pairs of the part; every further delay of both has one pair less.
            let mut product: f64 = input.iter().skip(difference).zip(input).map(|(a, b)| a * b).sum();
            for delay in difference..order.min(n) {
                if delay > difference {
                    product -= input[n - delay] * input[n - delay + difference];
                }
                products[delay * order + delay - difference] += product;
            }
        }
    }
    let samples = sampling.samples() as f64;
    for row in 0..order {
        for column in 0..=row {
            let product = products[row * order + column] - sums[row] * sums[column] / samples;
            products[row * order + column] = product;
            products[column * order + row] = product;
        }
    }
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_delayed_inputs_are_those_of_a_regression() {
        let times: Vec<f64> = (0..40).filter(|i| ![11, 12, 30].contains(i)).map(f64::from).collect();
        let input: Vec<f64> = times.iter().map(|t| (0.3 * t * t).sin()).collect();
        let sampling = Sampling::new(&times).unwrap();
        let order = 7;
        let column = |delay: usize| -> Vec<f64> {
            let of_part = |part: &std::ops::Range<usize>| {
                let part = part.clone();
                part.clone().map(|j| if j >= part.start + delay { input[j - delay] } else { 0.0 }).collect::<Vec<_>>()
            };
            let values: Vec<f64> = sampling.parts.iter().flat_map(of_part).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.iter().map(|value| value - mean).collect()
        };
        let found = delayed_products(&sampling, &input, order - 1);
        for row in 0..order {
            for other in 0..order {
                let wanted: f64 = column(row).iter().zip(column(other)).map(|(a, b)| a * b).sum();
                assert!((found[row * order + other] - wanted).abs() < 1e-12, "{row} {other}");
            }
        }
    }
}
