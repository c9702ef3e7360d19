//! Discrete adjoint and direct differentiation against each other.

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::differentiate::GradientMethod;
use costate::simulate::Scheme;
use costate::{Model, Parameter, Simulation, check_gradient};
use costate_tests::SwingingRod;

const DISCRETE: GradientMethod = GradientMethod::DiscreteAdjoint;
const DIRECT: GradientMethod = GradientMethod::DirectDifferentiation;

/// The gradient of the rod's cost with this number of steps in one second: of an integral over the outputs, or of their
/// values at the end.
fn rod(method: GradientMethod, steps: usize, at_end: bool, parameters: &[Parameter<SwingingRod>]) -> Vec<f64> {
    let (model, h) = (SwingingRod::default(), 1.0 / steps as f64);
    let problem = Simulation::new(&model).step(h).until(1.0).scheme(Scheme::Undamped).problem().unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    let outputs = trajectory.outputs();
    let times: Vec<f64> = if at_end { vec![1.0] } else { (0..=steps).map(|i| i as f64 * h).collect() };
    let quadrature = if at_end { Quadrature::Sum } else { Quadrature::Trapezoid };
    let mut cost = LeastSquares::new(h, steps + 1, quadrature);
    for output in [SwingingRod::ANGLE, SwingingRod::SPEED] {
        let measured: Vec<f64> = times.iter().map(|t| 0.2 * t.cos()).collect();
        cost = cost.with_channel(output, &times, &measured, 1.0).unwrap();
    }
    let output_gradient = cost.output_gradient(&outputs);
    method.gradient(&problem, &trajectory, &output_gradient, parameters).unwrap()
}

/// The largest difference relative to the largest entry, each times its parameter.
fn difference(a: &[f64], b: &[f64], parameters: &[Parameter<SwingingRod>]) -> f64 {
    let values = SwingingRod::default().parameters();
    let size = |i: usize| values[parameters[i].index()].abs();
    let largest = (0..b.len()).map(|i| (b[i] * size(i)).abs()).fold(0.0, f64::max);
    (0..b.len()).map(|i| ((a[i] - b[i]) * size(i)).abs()).fold(0.0, f64::max) / largest
}

#[test]
fn discrete_adjoint_and_direct_differentiation_are_the_same_number() {
    let all: Vec<_> = Parameter::all().collect();
    for at_end in [false, true] {
        let (adjoint, direct) = (rod(DISCRETE, 400, at_end, &all), rod(DIRECT, 400, at_end, &all));
        assert!(difference(&adjoint, &direct, &all) < 1e-11, "{adjoint:?} {direct:?}");
    }
}

#[test]
fn bolza_costs() {
    let model = SwingingRod::default();
    for steps in [800, 1600] {
        let h = 1.0 / steps as f64;
        let problem = Simulation::new(&model).step(h).until(1.0).scheme(Scheme::Undamped).problem().unwrap();
        let trajectory = problem.forward(&model.parameters()).unwrap();
        let outputs = trajectory.outputs();
        let cost = SwingingRod::bolza_cost(h, steps + 1);
        let all: Vec<_> = Parameter::all().collect();
        let report = check_gradient(&problem, &model, &cost, &all).unwrap();
        // Without numerical damping the rounding of the constraints, eps/(beta h^2), is left: 1.4e-10.
        assert!(report.agrees(1e-9), "{report}");
        let angle: Vec<f64> = outputs.output(SwingingRod::ANGLE).unwrap().collect();
        let integral: f64 = angle.windows(2).map(|pair| h * (pair[0] + pair[1]) / 2.0).sum();
        let speed = outputs.row(steps)[SwingingRod::SPEED.index()];
        let speeds: Vec<f64> = outputs.output(SwingingRod::SPEED).unwrap().collect();
        let energy: f64 = (0..=steps)
            .map(|i| {
                let part = if i == 0 || i == steps { 0.5 } else { 1.0 };
                part * h * i as f64 * h * speeds[i] * speeds[i]
            })
            .sum();
        let ends = 3.0 * angle[0] + 2.0 * angle[steps] - 0.5 * speed;
        let function = (angle[steps] - angle[0]).sin() * speed;
        assert!((cost.value(&outputs) - (ends + integral + function + energy)).abs() < 1e-12);
        let output_gradient = cost.output_gradient(&outputs);
        let unknown: Vec<_> = Parameter::<SwingingRod>::all().take(4).collect();
        let [discrete, direct] = [DISCRETE, DIRECT]
            .map(|method| method.gradient(&problem, &trajectory, &output_gradient, &unknown).unwrap());
        assert!(difference(&direct, &discrete, &unknown) < 1e-11);
    }
}
