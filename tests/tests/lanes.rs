//! Runs and gradients of several parameter sets in lanes against those of each set by itself.

use costate::{
    Checkpoints, Cost, Dual, LeastSquares, Model, Output, Parameter, Problem, Quadrature, RunWithCost,
    Series, Simulation, SimulationError, Vector, gradient, gradient_each,
};
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::{
    CartPendulum, EngineMount, FourCylinderEngine, MappedEngine, cart_pendulum, engine_mount,
};
use costate_tests::Gyroscope;

/// The start, and the parameters around it: `count` sets that differ in `unknown`.
fn sets<M: Model>(model: &M, unknown: &[Parameter<M>], count: usize) -> Vec<M::Parameters<f64>> {
    let vary = |i: usize| {
        let mut parameters = model.parameters();
        for (k, parameter) in unknown.iter().enumerate() {
            parameters.as_mut()[parameter.index()] *= 1.0 + 0.05 * ((i * (k + 2)) as f64).sin();
        }
        parameters
    };
    (0..count).map(vary).collect()
}

/// Least squares of all outputs against wavy records.
fn cost<M: Model>(problem: &Problem<M>) -> LeastSquares {
    let h = problem.settings().step;
    let times: Vec<f64> = (0..=problem.steps()).map(|i| i as f64 * h).collect();
    let mut cost = LeastSquares::new(h, times.len(), Quadrature::Rectangle);
    for output in Output::<M>::all() {
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t + output.index() as f64).sin()).collect();
        cost = cost.with_channel(output.index(), &times, &values, 1.0).unwrap();
    }
    cost
}

fn derivatives(cost: &LeastSquares, outputs: &Series<f64>) -> Series<f64> {
    let mut derivatives = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    cost.add_gradient(outputs, &mut derivatives);
    derivatives
}

fn bits(outputs: &Series<f64>) -> Vec<u64> {
    (0..outputs.samples()).flat_map(|i| outputs.row(i).iter().map(|value| value.to_bits())).collect()
}

/// Trajectory, outputs, cost and gradient of every set agree with those of its own run, and no set changes another.
fn check<M: Model>(problem: &Problem<M>, model: &M, unknown: &[Parameter<M>], tolerance: f64) {
    let sets = sets(model, unknown, 6);
    let indices: Vec<usize> = unknown.iter().map(|parameter| parameter.index()).collect();
    let cost = cost(problem);
    let mut runs: Vec<_> = problem.run_each(&sets).into_iter().map(Result::unwrap).collect();
    let output_gradients: Vec<_> = runs.iter().map(|run| derivatives(&cost, run.outputs())).collect();
    let mut with_costs: Vec<_> = runs
        .iter_mut()
        .zip(&output_gradients)
        .map(|(run, output_gradient)| RunWithCost { run, output_gradient })
        .collect();
    let gradients = gradient_each(problem, &mut with_costs, &indices);
    for ((parameters, run), found) in sets.iter().zip(&runs).zip(&gradients) {
        let mut single = problem.run(parameters).unwrap();
        let (own, other) = (run.trajectory().unwrap(), single.trajectory().unwrap());
        let n = own.coordinates(0).len();
        for part in [0..n, n..2 * n, 2 * n..3 * n, 3 * n..own.stored(0).len()] {
            let (mut largest, mut difference) = (0f64, 0f64);
            for i in 0..=problem.steps() {
                for (a, b) in own.stored(i)[part.clone()].iter().zip(&other.stored(i)[part.clone()]) {
                    largest = largest.max(b.abs());
                    difference = difference.max((a - b).abs());
                }
            }
            assert!(difference <= tolerance * largest, "{part:?}: {difference:e} of {largest:e}");
        }
        let statistics = (run.statistics(), single.statistics());
        assert_eq!(statistics.0.steps, statistics.1.steps);
        assert!(
            statistics.0.iterations.abs_diff(statistics.1.iterations) * 100 <= statistics.1.iterations,
            "{statistics:?}"
        );
        let (a, b) = (cost.value(run.outputs()), cost.value(single.outputs()));
        assert!((a - b).abs() <= tolerance * b, "{a} {b}");
        let output_gradient = derivatives(&cost, single.outputs());
        let expected = gradient(problem, &mut single, &output_gradient, &indices).unwrap();
        for (a, b) in found.as_ref().unwrap().iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-10 * b.abs(), "{found:?} {expected:?}");
        }
    }
    // whatever the neighbours and the place
    let order = [4, 1, 5];
    let chosen: Vec<_> = order.iter().map(|&i| sets[i].clone()).collect();
    let mut again: Vec<_> = problem.run_each(&chosen).into_iter().map(Result::unwrap).collect();
    let mut with_costs: Vec<_> = again
        .iter_mut()
        .zip(order)
        .map(|(run, i)| RunWithCost { run, output_gradient: &output_gradients[i] })
        .collect();
    let again_gradients = gradient_each(problem, &mut with_costs, &indices);
    for (place, i) in order.into_iter().enumerate() {
        assert_eq!(bits(again[place].outputs()), bits(runs[i].outputs()));
        assert_eq!(again_gradients[place].as_ref().unwrap(), gradients[i].as_ref().unwrap());
    }
}

