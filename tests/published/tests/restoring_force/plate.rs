//! Three degrees of freedom (KE 3.3, 4.1, 4.2).

use costate::Simulation;
use costate::filter::{KalmanMethod, SigmaPoints};
use costate::restoring_force::{
    APriori, CurveSettings, Exponents, RestoringForceCurve, RestoringForceIdentification, RestoringForceModel, Sensor,
    TuningPlane, estimate_noise,
};
use costate::simulate::Scheme;
use costate::table::{Curve, Extension};
use costate_models::restoring_force::{END, INTERVAL, IdentifiedPlate, Motion, Plate, Sweep, inverse_inertia};
use nalgebra::DMatrix;

use crate::measure::{Errors, curve_error, deviation, record};

const SEEDS: std::ops::RangeInclusive<u64> = 1..=5;
const SWEEP: Sweep = Sweep { amplitude: 7.0, from: 500.0, to: 100.0 };

fn identification(inverse: DMatrix<f64>, unknown: &[(usize, usize)]) -> RestoringForceIdentification {
    let model = RestoringForceModel::new(inverse, (0..3).map(Sensor::acceleration).collect())
        .unwrap()
        .with_base(DMatrix::from_element(3, 1, -1.0))
        .unwrap()
        .with_scale(1e7)
        .unwrap()
        .with_unknown_inertia(unknown)
        .unwrap();
    let expected = vec![APriori { stiffness: 1.0, damping: 1e-4 }; 3];
    RestoringForceIdentification::new(model, INTERVAL, expected).unwrap().lowest_stiffness(&[0.01; 3]).unwrap()
}

/// Computes the error of all three accelerations.
fn response_error(elastic: [Curve; 3], dissipative: [Curve; 3], motion: &Motion) -> f64 {
    let plate = IdentifiedPlate::with_inverse_inertia(&inverse_inertia());
    let ([e_1, e_2, e_3], [d_1, d_2, d_3]) = (elastic, dissipative);
    let run = Simulation::new(&plate)
        .table(IdentifiedPlate::ELASTIC_1, e_1)
        .table(IdentifiedPlate::ELASTIC_2, e_2)
        .table(IdentifiedPlate::ELASTIC_3, e_3)
        .table(IdentifiedPlate::DISSIPATIVE_1, d_1)
        .table(IdentifiedPlate::DISSIPATIVE_2, d_2)
        .table(IdentifiedPlate::DISSIPATIVE_3, d_3)
        .input(IdentifiedPlate::BASE, |t: f64| SWEEP.at(t))
        .step(INTERVAL / 5.0)
        .until(END)
        .scheme(Scheme::Undamped)
        .run()
        .unwrap();
    let outputs = [IdentifiedPlate::ACCELERATION_1, IdentifiedPlate::ACCELERATION_2, IdentifiedPlate::ACCELERATION_3];
    let (mut squares, mut variances) = (0.0, 0.0);
    for (j, output) in outputs.into_iter().enumerate() {
        let found = run.output(output).into_iter().step_by(5);
        let truth: Vec<f64> = motion.accelerations.iter().skip(j).step_by(3).copied().collect();
        squares += found.zip(&truth).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / truth.len() as f64;
        variances += deviation(&truth).powi(2);
    }
    100.0 * (squares / variances).sqrt()
}

fn straight(slope: f64) -> Curve {
    Curve::new(vec![-1e-4, 1e-4], vec![-1e-4 * slope, 1e-4 * slope], Extension::Linear).unwrap()
}

