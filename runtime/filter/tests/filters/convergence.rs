//! Convergence errors, bad stretches, resampled curves and the scale of the forces.

use costate_filter::restoring_force::{
    APriori, CurveFit, CurveSettings, Exponents, RestoringForceIdentification, RestoringForceModel,
};
use costate_filter::{KalmanMethod, Sample, SigmaPoints, StateSpace, Step};

const INTERVAL: f64 = 1e-4;

fn model(scale: f64) -> RestoringForceModel {
    RestoringForceModel::on_moving_base(4.0).unwrap().with_scale(scale).unwrap()
}

/// For a stiffness near 5e6 N/m.
fn identification(scale: f64) -> RestoringForceIdentification {
    let expected = APriori { stiffness: 4e6 / scale, damping: 2e3 / scale };
    RestoringForceIdentification::new(model(scale), INTERVAL, vec![expected])
        .unwrap()
        .exponents(Exponents::new(2.0, 1.0))
}

/// Base acceleration and noisy response of a linear oscillator.
fn record(samples: usize) -> (Vec<f64>, Vec<f64>) {
    let mut model = model(5e6);
    let u: Vec<f64> = (0..samples).map(|i| 3.0 * (0.12 * i as f64 + 1e-6 * (i * i) as f64).sin()).collect();
    let (mut x, mut y) = (vec![0.0, 0.0, 1.0, 2e-4], vec![0.0]);
    for i in 1..samples {
        let (inputs_before, inputs, mut next) = (&u[i - 1..i], &u[i..=i], x.clone());
        model.advance(&Step { time: 0.0, interval: INTERVAL, inputs_before, inputs }, &x, &mut next).unwrap();
        x = next;
        let mut measured = [0.0];
        model.measure(&Sample { time: 0.0, inputs }, &x, &mut measured);
        y.push(measured[0] + 0.2 * ((i * i * 7919) as f64).sin());
    }
    (u, y)
}

/// KE (2.52) over the samples `from..=to`.
fn normalised(y: &[f64], found: &[f64], from: usize, to: usize) -> f64 {
    let count = (to - from + 1) as f64;
    let mean = y[from..=to].iter().sum::<f64>() / count;
    let error: f64 = (from..=to).map(|i| (y[i] - found[i]).powi(2)).sum();
    error / y[from..=to].iter().map(|y| (y - mean).powi(2)).sum::<f64>()
}

#[test]
fn errors_are_those_of_the_window() {
    let (u, y) = record(3000);
    let identification = identification(5e6).window(200);
    let mut seen = Vec::new();
    let found = identification
        .run_watched(&u, &y, |monitor| {
            seen.push((monitor.prediction_error(), monitor.synchronisation_error()));
            true
        })
        .unwrap();
    let (errors, run) = (found.convergence(), found.run());
    let predicted: Vec<f64> = (0..3000).map(|i| run.predicted_measurement(i)[0]).collect();
    let corrected: Vec<f64> = (0..3000).map(|i| run.corrected_measurement(i)[0]).collect();
    for i in [200, 201, 777, 1600, 2999] {
        let [e_p, e_s] = [&predicted, &corrected].map(|found| normalised(&y, found, i - 199, i));
        assert!((errors.prediction_errors[i] / e_p - 1.0).abs() < 1e-9, "{i}");
        assert!((errors.synchronisation_errors[i] / e_s - 1.0).abs() < 1e-9, "{i}");
        assert_eq!(seen[i - 1], (errors.prediction_errors[i], errors.synchronisation_errors[i]));
        assert!(e_s < e_p);
    }
    assert!(errors.synchronisation_errors[199].is_nan() && errors.synchronisation_errors[200].is_finite());
    // e_m: the noise, of variance 0.02, over the variance of the signal.
    let mean = y.iter().sum::<f64>() / 3000.0;
    let variance = y.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / 3000.0;
    assert!((errors.measurement_error / (0.02 / variance) - 1.0).abs() < 0.2, "{}", errors.measurement_error);
}

