//! Values of sampled signals between their samples: a windowed sinc, which is a low pass as well.

use std::f64::consts::PI;

/// Corner over the rate at which a signal keeps its samples' band: the flank ends at half the rate.
pub(crate) const MAX_CORNER: f64 = 0.45;

/// Returns the value at `position`, in samples from the first, of a signal that is continued at both ends by its point
/// images. `corner` is that of the low pass over the rate of the samples, at most [`MAX_CORNER`]; NaN outside of the
/// samples.
pub(crate) fn value_at(values: &[f64], position: f64, corner: f64) -> f64 {
    /// Half of the kernel's width over its corner, in samples: the flank is from 8/9 to 10/9 of the corner.
    const HALF_WIDTH_TIMES_CORNER: f64 = 14.4;
    /// Largest half width in samples: lower corners are treated as this one.
    const MAX_HALF_WIDTH: f64 = 1e6;
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return f64::NAN };
    let end = (values.len() - 1) as f64;
    // rounding of times
    let position = if (position - position.round()).abs() < 1e-9 { position.round() } else { position };
    if !(0.0..=end).contains(&position) {
        return f64::NAN;
    }
    let half = (HALF_WIDTH_TIMES_CORNER / corner).min(MAX_HALF_WIDTH);
    let from = (position - half).ceil().max(-end) as i64;
    let to = (position + half).floor().min(2.0 * end) as i64;
    let last_index = values.len() as i64 - 1;
    let (mut sum, mut weights) = (0.0, 0.0);
    for k in from..=to {
        let distance = position - k as f64;
        let weight = sinc(2.0 * corner * distance) * kaiser(distance / half);
        let at = |index: i64| usize::try_from(index).ok().and_then(|index| values.get(index)).copied();
        let value = match k {
            k if k < 0 => at(-k).map(|image| 2.0 * first - image),
            k if k > last_index => at(2 * last_index - k).map(|image| 2.0 * last - image),
            k => at(k),
        };
        sum += weight * value.unwrap_or(0.0);
        weights += weight;
    }
    sum / weights
}

fn sinc(x: f64) -> f64 {
    let turn = PI * x;
    if turn.abs() < 1e-8 { 1.0 } else { turn.sin() / turn }
}

fn kaiser(part: f64) -> f64 {
    /// Shape of Kaiser's window whose side lobes are 100 dB below the pass band.
    const KAISER_SHAPE: f64 = 10.06;
    let inside = 1.0 - part * part;
    if inside < 0.0 { 0.0 } else { bessel_0(KAISER_SHAPE * inside.sqrt()) / bessel_0(KAISER_SHAPE) }
}

/// Computes the modified Bessel function of order 0 by its series.
fn bessel_0(x: f64) -> f64 {
    let square = 0.25 * x * x;
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..60 {
        term *= square / f64::from(k * k);
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
    }
    sum
}
