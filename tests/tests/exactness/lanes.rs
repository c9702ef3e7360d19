//! Runs and gradients of several parameter sets in lanes against those of each set by itself.

use costate::cost::Cost;
use costate::model::Dual;
use costate::simulate::{Checkpoints, SimulationError};
use costate::{Parameter, Simulation, gradient};
use costate_models::{CartPendulum, EngineMount, cart_pendulum};
use costate_tests::duals::seeded;
use costate_tests::lanes::{Each, bits, check, cost, each, sets};
use costate_tests::{Gyroscope, published};

fn mount() -> Simulation<EngineMount> {
    published::mount(&EngineMount::start(), 3000)
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
        .input(CartPendulum::DRIVE, |t: f64| cart_pendulum::FD.force(t))
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

/// The gradient in lanes against dual numbers.
#[test]
fn gradient_by_dual_numbers() {
    let problem = mount().problem().unwrap();
    let sets = sets(&EngineMount::start(), &MOUNT_UNKNOWN, 4);
    let cost = cost::<EngineMount>(&problem);
    let Each { gradients, .. } = each(&problem, &cost, &sets, &MOUNT_UNKNOWN);
    for (parameters, found) in sets.iter().zip(gradients) {
        for (parameter, found) in MOUNT_UNKNOWN.into_iter().zip(found.unwrap()) {
            let dual = seeded(parameters, parameter.index());
            let exact = cost
                .value_dual(&costate::simulate::outputs_in::<EngineMount, Dual>(&problem, &dual).unwrap())
                .derivative;
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
    let cost = cost::<EngineMount>(&problem);
    let Each { runs, gradients, .. } = each(&problem, &cost, &sets, &MOUNT_UNKNOWN);
    for ((parameters, run), found) in sets.iter().zip(&runs).zip(gradients) {
        let mut single = problem.run(parameters).unwrap();
        assert_eq!(bits(run.outputs()), bits(single.outputs()));
        let output_gradient = cost.output_gradient(single.outputs());
        assert_eq!(found.unwrap(), gradient(&problem, &mut single, &output_gradient, &MOUNT_UNKNOWN).unwrap());
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
