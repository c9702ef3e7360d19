//! Closed loops of bodies in space: order of accuracy, what is conserved, derivatives, gradients. The build script
//! makes their models interpreted.

mod bricard_model {
    include!(concat!(env!("OUT_DIR"), "/bricard.rs"));
}
mod car_model {
    include!(concat!(env!("OUT_DIR"), "/car.rs"));
}
mod delta_robot_model {
    include!(concat!(env!("OUT_DIR"), "/delta_robot.rs"));
}

mod bricard;
mod car;
mod delta_robot;

use costate::cost::{LeastSquares, Quadrature};
use costate::verify::random_points;
use costate::{Model, Output, Parameter, Run, Simulation, check_derivatives, check_gradient};

/// Checks every emitted derivative against dual numbers at random states.
fn derivatives<M: Model>(model: &M) {
    let report = check_derivatives(&random_points(model, 30, 3), 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
    assert_eq!(report.skipped, 0, "{report}");
}

/// Checks the gradient of an output's distance from a line with respect to all parameters.
fn gradient<M: Model>(simulation: &Simulation<M>, model: &M, output: Output<M>) {
    let problem = simulation.clone().step(0.005).until(0.3).problem().unwrap();
    let cost = LeastSquares::new(0.005, 61, Quadrature::Rectangle)
        .with_channel(output, &[0.1, 0.2, 0.3], &[0.0, -0.1, -0.2], 1.0)
        .unwrap();
    let report = check_gradient(&problem, model, &cost, &Parameter::all().collect::<Vec<_>>()).unwrap();
    assert!(report.agrees(1e-8), "{report}");
}

/// The order at which the last values of an output, with the step h, h/2 and h/4, become equal.
fn order<M: Model>(h: f64, output: Output<M>, run: impl Fn(f64) -> Run<M>) -> f64 {
    let [coarse, middle, fine] = [h, h / 2.0, h / 4.0].map(|h| {
        let values = run(h).output(output);
        values[values.len() - 1]
    });
    ((coarse - middle) / (middle - fine)).abs().log2()
}
