//! Filters and smoothers on models with constraints: parameters are tracked, and every estimate stays on the
//! constraints.

use costate::filter::{
    ImplicitModel, KalmanFilter, KalmanMethod, ParticleFilter, SigmaPoints, StateSpace, Storage, run, smooth,
};
use costate::{Model, Simulation};
use costate_tests::noise::normal;
use nalgebra::{DMatrix, DVector};

use super::compiled::{Pendulum, drive};

costate::model! {
    #[interpreted]
    /// A load on a rope below a trolley, which a force moves.
    pub Crane {
        parameters { m: kg = 4, load: kg = 1.5, l: m = 0.8, d: N*s/m = 3, g: m/s^2 = 9.81 }
        inputs { drive: N }
        coordinates { trolley: m, x: m, y: m }
        mass { trolley: m, x: load, y: load }
        forces { trolley: drive - d*dot(trolley), y: -load*g }
        constraints { rope: ((x - trolley)^2 + y^2 - l^2)/1[m] }
        initial { trolley = 0[m], dot(trolley) = 0[m/s], x = l*sin(0.4), y = -l*cos(0.4) }
        outputs { acceleration: m/s^2 = ddot(trolley), pull: N = multiplier(rope) }
    }
}

const POINTS: SigmaPoints = SigmaPoints { alpha: 1.0, beta: 2.0, kappa: 0.0 };
pub const METHODS: [KalmanMethod; 3] =
    [KalmanMethod::Extended, KalmanMethod::SquareRootUnscented(POINTS), KalmanMethod::Unscented(POINTS)];

/// The outputs of a simulation with noise, one row per sample.
pub fn record<M: Model>(problem: &costate::simulate::Problem, model: &M, deviations: &[f64], seed: u64) -> Vec<f64> {
    let outputs = problem.outputs(model.parameters().as_ref()).unwrap();
    let mut noise = normal(seed);
    (0..outputs.samples())
        .flat_map(|i| {
            let row: Vec<f64> = outputs.row(i).iter().zip(deviations).map(|(y, d)| y + d * noise()).collect();
            row
        })
        .collect()
}

pub fn covariance(deviations: &[f64]) -> DMatrix<f64> {
    DMatrix::from_diagonal(&DVector::from_iterator(deviations.len(), deviations.iter().map(|d| d * d)))
}

pub fn crane(model: &Crane) -> costate::simulate::Problem {
    Simulation::new(model).input(Crane::DRIVE, drive).step(4e-3).until(8.0).alpha(-0.05).problem().unwrap()
}

/// The crane's rope: its length, and whether it keeps it.
pub fn rope(x: &[f64], l: f64) -> [f64; 2] {
    let across = x[1] - x[0];
    [across.hypot(x[2]) - l, (across * (x[4] - x[3]) + x[2] * x[5]) / l]
}

#[test]
fn parameters_of_a_model_with_constraints_are_tracked() {
    let truth = Pendulum::default();
    let simulation = |model: &Pendulum| {
        Simulation::new(model).input(Pendulum::WIND, drive).step(5e-3).until(6.0).alpha(-0.05).problem().unwrap()
    };
    let deviations = [0.5, 0.002];
    let y: Vec<f64> =
        record(&simulation(&truth), &truth, &[0.5, 0.002, 1.0], 3).chunks(3).flat_map(|row| [row[0], row[1]]).collect();
    let guess = Pendulum { d: 0.8, m: 1.7, ..truth };
    let problem = simulation(&guess);
    for method in METHODS {
        let process = ImplicitModel::new(&problem, &guess)
            .estimate([Pendulum::D, Pendulum::M])
            .outputs([Pendulum::TENSION, Pendulum::POSITION]);
        let inputs = process.input_rows();
        let initial = process.initial(&[(Pendulum::X, 0.02)], &[(Pendulum::X, 0.1)], &[0.5, 0.5]).unwrap();
        let r = covariance(&deviations);
        let q = DMatrix::zeros(9, 9);
        let mut filter = KalmanFilter::new(process, method, 5e-3, &initial, &q, &r).unwrap();
        let result = run(&mut filter, &inputs, &y, Storage::Gains).unwrap();
        assert_eq!(result.stopped(), None, "{method:?}");
        let last = result.samples() - 1;
        for (place, value) in [(7, truth.d), (8, truth.m)] {
            let (found, deviation) =
                (result.mean(last)[place], result.covariance_entry(last, place, place).unwrap().sqrt());
            assert!(
                (found - value).abs() < 4.0 * deviation && deviation < 0.05 * value,
                "{method:?} {found} {deviation}"
            );
        }
        // On the constraint, as every estimate; and the smoother knows the parameters from the start on.
        let x = result.mean(last);
        assert!((x[0] * x[0] + x[1] * x[1] - 0.25).abs() < 1e-8, "{method:?}");
        let smoothed = smooth(&result).unwrap();
        assert!((smoothed.mean(0)[8] - result.mean(last)[8]).abs() < 1e-3, "{method:?} {}", smoothed.mean(0)[8]);
    }
}

