//! The power spectral density of residuals, and the bands in which it exceeds that of white noise.

use serde::Serialize;

use crate::residuals::absent::{Absent, check_level};
use crate::residuals::band::{Band, bands};
use crate::residuals::channel::Residuals;
use crate::residuals::distribution::{chi_squared_quantile, chi_squared_tail};
use crate::residuals::welch::Segments;

/// The power spectral density of residuals by Welch's method, with Hann windows that overlap by half (Welch, IEEE
/// Trans. Audio Electroacoustics 15, 1967), inside the parts without a gap.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spectrum {
    /// Samples of a segment.
    pub segment: usize,
    /// Number of segments.
    pub segments: usize,
    /// Frequencies of the lines in Hz, from 0 to half of the sampling rate.
    pub frequencies: Vec<f64>,
    /// One-sided density at the lines, in the square of the channel's unit per Hz; its integral is the mean square of
    /// the residuals. No mean is subtracted: an offset is at line 0.
    pub density: Vec<f64>,
    /// The density of white noise with the mean square of the residuals, one-sided.
    pub white: f64,
    /// Confidence interval at lines other than the first and the last two.
    pub confidence: Confidence,
    /// Smallest probability of a line where residuals are white, times the number of lines (Bonferroni).
    pub p_value: f64,
    /// Bands in which the density exceeds that of white noise significantly, by the requested level.
    pub bands: Vec<Band>,
}

/// An interval that contains the true density, between multiples of the estimated one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Confidence {
    /// Probability that the interval contains the true density.
    pub probability: f64,
    /// Factor of the lower end, below 1.
    pub lower: f64,
    /// Factor of the upper end, above 1.
    pub upper: f64,
    /// Degrees of freedom of the chi-squared distribution of a line.
    pub degrees_of_freedom: f64,
}

/// Estimates the spectrum of residuals with segments of `segment` samples (an even number, at least 16), and the
/// bands in which it exceeds the density of white noise significantly.
///
/// With `segment` of `None` there are at least eight segments, of at most 1024 samples; they are shorter where
/// gaps would otherwise leave out more than a quarter of the samples. A line of white Gaussian noise is
/// chi-squared; it is significant where its probability times the number of lines is below `level`, so that white
/// residuals have a band with that probability at most.
///
/// # Errors
/// [`Absent`]: samples that are too few or not equidistant, parts that are shorter than a segment, residuals that are
/// all zero, a level that is no probability.
pub fn spectrum(residuals: &Residuals, segment: Option<usize>, level: f64) -> Result<Spectrum, Absent> {
    /// Probability that a confidence interval of the spectrum contains the true density.
    const CONFIDENCE: f64 = 0.95;
    check_level(level)?;
    let sampling = residuals.sampling()?;
    let (values, scale) = residuals.normalised()?;
    let segments = Segments::new(sampling, segment)?;
    let last = segments.length / 2;
    let mut power = vec![0.0; last + 1];
    segments.transform(&values, &vec![0.0; values.len()], |lines, _| {
        power.iter_mut().zip(lines).for_each(|(power, line)| *power += line.norm_sqr());
    });
    let per_segment = segments.count() as f64 * segments.window_power;
    power.iter_mut().for_each(|power| *power /= per_segment);

    let mean_square = values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64;
    let lines = power.len() as f64;
    let p_value = |(line, power): (usize, &f64)| {
        let freedom = 2.0 * segments.independent(line);
        (lines * chi_squared_tail(freedom * power / mean_square, freedom)).min(1.0)
    };
    let p_values: Vec<f64> = power.iter().enumerate().map(p_value).collect();
    let sides = |line: usize| if line == 0 || line == last { 1.0 } else { 2.0 };
    let total: f64 = power.iter().enumerate().map(|(line, power)| sides(line) * power).sum();
    let shares: Vec<f64> = power.iter().enumerate().map(|(line, power)| sides(line) * power / total).collect();

    let frequencies = segments.frequencies(sampling.interval);
    let density = |(line, power): (usize, &f64)| sides(line) * power * scale * scale * sampling.interval;
    let freedom = 2.0 * segments.independent(last / 2);
    let factor = |probability: f64| freedom / chi_squared_quantile(probability, freedom);
    Ok(Spectrum {
        segment: segments.length,
        segments: segments.count(),
        density: power.iter().enumerate().map(density).collect(),
        white: 2.0 * mean_square * scale * scale * sampling.interval,
        confidence: Confidence {
            probability: CONFIDENCE,
            lower: factor(0.5 + 0.5 * CONFIDENCE),
            upper: factor(0.5 - 0.5 * CONFIDENCE),
            degrees_of_freedom: freedom,
        },
        p_value: p_values.iter().copied().fold(1.0, f64::min),
        bands: bands(&frequencies, &p_values, &shares, level),
        frequencies,
    })
}
