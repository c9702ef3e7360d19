//! Filters and runs take the same steps, by every scheme: predictions, transition matrices, tracked parameters.

use costate::filter::{ImplicitModel, KalmanFilter, KalmanMethod, StateSpace, Step, Storage, run};
use costate::model::{Dual, Scalar};
use costate::simulate::{Problem, Scheme, Trajectory};
use costate::{Input, Model, Parameter, Simulation};
use costate_tests::duals::seeded;
use nalgebra::{DMatrix, DVector};

use super::compiled::{Pendulum, TwoMasses, drive};
use super::constrained::{Crane, METHODS, covariance, record};

const SCHEMES: [Scheme; 3] =
    [Scheme::GeneralizedAlpha { rho_inf: 0.8 }, Scheme::GeneralizedAlpha { rho_inf: 0.3 }, Scheme::Hht { alpha: -0.1 }];

const H: f64 = 1e-2;

fn problem<M: Model>(model: &M, input: Input<M>, scheme: Scheme) -> Problem {
    Simulation::new(model).input(input, drive).step(H).until(1.0).scheme(scheme).problem().unwrap()
}

fn step(inputs: &[f64], i: usize) -> Step<'_> {
    let time = (i - 1) as f64 * H;
    Step { time, interval: H, inputs_before: &inputs[i - 1..i], inputs: &inputs[i..=i] }
}

fn largest<'a>(values: impl IntoIterator<Item = &'a f64>) -> f64 {
    values.into_iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// Compares with a tolerance relative to a size.
fn close(found: &[f64], expected: &[f64], tolerance: f64, size: f64, what: &str) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance * size, "{what}: {found} and {expected}");
    }
}

/// A filter to which nothing is measured predicts the states of the run.
fn predicts_the_run<M: Model>(model: &M, input: Input<M>) {
    for scheme in SCHEMES {
        let problem = problem(model, input, scheme);
        let simulated = problem.forward(model.parameters().as_ref()).unwrap();
        let process = ImplicitModel::new(&problem, model);
        let (inputs, initial) = (process.input_rows(), process.initial_by_parameters(&[]).unwrap());
        let (states, signals) = (process.states(), process.measurements());
        let (q, r) = (DMatrix::zeros(states, states), DMatrix::identity(signals, signals));
        let mut filter = KalmanFilter::new(process, KalmanMethod::Extended, H, &initial, &q, &r).unwrap();
        let nothing = vec![f64::NAN; signals * 101];
        let filtered = run(&mut filter, &inputs, &nothing, Storage::Means).unwrap();
        assert_eq!(filtered.stopped(), None);
        let rows: Vec<_> = (0..=50).map(|i| filtered.mean(i)).collect();
        same_states(&rows, |i| parts(&simulated, i), &format!("{scheme:?}"));
    }
}

/// q, v, a and lambda of a step.
fn parts<S: Scalar>(run: &Trajectory<S>, i: usize) -> [Vec<S>; 4] {
    [run.coordinates(i), run.velocities(i), run.accelerations(i), run.multipliers(i)].map(<[S]>::to_vec)
}

/// Compares each of the four parts relative to its largest value in all steps.
fn same_states(found: &[&[f64]], expected: impl Fn(usize) -> [Vec<f64>; 4], what: &str) {
    let expected: Vec<_> = (0..found.len()).map(expected).collect();
    let mut first = 0;
    for (part, name) in ["q", "v", "a", "lambda"].into_iter().enumerate() {
        let size = largest(expected.iter().flat_map(|parts| &parts[part]));
        for (i, (found, parts)) in found.iter().zip(&expected).enumerate() {
            close(&found[first..], &parts[part], 1e-10, size, &format!("{what}, {name} of step {i}"));
        }
        first += expected[0][part].len();
    }
}

#[test]
fn predictions_are_the_states_of_a_run() {
    predicts_the_run(&TwoMasses::default(), TwoMasses::DRIVE);
    predicts_the_run(&Pendulum::default(), Pendulum::WIND);
    predicts_the_run(&Crane::default(), Crane::DRIVE);
}

/// The product of all F, applied to the derivatives of the start, is the derivative of the run in dual numbers.
fn transitions_chain_to_derivatives<M: Model>(model: &M, input: Input<M>, unknown: &[Parameter<M>]) {
    for scheme in SCHEMES {
        let problem = problem(model, input, scheme);
        for (k, parameter) in unknown.iter().enumerate() {
            let mut process = ImplicitModel::new(&problem, model).estimate(unknown.iter().copied());
            let inputs = process.input_rows();
            let mut deviations = vec![0.0; unknown.len()];
            deviations[k] = 1.0;
            let initial = process.initial_by_parameters(&deviations).unwrap();
            let place = process.place(*parameter).unwrap();
            // of rank one, with a deviation of 1
            let mut change: DVector<f64> = initial.covariance.column(place).into_owned();
            let mut x = initial.mean.as_slice().to_vec();
            let (states, mut next) = (process.states(), vec![0.0; x.len()]);
            let mut f = DMatrix::zeros(states, states);
            let parameters = seeded(model.parameters().as_ref(), parameter.index());
            let exact = costate::simulate::forward_in::<M, Dual>(&problem, &parameters).unwrap();
            let mut changes = vec![change.clone()];
            for i in 1..=50 {
                process.advance(&step(&inputs, i), &x, &mut next).unwrap();
                process.transition(&step(&inputs, i), &x, &next, &mut f).unwrap();
                change = &f * change;
                std::mem::swap(&mut x, &mut next);
                changes.push(change.clone());
            }
            let changes: Vec<_> = changes.iter().map(|change| change.as_slice()).collect();
            let derivatives = |values: Vec<Dual>| values.iter().map(|d| d.derivative).collect();
            let expected = |i| parts(&exact, i).map(derivatives);
            same_states(&changes, expected, &format!("{scheme:?}, {parameter:?}"));
        }
    }
}

