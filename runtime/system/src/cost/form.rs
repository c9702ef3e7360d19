//! The quantity that a cost in frequency compares at a line.

use serde::{Deserialize, Serialize};

/// The comparison at every line, with weight w; A and B are the model's coefficients, A_m and B_m the
/// measured ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum SpectrumForm {
    /// 1/4 w [A^2 + B^2 - (A_m^2 + B_m^2)]^2, FD (5): smooth everywhere, dominated by the peaks.
    #[default]
    SquaredAmplitude,
    /// 1/2 w [sqrt(A^2 + B^2) - sqrt(A_m^2 + B_m^2)]^2. Where the model's amplitude vanishes the derivative is taken
    /// as 0.
    Amplitude,
    /// 1/2 w [(A - A_m)^2 + (B - B_m)^2]: amplitude and phase.
    Coefficients,
    /// 1/2 w [L - L_m]^2 with the levels L = 20 log10(amplitude/reference) in decibels, whose reference
    /// cancels: ratios count, at the foot of a resonance as much as at its peak. The difference is 10
    /// log10((A^2 + B^2)/(A_m^2 + B_m^2) + 1e-20), which stays finite and smooth, not below -200 dB, where
    /// the model's amplitude vanishes.
    Decibels,
}
