//! Positions near which a start is searched for: the start is the nearest one, and its derivatives are exact.

use costate::cost::{LeastSquares, Quadrature};
use costate::{Output, Parameter, Simulation, check_gradient};

use super::mechanisms::NearStart;

#[test]
fn the_start_is_the_nearest() {
    let model = NearStart::default();
    let run = Simulation::new(&model).step(1e-3).until(1e-3).run().unwrap();
    let at = |coordinate| run.coordinate(coordinate)[0];
    let near = [0.0, 0.0, model.start, model.l, model.l * model.start, model.start.powi(2) * model.l];
    let start = [
        NearStart::ROD_1_X,
        NearStart::ROD_1_Y,
        NearStart::ROD_1_ANGLE,
        NearStart::ROD_2_X,
        NearStart::ROD_2_Y,
        NearStart::ROD_2_ANGLE,
    ]
    .map(at);
    // the only freedom of the start that changes distances is the angle of the first rod
    let distance = |angle: f64| {
        let (x, y) = (model.l * angle.cos(), model.l * angle.sin());
        (angle - near[2]).powi(2) + (x - near[3]).powi(2) + (y - near[4]).powi(2)
    };
    let chosen = distance(start[2]);
    assert!((start[3] - model.l * start[2].cos()).abs() < 1e-14 && (start[5] - near[5]).abs() < 1e-14);
    for change in [-1e-3, -1e-4, 1e-4, 1e-3] {
        assert!(distance(start[2] + change) > chosen, "{change}");
    }
    assert!((at(NearStart::ROD_3_X) - model.start * model.l).abs() < 1e-15);
}

#[test]
fn gradient() {
    let model = NearStart::default();
    let problem = Simulation::new(&model).step(0.01).until(1.0).problem().unwrap();
    let cost = LeastSquares::new(0.01, 101, Quadrature::Rectangle)
        .with_channel(Output::<NearStart>::at(0), &[0.25, 0.5, 1.0], &[0.0, 0.1, 0.2], 1.0)
        .unwrap();
    let report = check_gradient(&problem, &model, &cost, &Parameter::all().collect::<Vec<_>>()).unwrap();
    assert!(report.agrees(1e-10), "{report}");
}
