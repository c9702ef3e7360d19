//! Missing samples, changing noise, particles, and the samples and curves of restoring forces.

use costate::filter::{
    Bounds, Gaussian, KalmanFilter, KalmanMethod, LinearSystem, ParticleFilter, SigmaPoints, Storage, run, run_with,
};
use costate::restoring_force::{
    CurveSample, central_moving_average, curve_samples, estimate_noise, fit_curve, lowest_stiffness, surface_sample,
};
use costate_tests::noise::normal;
use nalgebra::DMatrix;

use super::data::{list, matrix, number, numbers, read};

const METHODS: [KalmanMethod; 3] = [
    KalmanMethod::Extended,
    KalmanMethod::Unscented(SigmaPoints { alpha: 1.0, beta: 2.0, kappa: 0.0 }),
    KalmanMethod::SquareRootUnscented(SigmaPoints { alpha: 0.5, beta: 2.0, kappa: 0.0 }),
];

/// A body whose position and velocity are measured, or one of them.
fn body(rows: DMatrix<f64>) -> LinearSystem {
    LinearSystem::new(dmatrix![1.0, 0.1; 0.0, 1.0], rows).unwrap()
}

#[test]
fn signals_that_are_missing_do_not_count() {
    let initial = Gaussian::independent(&[0.0, 0.5], &[1.0, 2.0]).unwrap();
    let q = dmatrix![1e-4, 2e-5; 2e-5, 1e-3];
    let r = dmatrix![0.04, 0.01; 0.01, 0.09];
    let mut normal = normal(1);
    let y: Vec<f64> = (0..200).map(|i| 0.05 * f64::from(i) + 0.2 * normal()).collect();
    for method in METHODS {
        let mut both = KalmanFilter::new(body(DMatrix::identity(2, 2)), method, 0.1, &initial, &q, &r).unwrap();
        let mut one = KalmanFilter::new(body(dmatrix![1.0, 0.0]), method, 0.1, &initial, &q, &dmatrix![0.04]).unwrap();
        for (i, &y) in y.iter().enumerate() {
            if i % 7 == 3 {
                both.step(&[], &[f64::NAN; 2]).unwrap();
                one.predict(&[]).unwrap();
            } else {
                both.step(&[], &[y, f64::NAN]).unwrap();
                one.step(&[], &[y]).unwrap();
            }
            assert!((both.mean()[1] - one.mean()[1]).abs() < 1e-12, "{method:?}");
            assert!((both.covariance() - one.covariance()).amax() < 1e-13);
        }
    }
}

#[test]
fn noise_may_change_from_sample_to_sample() {
    let initial = Gaussian::independent(&[0.0, 0.5], &[1.0, 2.0]).unwrap();
    let q = dmatrix![1e-4, 0.0; 0.0, 1e-3];
    let y: Vec<f64> = (0..50).map(|i| (0.3 * f64::from(i)).sin()).collect();
    for method in METHODS {
        let filter = || KalmanFilter::new(body(dmatrix![1.0, 0.0]), method, 0.1, &initial, &q, &dmatrix![0.1]).unwrap();
        // A measurement with endless noise changes nothing; twice the interval is twice the process noise of a random
        // walk.
        let gaps: Vec<f64> = y.iter().enumerate().map(|(i, y)| if i % 5 == 2 { f64::NAN } else { *y }).collect();
        let missing = run(&mut filter(), &[], &gaps, Storage::Covariances).unwrap();
        let loud = run_with(&mut filter(), &[], &y, Storage::Covariances, |i, filter| {
            filter.set_measurement_noise(&if i % 5 == 2 { dmatrix![1e14] } else { dmatrix![0.1] })
        })
        .unwrap();
        for i in 0..50 {
            assert!((missing.mean(i)[0] - loud.mean(i)[0]).abs() < 1e-10, "{method:?} {i}");
        }
        let mut changed = filter();
        changed.set_process_noise(&DMatrix::zeros(2, 2)).unwrap();
        changed.predict(&[]).unwrap();
        assert!((changed.variance(1) - 4.0).abs() < 1e-13);
        changed.set_process_noise(&dmatrix![0.0, 0.0; 0.0, 0.5]).unwrap();
        changed.predict(&[]).unwrap();
        assert!((changed.variance(1) - 4.5).abs() < 1e-13);
    }
}

#[test]
fn particles_follow_the_exact_filter() {
    let initial = Gaussian::independent(&[0.0, 0.5], &[0.3, 0.3]).unwrap();
    let (q, r) = (dmatrix![1e-4, 0.0; 0.0, 1e-2], dmatrix![0.04]);
    let system = body(dmatrix![1.0, 0.0]);
    let mut exact = KalmanFilter::new(system.clone(), KalmanMethod::Extended, 0.1, &initial, &q, &r).unwrap();
    let mut particles = ParticleFilter::new(system.clone(), 20_000, 0.1, &initial, &q, &r, 5).unwrap();
    let mut normal = normal(2);
    for i in 1..60 {
        let y = if i % 9 == 4 { f64::NAN } else { 0.05 * f64::from(i) + 0.2 * normal() };
        exact.step(&[], &[y]).unwrap();
        particles.step(&[], &[y]).unwrap();
        for k in 0..2 {
            let deviation = exact.variance(k).sqrt();
            assert!((particles.mean()[k] - exact.mean()[k]).abs() < 0.1 * deviation, "sample {i}");
            let found = particles.estimate().covariance[(k, k)].sqrt();
            assert!((found / deviation - 1.0).abs() < 0.1, "sample {i}");
        }
    }
    // Bounds hold for all of them.
    let bounds = Bounds::new(vec![f64::NEG_INFINITY, 0.45], vec![f64::INFINITY, 0.5]).unwrap();
    let mut bounded = ParticleFilter::new(system, 100, 0.1, &initial, &q, &r, 5).unwrap().with_bounds(bounds).unwrap();
    bounded.step(&[], &[0.3]).unwrap();
    assert!(bounded.particles().0.iter().skip(1).step_by(2).all(|v| (0.45..=0.5).contains(v)));
}

