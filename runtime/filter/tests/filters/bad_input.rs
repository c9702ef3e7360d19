//! Tests that filters and identification refuse unusable data, with the field, the value and the limit.

use costate_filter::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceError, RestoringForceIdentification, RestoringForceModel, Sensor,
    SurfaceSettings, TuningPlane, TuningSearch, Warning, estimate_noise, fit_surface,
};
use costate_filter::{
    Bounds, CovarianceFault, DivergenceReason, FilterError, Gaussian, KalmanFilter, KalmanMethod, LinearSystem,
    ParticleFilter, SigmaPoints, Storage, run, smooth,
};
use nalgebra::DMatrix;

fn system() -> LinearSystem {
    LinearSystem::new(dmatrix![1.0, 0.1; 0.0, 1.0], dmatrix![1.0, 0.0]).unwrap()
}

fn initial() -> Gaussian {
    Gaussian::independent(&[0.0, 0.0], &[1.0, 1.0]).unwrap()
}

fn with(q: &DMatrix<f64>, r: &DMatrix<f64>) -> Result<KalmanFilter<LinearSystem>, FilterError> {
    KalmanFilter::new(system(), KalmanMethod::Extended, 0.1, &initial(), q, r)
}

fn text(error: impl std::fmt::Display, parts: &[&str]) {
    let text = error.to_string();
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
}

#[test]
fn covariances() {
    let (q, r) = (DMatrix::zeros(2, 2), dmatrix![1.0]);
    let zero = with(&q, &dmatrix![0.0]).unwrap_err();
    assert!(matches!(
        &zero,
        FilterError::Covariance { field: "measurement_noise", fault: CovarianceFault::Variance { row: 0, .. } }
    ));
    text(zero, &["measurement_noise", "variance 0", "positive"]);
    text(with(&dmatrix![1.0, 0.5; 0.1, 1.0], &r).unwrap_err(), &["process_noise", "not symmetric", "0.1", "0.5"]);
    text(with(&dmatrix![1.0, 2.0; 2.0, 1.0], &r).unwrap_err(), &["process_noise", "semidefinite", "row 1"]);
    text(with(&dmatrix![1.0], &r).unwrap_err(), &["process_noise", "1 rows", "must have 2"]);
    text(with(&dmatrix![f64::NAN, 0.0; 0.0, 1.0], &r).unwrap_err(), &["process_noise", "NaN", "finite"]);
    text(with(&q, &dmatrix![-1.0]).unwrap_err(), &["measurement_noise", "-1"]);
    let singular = dmatrix![1.0, 1.0; 1.0, 1.0];
    let two = LinearSystem::new(DMatrix::identity(2, 2), DMatrix::identity(2, 2)).unwrap();
    let refused = KalmanFilter::new(two.clone(), KalmanMethod::Extended, 0.1, &initial(), &q, &singular).unwrap_err();
    text(refused, &["measurement_noise", "not positive definite", "row 1"]);
    let wrong = Gaussian::new(dvector![0.0, 0.0], dmatrix![1.0, 3.0; 3.0, 1.0]).unwrap_err();
    text(wrong, &["covariance", "row 1"]);
    assert!(ParticleFilter::new(two, 10, 0.1, &initial(), &q, &singular, 1).is_err());
}

