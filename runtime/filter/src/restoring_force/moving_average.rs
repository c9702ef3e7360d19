//! Central moving average (KE appendix E), and the noise of a record by it (KE 2.48).

use costate_numerics::scalar::out_of_range::OutOfRange;
use nalgebra::DMatrix;

use super::error::RestoringForceError;

/// The mean of the `window` values around each one; near the ends, of as many as there are on both sides.
pub fn central_moving_average(values: &[f64], window: usize) -> Vec<f64> {
    let last = values.len().saturating_sub(1);
    let average = |i: usize| {
        let half = (window / 2).min(i).min(last - i);
        let around = &values[i - half..=i + half];
        around.iter().sum::<f64>() / around.len() as f64
    };
    (0..values.len()).map(average).collect()
}

/// The covariance R of the noise on `channels` signals, rows of samples, from their distance to the moving average over
/// three samples (KE 2.48). Rows with a gap (NaN), and those beside them, do not count.
///
/// # Errors
/// [`RestoringForceError::TooFewSamples`] for fewer than ten rows that count, [`RestoringForceError::OutOfRange`] for a
/// signal without noise: give its R then.
pub fn estimate_noise(signals: &[f64], channels: usize) -> Result<DMatrix<f64>, RestoringForceError> {
    const FEWEST: usize = 10;
    let rows: Vec<_> = signals.chunks_exact(channels.max(1)).collect();
    let mut sum = DMatrix::zeros(channels, channels);
    let mut count = 0;
    for three in rows.windows(3) {
        if three.iter().any(|row| row.iter().any(|value| !value.is_finite())) {
            continue;
        }
        let distance = |j: usize| three[1][j] - (three[0][j] + three[1][j] + three[2][j]) / 3.0;
        for i in 0..channels {
            for j in 0..channels {
                sum[(i, j)] += distance(i) * distance(j);
            }
        }
        count += 1;
    }
    if count < FEWEST {
        return Err(RestoringForceError::TooFewSamples {
            what: "noise estimate",
            samples: count,
            needed: FEWEST,
            remedy: "Give the measurement noise instead.",
        });
    }
    // The outermost samples are their own average.
    sum *= 1.5 / (count + 2) as f64;
    match (0..channels).find(|&j| sum[(j, j)].is_nan() || sum[(j, j)] <= 0.0) {
        Some(j) => Err(OutOfRange {
            field: "estimated variance of a signal's noise",
            value: sum[(j, j)],
            limit: "positive; give the measurement noise of this signal instead",
        }
        .into()),
        None => Ok(sum),
    }
}
