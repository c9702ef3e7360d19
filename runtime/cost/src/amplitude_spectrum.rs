//! Amplitude spectra of whole records.

use costate_numerics::fourier::{Complex, Transform};

use super::Window;
use super::fourier::check_samples;
use super::spectrum_error::SpectrumError;
use costate_contract::machine::{OutOfMemory, Room, bytes};
use costate_measure::record::{Channel, Record, Samples, interval};

/// The one-sided amplitude spectrum of equidistant samples over [0, T], by the fast Fourier transform.
///
/// Line k at k/T has the amplitude sqrt(A^2 + B^2) of the trapezoidal sums of
/// [`fourier_coefficients`](crate::fourier_coefficients), with the window and its correction: half of the first and of
/// the last sample count, as T is the distance between them. At 0 the amplitude is that of the mean, and at half of the
/// sampling rate, where cosine and alias coincide, half of the sum.
#[derive(Debug, Clone, PartialEq)]
pub struct AmplitudeSpectrum {
    /// k/T in Hz, from 0 to half of the sampling rate.
    pub frequencies: Vec<f64>,
    /// One amplitude per frequency, in the unit of the signal.
    pub amplitudes: Vec<f64>,
}

impl AmplitudeSpectrum {
    /// Computes the spectrum of `values` at distances of `interval` in s.
    ///
    /// # Errors
    /// [`SpectrumError::Samples`] for fewer than two samples, [`SpectrumError::NotPositive`] for the interval,
    /// [`SpectrumError::Value`]; [`SpectrumError::OutOfMemory`] for more samples than the machine can transform.
    pub fn new(interval: f64, values: &[f64], window: Window) -> Result<Self, SpectrumError> {
        check_samples(values, values)?;
        if !(interval > 0.0 && interval.is_finite()) {
            return Err(SpectrumError::NotPositive { what: "sampling interval", value: interval });
        }
        let Some(count) = values.len().checked_sub(1).filter(|&count| count > 0) else {
            return Err(SpectrumError::Samples { samples: values.len() });
        };
        check_memory(count)?;
        let windowed = |i: usize| values[i] * window.at(i as f64 / count as f64);
        let mut buffer: Vec<Complex<f64>> = (0..count).map(|i| windowed(i).into()).collect();
        // The waves have the same phase at both ends: one sample with half of each.
        buffer[0] = (0.5 * (windowed(0) + windowed(count))).into();
        Transform::forward(count).apply(&mut buffer);
        let factor = 2.0 * window.amplitude_correction() / count as f64;
        let amplitude = |k: usize| {
            let once = k == 0 || 2 * k == count;
            buffer[k].norm() * if once { 0.5 * factor } else { factor }
        };
        let lines = 0..=count / 2;
        let length = count as f64 * interval;
        Ok(Self {
            frequencies: lines.clone().map(|k| k as f64 / length).collect(),
            amplitudes: lines.map(amplitude).collect(),
        })
    }

    /// Computes the spectrum of a channel of `record`, in the channel's own unit; [`Record::values_in`]
    /// converts values for [`new`](Self::new) to the unit of an output.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`SpectrumError::Gap`] if samples are missing, [`SpectrumError::NotEquidistant`].
    pub fn of(record: &Record, channel: &Channel, window: Window) -> Result<Self, SpectrumError> {
        let Samples { times, values, gaps, .. } = record.samples_of(channel);
        if let Some(&gap) = gaps.first() {
            return Err(SpectrumError::Gap { channel: Some(channel.name().to_owned()), gap });
        }
        if times.len() < 2 {
            return Err(SpectrumError::Samples { samples: times.len() });
        }
        let interval =
            interval(&times).ok_or_else(|| SpectrumError::NotEquidistant { record: record.name().to_owned() })?;
        Self::new(interval, &values, window)
    }
}

/// Checks the memory for a transform of this many samples: the samples themselves, the factors of the
/// transform's plan and its working memory are at least as many complex numbers, frequencies and amplitudes
/// together one number per sample.
fn check_memory(samples: usize) -> Result<(), OutOfMemory> {
    let remedy = "transform a part of the signal, or take single lines with `fourier_coefficients`";
    let each = 3 * size_of::<Complex<f64>>() + size_of::<f64>();
    Room { what: "the spectrum", count: samples, counted: "samples", remedy }.check(bytes(samples, each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_that_no_machine_can_hold_are_refused() {
        let error = check_memory(1 << 50).unwrap_err();
        assert_eq!((error.count, error.counted, error.needed), (1 << 50, "samples", 56 << 50));
        assert_eq!(check_memory(usize::MAX).unwrap_err().needed, u64::MAX);
        assert_eq!(check_memory(1 << 10), Ok(()));
    }
}
