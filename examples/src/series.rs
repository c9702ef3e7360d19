//! Series of samples, and errors of curves.

use anyhow::{Context, Result};
use costate::restoring_force::{
    CurvePoint, CurveSettings, RestoringForceCurve, RestoringForceSurface, RestoringForces, SeriesError,
};
use costate::table::{Curve, Extension};

use crate::add_noise;

/// Part of a range at each end that is not compared, as there are hardly any samples there.
const UNCOMPARED_END: f64 = 0.05;

/// Number of places where a curve is compared with the true one.
pub const COMPARED_PLACES: usize = 400;

/// Extracts one signal from rows with a value for each of so many sensors.
pub fn channel(rows: &[f64], sensor: usize, sensors: usize) -> Vec<f64> {
    rows.iter().skip(sensor).step_by(sensors).copied().collect()
}

/// Adds noise to every signal of rows with a value for each of so many sensors, relative to the signal's root mean
/// square, from a seed of its own.
///
/// # Errors
/// The standard deviation is not finite.
pub fn noisy_rows(rows: &[f64], sensors: usize, noise: f64, seed: u64) -> Result<Vec<f64>> {
    let mut noisy = rows.to_vec();
    for sensor in 0..sensors {
        let mut signal = channel(rows, sensor, sensors);
        add_noise(&mut signal, noise, seed + 1000 * sensor as u64)?;
        noisy.iter_mut().skip(sensor).step_by(sensors).zip(signal).for_each(|(to, from)| *to = from);
    }
    Ok(noisy)
}

/// Pairs samples every `interval` s with their times in s.
pub fn over_time(values: &[f64], interval: f64) -> Vec<(f64, f64)> {
    values.iter().enumerate().map(|(i, y)| (i as f64 * interval, *y)).collect()
}

/// Differences of two series, sample by sample.
pub fn differences(found: &[f64], truth: &[f64]) -> Vec<f64> {
    found.iter().zip(truth).map(|(a, b)| a - b).collect()
}

/// The lowest and the highest value.
pub fn extent(values: &[f64]) -> [f64; 2] {
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(*x), high.max(*x)])
}

/// Equidistant numbers from `low` to `high`.
pub fn spaced([low, high]: [f64; 2], count: usize) -> impl Iterator<Item = f64> + Clone {
    (0..count).map(move |k| low + (high - low) * k as f64 / (count - 1) as f64)
}

/// Makes a table of a law from `-end` to `end`.
///
/// # Errors
/// A force that is not finite.
pub fn sampled_law(law: impl Fn(f64) -> f64, end: f64, knots: usize) -> Result<Curve> {
    let places: Vec<f64> = (0..knots).map(|k| end * (2.0 * k as f64 / (knots - 1) as f64 - 1.0)).collect();
    let forces = places.iter().map(|x| law(*x)).collect();
    Ok(Curve::new(places, forces, Extension::Linear)?)
}

/// e_RMS% of KE appendix B; infinite where there is nothing to compare.
pub fn relative_error(found: &[f64], truth: &[f64]) -> f64 {
    SeriesError::new(found, truth).map_or(f64::INFINITY, |error| error.percent())
}

/// Compares a curve with a law at these places.
///
/// # Errors
/// There is nothing to compare.
pub fn compared(curve: &Curve, law: impl Fn(f64) -> f64, places: impl Iterator<Item = f64>) -> Result<SeriesError> {
    let (found, exact): (Vec<f64>, Vec<f64>) = places.map(|x| (curve.value(x), law(x))).unzip();
    SeriesError::new(&found, &exact).context("a curve that cannot be compared")
}

/// The error of a curve in percent over a range, without its ends.
///
/// # Errors
/// There is nothing to compare.
pub fn curve_error(curve: &Curve, law: impl Fn(f64) -> f64, [first, last]: [f64; 2]) -> Result<f64> {
    let place = |k: usize| {
        let part = UNCOMPARED_END + (1.0 - 2.0 * UNCOMPARED_END) * k as f64 / (COMPARED_PLACES - 1) as f64;
        first + part * (last - first)
    };
    Ok(compared(curve, law, (0..COMPARED_PLACES).map(place))?.percent())
}

/// Checks that `x` is in a range, and not at one of its ends.
pub fn is_inside([low, high]: [f64; 2], x: f64) -> bool {
    let margin = UNCOMPARED_END * (high - low);
    (low + margin..=high - margin).contains(&x)
}

/// The nodes (z, v) of a surface whose force is known, each with its force.
pub fn known_nodes(surface: &RestoringForceSurface) -> Vec<([f64; 2], f64)> {
    let mut nodes = Vec::new();
    for (i, &z) in surface.deformations.iter().enumerate() {
        for (j, &v) in surface.rates.iter().enumerate() {
            if surface.force(i, j).is_finite() {
                nodes.push(([z, v], surface.force(i, j)));
            }
        }
    }
    nodes
}

/// Returns the forces that a filter has found.
///
/// # Errors
/// The filter was stopped.
pub fn completed(forces: RestoringForces) -> Result<RestoringForces> {
    match forces.run().stopped() {
        Some(stopped) => Err(stopped.clone().into()),
        None => Ok(forces),
    }
}

/// The elastic curves of all elements, and the dissipative ones.
///
/// # Errors
/// Too few samples.
pub fn all_curves(forces: &RestoringForces, settings: &CurveSettings) -> Result<[Vec<RestoringForceCurve>; 2]> {
    let curves = (0..forces.elements()).map(|j| forces.curves(j, settings)).collect::<Result<Vec<_>, _>>()?;
    let (elastic, dissipative) = curves.into_iter().map(Into::into).unzip();
    Ok([elastic, dissipative])
}

/// The nodes of a curve: coordinate, force, and standard deviations of both.
pub fn curve_rows(curve: &RestoringForceCurve) -> Vec<[f64; 4]> {
    let row = |p: &CurvePoint| [p.coordinate, p.force, p.coordinate_deviation, p.force_deviation];
    curve.points.iter().map(row).collect()
}

/// The nodes of curves: coordinate and force.
pub fn curve_points(curves: &[RestoringForceCurve]) -> Vec<Vec<[f64; 2]>> {
    let points =
        |curve: &RestoringForceCurve| curve.points.iter().map(|point| [point.coordinate, point.force]).collect();
    curves.iter().map(points).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sensor_has_noise_of_its_own() {
        let rows = vec![1.0; 6000];
        let noisy = noisy_rows(&rows, 3, 0.1, 1).unwrap();
        let signals = [0, 1, 2].map(|sensor| channel(&noisy, sensor, 3));
        assert!(signals[0] != signals[1] && signals[1] != signals[2]);
        assert!(signals.iter().all(|signal| (crate::rms(&differences(signal, &[1.0; 2000])) - 0.1).abs() < 0.01));
    }

    #[test]
    fn a_law_is_compared_without_its_ends() {
        let square = |x: f64| if x.abs() < 0.95 { x * x } else { 0.0 };
        let curve = sampled_law(|x| x * x, 1.0, 401).unwrap();
        assert!(curve_error(&curve, square, [-1.0, 1.0]).unwrap() < 1.0);
        assert!(is_inside([-1.0, 1.0], 0.85) && !is_inside([-1.0, 1.0], 0.95));
        assert_eq!(spaced([1.0, 3.0], 3).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
        assert_eq!(extent(&[2.0, -1.0, 0.5]), [-1.0, 2.0]);
    }
}
