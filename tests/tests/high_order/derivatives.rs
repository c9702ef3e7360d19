//! Derivatives of runs of high order against dual numbers through the same runs.

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::differentiate::sensitivities;
use costate::simulate::{Checkpoints, Problem, Scheme};
use costate::{Model, Output, Parameter, Simulation, check_gradient, gradient};
use costate_tests::{Gyroscope, ParametersEverywhere, SwingingRod};

/// Least squares of these outputs against wavy records, on a grid that does not fall on the steps.
fn cost<M: Model>(problem: &Problem, outputs: impl Iterator<Item = Output<M>>) -> LeastSquares {
    let times: Vec<f64> = (0..70).map(|j| 0.013 * f64::from(j)).collect();
    let mut cost = LeastSquares::new(problem.settings().step, problem.samples(), Quadrature::Rectangle);
    for output in outputs {
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t + output.index() as f64).sin()).collect();
        cost = cost.with_channel(output, &times, &values, 1.0).unwrap();
    }
    cost
}

/// Checks the adjoint of all outputs against dual numbers; for `smooth` outputs, those of positions and velocities,
/// direct differentiation too, and a run with checkpoints against one without, bit by bit.
pub(crate) fn check<M: Model>(simulation: &Simulation<M>, model: &M, smooth: &[&str]) {
    let problem = simulation.clone().step(0.02).until(1.0).problem().unwrap();
    let unknown: Vec<Parameter<M>> = Parameter::all().collect();
    let report = check_gradient(&problem, model, &cost(&problem, Output::<M>::all()), &unknown).unwrap();
    assert!(report.agrees(1e-10), "{report}");
    let cost = cost(&problem, smooth.iter().map(|name| Output::<M>::named(name).unwrap()));
    let report = check_gradient(&problem, model, &cost, &unknown).unwrap();
    assert!(report.agrees(1e-10), "{report}");
    assert!(report.entries.iter().any(|entry| entry.adjoint != 0.0), "{report}");
    let mut run = problem.run(model.parameters().as_ref()).unwrap();
    let by_outputs = cost.output_gradient(run.outputs());
    let direct = sensitivities(&problem, &mut run, &unknown).unwrap();
    for (entry, series) in report.entries.iter().zip(direct) {
        let rows = (0..problem.samples()).flat_map(|i| by_outputs.row(i).iter().zip(series.row(i)));
        let total: f64 = rows.map(|(derivative, sensitivity)| derivative * sensitivity).sum();
        assert!((total - entry.dual).abs() <= 1e-10 * entry.reference, "{}: {total}\n{report}", entry.parameter);
    }
    let whole = gradient(&problem, &mut run, &by_outputs, &unknown).unwrap();
    let budget = problem.memory().total() * 3 / 4;
    let fewer = simulation.clone().step(0.02).until(1.0).checkpoints(Checkpoints::Within(budget)).problem().unwrap();
    assert!(fewer.has_checkpoints());
    let mut again = fewer.run(model.parameters().as_ref()).unwrap();
    assert_eq!(again.outputs(), run.outputs());
    assert_eq!(gradient(&fewer, &mut again, &by_outputs, &unknown).unwrap(), whole);
}

#[test]
fn gradients_agree_with_dual_numbers() {
    for order in [3, 4, 6] {
        let model = Gyroscope::default();
        check(&Simulation::new(&model).order(order), &model, &["sum", "rate"]);
        check(&Simulation::new(&model).scheme(Scheme::Undamped).order(order), &model, &["sum", "rate"]);
        let model = SwingingRod::default();
        check(&Simulation::new(&model).order(order), &model, &["angle", "speed"]);
        let model = ParametersEverywhere::default();
        check(&Simulation::new(&model).order(order), &model, &["position"]);
    }
}
