//! Filters against numbers with 40 digits and from other implementations.

use costate::filter::{
    Bounds, Gaussian, KalmanFilter, KalmanMethod, LinearSystem, Sample, SigmaPoints, StateSpace, Step, Storage, run,
    smooth,
};
use costate::restoring_force::{RestoringForceModel, TransitionMatrix};
use nalgebra::{DMatrix, DVector};
use serde_json::Value;

use super::data::{list, matrix, number, numbers, read, vector};

fn model(record: &Value) -> RestoringForceModel {
    let model = RestoringForceModel::on_moving_base(number(&record["mass"])).unwrap();
    model.with_scale(number(&record["pc"])).unwrap()
}

fn diagonal(value: &Value) -> DMatrix<f64> {
    DMatrix::from_diagonal(&vector(value))
}

/// Largest differences of means and covariances in units of the standard deviations.
fn deviation(case: &Value, data: &Value, method: KalmanMethod) -> (f64, f64) {
    let record = &data["record"];
    let model = model(record).with_transition(TransitionMatrix::Trapezoidal);
    let initial = Gaussian::new(vector(&case["x0"]), diagonal(&case["P0_diag"])).unwrap();
    let (r, lower) = (DMatrix::from_element(1, 1, number(&case["R"])), number(&case["sL"]));
    let low = vec![f64::NEG_INFINITY, f64::NEG_INFINITY, lower, f64::NEG_INFINITY];
    let bounds = Bounds::new(low, vec![f64::INFINITY; 4]).unwrap();
    let step = number(&record["dt"]);
    let mut filter = KalmanFilter::new(model, method, step, &initial, &diagonal(&case["Q_diag"]), &r)
        .unwrap()
        .with_bounds(bounds)
        .unwrap();
    let result = run(&mut filter, &numbers(&record["u"]), &numbers(&record["y"]), Storage::Covariances).unwrap();
    assert_eq!(result.samples(), 2000);
    if method == KalmanMethod::Extended {
        assert_eq!(result.truncations(), case["truncated_steps"].as_u64().unwrap() as usize);
    }
    let (mut worst_mean, mut worst_covariance) = (0.0_f64, 0.0_f64);
    for ((index, x), p) in list(&case["index"]).iter().zip(list(&case["x"])).zip(list(&case["P"])) {
        let i = index.as_u64().unwrap() as usize;
        let (x, p) = (vector(x), matrix(p));
        let found = result.covariance(i).unwrap();
        for a in 0..4 {
            worst_mean = worst_mean.max((result.mean(i)[a] - x[a]).abs() / p[(a, a)].sqrt());
            for b in 0..4 {
                let scale = (p[(a, a)] * p[(b, b)]).sqrt();
                worst_covariance = worst_covariance.max((found[(a, b)] - p[(a, b)]).abs() / scale);
            }
        }
    }
    (worst_mean, worst_covariance)
}

#[test]
fn nonlinear_filters_agree_to_the_last_digits() {
    let data = read("additive_force");
    let points = SigmaPoints::default();
    for (case, method) in [
        ("EKF", KalmanMethod::Extended),
        ("EKF_qs2", KalmanMethod::Extended),
        ("SR-UKF", KalmanMethod::SquareRootUnscented(points)),
        ("SR-UKF", KalmanMethod::Unscented(points)),
    ] {
        let (mean, covariance) = deviation(&data["cases"][case], &data, method);
        println!("{case} {method:?}: {mean:e} {covariance:e}");
        assert!(mean < 1e-10 && covariance < 1e-10, "{case} {method:?}: {mean:e} {covariance:e}");
    }
}