fn mount() -> Simulation<'static, EngineMount> {
    static MOUNT: std::sync::OnceLock<EngineMount> = std::sync::OnceLock::new();
    Simulation::new(MOUNT.get_or_init(EngineMount::start))
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::STEP * 3000.0)
        .alpha(engine_mount::ALPHA)
}

const MOUNT_UNKNOWN: [Parameter<EngineMount>; 4] =
    [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2];

#[test]
fn engine_mount() {
    check(&mount().problem().unwrap(), &EngineMount::start(), &MOUNT_UNKNOWN, 1e-12);
}

#[test]
fn cart_pendulum() {
    let model = cart_pendulum::FD.start();
    let problem = Simulation::new(&model)
        .input(CartPendulum::DRIVE, |t| cart_pendulum::FD.force(t))
        .step(cart_pendulum::STEP)
        .until(cart_pendulum::STEP * 2000.0)
        .alpha(cart_pendulum::ALPHA)
        .problem()
        .unwrap();
    check(&problem, &model, &[CartPendulum::C_F, CartPendulum::D_F], 1e-9);
}

/// A mass matrix that depends on coordinates and parameters.
#[test]
fn gyroscope() {
    let model = Gyroscope::default();
    let problem = Simulation::new(&model).step(1e-3).until(1.0).alpha(-0.1).problem().unwrap();
    check(&problem, &model, &Parameter::all().collect::<Vec<_>>(), 1e-11);
}

#[test]
fn engine() {
    let drive = Drive::constant(3000.0);
    let model = FourCylinderEngine { speed_0: drive.from, ..FourCylinderEngine::start() };
    let problem = Simulation::new(&model)
        .input(FourCylinderEngine::Q_RUN, move |t| drive.angle(t))
        .input(FourCylinderEngine::V_RUN, move |t| drive.speed(t))
        .step(four_cylinder_engine::STEP)
        .until(four_cylinder_engine::STEP * 600.0)
        .alpha(four_cylinder_engine::ALPHA)
        .problem()
        .unwrap();
    let unknown = [
        FourCylinderEngine::CS_1,
        FourCylinderEngine::DS_1,
        FourCylinderEngine::CS_2,
        FourCylinderEngine::DS_2,
    ];
    check(&problem, &model, &unknown, 1e-8);
}

#[test]
fn engine_with_table() {
    let drive = Drive::constant(3000.0);
    let model = MappedEngine { speed_0: drive.from, ..MappedEngine::start() };
    let problem = Simulation::new(&model)
        .input(MappedEngine::Q_RUN, move |t| drive.angle(t))
        .input(MappedEngine::V_RUN, move |t| drive.speed(t))
        .step(four_cylinder_engine::STEP)
        .until(four_cylinder_engine::STEP * 600.0)
        .alpha(four_cylinder_engine::ALPHA)
        .problem()
        .unwrap();
    check(&problem, &model, &[MappedEngine::CS_1, MappedEngine::DS_1], 1e-8);
}

