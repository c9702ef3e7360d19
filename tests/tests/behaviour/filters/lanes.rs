//! Comparison of sigma points and particles in SIMD lanes with points evaluated one by one.

use costate::Simulation;
use costate::filter::{
    Filter, Gaussian, ImplicitModel, KalmanFilter, KalmanMethod, ParticleFilter, RungeKutta, RungeKuttaModel, Sample,
    SigmaPoints, StateSpace, Step, Storage, run,
};
use costate::simulate::Scheme;
use costate_tests::one_by_one::OneByOne;

use super::compiled::{Pendulum, TwoMasses, drive};
use super::constrained::{Crane, covariance, crane, record};

costate::model! {
    #[interpreted]
    /// A pendulum by its angle: lanes round a sine in another way than the standard library.
    pub Swing {
        parameters { l: m = 0.7, d: 1/s = 0.1, g: m/s^2 = 9.81 }
        inputs { push: 1/s^2 }
        coordinates { phi: rad }
        mass { phi: 1 }
        forces { phi: push*1[rad] - g/l*sin(phi)*1[rad] - d*dot(phi) }
        initial { phi = 0.5[rad] }
        outputs { tension: m/s^2 = l*(dot(phi)/1[rad])^2 + g*cos(phi) }
    }
}

/// Returns `count` states around `x`, each entry moved by a part of `deviations`.
fn around(x: &[f64], deviations: &[f64], count: usize) -> Vec<f64> {
    let moved = |i: usize| {
        let entries = x.iter().zip(deviations).enumerate();
        entries.map(move |(j, (x, d))| x + d * ((3 * i + 5 * j) as f64).sin())
    };
    (0..count).flat_map(moved).collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

const STEP: Step<'_> = Step { time: 0.3, interval: 4e-3, inputs_before: &[5.0], inputs: &[-3.0] };
const SAMPLE: Sample<'_> = Sample { time: 0.304, inputs: &[-3.0] };

/// Applies the constraints to states, advances them and measures the results; returns all three.
fn all<P: StateSpace>(process: &mut P, before: &[f64], x: &[f64]) -> [Vec<f64>; 3] {
    let count = x.len() / process.states();
    let (mut admitted, mut next) = (x.to_vec(), vec![0.0; x.len()]);
    process.admit_each(&SAMPLE, before, &mut admitted);
    process.advance_each(&STEP, &admitted, &mut next).unwrap();
    let mut y = vec![0.0; count * process.measurements()];
    process.measure_each(&SAMPLE, &next, &mut y);
    [admitted, next, y]
}

/// Checks groups of four points, and the remaining ones, for the same bits as single points.
fn same_bits<P: StateSpace>(mut process: impl FnMut() -> P, x: &[f64], deviations: &[f64]) {
    for count in [1, 2, 3, 4, 5, 11] {
        let mut points = around(x, deviations, count);
        // a point that equals the previous one must stay unchanged
        if count == 11 {
            points[6 * x.len()..7 * x.len()].copy_from_slice(x);
        }
        let found = all(&mut process(), x, &points);
        let expected = all(&mut OneByOne(process()), x, &points);
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(bits(found), bits(expected), "{count} points");
        }
    }
}

#[test]
fn steps_without_constraints_are_those_of_each_point_by_itself() {
    let model = TwoMasses::default();
    let problem = Simulation::new(&model).input(TwoMasses::DRIVE, drive).step(1e-3).until(0.1).problem().unwrap();
    for formula in [RungeKutta::Third, RungeKutta::Fourth] {
        let process = || RungeKuttaModel::new(&problem, &model).unwrap().formula(formula);
        same_bits(process, &[0.02, -0.03, 0.4, 0.3], &[0.01, 0.01, 0.2, 0.2]);
        let process = || process().estimate([TwoMasses::C_3, TwoMasses::M, TwoMasses::K]);
        let deviations = [0.01, 0.01, 0.2, 0.2, 1e4, 0.5, 0.1];
        same_bits(process, &[0.02, -0.03, 0.4, 0.3, 3e4, 2.0, 0.4], &deviations);
        let process = || process().outputs([TwoMasses::LOAD]);
        same_bits(process, &[0.02, -0.03, 0.4, 0.3, 3e4, 2.0, 0.4], &deviations);
    }
}

