//! Steps with a single Newton iteration, accepted by an estimate of the error.

use costate::cost::{LeastSquares, Quadrature};
use costate::simulate::NewtonSettings;
use costate::{Model, Parameter, Simulation, check_gradient};

use crate::hht::Pendulum;

fn simulation(model: &Pendulum, estimate: bool) -> Simulation<Pendulum> {
    let newton = NewtonSettings::default().with_estimate(estimate);
    Simulation::new(model).input(Pendulum::DRIVE, |t: f64| 2.0 * (3.0 * t).sin()).step(1e-3).until(2.0).newton(newton)
}

#[test]
fn one_iteration_is_the_rule_and_the_solution_the_same() {
    let model = Pendulum::default();
    let [strict, estimated] = [false, true].map(|estimate| simulation(&model, estimate).run().unwrap());
    let statistics = estimated.statistics();
    assert!(statistics.iterations < statistics.steps * 5 / 4, "{statistics:?}");
    for (a, b) in strict.output(Pendulum::HEIGHT).iter().zip(estimated.output(Pendulum::HEIGHT)) {
        assert!((a - b).abs() < 1e-11, "{a} {b}");
    }
}

#[test]
fn gradients_still_agree_with_dual_numbers() {
    let model = Pendulum::default();
    let problem = simulation(&model, true).problem().unwrap();
    let cost = LeastSquares::new(1e-3, problem.steps() + 1, Quadrature::Rectangle)
        .with_channel(Pendulum::HEIGHT, &[0.0, 1.0, 2.0], &[-0.7, -0.5, -0.8], 1.0)
        .unwrap();
    let unknown = Parameter::all().collect::<Vec<_>>();
    let report = check_gradient(&problem, &model, &cost, &unknown).unwrap();
    assert!(report.agrees(1e-9), "{report}");
    assert_eq!(model.parameters().len(), report.entries.len());
}
