//! Frequencies at which residuals depend linearly on an input.

use costate_numerics::fourier::Complex;
use serde::Serialize;

use crate::residuals::absent::{Absent, check_level};
use crate::residuals::band::{Band, bands};
use crate::residuals::channel::{Residuals, centred, check_input};
use crate::residuals::welch::Segments;

/// The magnitude-squared coherence of residuals and an input, |S_ru|^2 / (S_rr S_uu), by Welch's method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coherence {
    /// Samples of a segment.
    pub segment: usize,
    /// Number of segments.
    pub segments: usize,
    /// Number of independent segments with the same scatter: fewer than `segments`, since these overlap.
    pub independent: f64,
    /// Frequencies of the lines in Hz, from 0 to half of the sampling rate.
    pub frequencies: Vec<f64>,
    /// Coherence at the lines, from 0 to 1; 0 where the input has no power.
    pub coherence: Vec<f64>,
    /// Bound that the coherence of one line exceeds with the probability `level` if residuals do not depend on
    /// the input, 1 - level^(1/(K - 1)) with K independent segments.
    pub significant: f64,
    /// Smallest probability of a line, times the number of lines (Bonferroni).
    pub p_value: f64,
    /// Bands in which the coherence is significant: its probability times the number of lines is below the level.
    pub bands: Vec<Band>,
}

/// Estimates the coherence of residuals and `input`, one value per residual, both without their means, with
/// segments as those of [`spectrum`](crate::residuals::spectrum()).
///
/// If residuals are Gaussian and do not depend on the input, (1 - coherence)^(K - 1) is uniform whatever the
/// input is, and whatever the colour of the residuals as long as their spectrum changes little from line to line
/// (Carter, Proc. IEEE 75, 1987). The lines at zero and at half of the sampling rate, and those next to them, are
/// not judged: their transforms are not circular.
///
/// # Errors
/// [`Absent`]: samples that are too few or not equidistant, constant residuals, an input that is constant, that has
/// another number of values, or values without finite squares; fewer than four segments; a level that is no
/// probability.
pub fn coherence(
    residuals: &Residuals,
    input: &[f64],
    segment: Option<usize>,
    level: f64,
) -> Result<Coherence, Absent> {
    /// Least number of segments that a coherence is estimated from.
    const MIN_SEGMENTS: usize = 4;
    /// Power of a line, relative to that of the strongest line, below which it is rounding; for the input and for the
    /// residuals.
    const LINE_POWER_ROUNDING: f64 = 1e-24;
    check_level(level)?;
    let sampling = residuals.sampling()?;
    check_input(input, residuals.values().len())?;
    let input = centred(input).ok_or(Absent::ConstantInput)?;
    residuals.normalised()?;
    let values = centred(residuals.values()).ok_or(Absent::ConstantResiduals)?;
    let segments = Segments::new(sampling, segment)?;
    if segments.count() < MIN_SEGMENTS {
        return Err(Absent::TooFewSegments { segments: segments.count(), needed: MIN_SEGMENTS });
    }
    let last = segments.length / 2;
    let mut sums = vec![LineSums::default(); last + 1];
    segments.transform(&values, &input, |of_values, of_input| {
        for (sums, (r, u)) in sums.iter_mut().zip(of_values.iter().zip(of_input)) {
            sums.residuals += r.norm_sqr();
            sums.input += u.norm_sqr();
            sums.cross += r * u.conj();
        }
    });
    let strongest = sums.iter().map(|line| line.residuals.max(line.input)).fold(0.0, f64::max);
    let coherence: Vec<f64> = sums.iter().map(|line| line.coherence(LINE_POWER_ROUNDING * strongest)).collect();

    let independent = segments.independent(last / 2);
    let judged = 2..last - 1;
    let lines = judged.len() as f64;
    let p_value = |(line, coherence): (usize, &f64)| {
        let tail = (1.0 - coherence).max(0.0).powf(independent - 1.0);
        if judged.contains(&line) { (lines * tail).min(1.0) } else { 1.0 }
    };
    let p_values: Vec<f64> = coherence.iter().enumerate().map(p_value).collect();
    let total: f64 = sums.iter().map(|line| line.residuals).sum();
    let shares: Vec<f64> = sums.iter().zip(&coherence).map(|(line, c)| c * line.residuals / total).collect();
    let frequencies = segments.frequencies(sampling.interval);
    Ok(Coherence {
        segment: segments.length,
        segments: segments.count(),
        independent,
        significant: 1.0 - level.powf(1.0 / (independent - 1.0)),
        p_value: p_values.iter().copied().fold(1.0, f64::min),
        bands: bands(&frequencies, &p_values, &shares, level),
        frequencies,
        coherence,
    })
}

/// Sums over the segments at one line.
#[derive(Debug, Clone, Copy, Default)]
struct LineSums {
    residuals: f64,
    input: f64,
    cross: Complex<f64>,
}

impl LineSums {
    /// Returns the coherence; 0 where one of the powers is rounding.
    fn coherence(&self, rounding: f64) -> f64 {
        if self.residuals <= rounding || self.input <= rounding {
            return 0.0;
        }
        (self.cross.norm_sqr() / self.residuals / self.input).min(1.0)
    }
}