#[test]
fn steps_with_constraints_are_those_of_each_point_by_itself() {
    for scheme in [Scheme::Undamped, Scheme::Hht { alpha: -0.05 }, Scheme::default()] {
        let model = Pendulum::default();
        let simulation = Simulation::new(&model).input(Pendulum::WIND, drive).step(4e-3).until(0.4);
        let problem = simulation.scheme(scheme).problem().unwrap();
        let process = || ImplicitModel::new(&problem, &model).estimate([Pendulum::D, Pendulum::L]);
        let x = process().initial_by_parameters(&[0.0, 0.0]).unwrap().mean;
        let mut deviations = vec![0.02, 0.02, 0.3, 0.3, 1.0, 1.0, 1.0, 0.1, 0.05];
        // deviations of the auxiliary accelerations
        (deviations.len()..x.len()).for_each(|_| deviations.insert(7, 1.0));
        same_bits(process, x.as_slice(), &deviations);
    }
    let model = Crane::default();
    let problem = crane(&model);
    let process = || ImplicitModel::new(&problem, &model).outputs([Crane::PULL]);
    let x = process().initial_by_parameters(&[]).unwrap().mean;
    same_bits(process, x.as_slice(), &[0.01, 0.02, 0.02, 0.3, 0.3, 0.3, 1.0, 1.0, 1.0, 1.0]);
}

/// Checks that the place of a point among the others changes nothing where functions are rounded differently in lanes.
#[test]
fn points_do_not_depend_on_those_beside_them() {
    let model = Swing::default();
    let problem =
        Simulation::new(&model).input(Swing::PUSH, drive).step(1e-3).until(0.1).alpha(-0.1).problem().unwrap();
    let points = around(&[0.5, 0.2, 0.1], &[0.3, 0.4, 0.05], 12);
    let process = || RungeKuttaModel::new(&problem, &model).unwrap().estimate([Swing::D]);
    let [_, next, y] = all(&mut process(), &[0.0; 3], &points);
    let [_, single_next, single_y] = all(&mut OneByOne(process()), &[0.0; 3], &points);
    for (found, expected) in next.iter().chain(&y).zip(single_next.iter().chain(&single_y)) {
        assert!((found - expected).abs() <= 1e-14 * expected.abs().max(1.0), "{found} {expected}");
    }
    let backward: Vec<f64> = points.rchunks(3).flatten().copied().collect();
    let [_, other_next, other_y] = all(&mut process(), &[0.0; 3], &backward);
    assert_eq!(bits(&next), bits(&other_next.rchunks(3).flatten().copied().collect::<Vec<_>>()));
    assert_eq!(bits(&y), bits(&other_y.into_iter().rev().collect::<Vec<_>>()));
}

/// Checks that a point that cannot be advanced gives the error of its own step, and that the points before it
/// have been advanced.
fn fails_alone<P: StateSpace>(mut process: impl FnMut() -> P, x: &[f64], deviations: &[f64], wrong: (usize, f64)) {
    let n = x.len();
    let mut points = around(x, deviations, 7);
    points[5 * n + wrong.0] = wrong.1;
    let (mut next, mut expected) = (vec![0.0; points.len()], vec![0.0; points.len()]);
    let error = process().advance_each(&STEP, &points, &mut next).unwrap_err();
    let alone = OneByOne(process()).advance_each(&STEP, &points, &mut expected).unwrap_err();
    assert_eq!(error.to_string(), alone.to_string());
    assert_eq!(bits(&next[..5 * n]), bits(&expected[..5 * n]));
}