#[test]
fn preload_of_three_springs() {
    let motion = Plate::published().motion(SWEEP).unwrap();
    let start = response_error([1e7; 3].map(straight), [1e3; 3].map(straight), &motion);
    assert!((start - 123.0).abs() < 3.0, "{start}");
    let lift = [1e-6, 1.5e-6, 2e-6];
    let (mut curves, mut responses) = (Vec::new(), Vec::new());
    for seed in SEEDS {
        let identification = identification(inverse_inertia(), &[]).exponents(Exponents::new(2.0, 1.0));
        let found = identification.run(&motion.base, &record(&motion, seed)).unwrap();
        assert_eq!(found.run().stopped(), None);
        let settings = CurveSettings::default();
        let elastic = [0, 1, 2].map(|j| found.elastic_curve(j, &settings).unwrap());
        let dissipative = [0, 1, 2].map(|j| found.dissipative_curve(j, &settings).unwrap());
        for j in 0..3 {
            let visited: Vec<f64> = motion.deformations.iter().skip(j).step_by(3).copied().collect();
            let truth = |z: f64| if z < lift[j] { 6e6 * z } else { 6e6 * lift[j] + 2e6 * (z - lift[j]) };
            curves.push(curve_error(&elastic[j], truth, &visited));
        }
        let tables = |curves: &[RestoringForceCurve; 3]| [0, 1, 2].map(|j| curves[j].table().unwrap());
        responses.push(response_error(tables(&elastic), tables(&dissipative), &motion));
        // One mode of translation, two of tilting (KE 5.2.3).
        let modes = found.modes(&elastic, &dissipative).unwrap();
        assert_eq!(modes.len(), 3);
        assert!(modes.iter().all(|mode| (160.0..230.0).contains(&mode.frequency)), "{modes:?}");
        assert!(modes[2].shape.iter().all(|part| part.re > 0.5), "{modes:?}");
        assert!(modes[0].shape.iter().any(|part| part.re < -0.1), "{modes:?}");
    }
    let (curves, responses) = (Errors::of(curves), Errors::of(responses));
    println!("plate: c_E {curves} response {responses}");
    curves.check(9.0, 11.0);
    responses.check(35.0, 42.0);
}