#[test]
fn load_of_a_crane_by_the_acceleration_of_its_trolley() {
    let truth = Crane::default();
    let deviations = [0.05, 0.5];
    let y = record(&crane(&truth), &truth, &deviations, 1);
    // Some samples are missing.
    let gaps: Vec<f64> =
        y.iter().step_by(2).enumerate().map(|(i, y)| if i % 11 == 4 { f64::NAN } else { *y }).collect();
    // Steps of index 3 satisfy the constraints at the level of velocity to second order in h; estimates no worse.
    let simulated = crane(&truth).forward(&truth.parameters()).unwrap();
    let slack = (0..=simulated.steps())
        .map(|i| {
            let x: Vec<f64> = [simulated.coordinates(i), simulated.velocities(i)].concat();
            rope(&x, truth.l)[1].abs()
        })
        .fold(0.0, f64::max);
    let guess = Crane { load: 1.0, d: 5.0, ..truth };
    let problem = crane(&guess);
    for (method, noisy) in METHODS.into_iter().flat_map(|method| [(method, false), (method, true)]) {
        let process =
            ImplicitModel::new(&problem, &guess).estimate([Crane::LOAD, Crane::D]).outputs([Crane::ACCELERATION]);
        let inputs = process.input_rows();
        let places = [process.place(Crane::LOAD).unwrap(), process.place(Crane::D).unwrap()];
        let initial = process.initial(&[(Crane::X, 0.05)], &[(Crane::X, 0.1)], &[0.5, 2.0]).unwrap();
        let mut q = DMatrix::zeros(12, 12);
        if noisy {
            // On velocities that the rope couples.
            (3..6).for_each(|k| q[(k, k)] = 1e-10);
        }
        let r = covariance(&deviations[..1]);
        let mut filter = KalmanFilter::new(process, method, 4e-3, &initial, &q, &r).unwrap();
        let result = run(&mut filter, &inputs, &gaps, Storage::Gains).unwrap();
        assert_eq!(result.stopped(), None, "{method:?} {noisy}");
        let last = result.samples() - 1;
        for (place, value) in places.into_iter().zip([truth.load, truth.d]) {
            let deviation = result.covariance_entry(last, place, place).unwrap().sqrt();
            let found = result.mean(last)[place];
            assert!(
                (found - value).abs() < 4.0 * deviation && deviation < 0.02 * value,
                "{method:?} {noisy}: {found} +- {deviation}"
            );
        }
        for i in 0..result.samples() {
            let [position, velocity] = rope(result.mean(i), truth.l);
            assert!(
                position.abs() < 1e-10 && velocity.abs() < 1.5 * slack,
                "{method:?} {i} {position} {velocity} of {slack}"
            );
        }
        let smoothed = smooth(&result).unwrap();
        for (place, value) in places.into_iter().zip([truth.load, truth.d]) {
            let deviation = smoothed.covariance(1)[(place, place)].sqrt();
            let found = smoothed.mean(1)[place];
            assert!((found - value).abs() < 4.0 * deviation, "{method:?} {noisy}: {found} +- {deviation}");
        }
    }
}

