//! What a cost in frequency compares at a line.

use serde::{Deserialize, Serialize};

use super::fourier::FourierCoefficients;
use super::spectrum_error::SpectrumError;
use crate::scalar::Dual;
use crate::scalar::Scalar;

/// Least squared ratio of the model's to the measured amplitude, -200 dB, that the level in decibels tells from zero.
const LEAST_SQUARED_RATIO: f64 = 1e-20;

/// What is compared at every line, with weight w; A and B are the model's coefficients, A_m and B_m the measured ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SpectrumForm {
    /// 1/4 w [A^2 + B^2 - (A_m^2 + B_m^2)]^2, FD (5): smooth everywhere, dominated by the peaks.
    #[default]
    SquaredAmplitude,
    /// 1/2 w [sqrt(A^2 + B^2) - sqrt(A_m^2 + B_m^2)]^2. Where the model's amplitude vanishes the derivative is taken
    /// as 0.
    Amplitude,
    /// 1/2 w [(A - A_m)^2 + (B - B_m)^2]: amplitude and phase.
    Coefficients,
    /// 1/2 w [L - L_m]^2 with the levels L = 20 log10(amplitude/reference) in decibels, whose reference cancels:
    /// ratios count, at the foot of a resonance as much as at its peak. The difference is
    /// 10 log10((A^2 + B^2)/(A_m^2 + B_m^2) + 1e-20), so that it stays finite and smooth, not below -200 dB, where
    /// the model's amplitude vanishes.
    Decibels,
}

/// What was measured at a line.
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

impl SpectrumForm {
    /// Number of residuals per line.
    pub(super) fn count(self) -> usize {
        if self == Self::Coefficients { 2 } else { 1 }
    }

    /// W of J = 1/2 W r^2 over the weight w of the line.
    pub(super) fn factor(self) -> f64 {
        if self == Self::SquaredAmplitude { 0.5 } else { 1.0 }
    }

    /// The measured numbers that the residuals need; `line` names the line in errors.
    pub(super) fn target(
        self,
        measured: SpectralValue,
        line: impl Fn() -> String,
    ) -> Result<[f64; 2], SpectrumError> {
        let (amplitude, coefficients) = match measured {
            SpectralValue::Amplitude(amplitude) => (amplitude, None),
            SpectralValue::Coefficients(both) => (both.amplitude(), Some([both.cosine, both.sine])),
        };
        // The form compares squares.
        if !(amplitude >= 0.0 && (amplitude * amplitude).is_finite()) {
            return Err(SpectrumError::Measured { line: line(), value: amplitude });
        }
        match self {
            Self::SquaredAmplitude => Ok([amplitude * amplitude, 0.0]),
            Self::Amplitude => Ok([amplitude, 0.0]),
            Self::Coefficients => coefficients.ok_or_else(|| SpectrumError::NoPhase { line: line() }),
            Self::Decibels if amplitude * amplitude == 0.0 => {
                Err(SpectrumError::ZeroAmplitude { line: line() })
            }
            Self::Decibels => Ok([amplitude, 0.0]),
        }
    }

    /// The measured amplitude, from what [`target`](Self::target) has made of it.
    pub(super) fn amplitude(self, target: [f64; 2]) -> f64 {
        match self {
            Self::SquaredAmplitude => target[0].sqrt(),
            Self::Amplitude | Self::Decibels => target[0],
            Self::Coefficients => target[0].hypot(target[1]),
        }
    }

    /// The residuals of a line; what exceeds [`count`](Self::count) is zero.
    pub(super) fn residuals<S: Scalar>(self, [a, b]: [S; 2], target: [f64; 2]) -> [S; 2] {
        match self {
            Self::SquaredAmplitude => [a * a + b * b - target[0], S::default()],
            Self::Amplitude => [(a * a + b * b).sqrt() - target[0], S::default()],
            Self::Coefficients => [a - target[0], b - target[1]],
            Self::Decibels => {
                let (a, b) = (a / target[0], b / target[0]);
                [(a * a + b * b + LEAST_SQUARED_RATIO).log10() * 10.0, S::default()]
            }
        }
    }

    /// 1/2 W sum r^2 over w.
    pub(super) fn cost<S: Scalar>(self, coefficients: [S; 2], target: [f64; 2]) -> S {
        let [r, s] = self.residuals(coefficients, target);
        (r * r + s * s) * (0.5 * self.factor())
    }

    /// The derivatives of [`cost`](Self::cost) with respect to A and B, FD (12) and (13).
    pub(super) fn derivatives(self, [a, b]: [f64; 2], target: [f64; 2]) -> [f64; 2] {
        let by_a = self.cost([Dual::variable(a), Dual::constant(b)], target);
        let by_b = self.cost([Dual::constant(a), Dual::variable(b)], target);
        [by_a.derivative, by_b.derivative]
    }
}
