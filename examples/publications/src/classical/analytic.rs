//! Analytic signals by the Hilbert transform.

use costate_numerics::fourier::Complex;

use super::spectral::filtered;
use costate_filter::restoring_force::RestoringForceError;

use super::motion::check_signal;

/// A signal z and its Hilbert transform z~ (KE 1.17).
#[derive(Debug, Clone, PartialEq)]
pub struct AnalyticSignal {
    values: Vec<Complex<f64>>,
}

/// The analytic signal z + i z~ of `values`.
///
/// The transform of a record that ends somewhere is uncertain near both ends, by about the first and last oscillation;
/// a mean value has none.
///
/// # Errors
/// [`RestoringForceError::Signal`] for a gap, [`RestoringForceError::TooFewSamples`] for fewer than 100 samples.
pub fn analytic_signal(values: &[f64]) -> Result<AnalyticSignal, RestoringForceError> {
    check_signal("signal", values, 0)?;
    // The gain does not depend on frequencies in Hz: neither does the interval matter.
    let gain = |frequency: f64| match frequency {
        f if f > 0.0 => Complex::new(2.0, 0.0),
        f if f < 0.0 => Complex::default(),
        _ => Complex::new(1.0, 0.0),
    };
    Ok(AnalyticSignal { values: filtered(values, 1.0, values.len() / 2, gain) })
}

impl AnalyticSignal {
    /// z + i z~ at every sample.
    pub fn values(&self) -> &[Complex<f64>] {
        &self.values
    }

    /// The instantaneous amplitude, KE (1.18).
    pub fn amplitudes(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.norm()).collect()
    }

    /// The instantaneous phase in rad, KE (1.18), from -pi to pi.
    pub fn phases(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.arg()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amplitude_and_phase_of_a_modulated_wave() {
        let time = |i: usize| 1e-3 * i as f64;
        let amplitude = |t: f64| 2.0 + 0.5 * (4.0 * t).sin();
        let phase = |t: f64| 300.0 * t + 20.0 * t * t;
        let values: Vec<f64> = (0..4000).map(|i| amplitude(time(i)) * phase(time(i)).cos()).collect();
        let signal = analytic_signal(&values).unwrap();
        let (amplitudes, phases) = (signal.amplitudes(), signal.phases());
        // one period is about 20 samples
        let worst = |edge: usize| {
            (edge..4000 - edge).fold(0.0_f64, |worst, i| {
                let error = (amplitudes[i] / amplitude(time(i)) - 1.0).abs();
                worst.max(error).max((phases[i] - phase(time(i))).sin().abs())
            })
        };
        assert!(worst(60) < 2e-2 && worst(400) < 3e-3, "{} {}", worst(60), worst(400));
        assert!(analytic_signal(&[1.0; 5]).is_err());
    }
}
