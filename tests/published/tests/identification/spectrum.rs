//! Costs in frequency on pendulum and engine: the independent implementation's numbers, gradients of every form and
//! window, and the published identifications of the pendulum (FD 5.1, OB 4.4.1).

use costate::cost::{Cost, FourierLine, SpectrumCost, SpectrumForm, Window};
use costate::optimize::OptimizerSettings;
use costate::simulate::{Problem, Series};
use costate::{Fit, Identification, Model, Parameter, Simulation, check_gradient, gradient};
use costate_models::four_cylinder_engine::Drive;
use costate_models::{CartPendulum, FourCylinderEngine, cart_pendulum, cart_pendulum::Variant};
use costate_tests::published;
use costate_tests::reference::{numbers, reference};
use serde_json::Value;

const TOLERANCE: f64 = 1e-9;

const FORMS: [SpectrumForm; 4] =
    [SpectrumForm::SquaredAmplitude, SpectrumForm::Amplitude, SpectrumForm::Coefficients, SpectrumForm::Decibels];

const WINDOWS: [Window; 4] = [Window::Rectangular, Window::Hann, Window::FlatTop, Window::BlackmanHarris];

fn problem(variant: Variant, steps: usize) -> Problem {
    Simulation::new(&CartPendulum::default())
        .input(CartPendulum::DRIVE, move |t: f64| variant.force(t))
        .step(cart_pendulum::STEP)
        .until(cart_pendulum::STEP * steps as f64)
        .alpha(cart_pendulum::ALPHA)
        .problem()
        .unwrap()
}

fn outputs<M: Model>(problem: &Problem, model: &M) -> Series<f64> {
    problem.forward(model.parameters().as_ref()).unwrap().outputs()
}

/// FD (5) on these lines of phi_1, measured by the true model.
fn cost(variant: Variant, problem: &Problem, lines: &[FourierLine]) -> SpectrumCost {
    let (step, samples) = (problem.settings().step, problem.steps() + 1);
    let times: Vec<f64> = (0..samples).map(|i| i as f64 * step).collect();
    let measured: Vec<f64> = outputs(problem, &variant.model()).output(CartPendulum::ANGLE).unwrap().collect();
    SpectrumCost::new(step, samples, SpectrumForm::SquaredAmplitude)
        .with_measured(CartPendulum::ANGLE, lines, &times, &measured, 1.0)
        .unwrap()
}

/// The lines of the whole record that are in the band.
fn band(low: f64, high: f64) -> Vec<FourierLine> {
    FourierLine::band((low, high), 0.0, cart_pendulum::END, Window::Rectangular).unwrap()
}

/// J and its gradient.
fn compare<M: Model>(problem: &Problem, model: &M, cost: &dyn Cost, unknown: &[Parameter<M>], reference: &Value) {
    let trajectory = problem.forward(model.parameters().as_ref()).unwrap();
    let outputs = trajectory.outputs();
    let expected = reference["J"].as_f64().unwrap();
    let found = cost.value(&outputs);
    assert!((found - expected).abs() <= TOLERANCE * expected, "J = {found}, not {expected}");
    let output_gradient = cost.output_gradient(&outputs);
    let found = gradient(problem, &trajectory, &output_gradient, unknown).unwrap();
    for (found, expected) in found.iter().zip(numbers(&reference["gradient"])) {
        assert!((found - expected).abs() <= TOLERANCE * expected.abs(), "{found}, not {expected}");
    }
}

#[test]
fn cost_and_gradient_of_the_pendulum() {
    let reference = reference("pendulum");
    let start = CartPendulum { d_c: 0.1, ..cart_pendulum::FD.start() };
    for (run, steps) in [("result", 10_000), ("shortened_run", 1500)] {
        let problem = problem(cart_pendulum::FD, steps);
        // The lines k/20 Hz in both; T of the coefficients is the end of the run.
        let end = cart_pendulum::STEP * steps as f64;
        let lines: Vec<_> = band(1.25, 1.45).into_iter().map(|line| FourierLine { to: end, ..line }).collect();
        let cost = cost(cart_pendulum::FD, &problem, &lines);
        assert_eq!(cost.lines(), 5);
        let unknown = [CartPendulum::C_F, CartPendulum::D_F];
        compare(&problem, &start, &cost, &unknown, &reference[run]);
    }
}

#[test]
fn coefficients_of_the_true_pendulum() {
    let reference = &reference("pendulum")["cost"];
    let problem = problem(cart_pendulum::FD, 10_000);
    let cost = cost(cart_pendulum::FD, &problem, &band(1.25, 1.45));
    let found = cost.coefficients(&outputs(&problem, &cart_pendulum::FD.model())).unwrap();
    let (cosine, sine) = (numbers(&reference["A_reference"]), numbers(&reference["B_reference"]));
    for (found, expected) in found.iter().zip(cosine.iter().zip(&sine)) {
        let difference = (found[0] - expected.0).hypot(found[1] - expected.1);
        assert!(difference <= TOLERANCE * expected.0.hypot(*expected.1), "{found:?}, not {expected:?}");
    }
}