/// The gradient in lanes against dual numbers.
#[test]
fn gradient_by_dual_numbers() {
    let problem = mount().problem().unwrap();
    let sets = sets(&EngineMount::start(), &MOUNT_UNKNOWN, 4);
    let indices = MOUNT_UNKNOWN.map(|parameter| parameter.index());
    let cost = cost(&problem);
    let mut runs: Vec<_> = problem.run_each(&sets).into_iter().map(Result::unwrap).collect();
    let output_gradients: Vec<_> = runs.iter().map(|run| derivatives(&cost, run.outputs())).collect();
    let mut with_costs: Vec<_> = runs
        .iter_mut()
        .zip(&output_gradients)
        .map(|(run, output_gradient)| RunWithCost { run, output_gradient })
        .collect();
    let gradients = gradient_each(&problem, &mut with_costs, &indices);
    for (parameters, found) in sets.iter().zip(gradients) {
        for (index, found) in indices.into_iter().zip(found.unwrap()) {
            let mut dual = <EngineMount as Model>::Parameters::<Dual>::zeros();
            for (k, value) in parameters.iter().enumerate() {
                dual[k] = Dual { value: *value, derivative: if k == index { 1.0 } else { 0.0 } };
            }
            let exact = cost.value_dual(&problem.outputs(&dual).unwrap()).derivative;
            assert!((found - exact).abs() <= 1e-10 * exact.abs(), "{found} {exact}");
        }
    }
}

/// A set that fails has the error of its own run; the others do not notice.
#[test]
fn failures_stay_in_their_lane() {
    let problem = mount().problem().unwrap();
    let mut sets = sets(&EngineMount::start(), &MOUNT_UNKNOWN, 5);
    let fine = problem.run_each(&sets);
    sets[2][EngineMount::C_E1.index()] = f64::NAN;
    sets[3][EngineMount::C_E2.index()] = -1e30;
    let found = problem.run_each(&sets);
    for i in [0, 1, 4] {
        assert_eq!(bits(found[i].as_ref().unwrap().outputs()), bits(fine[i].as_ref().unwrap().outputs()));
    }
    for i in [2, 3] {
        let alone = problem.run(&sets[i]).err().unwrap();
        assert_eq!(found[i].as_ref().err().unwrap().to_string(), alone.to_string());
    }
}

/// With checkpoints every set runs by itself.
#[test]
fn with_checkpoints() {
    let all = mount().problem().unwrap();
    let problem = mount().checkpoints(Checkpoints::Within(all.memory().total() / 5)).problem().unwrap();
    assert!(problem.has_checkpoints());
    let sets = sets(&EngineMount::start(), &MOUNT_UNKNOWN, 5);
    let indices = MOUNT_UNKNOWN.map(|parameter| parameter.index());
    let cost = cost(&problem);
    let mut runs: Vec<_> = problem.run_each(&sets).into_iter().map(Result::unwrap).collect();
    let output_gradients: Vec<_> = runs.iter().map(|run| derivatives(&cost, run.outputs())).collect();
    let mut with_costs: Vec<_> = runs
        .iter_mut()
        .zip(&output_gradients)
        .map(|(run, output_gradient)| RunWithCost { run, output_gradient })
        .collect();
    let gradients = gradient_each(&problem, &mut with_costs, &indices);
    for ((parameters, run), found) in sets.iter().zip(&runs).zip(gradients) {
        let mut single = problem.run(parameters).unwrap();
        assert_eq!(bits(run.outputs()), bits(single.outputs()));
        let output_gradient = derivatives(&cost, single.outputs());
        assert_eq!(found.unwrap(), gradient(&problem, &mut single, &output_gradient, &indices).unwrap());
    }
}

#[test]
fn an_interruption_ends_all_runs() {
    let problem = mount().problem().unwrap();
    let interrupt = problem.interrupt().clone();
    interrupt.trigger();
    let found = problem.run_each(&sets(&EngineMount::start(), &MOUNT_UNKNOWN, 5));
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|run| matches!(run, Err(SimulationError::Interrupted { .. }))));
}
