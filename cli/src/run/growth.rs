//! Motion that grows exponentially.

use std::fmt;

use costate::command::shown::Shown;
use costate::simulate::Run;

/// Number of parts of a run whose largest values are compared.
const PARTS: usize = 16;

/// Decades over which values grow from the first part to the last, and over the second half: far more than a swing that
/// builds up.
const MIN_DECADES: f64 = 3.5;
const MIN_HALF_DECADES: f64 = 1.5;

/// Decades for a motion that inputs drive: a sweep into a resonance raises values by two over the second half.
const MIN_DRIVEN_DECADES: f64 = 6.0;
const MIN_DRIVEN_HALF_DECADES: f64 = 3.0;

/// Least growth from part to part in the second half, and into the last part, relative to the mean: powers of the time
/// grow ever more slowly, t^6 by 0.78 of the mean at the end.
const MIN_STEP_GROWTH: f64 = 0.5;
const MIN_LAST_GROWTH: f64 = 0.8;

/// A coordinate or output that grows exponentially until the end of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    name: &'static str,
    unit: &'static str,
    /// The time in s in which it doubles.
    doubling: f64,
    /// The largest magnitude.
    largest: f64,
    decades: f64,
}

impl Growth {
    /// Finds the quantity that grows over most decades; `None` if none grows so. `is_driven` says that an input varies.
    pub fn of(run: &Run, is_driven: bool) -> Option<Self> {
        let trajectory = run.trajectory();
        let description = trajectory.description();
        let end = run.times().last().copied().unwrap_or_default();
        let coordinates = description.coordinates.iter().enumerate().map(|(j, quantity)| {
            let values: Vec<f64> =
                (0..run.outputs().samples()).map(|k| trajectory.coordinates(trajectory.step_of_sample(k))[j]).collect();
            (quantity, values)
        });
        let outputs = description.outputs.iter().enumerate();
        let outputs = outputs.map(|(k, quantity)| (quantity, run.outputs().channel(k).into_iter().flatten().collect()));
        let grows = coordinates.chain(outputs).filter_map(|(quantity, values): (_, Vec<f64>)| {
            let (decades, doubling) = growth(end, &values, is_driven)?;
            let largest = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            Some(Self { name: quantity.name, unit: quantity.unit, doubling, largest, decades })
        });
        grows.max_by(|a, b| a.decades.total_cmp(&b.decades))
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, unit, doubling, largest, .. } = self;
        let unit = if *unit == "1" { String::new() } else { format!(" {unit}") };
        write!(
            f,
            "`{name}` grows exponentially until the end of the run: it doubles every {} s, up to {}{unit}. Does it \
                 leave an unstable position, or has a stiffness or damping the wrong sign?",
            Shown(short(*doubling)),
            Shown(short(*largest))
        )
    }
}

/// Rounds to two digits.
fn short(number: f64) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(number)
}

/// Returns over how many decades equidistant values leave the first one, and the time in s in which this doubles;
/// `None` unless it grows exponentially until the end.
fn growth(end: f64, values: &[f64], is_driven: bool) -> Option<(f64, f64)> {
    let [least, least_of_half] = match is_driven {
        true => [MIN_DRIVEN_DECADES, MIN_DRIVEN_HALF_DECADES],
        false => [MIN_DECADES, MIN_HALF_DECADES],
    };
    let first = values.first()?;
    if values.len() < 4 * PARTS {
        return None;
    }
    let part = |i: usize| values.get(i * values.len() / PARTS..(i + 1) * values.len() / PARTS).unwrap_or_default();
    let largest = |i: usize| part(i).iter().fold(0.0, |most: f64, value| most.max((value - first).abs()));
    let sizes: Vec<f64> = (0..PARTS).map(|i| largest(i).log10()).collect();
    if !sizes.iter().all(|size| size.is_finite()) {
        return None;
    }
    let (decades, half) = (sizes[PARTS - 1] - sizes[0], sizes[PARTS - 1] - sizes[PARTS / 2]);
    let mean = half / (PARTS / 2 - 1) as f64;
    let steps: Vec<f64> = sizes[PARTS / 2..].windows(2).map(|pair| pair[1] - pair[0]).collect();
    let is_steady =
        steps.iter().all(|step| *step >= MIN_STEP_GROWTH * mean) && *steps.last()? >= MIN_LAST_GROWTH * mean;
    let doubling = end / PARTS as f64 * std::f64::consts::LOG10_2 / mean;
    (decades >= least && half >= least_of_half && is_steady).then_some((decades, doubling))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(signal: impl Fn(f64) -> f64) -> Option<(f64, f64)> {
        let values: Vec<f64> = (0..=1000).map(|i| signal(f64::from(i) * 2e-3)).collect();
        growth(2.0, &values, false)
    }

    #[test]
    fn exponential_growth_is_seen() {
        for rate in [6.0, 10.0, 40.0, 200.0] {
            for shape in [|_: f64| 1.0, |phase: f64| phase.cos(), |phase: f64| (3.0 * phase).sin()] {
                let (_, doubling) = of(|t| 0.1 * (rate * t).exp() * shape(40.0 * t)).unwrap();
                assert!((doubling * rate / std::f64::consts::LN_2 - 1.0).abs() < 0.2, "{rate} {doubling}");
            }
            assert!(of(|t| 1000.0 + (rate * t).cosh()).is_some(), "{rate}");
        }
    }

    #[test]
    fn motion_that_is_bound_or_grows_with_powers_is_left() {
        for power in 1..=8 {
            assert_eq!(of(|t| t.powi(power)), None, "{power}");
            assert_eq!(of(|t| t.powi(power) * (300.0 * t).sin()), None, "{power}");
        }
        assert_eq!(of(|t| (-10.0 * t).exp()), None);
        assert_eq!(of(|_| 0.0), None);
        // a start from a rounding of rest, a limit cycle, resonance, a pulse, a motion that ends
        assert_eq!(of(|t| if t < 1.0 { 1e-18 * (900.0 * t).sin() } else { (t - 1.0).sin() }), None);
        assert_eq!(of(|t| (40.0 * t).sin() / (1.0 + (5.0 - 10.0 * t).exp())), None);
        assert_eq!(of(|t| t * (60.0 * t).sin()), None);
        assert_eq!(of(|t| (-((t - 1.5) / 0.1).powi(2)).exp()), None);
        assert_eq!(of(|t| f64::INFINITY * t), None);
    }
}
