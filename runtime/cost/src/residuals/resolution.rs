//! The resolution of measured values, as of an encoder, and residuals that rounding to it leaves.

use crate::residuals::channel::Residuals;
use crate::residuals::fit::root_mean_square;

/// Distance of a value from a multiple of the resolution, relative to it, that written digits leave.
const MAX_DISTANCE: f64 = 0.05;

/// Returns the resolution of the measured values, if the residuals are as large as rounding to it makes them: within
/// half of it but for a few, and even in their distribution.
pub fn resolution_of(residuals: &Residuals) -> Option<f64> {
    /// Part of the residuals that is within half the resolution, and by how much of it they may be beyond.
    const MIN_PART: f64 = 0.97;
    const MARGIN: f64 = 0.05;
    /// Root mean square, relative to that of rounding, up to which residuals are due to it.
    const MAX_SIZE: f64 = 1.15;
    let all = residuals.values();
    let step = step_of(residuals.measured())?;
    let within = all.iter().filter(|residual| residual.abs() <= (0.5 + MARGIN) * step).count();
    let is_within = within as f64 >= MIN_PART * all.len() as f64;
    (is_within && root_mean_square(all) <= MAX_SIZE * step / 12f64.sqrt()).then_some(step)
}

/// Returns the step of which all these values are multiples, up to a constant; `None` where there is none.
fn step_of(values: &[f64]) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    let rounding = 1e-9 * first.abs().max(last.abs());
    let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > rounding);
    // the least gap, more exactly with every larger multiple
    let mut step = gaps.reduce(f64::min)?;
    for distance in sorted.iter().map(|value| value - first) {
        let count = (distance / step).round();
        if (distance - count * step).abs() > MAX_DISTANCE * step {
            return None;
        }
        if count > 0.0 {
            step = distance / count;
        }
    }
    Some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rounding: impl Fn(f64) -> f64, error: impl Fn(f64) -> f64) -> Option<f64> {
        let times: Vec<f64> = (0..1000).map(|k| f64::from(k) * 0.01).collect();
        let signal = |t: &f64| 50.0 * (2.3 * t).sin();
        let y: Vec<f64> = times.iter().map(|t| rounding(signal(t))).collect();
        let r: Vec<f64> = times.iter().zip(&y).map(|(t, y)| signal(t) + error(*t) - y).collect();
        resolution_of(&Residuals::new("x", &times, &r, &y).unwrap())
    }

    #[test]
    fn rounding_is_told() {
        for bits in 4..12 {
            let step = 360.0 / 2f64.powi(bits);
            // as written with four decimals
            let rounded = |x: f64| ((x / step).round() * step * 1e4).round() / 1e4;
            let resolution = found(rounded, |_| 0.0).unwrap();
            assert!((resolution / step - 1.0).abs() < 1e-3, "{step}: {resolution}");
            assert_eq!(found(rounded, |t| step * (7.0 * t).sin()), None, "{step}");
        }
        assert_eq!(found(|x| x + 1e-3 * (1e4 * x).sin(), |_| 0.0), None);
        assert_eq!(found(|_| 3.0, |_| 0.0), None);
    }
}