#[test]
fn particles_stay_on_the_constraints() {
    let truth = Crane::default();
    let problem = crane(&truth);
    let y = record(&problem, &truth, &[0.05, 0.5], 2);
    let process = ImplicitModel::new(&problem, &truth).estimate([Crane::LOAD]);
    let inputs = process.input_rows();
    let initial = process.initial(&[(Crane::X, 0.05)], &[(Crane::X, 0.1)], &[0.3]).unwrap();
    let (states, r) = (process.states(), covariance(&[0.05, 0.5]));
    let mut q = DMatrix::zeros(states, states);
    (3..6).for_each(|k| q[(k, k)] = 1e-6);
    q[(10, 10)] = 1e-6;
    let mut filter = ParticleFilter::new(process, 200, 4e-3, &initial, &q, &r, 4).unwrap();
    filter.start(&inputs[..1]).unwrap();
    for i in 1..100 {
        filter.step(&inputs[i..=i], &y[2 * i..2 * i + 2]).unwrap();
    }
    for particle in filter.particles().0.chunks(states) {
        let [position, velocity] = rope(particle, truth.l);
        assert!(position.abs() < 1e-10 && velocity.abs() < 2e-3, "{position} {velocity}");
    }
    assert!((filter.mean()[10] - truth.load).abs() < 0.1, "{}", filter.mean()[10]);
}

#[test]
fn initial_covariances_lie_in_the_constraints() {
    let (model, d) = (Crane::default(), 0.05);
    let process = ImplicitModel::new(&crane(&model), &model).estimate([Crane::L]);
    let p = process.initial(&[(Crane::X, d)], &[], &[0.0]).unwrap().covariance;
    // The direction from which the length of the rope follows has no variance.
    let (sine, cosine) = (0.4_f64.sin(), 0.4_f64.cos());
    let along = DVector::from_fn(p.nrows(), |k, _| [-sine, sine, -cosine].get(k).copied().unwrap_or(0.0));
    assert!((&p * along).amax() < 1e-12 * p.amax() && p[(1, 1)] > 0.1 * d * d, "{p}");
    // With a known state, the length moves the load down the rope and changes its accelerations.
    let p = process.initial_by_parameters(&[d]).unwrap().covariance;
    assert!((p[(10, 1)] / (d * d) - sine).abs() < 1e-10 && (p[(10, 2)] / (d * d) + cosine).abs() < 1e-10, "{p}");
}

#[test]
fn derivatives_of_the_initial_state_are_admitted_as_they_are() {
    // A sample without measurement changes nothing: what the implicit function theorem says of the initial state
    // satisfies the linearised conditions already, with all derivatives by parameters.
    let model = Pendulum { start: 0.7, ..Pendulum::default() };
    let problem =
        Simulation::new(&model).input(Pendulum::WIND, 3.0).step(2e-3).until(0.1).alpha(-0.1).problem().unwrap();
    let unknown = [Pendulum::M, Pendulum::L, Pendulum::D, Pendulum::G, Pendulum::START];
    let process = ImplicitModel::new(&problem, &model).estimate(unknown);
    let initial =
        process.initial(&[(Pendulum::X, 0.02)], &[(Pendulum::Y, 0.3)], &[0.1, 0.02, 0.05, 0.4, 0.03]).unwrap();
    let states = process.states();
    let (q, r) = (DMatrix::zeros(states, states), covariance(&[1.0; 3]));
    let mut filter = KalmanFilter::new(process, KalmanMethod::Extended, 2e-3, &initial, &q, &r).unwrap();
    filter.start(0.0, &[3.0]).unwrap();
    filter.correct(&[f64::NAN; 3]).unwrap();
    let (before, after) = (&initial.covariance, filter.covariance());
    assert_eq!(filter.mean(), initial.mean.as_slice());
    for i in 0..states {
        for j in 0..states {
            let size = (before[(i, i)] * before[(j, j)]).sqrt();
            let (a, b) = (before[(i, j)], after[(i, j)]);
            assert!(size > 0.0 && (a - b).abs() < 1e-11 * size, "({i}, {j}): {a} {b}");
        }
    }
}
