//! The engine with a map of the gas pressure.

use costate::cost::{LeastSquares, Quadrature};
use costate::verify::random_points;
use costate::{Model, Parameter, check_derivatives, check_gradient};
use costate_models::MappedEngine as Engine;
use costate_models::four_cylinder_engine::{Drive, RUN_UP, STEP};
use costate_tests::published::engine;

/// At random states around the start, with every throw somewhere else in the cycle.
#[test]
fn derivatives() {
    let model = Engine::default();
    let problem = engine(&model, RUN_UP, 1).problem().unwrap();
    let start = costate::simulate::initial_state_in::<Engine, f64>(&problem, &model.parameters()).unwrap();
    let mut points = random_points(&model, 100, 8);
    for (i, point) in points.iter_mut().enumerate() {
        let turn = 0.7 * i as f64;
        let add = |to: &mut [f64], from: &[f64]| to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        add(point.state.coordinates.as_mut(), start.coordinates.as_ref());
        add(point.state.velocities.as_mut(), start.velocities.as_ref());
        point.state.coordinates.as_mut()[..6].iter_mut().for_each(|angle| *angle += turn);
    }
    let report = check_derivatives(&points, 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

#[test]
fn gradient_of_every_parameter() {
    let model = Engine::default();
    let problem = engine(&model, RUN_UP, 400).problem().unwrap();
    let times: Vec<f64> = (0..=400).map(|i| f64::from(i) * STEP).collect();
    let cost = LeastSquares::new(STEP, times.len(), Quadrature::Rectangle)
        .with_channel(Engine::TWIST, &times, &vec![0.01; times.len()], 1.0)
        .unwrap();
    let all: Vec<_> = Parameter::all().collect();
    let report = check_gradient(&problem, &model, &cost, &all).unwrap();
    assert!(report.agrees(1e-9), "{report}");
}

/// At constant speed the motion repeats itself with the working cycle, every second revolution.
#[test]
fn repeats_itself_every_second_revolution() {
    let drive = Drive::constant(3000.0);
    let model = Engine { speed_0: 3000.0, ..Engine::default() };
    // 400 steps a revolution, ten of them after ten more.
    let run = engine(&model, drive, 8000).run().unwrap();
    let twist = &run.output(Engine::TWIST)[4000..8000];
    let amplitude = |order: f64| {
        let (mut a, mut b) = (0.0, 0.0);
        for (i, value) in twist.iter().enumerate() {
            let phase = order * std::f64::consts::TAU * i as f64 / 400.0;
            a += value * phase.cos() / 2000.0;
            b += value * phase.sin() / 2000.0;
        }
        a.hypot(b)
    };
    // The firings are even: of the whole orders the second is left, and its multiples. The distances of the throws
    // along the shaft leave the half order in the twist.
    let [half, first, second, third] = [0.5, 1.0, 2.0, 3.0].map(amplitude);
    assert!(half > 1e-4 && second > 1e-4, "{half} {second}");
    assert!(first.max(third) < 0.02 * second, "{first} {second} {third}");
    let between = [0.2, 0.7, 1.3, 2.4].map(amplitude);
    assert!(between.into_iter().all(|other| other < 0.01 * second), "{between:?} {second}");
}
