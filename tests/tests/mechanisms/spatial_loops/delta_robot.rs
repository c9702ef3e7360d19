//! The delta robot: its platform does not turn, and its motors carry what follows from virtual work.

use costate::{Run, Simulation};

use super::delta_robot_model::DeltaRobot;

/// Arms that swing about their angles at the start, in different ways.
fn simulation(model: &DeltaRobot) -> Simulation<DeltaRobot> {
    let start = model.start;
    Simulation::new(model)
        .input(DeltaRobot::TARGET_1, move |t: f64| start + 10.0 * (6.0 * t).sin())
        .input(DeltaRobot::TARGET_2, move |t: f64| start + 5.0 * (4.0 * t).sin().powi(2))
        .input(DeltaRobot::TARGET_3, move |t: f64| start - 8.0 * (6.0 * t).sin())
}

fn run(h: f64) -> Run<DeltaRobot> {
    simulation(&DeltaRobot::default()).step(h).until(0.5).run().unwrap()
}

#[test]
fn the_start_is_the_formula() {
    let model = DeltaRobot { start: 35.0, rod: 0.5, base: 0.1, ..DeltaRobot::default() };
    // of one step, whose errors are nothing beside what is compared
    let run = simulation(&model).step(1e-3).until(1e-3).error_limit(None).run().unwrap();
    let (sin, cos) = model.start.to_radians().sin_cos();
    let out = model.base + model.l * cos - model.edge;
    let height = -model.l * sin - (model.rod.powi(2) - out * out).sqrt();
    let found = [DeltaRobot::PLATFORM_X, DeltaRobot::PLATFORM_Y, DeltaRobot::PLATFORM_Z]
        .map(|coordinate| run.coordinate(coordinate)[0]);
    for (found, wanted) in found.into_iter().zip([0.0, 0.0, height]) {
        assert!((found - wanted).abs() < 1e-12, "{found} and {wanted}");
    }
}

#[test]
fn positions_are_of_second_order() {
    for output in [DeltaRobot::X, DeltaRobot::Y, DeltaRobot::Z] {
        let order = super::order(2e-3, output, run);
        assert!((order - 2.0).abs() < 0.1, "{output:?}: {order}");
    }
}

#[test]
fn the_platform_does_not_turn() {
    let run = run(1e-3);
    for e in [DeltaRobot::PLATFORM_E1, DeltaRobot::PLATFORM_E2, DeltaRobot::PLATFORM_E3] {
        let turn = run.coordinate(e).iter().map(|e| e.abs()).fold(0.0, f64::max);
        assert!(turn < 1e-10, "{turn:e}");
    }
    let reach = run.output(DeltaRobot::X).iter().map(|x| x.abs()).fold(0.0, f64::max);
    assert!(reach > 20.0, "it moves by {reach} mm only");
}

#[test]
fn motors_carry_the_weight() {
    let model = DeltaRobot { d: 60.0, ..DeltaRobot::default() };
    let start = model.start;
    let run = [DeltaRobot::TARGET_1, DeltaRobot::TARGET_2, DeltaRobot::TARGET_3]
        .into_iter()
        .fold(Simulation::new(&model), |simulation, target| simulation.input(target, start))
        .step(2e-3)
        .until(4.0)
        .run()
        .unwrap();
    let last = |output| run.output(output).into_iter().next_back().unwrap();
    let torque = [DeltaRobot::TORQUE_1, DeltaRobot::TORQUE_2, DeltaRobot::TORQUE_3].map(last);
    // all arms give way by the same angle
    let (sin, cos) = (model.start.to_radians() + torque[0] / model.c).sin_cos();
    let out = model.base + model.l * cos - model.edge;
    let sink = model.l * cos + model.l * sin * out / (model.rod.powi(2) - out * out).sqrt();
    let wanted = model.g * ((model.m_p + model.payload) / 3.0 * sink + model.m * model.s * cos);
    for torque in torque {
        assert!((torque / wanted - 1.0).abs() < 1e-6, "{torque} and {wanted}");
    }
}

#[test]
fn derivatives() {
    super::derivatives(&DeltaRobot::default());
}

#[test]
fn gradient() {
    let model = DeltaRobot::default();
    super::gradient(&simulation(&model), &model, DeltaRobot::FORCE);
}
