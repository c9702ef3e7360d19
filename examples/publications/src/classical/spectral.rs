//! Linear operations on whole signals by the fast Fourier transform.

use costate_numerics::fourier::{Complex, Transform};

/// The signal with every frequency multiplied by `gain`, a function of the frequency in Hz, which is negative for the
/// second half of the spectrum.
///
/// `beyond` samples on either side continue the signal as its mirror image, which fades out: the transform takes a
/// signal as periodic, and a jump from its end to its beginning would ring in all of it. What comes of the first and
/// last samples is made up nevertheless.
pub(super) fn filtered(
    values: &[f64],
    interval: f64,
    beyond: usize,
    gain: impl Fn(f64) -> Complex<f64>,
) -> Vec<Complex<f64>> {
    let count = values.len();
    if count == 0 {
        return Vec::new();
    }
    let length = count + 2 * beyond;
    let mut buffer: Vec<Complex<f64>> = (0..length).map(|k| extended(values, beyond, k).into()).collect();
    Transform::forward(length).apply(&mut buffer);
    for (k, line) in buffer.iter_mut().enumerate() {
        let signed = if 2 * k <= length { k as f64 } else { k as f64 - length as f64 };
        *line *= gain(signed / (length as f64 * interval)) / length as f64;
    }
    Transform::backward(length).apply(&mut buffer);
    buffer[beyond..beyond + count].to_vec()
}

/// The value of the signal or of what continues it.
fn extended(values: &[f64], beyond: usize, k: usize) -> f64 {
    let last = values.len() - 1;
    let (distance, at) = if k < beyond {
        (beyond - k, beyond - k)
    } else if k > beyond + last {
        let distance = k - beyond - last;
        (distance, last.saturating_sub(distance))
    } else {
        return values[k - beyond];
    };
    let fading = 0.5 * (1.0 + (std::f64::consts::PI * distance as f64 / (beyond + 1) as f64).cos());
    fading * values[at.min(last)]
}

/// Rises from 0 below `from` to 1 above `to`, along half a cosine wave.
pub(super) fn rise(frequency: f64, from: f64, to: f64) -> f64 {
    if frequency <= from {
        0.0
    } else if frequency >= to {
        1.0
    } else {
        0.5 * (1.0 - (std::f64::consts::PI * (frequency - from) / (to - from)).cos())
    }
}
