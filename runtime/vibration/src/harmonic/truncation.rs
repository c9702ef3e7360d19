//! The error that the harmonics beyond the last one leave.

use costate_contract::{Argument, Function, Group};
use costate_numerics::linalg::block::find;
use costate_system::system::{Instant, StateVectors};

use crate::harmonic::balance::{Balance, Fault, Motion};
use crate::harmonic::outputs::outputs;

/// The remainder of a balance with H harmonics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truncation {
    /// Estimated error of the coefficients of outputs and of a controlling input: the correction by one Newton step
    /// with 2 H harmonics and twice as many samples, relative to the largest harmonic of each.
    pub error: f64,
    /// The larger one of the last two harmonics of an output, relative to its largest one. A mean counts as a harmonic.
    pub last: f64,
}

/// Estimates the remainder of a motion, whose outputs have these coefficients, by a balance with twice as many
/// harmonics.
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
    let mut error: f64 = compared(drive, drive_before, 0.0);
    let terms = terms(balance, &motion, wide);
    motion.coefficients.iter_mut().zip(&change).for_each(|(own, change)| *own += change);
    let corrected = outputs(finer, &motion)?;
    let mut last: f64 = 0.0;
    let series = coefficients.chunks_exact(width).zip(corrected.chunks_exact(wide));
    for ((own, corrected), terms) in series.zip(terms) {
        let padded = own.iter().copied().chain(std::iter::repeat(0.0));
        let change: Vec<f64> = corrected.iter().zip(padded).map(|(corrected, own)| corrected - own).collect();
        error = error.max(compared(&change, own, terms));
        let ends = own.len().saturating_sub(4).max(1);
        let end = own.get(ends..).unwrap_or_default();
        if balance.basis.harmonics > 2 {
            last = last.max(compared(end, own, terms));
        }
    }
    Ok(Truncation { error, last })
}

/// The largest term of every output: its derivatives at the start of the period times the sizes of what it depends on.
fn terms(balance: &Balance<'_>, motion: &Motion, width: usize) -> Vec<f64> {
    let (n, description) = (balance.layout.n, balance.layout.description);
    let sizes: Vec<f64> = motion.coefficients.chunks_exact(width).map(largest).collect();
    let mut state = StateVectors::zeros(n, balance.layout.m);
    for (k, own) in motion.coefficients.chunks_exact(width).enumerate() {
        let at_start = own.first().copied().unwrap_or(0.0) + own.iter().skip(1).step_by(2).sum::<f64>();
        let place = match k.checked_sub(n) {
            None => state.coordinates.get_mut(k),
            Some(row) => state.multipliers.get_mut(row),
        };
        if let Some(place) = place {
            *place = at_start;
        }
    }
    let at = Instant { time: 0.0, state: &state, inputs: &balance.excitation.inputs };
    let group = balance.equations.group(Group::OutputDerivatives, at);
    let mut terms = vec![0.0f64; description.outputs.len()];
    let omega = motion.omega;
    let arguments = [
        (Argument::Coordinates, 0, 1.0),
        (Argument::Velocities, 0, omega),
        (Argument::Accelerations, 0, omega * omega),
        (Argument::Multipliers, n, 1.0),
    ];
    for (argument, first, factor) in arguments {
        let block = find(description.groups.output_derivatives, Function::Output, Some(argument));
        for (row, column, value) in block.iter(&group) {
            if let (Some(term), Some(size)) = (terms.get_mut(row), sizes.get(first + column)) {
                *term = term.max((value * factor * size).abs());
            }
        }
    }
    terms
}

fn largest(values: &[f64]) -> f64 {
    values.iter().map(|value| value.abs()).fold(0.0, f64::max)
}

/// The largest number of `part` relative to the largest harmonic of `whole`, or to the mean if the harmonics are
/// rounding errors of it, but at least to a part of the largest term.
fn compared(part: &[f64], whole: &[f64], term: f64) -> f64 {
    /// Part of its largest term below which the motion of an output is a rounding error.
    const MOTION_ROUNDING: f64 = 1e-9;
    let (part, mean) = (largest(part), largest(whole.get(..1).unwrap_or_default()));
    let harmonic = largest(whole.get(1..).unwrap_or_default());
    let whole = if harmonic > MOTION_ROUNDING * mean { harmonic } else { mean };
    if part == 0.0 { 0.0 } else { part / whole.max(MOTION_ROUNDING * term).max(f64::MIN_POSITIVE) }
}