#[test]
fn bad_stretches_are_left_out() {
    let (u, mut y) = record(8000);
    // A sensor that works loose for a while: what it shows jumps back and forth.
    let bad = 4000..4300;
    let step = y.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
    bad.clone().for_each(|i| y[i] += if i % 2 == 0 { step } else { -step });
    let noise = nalgebra::DMatrix::from_element(1, 1, 0.02);
    let found = identification(5e6).window(200).measurement_noise(noise).run(&u, &y).unwrap();
    let (errors, good) = (found.convergence(), found.good_samples());
    let is_low = |i: usize| errors.synchronisation_errors[i] <= 0.5 * errors.measurement_error;
    let passes = |i: usize| errors.innovation_squares[i] <= 1.4 && errors.bounded_parts[i] <= 0.5;
    // in the window that ends at a sample, and in that which begins there
    let expected: Vec<usize> =
        (0..8000).filter(|&i| [i, (i + 199).min(7999)].into_iter().all(|end| is_low(end) && passes(end))).collect();
    assert_eq!(good, expected);
    assert!(good.iter().all(|i| !(4050..4400).contains(i)), "samples of the bad stretch");
    assert!(good.iter().any(|i| *i < 3900) && good.iter().any(|i| *i > 5000));
    assert_eq!(found.curve_samples(0).len(), good.len());
}

#[test]
fn the_scale_changes_nothing_for_the_extended_filter() {
    let (u, y) = record(3000);
    let run = |scale: f64| identification(scale).run(&u, &y).unwrap();
    let (one, other) = (run(5e6), run(2e3));
    for i in (0..3000).step_by(100) {
        let (a, b) = (one.run().mean(i), other.run().mean(i));
        let units = [1.0, 1.0, 5e6 / 2e3, 5e6 / 2e3];
        for k in 0..4 {
            let deviation = one.run().covariance_entry(i, k, k).unwrap().sqrt();
            assert!((a[k] - b[k] / units[k]).abs() < 1e-7 * deviation, "sample {i} state {k}: {a:?} {b:?}");
        }
    }
    let unscented = identification(5e6).method(KalmanMethod::SquareRootUnscented(SigmaPoints::default()));
    assert_eq!(unscented.run(&u, &y).unwrap().run().stopped(), None);
}

#[test]
fn curves_are_trimmed_and_resampled() {
    // 1001 samples of a curve, the ends of which are wrong.
    let coordinates: Vec<f64> = (0..=1000).map(|k| f64::from(k) / 500.0 - 1.0).collect();
    let force = |z: f64, k: usize| if (10..=990).contains(&k) { 3.0 * z } else { 1e3 };
    let fit = CurveFit {
        order: (0..=1000).collect(),
        points: coordinates.iter().enumerate().map(|(k, &z)| [z, force(z, k)]).collect(),
        covariances: vec![[1e-6, 0.0, 4e-4]; 1001],
    };
    let settings = CurveSettings { trim: 0.01, nodes: 21, ..CurveSettings::default() };
    let curve = fit.resampled(&settings).unwrap();
    assert_eq!((curve.points.len(), curve.samples), (21, 1001));
    assert!((curve.range()[0] + 0.98).abs() < 0.03 && (curve.range()[1] - 0.98).abs() < 0.03);
    for (k, point) in curve.points.iter().enumerate() {
        assert!((point.force - 3.0 * point.coordinate).abs() < 1e-12, "{k}");
        assert!((point.coordinate_deviation - 1e-3).abs() < 1e-12);
        assert!((point.force_deviation - 2e-2).abs() < 1e-12);
        let node = -0.98 + 1.96 * k as f64 / 20.0;
        assert!((point.coordinate - node).abs() < 0.03, "{k}: {point:?}");
    }
    assert!((curve.slope() - 3.0).abs() < 1e-12);
    // The uncertainty curves are two deviations away, across a curve that rises (KE 2.85, 2.86).
    let [low, high] = curve.uncertainty(2.0);
    for ((point, low), high) in curve.points.iter().zip(low).zip(high) {
        assert!((low.0 - point.coordinate - 2e-3).abs() < 1e-12 && (low.1 - point.force + 4e-2).abs() < 1e-12);
        assert!((high.0 - point.coordinate + 2e-3).abs() < 1e-12 && (high.1 - point.force - 4e-2).abs() < 1e-12);
    }
    let too_few = CurveFit { order: Vec::new(), points: Vec::new(), covariances: Vec::new() };
    assert!(too_few.resampled(&settings).is_err());
}