#[test]
fn sizes_ranges_and_values() {
    let (q, r) = (DMatrix::zeros(2, 2), dmatrix![1.0]);
    let mut filter = with(&q, &r).unwrap();
    text(filter.step(&[], &[1.0, 2.0]).unwrap_err(), &["measurements", "2 entries", "must have 1"]);
    text(filter.step(&[1.0], &[1.0]).unwrap_err(), &["inputs", "1 entries", "must have 0"]);
    text(filter.step(&[], &[f64::INFINITY]).unwrap_err(), &["measurements", "inf", "finite"]);
    for interval in [0.0, f64::NAN] {
        let refused = KalmanFilter::new(system(), KalmanMethod::Extended, interval, &initial(), &q, &r).unwrap_err();
        text(refused, &["interval", "positive"]);
    }
    let points = SigmaPoints { alpha: 2.0, ..SigmaPoints::default() };
    let refused = KalmanFilter::new(system(), KalmanMethod::Unscented(points), 0.1, &initial(), &q, &r).unwrap_err();
    text(refused, &["alpha", "2", "between 1e-4 and 1"]);
    text(Bounds::new(vec![1.0], vec![0.0]).unwrap_err(), &["x[1]", "1 and 0"]);
    text(LinearSystem::new(DMatrix::zeros(2, 3), DMatrix::zeros(1, 2)).unwrap_err(), &["transition", "3", "2"]);
    let kept = run(&mut with(&q, &r).unwrap(), &[], &[0.0; 5], Storage::Covariances).unwrap();
    text(smooth(&kept).unwrap_err(), &["Storage::Gains"]);
    let mut particles = ParticleFilter::new(system(), 10, 0.1, &initial(), &q, &r, 1).unwrap();
    for keep in [Storage::Gains, Storage::Means, Storage::Covariances] {
        let kept = run(&mut particles, &[], &[0.0; 5], keep).unwrap();
        assert_eq!(kept.covariance(4).is_some(), keep != Storage::Means);
        assert_eq!(smooth(&kept).err(), (keep != Storage::Gains).then_some(FilterError::NothingKept));
    }
    let none = LinearSystem::new(DMatrix::zeros(0, 0), DMatrix::zeros(1, 0)).unwrap();
    let start = Gaussian { mean: DMatrix::zeros(0, 1).column(0).into_owned(), covariance: DMatrix::zeros(0, 0) };
    let refused = ParticleFilter::new(none, 10, 0.1, &start, &DMatrix::zeros(0, 0), &r, 1).unwrap_err();
    text(refused, &["states", "0", "1 or more"]);
    assert!(run(&mut with(&q, &r).unwrap(), &[], &[], Storage::Means).is_err());
}

#[test]
fn a_filter_that_diverges_keeps_what_it_found() {
    // The state grows beyond the largest number.
    let unstable = LinearSystem::new(dmatrix![1e60], dmatrix![0.0]).unwrap();
    let initial = Gaussian::independent(&[1.0], &[1.0]).unwrap();
    let (q, r) = (dmatrix![0.0], dmatrix![1.0]);
    let mut filter = KalmanFilter::new(unstable, KalmanMethod::Extended, 0.5, &initial, &q, &r).unwrap();
    let result = run(&mut filter, &[], &[0.0; 20], Storage::Covariances).unwrap();
    let stopped = result.stopped().unwrap();
    assert!(matches!(stopped.reason, DivergenceReason::NotFinite { state: 0, .. }), "{stopped:?}");
    assert_eq!(stopped.sample, result.samples());
    assert_eq!(stopped.time, 0.5 * stopped.sample as f64);
    assert!(result.samples() > 2 && result.mean(result.samples() - 1)[0].is_finite());
    text(stopped, &["sample", "state 0"]);
}

fn model() -> RestoringForceModel {
    RestoringForceModel::on_moving_base(4.0).unwrap().with_scale(5e6).unwrap()
}

fn identification() -> RestoringForceIdentification {
    RestoringForceIdentification::new(model(), 1e-4, vec![APriori { stiffness: 2.0, damping: 4e-4 }]).unwrap()
}

/// A sampled oscillation at `rate` samples per period, with a little noise.
fn signals(samples: usize, rate: f64) -> (Vec<f64>, Vec<f64>) {
    let phase = |i: usize| 2.0 * std::f64::consts::PI * i as f64 / rate;
    let noise = |i: usize| 0.02 * ((i * i * 7919 % 1000) as f64 / 500.0 - 1.0);
    let u = (0..samples).map(|i| phase(i).sin()).collect();
    (u, (0..samples).map(|i| -phase(i).sin() + noise(i)).collect())
}

#[test]
fn sensors_that_leave_states_unobserved_are_refused() {
    let inverse = DMatrix::from_diagonal_element(3, 3, 0.4);
    let refused = RestoringForceModel::new(inverse.clone(), vec![Sensor::acceleration(0), Sensor::velocity(0)]);
    let refused = refused.unwrap_err();
    assert!(matches!(&refused, RestoringForceError::Unobservable { states, .. } if states.len() == 8));
    text(refused, &["s[2]", "d[3]", "element 2", "element 3"]);
    text(RestoringForceModel::new(inverse, vec![Sensor::acceleration(3)]).unwrap_err(), &["element of a sensor", "3"]);
    text(RestoringForceModel::on_moving_base(-1.0).unwrap_err(), &["mass", "-1", "positive"]);
    text(model().with_scale(0.0).unwrap_err(), &["scale", "0"]);
    text(model().with_unknown_inertia(&[(0, 1)]).unwrap_err(), &["inverse inertia", "1"]);
}

