//! The error that the harmonics beyond the last one leave.

use crate::balance::{Balance, Fault, Motion};
use crate::outputs::outputs;

/// The remainder of a balance with H harmonics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truncation {
    /// Estimated error of the coefficients of outputs and of a controlling input: the correction by one Newton step with 2 H harmonics
    /// and twice as many samples, relative to the largest harmonic of each.
    pub error: f64,
    /// The larger one of the last two harmonics of an output, relative to its largest one. A mean counts as a harmonic.
    pub last: f64,
}

/// Estimates the remainder of a motion, whose outputs have these coefficients, by a balance with twice as many harmonics.
pub(crate) fn truncation(
    balance: &Balance<'_>,
    finer: &mut Balance<'_>,
    motion: &Motion,
    coefficients: &[f64],
) -> Result<Truncation, Fault> {
    let (width, wide) = (balance.basis.width(), finer.basis.width());
    let padded = motion.coefficients.chunks_exact(width).flat_map(|own| {
        let zeros = std::iter::repeat_n(0.0, wide - width);
        own.iter().copied().chain(zeros)
    });
    let mut motion = Motion { coefficients: padded.collect(), ..*motion };
    let evaluation = finer.evaluate(&motion)?;
    finer.factor(&evaluation, motion.omega, None)?;
    let mut change: Vec<f64> = evaluation.residual.iter().map(|value| -value).collect();
    finer.solve(false, &mut change);
    let drive = change.get(finer.layout.drive_column() * wide..).unwrap_or_default();
    let drive_before = motion.coefficients.get(finer.layout.drive_column() * wide..).unwrap_or_default();
    let mut error: f64 = compared(drive, drive_before);
    motion.coefficients.iter_mut().zip(&change).for_each(|(own, change)| *own += change);
    let corrected = outputs(finer, &motion)?;
    let mut last: f64 = 0.0;
    for (own, corrected) in coefficients.chunks_exact(width).zip(corrected.chunks_exact(wide)) {
        let padded = own.iter().copied().chain(std::iter::repeat(0.0));
        let change: Vec<f64> = corrected.iter().zip(padded).map(|(corrected, own)| corrected - own).collect();
        error = error.max(compared(&change, own));
        let ends = own.len().saturating_sub(4).max(1);
        let end = own.get(ends..).unwrap_or_default();
        if balance.basis.harmonics > 2 {
            last = last.max(compared(end, own));
        }
    }
    Ok(Truncation { error, last })
}

/// The largest number of `part` relative to the largest harmonic of `whole`, or to the mean if the harmonics are rounding errors of it.
fn compared(part: &[f64], whole: &[f64]) -> f64 {
    let largest = |values: &[f64]| values.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let (part, mean) = (largest(part), largest(whole.get(..1).unwrap_or_default()));
    let harmonic = largest(whole.get(1..).unwrap_or_default());
    let whole = if harmonic > 1e-9 * mean { harmonic } else { mean };
    if part == 0.0 { 0.0 } else { part / whole.max(f64::MIN_POSITIVE) }
}