#[test]
fn failures_stay_in_their_lane() {
    let model = TwoMasses::default();
    let problem = Simulation::new(&model).input(TwoMasses::DRIVE, drive).step(1e-3).until(0.1).problem().unwrap();
    // a mass of zero
    let process = || RungeKuttaModel::new(&problem, &model).unwrap().estimate([TwoMasses::M]);
    fails_alone(process, &[0.02, -0.03, 0.4, 0.3, 2.0], &[0.01, 0.01, 0.2, 0.2, 0.1], (4, 0.0));
    let model = Pendulum::default();
    let problem =
        Simulation::new(&model).input(Pendulum::WIND, drive).step(4e-3).until(0.4).alpha(-0.1).problem().unwrap();
    let process = || ImplicitModel::new(&problem, &model).estimate([Pendulum::L]);
    let x = process().initial_by_parameters(&[0.0]).unwrap().mean;
    let deviations = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.001];
    for wrong in [(7, f64::NAN), (0, f64::INFINITY), (7, 1e30)] {
        fails_alone(process, x.as_slice(), &deviations, wrong);
    }
}

const POINTS: SigmaPoints = SigmaPoints { alpha: 1.0, beta: 2.0, kappa: 0.0 };

fn estimates<F: Filter>(mut filter: F, inputs: &[f64], y: &[f64]) -> Vec<u64> {
    let result = run(&mut filter, inputs, y, Storage::Covariances).unwrap();
    assert_eq!(result.stopped(), None);
    (0..result.samples()).flat_map(|i| bits(result.mean(i))).collect()
}

fn same_estimates<P: StateSpace>(
    mut process: impl FnMut() -> P,
    interval: f64,
    initial: &Gaussian,
    (inputs, y): (&[f64], &[f64]),
) {
    let (n, signals) = (process().states(), process().measurements());
    let (q, r) = (&initial.covariance * 1e-3, covariance(&vec![0.05; signals]));
    assert_eq!(q.nrows(), n);
    for method in [KalmanMethod::Unscented(POINTS), KalmanMethod::SquareRootUnscented(POINTS)] {
        let found = KalmanFilter::new(process(), method, interval, initial, &q, &r).unwrap();
        let expected = KalmanFilter::new(OneByOne(process()), method, interval, initial, &q, &r).unwrap();
        assert_eq!(estimates(found, inputs, y), estimates(expected, inputs, y), "{method:?}");
    }
    let found = ParticleFilter::new(process(), 50, interval, initial, &q, &r, 3).unwrap();
    let expected = ParticleFilter::new(OneByOne(process()), 50, interval, initial, &q, &r, 3).unwrap();
    assert_eq!(estimates(found, inputs, y), estimates(expected, inputs, y));
}

#[test]
fn filters_find_the_same() {
    let model = TwoMasses::default();
    let problem =
        Simulation::new(&model).input(TwoMasses::DRIVE, drive).step(5e-3).until(1.0).alpha(-0.1).problem().unwrap();
    let process = || RungeKuttaModel::new(&problem, &model).unwrap().estimate([TwoMasses::M]);
    let initial = Gaussian::independent(&process().initial_mean().unwrap(), &[1e-3, 1e-3, 0.01, 0.01, 0.05]).unwrap();
    let y = record(&problem, &model, &[0.05, 0.05], 4);
    same_estimates(process, 5e-3, &initial, (&process().input_rows(), &y));
    let model = Crane::default();
    let problem = crane(&model);
    let process = || ImplicitModel::new(&problem, &model).estimate([Crane::LOAD]);
    let initial = process().initial(&[(Crane::X, 0.02)], &[(Crane::TROLLEY, 0.05)], &[0.2]).unwrap();
    let y = record(&problem, &model, &[0.05, 0.05], 4);
    let (inputs, samples) = (process().input_rows(), 300);
    same_estimates(process, 4e-3, &initial, (&inputs[..samples], &y[..2 * samples]));
    let problem = problem.with_scheme(Scheme::default()).unwrap();
    let process = || ImplicitModel::new(&problem, &model).estimate([Crane::LOAD]);
    let initial = process().initial(&[(Crane::X, 0.02)], &[(Crane::TROLLEY, 0.05)], &[0.2]).unwrap();
    same_estimates(process, 4e-3, &initial, (&inputs[..samples], &y[..2 * samples]));
}