#[test]
fn records_are_checked() {
    let (mut u, mut y) = signals(3000, 60.0);
    u[7] = f64::NAN;
    text(identification().run(&u, &y).unwrap_err(), &["input 1", "sample 7", "NaN", "interpolate"]);
    u[7] = 0.0;
    y[9] = f64::NEG_INFINITY;
    text(identification().run(&u, &y).unwrap_err(), &["measurement 1", "sample 9", "-inf"]);
    y[9] = f64::NAN;
    assert_eq!(identification().run(&u, &y).unwrap().run().samples(), 3000);
    text(identification().run(&u[..10], &y).unwrap_err(), &["inputs", "10", "3000"]);
    text(estimate_noise(&[1.0; 50], 1).unwrap_err(), &["variance", "0", "positive"]);
    text(estimate_noise(&[1.0; 5], 1).unwrap_err(), &["3 samples", "10"]);
}

#[test]
fn settings_are_checked() {
    let of =
        |stiffness, damping| RestoringForceIdentification::new(model(), 1e-4, vec![APriori { stiffness, damping }]);
    text(of(0.0, 1.0).unwrap_err(), &["expected stiffness", "0", "positive"]);
    text(of(1.0, 0.0).unwrap_err(), &["expected damping", "0"]);
    text(identification().lowest_stiffness(&[]).unwrap_err(), &["lowest_stiffness", "0", "1"]);
    text(identification().motion(&[(0.0, 1.0)]).unwrap_err(), &["motion", "0", "certain"]);
    let (u, y) = signals(3000, 60.0);
    let found = identification().run(&u, &y).unwrap();
    text(found.elastic_curve(1, &CurveSettings::default()).unwrap_err(), &["element", "1"]);
    let wrong = SurfaceSettings { cells: 2, ..SurfaceSettings::default() };
    text(fit_surface(&[], &[], &wrong).unwrap_err(), &["cells", "2", "4 or more"]);
    text(fit_surface(&[], &[], &SurfaceSettings::default()).unwrap_err(), &["0 samples", "surface"]);
    let search = TuningSearch { step: 0.0, ..TuningSearch::default() };
    text(search.run(&identification(), &u, &y).unwrap_err(), &["step of the search", "0"]);
    let of = |plane: TuningPlane| plane.run(&identification(), &u, &y).unwrap_err();
    text(of(TuningPlane { damping: Vec::new(), ..TuningPlane::default() }), &["values of q_d", "one at least"]);
    text(of(TuningPlane { inertia: vec![f64::NAN], ..TuningPlane::default() }), &["values of q_p", "finite"]);
    text(of(TuningPlane { loss: 1.0, ..TuningPlane::default() }), &["loss", "1", "below 1"]);
}

#[test]
fn slow_sampling_is_noticed() {
    for (rate, slow) in [(60.0, false), (12.0, true)] {
        let (u, y) = signals(4000, rate);
        let found = identification().exponents(Exponents::new(0.0, 0.0)).run(&u, &y).unwrap();
        match found.warnings() {
            [] => assert!(!slow),
            [Warning::SlowSampling { samples_per_period, .. }] => {
                assert!(slow && (samples_per_period / rate - 1.0).abs() < 0.1, "{samples_per_period}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_filter_that_loses_the_record_is_stopped() {
    // The mass is far too large or small, and the process noise is nearly unlimited.
    let (u, y) = signals(20_000, 40.0);
    let y: Vec<f64> = y.iter().enumerate().map(|(i, y)| y * if i < 5000 { 1.0 } else { 1e-3 }).collect();
    let wild = identification().exponents(Exponents::new(9.0, 12.0)).lowest_stiffness(&[f64::NEG_INFINITY]).unwrap();
    let found = wild.run(&u, &y).unwrap();
    // The signals vanish, the errors do not: a window later, the errors are larger than the remaining signals.
    let stopped = found.run().stopped().unwrap();
    let DivergenceReason::PredictionError { error, limit, window } = stopped.reason else { panic!("{stopped}") };
    assert!(error > limit && (5000..5000 + window).contains(&stopped.sample), "{stopped}");
    // The estimates until then are kept.
    assert_eq!(stopped.sample + 1, found.run().samples());
    assert_eq!(found.convergence().prediction_errors.len(), found.run().samples());
    let mut seen = 0;
    let stopped = identification().run_watched(&u, &y, |_| {
        seen += 1;
        seen < 100
    });
    let stopped = stopped.unwrap();
    assert!(matches!(stopped.run().stopped().map(|stop| &stop.reason), Some(DivergenceReason::Interrupted)));
    assert_eq!(stopped.run().samples(), 101);
}
