//! Cost, gradient and trajectories of the published examples against an independent implementation.

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::simulate::{Problem, Series};
use costate::{Model, Simulation, gradient};
use costate_models::{CartPendulum, EngineMount, cart_pendulum, engine_mount};
use costate_tests::published::mount;
use costate_tests::reference::{numbers, reference};
use serde_json::Value;

/// Relative to the largest value.
const TOLERANCE: f64 = 1e-9;

fn pendulum_problem() -> Problem {
    Simulation::new(&CartPendulum::default())
        .input(CartPendulum::DRIVE, |t: f64| cart_pendulum::FD.force(t))
        .step(cart_pendulum::STEP)
        .until(cart_pendulum::END)
        .alpha(cart_pendulum::ALPHA)
        .problem()
        .unwrap()
}

fn outputs<M: Model>(problem: &Problem, model: &M) -> Series<f64> {
    problem.forward(model.parameters().as_ref()).unwrap().outputs()
}

#[test]
fn cost_and_gradient_of_the_mount() {
    let reference = reference("mount");
    for (run, steps) in [("result", 10_000), ("shortened_run", 1000)] {
        let problem = mount(&EngineMount::default(), steps).problem().unwrap();
        let measured: Vec<f64> =
            outputs(&problem, &EngineMount::default()).output(EngineMount::ACCELERATION).unwrap().collect();
        let times: Vec<f64> = (0..=steps).map(|i| i as f64 * engine_mount::STEP).collect();
        let cost = LeastSquares::new(engine_mount::STEP, steps + 1, Quadrature::Rectangle)
            .with_channel(EngineMount::ACCELERATION, &times, &measured, 1.0)
            .unwrap();
        let trajectory = problem.forward(&EngineMount::start().parameters()).unwrap();
        let outputs = trajectory.outputs();
        let expected = reference[run]["J"].as_f64().unwrap();
        let found = cost.value(&outputs);
        assert!((found - expected).abs() <= TOLERANCE * expected, "{run}: J = {found}, not {expected}");
        let output_gradient = cost.output_gradient(&outputs);
        let unknown = [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2];
        let found = gradient(&problem, &trajectory, &output_gradient, &unknown).unwrap();
        for (found, expected) in found.iter().zip(numbers(&reference[run]["gradient"])) {
            assert!((found - expected).abs() <= TOLERANCE * expected.abs(), "{run}: {found}, not {expected}");
        }
    }
}

/// Compares the samples of a trajectory; each vector relative to its largest entry along the whole trajectory.
/// `order`: the model's coordinate for each of the reference's. `keys`: what is compared.
fn compare_trajectory<M: Model>(problem: &Problem, model: &M, order: &[usize], keys: &[&str], samples: &Value) {
    let trajectory = problem.forward(model.parameters().as_ref()).unwrap();
    for &key in keys {
        let samples = samples.as_array().unwrap();
        let values = samples.iter().flat_map(|sample| numbers(&sample[key]));
        let largest = values.fold(0.0, |most: f64, x| most.max(x.abs()));
        let allowed = TOLERANCE * largest;
        for sample in samples {
            let i = sample["i"].as_u64().unwrap() as usize;
            let sorted = |values: &[f64]| order.iter().map(|&j| values[j]).collect::<Vec<f64>>();
            let found = match key {
                "q" => sorted(trajectory.coordinates(i)),
                "v" => sorted(trajectory.velocities(i)),
                "a" => sorted(trajectory.accelerations(i)),
                _ => trajectory.multipliers(i).to_vec(),
            };
            for (j, (found, expected)) in found.iter().zip(numbers(&sample[key])).enumerate() {
                let difference = (found - expected).abs();
                assert!(difference <= allowed, "{key}[{j}] at step {i}: {found}, not {expected} ({difference:e})");
            }
        }
    }
}

#[test]
fn trajectories_of_the_mount() {
    let (reference, problem) = (reference("mount"), mount(&EngineMount::default(), 10_000).problem().unwrap());
    let order = [0, 1, 2, 3];
    compare_trajectory(
        &problem,
        &EngineMount::start(),
        &order,
        &["q", "v", "a", "lam"],
        &reference["trajectory_start_parameters"],
    );
    compare_trajectory(
        &problem,
        &EngineMount::default(),
        &order,
        &["q", "v", "a", "lam"],
        &reference["trajectory_true_parameters"],
    );
}

#[test]
fn trajectories_of_the_pendulum() {
    let (reference, problem) = (reference("pendulum"), pendulum_problem());
    let start = CartPendulum { d_c: 0.1, ..cart_pendulum::FD.start() };
    // Accelerations and multipliers carry the rounding of the scaled constraints, eps |q|/(beta h^2), which the chain
    // amplifies to some 1e-8 here and in the reference. The reference goes rod by rod, (x, y, phi).
    let order = [0, 1, 4, 7, 2, 5, 8, 3, 6, 9];
    compare_trajectory(&problem, &start, &order, &["q", "v"], &reference["trajectory_start_parameters"]);
    compare_trajectory(
        &problem,
        &cart_pendulum::FD.model(),
        &order,
        &["q", "v"],
        &reference["trajectory_true_parameters"],
    );
}
