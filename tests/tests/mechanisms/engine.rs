//! The four-cylinder engine: trajectories of an independent implementation, derivatives and gradients against dual
//! numbers, constraints, initial state.

use costate::cost::{LeastSquares, Quadrature};
use costate::simulate::Problem;
use costate::verify::random_points;
use costate::{Constraint, Coordinate, Model, Parameter, check_derivatives, check_gradient};
use costate_models::FourCylinderEngine;
use costate_models::four_cylinder_engine::{Drive, END, RUN_UP, STEP};
use costate_tests::published;
use costate_tests::reference::{numbers, reference};

type Engine = FourCylinderEngine;

/// The drive of the reference, with constant speed.
const CONSTANT: Drive = Drive::constant(3000.0);

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most, value| most.max(value.abs()))
}

fn problem(drive: Drive, steps: usize) -> Problem {
    published::engine(&Engine::default(), drive, steps).problem().unwrap()
}

/// Parameters that the published example identifies.
const UNKNOWN: [Parameter<Engine>; 4] = [Engine::CS_1, Engine::DS_1, Engine::CS_2, Engine::DS_2];

/// Sets the speed of the reference.
fn at_constant_speed(model: Engine) -> Engine {
    Engine { speed_0: CONSTANT.from, ..model }
}

/// Checks that coordinates and constraints come in the order of the publication, which is also that of the reference.
#[test]
fn order() {
    let names: Vec<_> = Coordinate::<Engine>::all().map(|coordinate| coordinate.name()).collect();
    assert_eq!(names[..6], ["phi[1]", "phi[2]", "phi[3]", "phi[4]", "phi[5]", "phi[6]"]);
    assert_eq!(names[6..12], ["x[1]", "y[1]", "w[1]", "x[2]", "y[2]", "w[2]"]);
    assert_eq!(names[18..], ["z[1]", "z[2]", "z[3]", "z[4]", "ring", "maxwell[1]", "maxwell[2]", "pulley"]);
    let names: Vec<_> = Constraint::<Engine>::all().map(|constraint| constraint.name()).collect();
    assert_eq!(names[..5], ["axis[1]", "across[1]", "along[1]", "piston[1]", "axis[2]"]);
    assert_eq!((names.len(), names[15]), (16, "piston[4]"));
}

#[test]
fn trajectories() {
    let reference = reference("engine");
    let problem = problem(CONSTANT, 5000);
    let models = [("trajectory_start_parameters", Engine::start()), ("trajectory_true_parameters", Engine::default())];
    for (name, model) in models {
        let trajectory = problem.forward(&at_constant_speed(model).parameters()).unwrap();
        let samples = reference[name].as_array().unwrap();
        // Observed: 4e-15 for q, 3e-12 for v. Accelerations and multipliers contain the rounding of the scaled
        // constraints, eps |q|/(beta h^2), here and in the reference: 5e-9 and 5e-10.
        for (key, tolerance) in [("q", 1e-12), ("v", 1e-9), ("a", 1e-7), ("lam", 1e-8)] {
            let scale = largest(samples.iter().flat_map(|sample| numbers(&sample[key])));
            let mut worst = 0f64;
            for sample in samples {
                let i = sample["i"].as_u64().unwrap() as usize;
                let found = match key {
                    "q" => trajectory.coordinates(i),
                    "v" => trajectory.velocities(i),
                    "a" => trajectory.accelerations(i),
                    _ => trajectory.multipliers(i),
                };
                for (found, expected) in found.iter().zip(numbers(&sample[key])) {
                    worst = worst.max((found - expected).abs() / scale);
                }
            }
            assert!(worst <= tolerance, "{name}: {key} differs by {worst:e}");
        }
    }
}

#[test]
fn derivatives() {
    let model = Engine::default();
    let anywhere = random_points(&model, 100, 7);
    // also around the initial state, at the speed of the run-up
    let start = costate::simulate::initial_state_in::<Engine, f64>(&problem(RUN_UP, 1), &model.parameters()).unwrap();
    let mut near = random_points(&model, 100, 8);
    for point in &mut near {
        let add = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        add(point.state.coordinates.as_mut(), start.coordinates.as_ref());
        add(point.state.velocities.as_mut(), start.velocities.as_ref());
        add(point.state.accelerations.as_mut(), start.accelerations.as_ref());
        add(point.state.multipliers.as_mut(), start.multipliers.as_ref());
    }
    for points in [anywhere, near] {
        let report = check_derivatives(&points, 1e-12);
        assert!(report.mismatches.is_empty(), "{report}");
        assert!(report.matrices >= 100 * 30, "{report}");
        assert_eq!(report.skipped, 0, "{report}");
    }
}

/// Returns the cost of the difference between the twist and samples at all steps.
fn least_squares(measured: &[f64]) -> LeastSquares {
    let times: Vec<f64> = (0..measured.len()).map(|i| i as f64 * STEP).collect();
    LeastSquares::new(STEP, measured.len(), Quadrature::Rectangle)
        .with_channel(Engine::TWIST, &times, measured, 1.0)
        .unwrap()
}