#[test]
fn transition_matrices_chain_to_the_derivatives_of_runs() {
    let unknown = [TwoMasses::C_3, TwoMasses::M, TwoMasses::K];
    transitions_chain_to_derivatives(&TwoMasses::default(), TwoMasses::DRIVE, &unknown);
    let unknown = [Pendulum::D, Pendulum::L, Pendulum::START];
    transitions_chain_to_derivatives(&Pendulum::default(), Pendulum::WIND, &unknown);
}

/// A rotation about the pivot is the same whether a coordinate or the angle says it.
#[test]
fn deviations_of_coordinates_are_those_of_parameters() {
    let model = Pendulum::default();
    for scheme in SCHEMES {
        let problem = problem(&model, Pendulum::WIND, scheme);
        let process = ImplicitModel::new(&problem, &model).estimate([Pendulum::START]);
        let by_coordinate = process.initial(&[(Pendulum::X, 1.0)], &[], &[0.0]).unwrap().covariance;
        let by_parameter = process.initial_by_parameters(&[1.0]).unwrap().covariance;
        let fixed = process.place(Pendulum::START).unwrap();
        assert_eq!(fixed, if scheme == SCHEMES[2] { 7 } else { 9 });
        let factor = (model.start.cos() / model.l).powi(2);
        for row in 0..fixed {
            let (found, expected) = (by_coordinate.row(row), by_parameter.row(row) * factor);
            let columns = (0..fixed).map(|column| (found[column], expected[column]));
            let (found, expected): (Vec<f64>, Vec<f64>) = columns.unzip();
            // what stands for s at the start is a quotient of small differences
            let tolerance = if row < 7 { 1e-12 } else { 1e-10 };
            close(&found, &expected, tolerance, largest(&expected), &format!("{scheme:?}, row {row}"));
        }
    }
}

#[test]
fn states_have_names() {
    let model = Pendulum::default();
    let names = |scheme| {
        let problem = problem(&model, Pendulum::WIND, scheme);
        let process = ImplicitModel::new(&problem, &model).estimate([Pendulum::D]);
        (6..process.states()).map(|state| process.state_name(state)).collect::<Vec<_>>()
    };
    assert_eq!(names(SCHEMES[0]), ["multiplier(rod)", "auxiliary(x)", "auxiliary(y)", "d"]);
    assert_eq!(names(SCHEMES[2]), ["multiplier(rod)", "d"]);
}

#[test]
fn parameters_are_tracked_by_the_default_scheme() {
    let truth = Pendulum::default();
    let simulation =
        |model: &Pendulum| Simulation::new(model).input(Pendulum::WIND, drive).step(5e-3).until(6.0).problem().unwrap();
    let deviations = [0.5, 0.002, 0.05];
    let y = record(&simulation(&truth), &truth, &deviations, 3);
    let guess = Pendulum { d: 0.8, m: 1.7, ..truth };
    let problem = simulation(&guess);
    for method in METHODS {
        let process = ImplicitModel::new(&problem, &guess).estimate([Pendulum::D, Pendulum::M]);
        let places = [Pendulum::D, Pendulum::M].map(|parameter| process.place(parameter).unwrap());
        let (inputs, states) = (process.input_rows(), process.states());
        let initial = process.initial(&[(Pendulum::X, 0.02)], &[(Pendulum::X, 0.1)], &[0.5, 0.5]).unwrap();
        let (q, r) = (DMatrix::zeros(states, states), covariance(&deviations));
        let mut filter = KalmanFilter::new(process, method, 5e-3, &initial, &q, &r).unwrap();
        let result = run(&mut filter, &inputs, &y, Storage::Covariances).unwrap();
        assert_eq!(result.stopped(), None, "{method:?}");
        let last = result.samples() - 1;
        for (place, value) in places.into_iter().zip([truth.d, truth.m]) {
            let deviation = result.covariance_entry(last, place, place).unwrap().sqrt();
            let found = result.mean(last)[place];
            let is_found = (found - value).abs() < 4.0 * deviation && deviation < 0.05 * value;
            assert!(is_found, "{method:?} {found} {deviation}");
        }
        let x = result.mean(last);
        assert!((x[0] * x[0] + x[1] * x[1] - 0.25).abs() < 1e-8, "{method:?}");
        assert!((x[0] * x[2] + x[1] * x[3]).abs() < 1e-3, "{method:?}");
    }
}
