//! Oscillators of which stiffness and damping are known.

use super::*;
use crate::classical::Band;

const MASS: f64 = 2.0;
const INTERVAL: f64 = 1e-4;
const STIFFNESS: f64 = 2e5;
const CUBIC: f64 = 4e11;
const DAMPING: f64 = 8.0;

/// m z'' + d z' + k z + k_3 z^3 = -m u by Runge-Kutta steps: base, z, v and v'.
fn duffing(cubic: f64, start: f64, samples: usize, base: impl Fn(f64) -> f64) -> [Vec<f64>; 4] {
    const FINER: usize = 4;
    let step = INTERVAL / FINER as f64;
    let slope = |t: f64, [z, v]: [f64; 2]| [v, -(DAMPING * v + STIFFNESS * z + cubic * z * z * z) / MASS - base(t)];
    let (mut x, mut t) = ([start, 0.0], 0.0);
    let mut found: [Vec<f64>; 4] = Default::default();
    for _ in 0..samples {
        let values = [base(t), x[0], x[1], slope(t, x)[1]];
        found.iter_mut().zip(values).for_each(|(list, value)| list.push(value));
        for _ in 0..FINER {
            let ahead = |k: [f64; 2], by: f64| [x[0] + by * k[0], x[1] + by * k[1]];
            let k_1 = slope(t, x);
            let k_2 = slope(t + 0.5 * step, ahead(k_1, 0.5 * step));
            let k_3 = slope(t + 0.5 * step, ahead(k_2, 0.5 * step));
            let k_4 = slope(t + step, ahead(k_3, step));
            x = [0, 1].map(|j| x[j] + step / 6.0 * (k_1[j] + 2.0 * k_2[j] + 2.0 * k_3[j] + k_4[j]));
            t += step;
        }
    }
    found
}

fn model() -> RestoringForceModel {
    RestoringForceModel::on_moving_base(MASS).unwrap()
}

fn largest_error(found: impl Iterator<Item = (f64, f64)>) -> f64 {
    found.fold(0.0, |largest: f64, (found, truth)| largest.max((found / truth - 1.0).abs()))
}

#[test]
fn a_linear_decay_has_one_stiffness_and_one_damping() {
    let [_, z, v, a] = duffing(0.0, 1e-3, 8000, |_| 0.0);
    let motion = Motion::measured(INTERVAL, z.clone(), v, a).unwrap();
    let found = free_vibration(&model(), &motion, &VibrationSettings::default()).unwrap();
    let stiffness = largest_error(found.stiffnesses.iter().map(|value| (*value, STIFFNESS / MASS)));
    let damping = largest_error(found.dampings.iter().map(|value| (*value, DAMPING / MASS)));
    println!("linear: stiffness {stiffness:.2e}, damping {damping:.2e}");
    assert!(stiffness < 1e-3 && damping < 2e-2, "{stiffness} {damping}");
    // from the displacement alone
    let motion = Motion::from_deformations(INTERVAL, &z, Band::new(0.0, 500.0)).unwrap();
    let found = free_vibration(&model(), &motion, &VibrationSettings::default()).unwrap();
    let stiffness = largest_error(found.stiffnesses.iter().map(|value| (*value, STIFFNESS / MASS)));
    assert!(stiffness < 1e-3, "{stiffness}");
}

#[test]
fn the_backbone_of_a_duffing_oscillator() {
    let [_, z, v, a] = duffing(CUBIC, 8e-4, 8000, |_| 0.0);
    let motion = Motion::measured(INTERVAL, z, v, a).unwrap();
    let found = free_vibration(&model(), &motion, &VibrationSettings::default()).unwrap();
    let effective = |amplitude: f64| STIFFNESS + 0.75 * CUBIC * amplitude * amplitude;
    let exact = |amplitude: f64| (effective(amplitude) / MASS).sqrt() / TAU;
    let backbone = largest_error(found.backbone().into_iter().map(|(x, f)| (f, exact(x))));
    let damping = largest_error(found.dampings.iter().map(|value| (*value, DAMPING / MASS)));
    let span = found.amplitudes.iter().fold(0.0_f64, |largest, value| largest.max(*value));
    println!("duffing: backbone {backbone:.2e}, damping {damping:.2e}, largest amplitude {span:.2e}");
    assert!(span > 6e-4, "the stiffness hardly changes: {span}");
    assert!(backbone < 2e-2 && damping < 5e-2, "{backbone} {damping}");
    // KE (1.21): the describing function, not the spring
    let curve = found.elastic_curve(20).unwrap();
    for point in &curve.points {
        let exact = effective(point.coordinate) * point.coordinate;
        assert!((point.force / exact - 1.0).abs() < 4e-2, "{point:?}, {exact}");
    }
    assert_eq!(curve.points[0].force, -curve.points[curve.points.len() - 1].force);
}

#[test]
fn a_sweep_tells_stiffness_and_damping() {
    let sweep = |t: f64| 4.0 * (TAU * (30.0 * t + 5.0 * t * t)).sin();
    let [base, z, v, a] = duffing(0.2 * CUBIC, 0.0, 40_000, sweep);
    let motion = Motion::measured(INTERVAL, z, v, a).unwrap();
    let settings = VibrationSettings { smallest: 0.3, ..VibrationSettings::default() };
    let found = forced_vibration(&model(), &motion, &base, &settings).unwrap();
    let curve = found.elastic_curve(20).unwrap();
    let error = largest_error(curve.points.iter().map(|point| {
        let x = point.coordinate;
        (point.force, (STIFFNESS + 0.15 * CUBIC * x * x) * x)
    }));
    let damping = found.dampings.iter().sum::<f64>() / found.dampings.len() as f64;
    println!("sweep: elastic {error:.2e}, damping {damping:.3}");
    assert!(error < 5e-2, "{error}");
    assert!((damping / (DAMPING / MASS) - 1.0).abs() < 0.1, "{damping}");
    // without the excitation in mind the same motion gives another damping
    let ignored = free_vibration(&model(), &motion, &settings).unwrap();
    let wrong = ignored.dampings.iter().sum::<f64>() / ignored.dampings.len() as f64;
    assert!((wrong / (DAMPING / MASS) - 1.0).abs() > 0.3, "{wrong}");
}

#[test]
fn what_is_no_oscillation_is_refused() {
    let line = |slope: f64| (0..2000).map(|i| slope * f64::from(i)).collect::<Vec<f64>>();
    let motion = Motion::measured(INTERVAL, line(1e-6), vec![1e-2; 2000], vec![0.0; 2000]).unwrap();
    let error = free_vibration(&model(), &motion, &VibrationSettings::default()).unwrap_err();
    assert!(matches!(error, RestoringForceError::OutOfRange(..)), "{error}");
    let [_, z, v, a] = duffing(0.0, 1e-3, 2000, |_| 0.0);
    let motion = Motion::measured(INTERVAL, z, v, a).unwrap();
    let with = |settings| free_vibration(&model(), &motion, &settings);
    let default = VibrationSettings::default();
    assert!(with(VibrationSettings { smallest: 1.0, ..default }).is_err());
    assert!(with(VibrationSettings { averaged_periods: f64::NAN, ..default }).is_err());
    let short = with(VibrationSettings { trimmed_periods: 100.0, ..default }).unwrap_err();
    assert!(matches!(short, RestoringForceError::TooFewSamples { .. }), "{short}");
    assert!(with(default).unwrap().elastic_curve(1).is_err());
    let error = forced_vibration(&model(), &motion, &[0.0], &default).unwrap_err();
    assert!(matches!(error, RestoringForceError::Size { field: "inputs", .. }), "{error}");
}
