//! Spectral densities and frequency responses of channels, by Welch's method.

use std::f64::consts::TAU;

use costate_fourier::{Complex, Transform};
use costate_record::Record;
use serde::Serialize;

use crate::SignalError;
use crate::uniform::uniform;

/// Spectral density of a channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SpectralDensity {
    /// Frequencies in Hz, from 0 to half the rate.
    pub frequencies: Vec<f64>,
    /// One-sided densities, in the square of the channel's unit per Hz: their integral is the variance of the channel.
    pub densities: Vec<f64>,
    /// Number of segments that were averaged; densities scatter by about their root relative to their size.
    pub segments: usize,
}

/// Response of one channel to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FrequencyResponse {
    /// Frequencies in Hz, from 0 to half the rate.
    pub frequencies: Vec<f64>,
    /// Real and imaginary part of H1, the cross density over that of the input: right for noise on the output, too small for noise on the input.
    pub response: Vec<[f64; 2]>,
    /// Coherence: the part of the output's density that H1 explains, from 0 to 1.
    pub coherence: Vec<f64>,
    /// Number of segments that were averaged; with one alone, the coherence is 1 and tells nothing.
    pub segments: usize,
}

/// Computes the spectral density of a channel, averaged over segments of `length` samples that overlap by half, each without its mean and in Hann's
/// window (`scipy.signal.welch`).
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Uneven`], [`SignalError::Missing`], [`SignalError::Short`] for segments of fewer than 8 samples or longer than the record.
pub fn spectral_density(
    record: &Record,
    channel: &str,
    length: usize,
) -> Result<SpectralDensity, SignalError> {
    let means = means(record, [channel, channel], length)?;
    Ok(SpectralDensity {
        frequencies: means.frequencies,
        densities: means.of_first,
        segments: means.segments,
    })
}

/// Computes the response of the channel `output` to `input` and its coherence, from segments as in [`spectral_density`].
///
/// In a fit in frequency, lines with little coherence say little: give them small weights.
///
/// # Errors
/// As [`spectral_density`].
pub fn frequency_response(
    record: &Record,
    input: &str,
    output: &str,
    length: usize,
) -> Result<FrequencyResponse, SignalError> {
    let Means { frequencies, of_first, of_second, cross, segments } = means(record, [input, output], length)?;
    let response =
        cross.iter().zip(&of_first).map(|(cross, input)| [cross.re / input, cross.im / input]).collect();
    let coherence = cross
        .iter()
        .zip(of_first.iter().zip(&of_second))
        .map(|(cross, (input, output))| cross.norm_sqr() / (input * output));
    Ok(FrequencyResponse { frequencies, response, coherence: coherence.collect(), segments })
}

/// Densities of two channels.
struct Means {
    frequencies: Vec<f64>,
    of_first: Vec<f64>,
    of_second: Vec<f64>,
    cross: Vec<Complex<f64>>,
    segments: usize,
}

fn means(record: &Record, [first, second]: [&str; 2], length: usize) -> Result<Means, SignalError> {
    let [x, y] = [
        uniform(record, first, "a spectrum", length.max(8))?,
        uniform(record, second, "a spectrum", length.max(8))?,
    ];
    if length < 8 {
        return Err(SignalError::Short {
            record: record.name().to_owned(),
            what: "a segment of a spectrum",
            samples: length,
            least: 8,
        });
    }
    let window: Vec<f64> = (0..length).map(|i| 0.5 - 0.5 * (TAU * i as f64 / length as f64).cos()).collect();
    let power: f64 = window.iter().map(|weight| weight * weight).sum();
    let mut transform = Transform::forward(length);
    let mut lines = |values: &[f64]| -> Vec<Complex<f64>> {
        let mean = values.iter().sum::<f64>() / length as f64;
        let mut all: Vec<_> = values
            .iter()
            .zip(&window)
            .map(|(value, weight)| Complex::new((value - mean) * weight, 0.0))
            .collect();
        transform.apply(&mut all);
        all
    };
    let count = length / 2 + 1;
    let (mut of_first, mut of_second, mut cross) =
        (vec![0.0; count], vec![0.0; count], vec![Complex::default(); count]);
    let mut segments = 0_u32;
    let starts =
        (0..).map(|k| k * (length - length / 2)).take_while(|start| start + length <= x.values.len());
    for start in starts {
        let part = |values: &[f64]| values.get(start..start + length).unwrap_or_default().to_vec();
        let (of_x, of_y) = (lines(&part(x.values)), lines(&part(y.values)));
        let sums = of_first.iter_mut().zip(&mut of_second).zip(&mut cross);
        for ((x, y), ((first, second), cross)) in of_x.iter().zip(&of_y).zip(sums) {
            *first += x.norm_sqr();
            *second += y.norm_sqr();
            *cross += x.conj() * y;
        }
        segments += 1;
    }
    let scale = |line: usize| {
        // a line stands for its negative frequency as well, but for 0 and half the rate
        let sides = if line == 0 || 2 * line == length { 1.0 } else { 2.0 };
        sides * x.interval / (power * f64::from(segments))
    };
    for (line, ((first, second), cross)) in
        of_first.iter_mut().zip(&mut of_second).zip(&mut cross).enumerate()
    {
        *first *= scale(line);
        *second *= scale(line);
        *cross *= scale(line);
    }
    let frequencies = (0..count).map(|line| line as f64 / (length as f64 * x.interval)).collect();
    Ok(Means { frequencies, of_first, of_second, cross, segments: segments as usize })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::excessive_precision, reason = "as printed")]
    fn densities_and_responses_are_those_of_scipy() -> Result<(), SignalError> {
        let signal = |value: fn(f64) -> f64| (0..500).map(f64::from).map(value).collect::<Vec<f64>>();
        let record = Record::new((0..500).map(|k| 0.01 * f64::from(k)).collect())?
            .with_channel("x", None, signal(|k| (0.3 * k).sin() + 0.2 * (2.1 * k * k).cos()))?
            .with_channel("y", None, signal(|k| 0.5 * (0.3 * k + 0.4).sin() + 0.3 * (1.7 * k * k).cos()))?;
        let (density, response) =
            (spectral_density(&record, "x", 64)?, frequency_response(&record, "x", "y", 64)?);
        // `welch`, `csd` over it, and `coherence` of scipy 1.17.1
        let scipy = [
            (
                1,
                2.617919495559840e-04,
                [-4.654459770073713e-02, 6.290575117574750e-02],
                2.115480750768661e-03,
            ),
            (3, 2.127976228250673e-01, [4.613859409058707e-01, 1.918546962431873e-01], 9.851122197223998e-01),
            (
                17,
                4.289475991953497e-04,
                [-3.571483989388669e-01, -2.104543903619731e-01],
                1.516266996150816e-01,
            ),
            (32, 5.663433453849438e-05, [-4.981062998653796e-01, 0.0], 2.486872871569616e-02),
        ];
        for (line, of_x, [re, im], coherence) in scipy {
            assert!((density.densities[line] / of_x - 1.0).abs() < 1e-10, "{line}");
            let [own_re, own_im] = response.response[line];
            assert!((own_re - re).abs() < 1e-10 && (own_im - im).abs() < 1e-10, "{line}: {own_re} {own_im}");
            assert!((response.coherence[line] - coherence).abs() < 1e-10, "{line}");
        }
        assert_eq!((density.segments, density.frequencies[32]), (14, 50.0));
        assert!(matches!(spectral_density(&record, "x", 501), Err(SignalError::Short { .. })));
        assert!(matches!(spectral_density(&record, "x", 4), Err(SignalError::Short { .. })));
        Ok(())
    }
}