const UNKNOWN: [(usize, usize); 5] = [(0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

/// Number of runs of a filter over a record.
const RUNS: usize = 6;

/// Computes M^-1 after each run of a filter from the first guess of KE 4.1.
fn inverse_inertia_by(
    method: KalmanMethod,
    motion: &Motion,
    seed: u64,
    runs: usize,
    is_low: bool,
) -> Vec<DMatrix<f64>> {
    let mut start = DMatrix::from_diagonal_element(3, 3, 0.3);
    start[(0, 0)] = inverse_inertia()[(0, 0)];
    let mut identification = identification(start, &UNKNOWN)
        .method(method)
        .exponents(Exponents { stiffness: -4.0, damping: -6.0, inertia: -4.0 })
        .inertia_deviations(&[0.05, 0.05, 0.15, 0.05, 0.15])
        .unwrap();
    if is_low {
        // E(Z^2) and E(V^2) of KE (4.6) must describe the rest at the start: a hundredth of the later motion. With mean
        // squares of the whole record one of the five seeds ends at another solution.
        identification = identification.motion(&[(1e-18, 3e-12); 3]).unwrap();
    }
    identification.iterate_inertia(&motion.base, &record(motion, seed), runs).unwrap()
}

/// Computes the average error of the unknown entries in percent.
fn average_error(found: &DMatrix<f64>) -> f64 {
    let truth = inverse_inertia();
    100.0 * UNKNOWN.iter().map(|&at| (found[at] / truth[at] - 1.0).abs()).sum::<f64>() / 5.0
}

#[test]
fn inertia_by_global_iteration() {
    let low = Sweep { amplitude: 0.1, ..SWEEP };
    let motion = Plate::linear().motion(low).unwrap();
    let truth = inverse_inertia();
    let mut errors = Vec::new();
    for seed in SEEDS {
        let found = inverse_inertia_by(KalmanMethod::Extended, &motion, seed, 8, true);
        let error = |found: &DMatrix<f64>| 100.0 * (found - &truth).component_div(&truth).amax();
        assert!(error(&found[7]) < error(&found[0]));
        errors.push(error(&found[7]));
    }
    let errors = Errors::of(errors);
    println!("inverse inertia: {errors}");
    errors.check(2.0, 2.0);
}

#[test]
fn both_filters_find_the_inertia_at_low_excitation() {
    // "Excellent estimation accuracy [...] for both the EKF and the SR-UKF" (KE 4.1).
    let motion = Plate::linear().motion(Sweep { amplitude: 0.1, ..SWEEP }).unwrap();
    for method in [KalmanMethod::Extended, KalmanMethod::SquareRootUnscented(SigmaPoints::default())] {
        let errors: Vec<f64> = inverse_inertia_by(method, &motion, 1, RUNS, true).iter().map(average_error).collect();
        println!("{method:?}: {errors:.2?}");
        let last = errors[RUNS - 1];
        assert!(last < 1.0 && errors[0] > 5.0 * last, "{method:?}: {errors:?}");
    }
}

#[test]
fn inertia_stays_off_at_high_excitation() {
    // "The converged parameters show significant deviation from their true values. For this measurement case the SR-UKF
    // shows better average accuracy than the EKF" (KE 4.1).
    let motion = Plate::published().motion(SWEEP).unwrap();
    let (mut of_extended, mut of_unscented) = (Vec::new(), Vec::new());
    for seed in 1..=3 {
        let unscented = KalmanMethod::SquareRootUnscented(SigmaPoints::default());
        let last = |method| average_error(&inverse_inertia_by(method, &motion, seed, RUNS, false)[RUNS - 1]);
        of_extended.push(last(KalmanMethod::Extended));
        of_unscented.push(last(unscented));
    }
    let (extended, unscented) = (Errors::of(of_extended), Errors::of(of_unscented));
    println!("inverse inertia, high excitation: EKF {extended}, SR-UKF {unscented}");
    assert!(unscented.median > 10.0 && unscented.median < 40.0, "{unscented}");
    assert!(extended.median > 3.0 * unscented.median, "{extended} {unscented}");
}

#[test]
fn exponents_of_the_inertia_are_chosen_in_a_plane() {
    let motion = Plate::published().motion(SWEEP).unwrap();
    let identification =
        identification(inverse_inertia(), &UNKNOWN).inertia_deviations(&[0.05, 0.05, 0.15, 0.05, 0.15]).unwrap();
    let plane =
        TuningPlane { stiffness: vec![2.0], damping: vec![1.0], inertia: vec![-8.0, -4.0], ..TuningPlane::default() };
    let (found, trials) = plane.run(&identification, &motion.base, &record(&motion, 1)).unwrap();
    println!("{:?} of {trials:#?}", found.exponents());
    assert_eq!(trials.iter().map(|trial| trial.exponents.inertia).collect::<Vec<_>>(), [-8.0, -4.0]);
    // q_p has an effect, and the highest stable one is chosen.
    assert_ne!(trials[0].synchronisation_error, trials[1].synchronisation_error);
    let most = trials[0].good_part.max(trials[1].good_part);
    let highest = if trials[1].good_part >= 0.9 * most { -4.0 } else { -8.0 };
    assert_eq!(found.exponents().inertia, highest);
}

#[test]
fn initial_state_by_the_iterated_smoother() {
    // The beginning of the record is enough, where the plate vibrates at 500 Hz with very small displacements.
    let samples = 600;
    let motion = Plate::published().steady_motion(SWEEP).unwrap();
    let truth = &motion.rates[..3];
    assert!(truth.iter().all(|v| (v / 3.19e-3 - 1.0).abs() < 0.01), "{truth:?}");
    let length = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    let (mut first, mut errors) = (Vec::new(), Vec::new());
    for seed in SEEDS {
        let y = record(&motion, seed);
        let identification = identification(inverse_inertia(), &[])
            .exponents(Exponents::new(-2.0, -4.0))
            .measurement_noise(estimate_noise(&y, 3).unwrap());
        let (u, y) = (&motion.base[..samples], &y[..3 * samples]);
        let found = identification.iterate_initial_state(u, y, 8).unwrap();
        let error = |mean: &[f64]| {
            let difference: Vec<f64> = (0..3).map(|j| mean[3 + j] - truth[j]).collect();
            100.0 * length(&difference) / length(truth)
        };
        first.push(error(found[0].mean.as_slice()));
        errors.push(error(found[7].mean.as_slice()));
    }
    let (first, errors) = (Errors::of(first), Errors::of(errors));
    println!("initial velocities: {first} after one run, {errors} after eight");
    errors.check(5.0, 5.0);
    assert!(first.median > 2.0 * errors.median);
}