#[test]
fn one_step_of_the_augmented_model() {
    let data = read("small_vectors");
    let update = &data["time_update"];
    let (x, u) = (numbers(&update["x"]), [number(&update["u0"]), number(&update["u1"])]);
    let step = Step { time: 0.0, interval: number(&update["dt"]), inputs_before: &u[..1], inputs: &u[1..] };
    for (name, transition) in [("F_trapezoidal", TransitionMatrix::Trapezoidal), ("F_exact", TransitionMatrix::Exact)] {
        let mut model = model(update).with_transition(transition);
        let (mut next, mut f) = (vec![0.0; 4], DMatrix::zeros(4, 4));
        model.advance(&step, &x, &mut next).unwrap();
        model.transition(&step, &x, &next, &mut f).unwrap();
        let expected = numbers(&update["x_rk3"]);
        assert!(next.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs()), "{next:?}");
        let reference = matrix(&update[name]);
        assert!(f.iter().zip(&reference).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1e-9)), "{f}");
        // At the predicted state.
        let (mut y, mut h) = (vec![0.0], DMatrix::zeros(1, 4));
        let at = Sample { time: step.interval, inputs: &u[1..] };
        model.measure(&at, &next, &mut y);
        model.measurement_matrix(&at, &next, &mut h);
        assert!((y[0] / numbers(&update["h"])[0] - 1.0).abs() < 1e-12);
        assert!(h.iter().zip(&matrix(&update["H"])).all(|(a, b)| (a / b - 1.0).abs() < 1e-12), "{h}");
    }
}

#[test]
fn linear_filter_and_smoother() {
    let data = read("constant_velocity");
    let system = LinearSystem::new(matrix(&data["F"]), matrix(&data["H"])).unwrap();
    let initial = Gaussian::new(vector(&data["x0"]), matrix(&data["P0"])).unwrap();
    let (q, r) = (matrix(&data["Q"]), matrix(&data["R"]));
    // The first sample of a run fixes the start.
    let mut y = vec![f64::NAN];
    y.extend(numbers(&data["y"]));
    let points = SigmaPoints::default();
    let narrow = SigmaPoints { alpha: 0.3, ..points };
    for method in [
        KalmanMethod::Extended,
        KalmanMethod::Unscented(points),
        KalmanMethod::SquareRootUnscented(points),
        KalmanMethod::SquareRootUnscented(narrow),
    ] {
        let mut filter = KalmanFilter::new(system.clone(), method, 0.1, &initial, &q, &r).unwrap();
        let result = run(&mut filter, &[], &y, Storage::Gains).unwrap();
        let smoothed = smooth(&result).unwrap();
        for i in 0..y.len() - 1 {
            let close = |found: &[f64], p: &DMatrix<f64>, x: &str, covariance: &str| {
                let (x, expected) = (numbers(&list(&data[x])[i]), matrix(&list(&data[covariance])[i]));
                let mean = found.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-12);
                assert!(mean && (p - expected).amax() < 1e-12, "{method:?}: sample {i}, {found:?}");
            };
            let filtered = result.covariance(i + 1).unwrap();
            close(result.mean(i + 1), &filtered, "filter_x", "filter_P");
            close(smoothed.mean(i + 1), &smoothed.covariance(i + 1), "smooth_x", "smooth_P");
        }
    }
}

#[test]
fn truncation_by_sigma_points() {
    for case in list(&read("small_vectors")["truncation"]) {
        if number(&case["alpha"]) != 1.0 {
            continue;
        }
        // A state without dynamics, a measurement that says nothing, and a bound.
        let system = LinearSystem::new(DMatrix::identity(4, 4), DMatrix::zeros(1, 4)).unwrap();
        let initial = Gaussian::new(vector(&case["x"]), matrix(&case["P"])).unwrap();
        let low = vec![f64::NEG_INFINITY, f64::NEG_INFINITY, number(&case["sL"]), f64::NEG_INFINITY];
        let mut filter = KalmanFilter::new(
            system,
            KalmanMethod::Extended,
            1.0,
            &initial,
            &DMatrix::zeros(4, 4),
            &DMatrix::identity(1, 1),
        )
        .unwrap()
        .with_bounds(Bounds::new(low, vec![f64::INFINITY; 4]).unwrap())
        .unwrap();
        filter.step(&[], &[0.0]).unwrap();
        assert_eq!(filter.was_truncated(), case["cut"].as_bool().unwrap());
        let mean = DVector::from_column_slice(filter.mean());
        assert!((mean - vector(&case["x_trunc"])).amax() < 1e-12);
        assert!((filter.covariance() - matrix(&case["P_trunc"])).amax() < 1e-12);
    }
}