#[test]
fn least_squares_gradient() {
    for (drive, model) in [(RUN_UP, Engine::start()), (CONSTANT, at_constant_speed(Engine::start()))] {
        let problem = problem(drive, 400);
        let truth = Engine { speed_0: model.speed_0, ..Engine::default() };
        let outputs = problem.forward(&truth.parameters()).unwrap().outputs();
        let measured: Vec<f64> = outputs.output(Engine::TWIST).unwrap().collect();
        let cost = least_squares(&measured);
        let report = check_gradient(&problem, &model, &cost, &UNKNOWN).unwrap();
        assert!(report.agrees(1e-9), "{report}");
        assert!(report.entries.iter().all(|entry| entry.adjoint != 0.0), "{report}");
    }
}

#[test]
fn gradient_of_every_parameter() {
    let problem = problem(RUN_UP, 200);
    let all: Vec<_> = Parameter::all().collect();
    let cost = least_squares(&[0.01; 201]);
    let report = check_gradient(&problem, &Engine::default(), &cost, &all).unwrap();
    assert!(report.agrees(1e-9), "{report}");
}

/// Checks the constraints along 2000 steps; observed: below 4e-16 m.
#[test]
fn constraints_do_not_drift() {
    let problem = problem(CONSTANT, 2000);
    let model = at_constant_speed(Engine::default());
    let trajectory = problem.forward(&model.parameters()).unwrap();
    let mut worst = 0f64;
    for i in 0..=problem.steps() {
        let q = trajectory.coordinates(i);
        for k in 0..4 {
            let (phi, z) = (q[1 + k], q[18 + k]);
            let [x, y, w] = [q[6 + 3 * k], q[7 + 3 * k], q[8 + 3 * k]];
            let values = [
                model.r * phi.sin() - model.l * w.sin(),
                x + model.r * phi.sin() - model.s * w.sin(),
                y - model.r * phi.cos() - model.s * w.cos(),
                z - model.r * phi.cos() - model.l * w.cos(),
            ];
            worst = worst.max(largest(values));
        }
    }
    assert!(worst <= 1e-15, "{worst:e}");
}

/// Compares the initial state on all levels, including the velocities of the Maxwell nodes.
#[test]
fn initial_state() {
    let reference = reference("engine");
    let model = at_constant_speed(Engine::start());
    let start = costate::simulate::initial_state_in::<Engine, f64>(&problem(CONSTANT, 1), &model.parameters()).unwrap();
    let sample = &reference["trajectory_start_parameters"][0];
    let close = |found: &[f64], key: &str| {
        let expected = numbers(&sample[key]);
        let scale = largest(expected.iter().copied());
        for (j, (found, expected)) in found.iter().zip(expected).enumerate() {
            let difference = (found - expected).abs();
            assert!(difference <= 1e-14 * scale, "{key}[{j}]: {found:e}, not {expected:e}");
        }
    };
    close(start.coordinates.as_ref(), "q");
    close(start.velocities.as_ref(), "v");
    close(start.accelerations.as_ref(), "a");
    close(start.multipliers.as_ref(), "lam");
}

/// Checks that the conrods start on the right branch from any angle of the shaft.
#[test]
fn slider_cranks_close_at_any_angle() {
    for degree in 0..360 {
        let mut model = Engine::default();
        for rest in [
            &mut model.rest_1,
            &mut model.rest_2,
            &mut model.rest_3,
            &mut model.rest_4,
            &mut model.rest_5,
            &mut model.rest_6,
        ] {
            *rest += f64::from(degree);
        }
        let start =
            costate::simulate::initial_state_in::<Engine, f64>(&problem(RUN_UP, 1), &model.parameters()).unwrap();
        let (q, v) = (start.coordinates.as_ref(), start.velocities.as_ref());
        for k in 0..4 {
            let (angle, speed) = (q[1 + k], v[1 + k]);
            let expected = (model.r * angle.sin() / model.l).asin();
            let rate = model.r * angle.cos() * speed / (model.l * expected.cos());
            assert!((q[8 + 3 * k] - expected).abs() <= 1e-14, "{degree}: {} {expected}", q[8 + 3 * k]);
            assert!((v[8 + 3 * k] - rate).abs() <= 1e-12 * speed, "{degree}: {} {rate}", v[8 + 3 * k]);
        }
    }
}

/// Checks that the angle of the drive is the integral of its speed.
#[test]
fn run_up() {
    assert_eq!(RUN_UP.speed(0.1), RUN_UP.speed(0.0));
    assert!((RUN_UP.speed(END) - 200.0 * std::f64::consts::PI).abs() < 1e-10);
    for i in 1..83 {
        // the angle is quadratic between the corners at 0.2 and 8.2 s: central differences are exact
        let (t, h) = (0.1 * f64::from(i) + 0.05, 0.01);
        let rate = (RUN_UP.angle(t + h) - RUN_UP.angle(t - h)) / (2.0 * h);
        assert!((rate - RUN_UP.speed(t)).abs() < 1e-9, "{t}: {rate}");
    }
}