/// Identifies c_f and d_f from the lines of phi_1 in the band, with at most `iterations`.
fn identify(variant: Variant, d_c: f64, (low, high): (f64, f64), iterations: usize) -> Fit<CartPendulum> {
    let problem = problem(variant, 10_000);
    let simulation = Simulation::new(&CartPendulum { d_c, ..variant.start() })
        .input(CartPendulum::DRIVE, move |t: f64| variant.force(t))
        .step(cart_pendulum::STEP)
        .until(cart_pendulum::END)
        .alpha(cart_pendulum::ALPHA);
    Identification::new(&simulation)
        .unknown([CartPendulum::C_F, CartPendulum::D_F])
        .cost(1.0, cost(variant, &problem, &band(low, high)))
        .optimizer(OptimizerSettings::default().with_maximum_iterations(iterations))
        .run()
        .unwrap()
}

/// Published: 9.98 and 0.019 within 10 iterations; an independent computation found 9.991 and 0.01926.
#[test]
fn bending_mode_with_a_wrong_cart_damping() {
    let fit = identify(cart_pendulum::FD, 0.1, (1.25, 1.45), 12);
    assert!((fit.model().c_f - 9.99).abs() < 0.01 && (fit.model().d_f - 0.0193).abs() < 4e-4, "{fit}");
    assert!(fit.summary().iterations <= 12, "{fit}");
    // Where the cost has its minimum.
    let fit = identify(cart_pendulum::FD, 0.1, (1.25, 1.45), 200);
    assert!((fit.model().c_f - 9.9907).abs() < 1e-3 && (fit.model().d_f - 0.01927).abs() < 1e-5, "{fit}");
}

#[test]
fn bending_mode_of_the_second_publication() {
    let fit = identify(cart_pendulum::OB, 0.01, (1.4, 1.9), 12);
    assert!((fit.model().c_f / 10.0 - 1.0).abs() < 1e-6, "{fit}");
    assert!((fit.model().d_f / 0.02 - 1.0).abs() < 1e-5, "{fit}");
    assert!(fit.summary().iterations <= 12, "{fit}");
}

/// Every form and every window, over the run and over a part of it whose ends fall between the steps.
#[test]
fn gradients_of_the_pendulum() {
    let variant = cart_pendulum::FD;
    let problem = problem(variant, 10_000);
    let (step, samples) = (problem.settings().step, problem.steps() + 1);
    let times: Vec<f64> = (0..samples).map(|i| i as f64 * step).collect();
    let measured: Vec<f64> = outputs(&problem, &variant.model()).output(CartPendulum::ANGLE).unwrap().collect();
    let start = CartPendulum { d_c: 0.1, ..variant.start() };
    for form in FORMS {
        for window in WINDOWS {
            let mut cost = SpectrumCost::new(step, samples, form);
            for (from, to) in [(0.0, 20.0), (3.0007, 19.7313)] {
                let lines = [0.2, 1.3, 1.4].map(|f| FourierLine::new(f, from, to, window));
                cost = cost.with_measured(CartPendulum::ANGLE, &lines, &times, &measured, 0.3).unwrap();
            }
            let unknown = [CartPendulum::C_F, CartPendulum::D_F, CartPendulum::D_1];
            let report = check_gradient(&problem, &start, &cost, &unknown).unwrap();
            assert!(report.agrees(TOLERANCE), "{form:?}, {window:?}\n{report}");
            assert!(report.entries.iter().all(|entry| entry.adjoint != 0.0), "{report}");
        }
    }
}

/// The engine at the constant speed of the reference, in rev/s.
const SPEED: f64 = 50.0;

const DAMPER: [Parameter<FourCylinderEngine>; 4] =
    [FourCylinderEngine::CS_1, FourCylinderEngine::DS_1, FourCylinderEngine::CS_2, FourCylinderEngine::DS_2];

fn engine(model: FourCylinderEngine) -> FourCylinderEngine {
    FourCylinderEngine { speed_0: 60.0 * SPEED, ..model }
}

fn engine_problem(steps: usize) -> Problem {
    published::engine(&FourCylinderEngine::default(), Drive::constant(60.0 * SPEED), steps).problem().unwrap()
}

/// Order 6 of the twist, measured with the true damper.
fn engine_cost(problem: &Problem, (from, to): (f64, f64)) -> SpectrumCost {
    let (step, samples) = (problem.settings().step, problem.steps() + 1);
    let times: Vec<f64> = (0..samples).map(|i| i as f64 * step).collect();
    let twist = FourCylinderEngine::TWIST;
    let truth = outputs(problem, &engine(FourCylinderEngine::default()));
    let measured: Vec<f64> = truth.output(twist).unwrap().collect();
    let line = FourierLine::new(6.0 * SPEED, from, to, Window::Hann);
    SpectrumCost::new(step, samples, SpectrumForm::SquaredAmplitude)
        .with_measured(twist, &[line], &times, &measured, 1.0)
        .unwrap()
}

#[test]
fn cost_and_gradient_of_the_engine() {
    let reference = reference("engine");
    for (run, steps, interval) in [("result", 5000, (0.05, 0.21)), ("shortened_run", 1000, (0.01, 0.05))] {
        let problem = engine_problem(steps);
        let cost = engine_cost(&problem, interval);
        compare(&problem, &engine(FourCylinderEngine::start()), &cost, &DAMPER, &reference[run]);
    }
}