#[test]
fn samples_have_the_exact_covariances() {
    let data = &read("small_vectors")["samples"];
    let x: [f64; 4] = numbers(&data["x"]).try_into().unwrap();
    let p = matrix(&data["P"]);
    let p = [0, 1, 2, 3].map(|i| [0, 1, 2, 3].map(|j| p[(i, j)]));
    let (mean, covariance) = (numbers(&data["rfc_mean"]), matrix(&data["rfc_cov"]));
    let scale = 2.5;
    let (elastic, dissipative, both) = curve_samples(x, &p, scale);
    let close = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-12 * expected.abs().max(1.0), "{found} {expected}")
    };
    close(elastic.coordinate, mean[0]);
    close(elastic.force, scale * mean[1]);
    close(dissipative.coordinate, mean[2]);
    close(dissipative.force, scale * mean[3]);
    for (sample, first) in [(elastic, 0), (dissipative, 2)] {
        close(sample.covariance[0], covariance[(first, first)]);
        close(sample.covariance[1], scale * covariance[(first, first + 1)]);
        close(sample.covariance[2], scale * scale * covariance[(first + 1, first + 1)]);
    }
    for (i, of_elastic) in [1.0, scale].into_iter().enumerate() {
        for (j, of_dissipative) in [1.0, scale].into_iter().enumerate() {
            close(both[i][j], of_elastic * of_dissipative * covariance[(i, 2 + j)]);
        }
    }
    let (mean, covariance) = (numbers(&data["rfs_mean"]), matrix(&data["rfs_cov"]));
    let sample = surface_sample(x, &p, scale);
    let units = [1.0, 1.0, scale];
    for i in 0..3 {
        close(sample.point[i], units[i] * mean[i]);
        for j in 0..3 {
            close(sample.covariance[i][j], units[i] * units[j] * covariance[(i, j)]);
        }
    }
}

#[test]
fn the_curve_is_that_of_the_reference() {
    let data = &read("small_vectors")["alpha_filter"];
    let samples: Vec<_> = list(&data["sigma"])
        .iter()
        .zip(list(&data["P"]))
        .map(|(point, p)| {
            let (point, p) = (numbers(point), matrix(p));
            let covariance = [p[(0, 0)], p[(0, 1)], p[(1, 1)]];
            CurveSample { coordinate: point[0], force: point[1], covariance }
        })
        .collect();
    let z: Vec<f64> = samples.iter().map(|sample| sample.coordinate).collect();
    let averaged = central_moving_average(&z, 5);
    for (found, expected) in averaged.iter().zip(numbers(&data["z_cma5"])) {
        assert!((found - expected).abs() < 1e-12);
    }
    for (smooth, points, covariances) in [(false, "smoothed", "P_smoothed"), (true, "rts_smoothed", "P_rts")] {
        let fit = fit_curve(&samples, &averaged, number(&data["e_inf"]), smooth).unwrap();
        let order: Vec<_> = numbers(&data["order"]).into_iter().map(|index| index as usize).collect();
        assert_eq!(fit.order, order);
        for (k, (point, p)) in list(&data[points]).iter().zip(list(&data[covariances])).enumerate() {
            let (point, p) = (numbers(point), matrix(p));
            assert!((0..2).all(|i| (fit.points[k][i] - point[i]).abs() < 1e-12), "{points} {k}");
            let expected = [p[(0, 0)], p[(0, 1)], p[(1, 1)]];
            assert!(
                (0..3).all(|i| (fit.covariances[k][i] - expected[i]).abs() < 1e-12 * p[(1, 1)]),
                "{covariances} {k}"
            );
        }
    }
}

#[test]
fn noise_is_found_beside_the_signal() {
    let mut normal = normal(4);
    let rows: Vec<f64> = (0..20_000)
        .flat_map(|i| {
            let (a, b) = (normal(), normal());
            let signal = (0.02 * f64::from(i)).sin();
            [signal + 0.1 * a, 3.0 * signal + 0.05 * a + 0.2 * b]
        })
        .collect();
    let found = estimate_noise(&rows, 2).unwrap();
    let exact = dmatrix![0.01, 0.005; 0.005, 0.0425];
    assert!((&found - &exact).amax() < 2e-3, "{found}");
    // Gaps do not spoil it.
    let mut gaps = rows;
    gaps.iter_mut().step_by(37).for_each(|value| *value = f64::NAN);
    assert!((estimate_noise(&gaps, 2).unwrap() - exact).amax() < 2e-3);
    assert!((lowest_stiffness(2.0, 0.158) - 0.05).abs() < 1e-3);
}

#[test]
fn estimates_restart_where_they_are_told() {
    let initial = Gaussian::new(dvector![1.0, 2.0], dmatrix![0.5, 0.1; 0.1, 0.3]).unwrap();
    let q = DMatrix::zeros(2, 2);
    for method in METHODS {
        let mut filter =
            KalmanFilter::new(body(dmatrix![1.0, 0.0]), method, 0.1, &initial, &q, &dmatrix![1.0]).unwrap();
        filter.step(&[], &[3.0]).unwrap();
        filter.restart(&initial).unwrap();
        let estimate = filter.estimate();
        assert_eq!(estimate.mean, initial.mean);
        assert!((estimate.covariance - &initial.covariance).amax() < 1e-15, "{method:?}");
    }
}
