//! The comparison of a cost in frequency at a line.

use super::SpectrumForm;
use super::fourier::FourierCoefficients;
use super::spectrum_error::SpectrumError;
use costate_numerics::scalar::{Dual, Scalar};

/// The measured value of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpectralValue {
    /// sqrt(A^2 + B^2), in the unit of the output.
    Amplitude(f64),
    /// A and B, in the unit of the output.
    Coefficients(FourierCoefficients),
}

impl From<FourierCoefficients> for SpectralValue {
    fn from(coefficients: FourierCoefficients) -> Self {
        Self::Coefficients(coefficients)
    }
}

/// Returns the number of residuals per line.
pub(super) fn count(form: SpectrumForm) -> usize {
    if form == SpectrumForm::Coefficients { 2 } else { 1 }
}

/// Returns W of J = 1/2 W r^2 over the weight w of the line.
pub(super) fn factor(form: SpectrumForm) -> f64 {
    if form == SpectrumForm::SquaredAmplitude { 0.5 } else { 1.0 }
}

/// Returns the measured numbers that the residuals need; `line` names the line in errors.
pub(super) fn target(
    form: SpectrumForm,
    measured: SpectralValue,
    line: impl Fn() -> String,
) -> Result<[f64; 2], SpectrumError> {
    let (amplitude, coefficients) = match measured {
        SpectralValue::Amplitude(amplitude) => (amplitude, None),
        SpectralValue::Coefficients(both) => (both.amplitude(), Some([both.cosine, both.sine])),
    };
    // the form compares squares
    if !(amplitude >= 0.0 && (amplitude * amplitude).is_finite()) {
        return Err(SpectrumError::Measured { line: line(), value: amplitude });
    }
    match form {
        SpectrumForm::SquaredAmplitude => Ok([amplitude * amplitude, 0.0]),
        SpectrumForm::Amplitude => Ok([amplitude, 0.0]),
        SpectrumForm::Coefficients => coefficients.ok_or_else(|| SpectrumError::NoPhase { line: line() }),
        SpectrumForm::Decibels if amplitude * amplitude == 0.0 => Err(SpectrumError::ZeroAmplitude { line: line() }),
        SpectrumForm::Decibels => Ok([amplitude, 0.0]),
    }
}

/// Returns the measured amplitude, from the numbers of `target`.
pub(super) fn amplitude(form: SpectrumForm, target: [f64; 2]) -> f64 {
    match form {
        SpectrumForm::SquaredAmplitude => target[0].sqrt(),
        SpectrumForm::Amplitude | SpectrumForm::Decibels => target[0],
        SpectrumForm::Coefficients => target[0].hypot(target[1]),
    }
}

/// Evaluates the residuals of a line; those beyond `count` are zero.
pub(super) fn residuals<S: Scalar>(form: SpectrumForm, [a, b]: [S; 2], target: [f64; 2]) -> [S; 2] {
    /// Least squared ratio of the model's to the measured amplitude, -200 dB, that the level in decibels
    /// distinguishes from zero.
    const MIN_SQUARED_RATIO: f64 = 1e-20;
    match form {
        SpectrumForm::SquaredAmplitude => [a * a + b * b - target[0], S::default()],
        SpectrumForm::Amplitude => [(a * a + b * b).sqrt() - target[0], S::default()],
        SpectrumForm::Coefficients => [a - target[0], b - target[1]],
        SpectrumForm::Decibels => {
            let (a, b) = (a / target[0], b / target[0]);
            [(a * a + b * b + MIN_SQUARED_RATIO).log10() * 10.0, S::default()]
        }
    }
}

/// Evaluates 1/2 W sum r^2 over w.
pub(super) fn cost<S: Scalar>(form: SpectrumForm, coefficients: [S; 2], target: [f64; 2]) -> S {
    let [r, s] = residuals(form, coefficients, target);
    (r * r + s * s) * (0.5 * factor(form))
}

/// Evaluates the derivatives of `cost` with respect to A and B, FD (12) and (13).
pub(super) fn derivatives(form: SpectrumForm, [a, b]: [f64; 2], target: [f64; 2]) -> [f64; 2] {
    let by_a = cost(form, [Dual::variable(a), Dual::constant(b)], target);
    let by_b = cost(form, [Dual::constant(a), Dual::variable(b)], target);
    [by_a.derivative, by_b.derivative]
}
