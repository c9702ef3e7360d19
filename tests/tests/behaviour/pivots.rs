//! The pivot order that is fixed when a model is compiled, where it is stable and where it is not.

use costate::cost::{LeastSquares, Quadrature};
use costate::verify::random_points;
use costate::{Parameter, Simulation, check_derivatives, check_gradient};

costate::model! {
    #[interpreted]
    /// A point with coordinates p in axes that turn, without mass: every entry of the constraints' matrix that could be
    /// a pivot vanishes twice in a revolution. A mass is tied to the point by a spring.
    pub TurningAxes {
        parameters { a: m = 0.3, b: m = 0.2, rate: rad/s = 4, m: kg = 0.5, k: N/m = 20, weight: N = 2 }
        coordinates { p[1..=2]: m, x: m }
        mass { x: m }
        forces { p[1]: -weight, x: -k*(x - p[1]) }
        constraints {
            along: cos(rate*t)*p[1] - sin(rate*t)*p[2] - a,
            across: sin(rate*t)*p[1] + cos(rate*t)*p[2] - b,
        }
        initial { x = a }
        outputs { place: m = x, force: N = multiplier(along) }
    }
}

costate::model! {
    #[interpreted]
    /// The mass of `TurningAxes` with the point's position as a function of time.
    pub TurningPoint {
        parameters { a: m = 0.3, b: m = 0.2, rate: rad/s = 4, m: kg = 0.5, k: N/m = 20 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -k*(x - (a*cos(rate*t) + b*sin(rate*t))) }
        initial { x = a }
        outputs { place: m = x }
    }
}

/// Angular velocity of one revolution in four seconds, such that steps end at the times where an entry vanishes.
const RATE: f64 = std::f64::consts::FRAC_PI_2;

#[test]
fn a_pivot_that_vanishes_is_replaced() {
    let axes = TurningAxes { rate: RATE, ..TurningAxes::default() };
    let axes = Simulation::new(&axes).step(1e-3).until(4.0).run().unwrap();
    let point = TurningPoint { rate: RATE, ..TurningPoint::default() };
    let point = Simulation::new(&point).step(1e-3).until(4.0).run().unwrap();
    for (a, b) in axes.output(TurningAxes::PLACE).iter().zip(point.output(TurningPoint::PLACE)) {
        assert!((a - b).abs() < 1e-11, "{a} {b}");
    }
    for (i, force) in axes.output(TurningAxes::FORCE).iter().enumerate() {
        let exact = -2.0 * (RATE * 1e-3 * i as f64).cos();
        assert!((force - exact).abs() < 1e-9, "step {i}: {force} {exact}");
    }
    let statistics = axes.statistics();
    assert!(statistics.pivoted > 0, "{statistics:?}");
    assert!(statistics.pivoted < statistics.factorizations / 4, "{statistics:?}");
}

#[test]
fn the_adjoint_replaces_it_too() {
    let model = TurningAxes { rate: RATE, ..TurningAxes::default() };
    let problem = Simulation::new(&model).step(2e-3).until(2.0).problem().unwrap();
    let cost = LeastSquares::new(2e-3, problem.steps() + 1, Quadrature::Rectangle)
        .with_channel(TurningAxes::PLACE, &[0.0, 1.0, 2.0], &[0.1, 0.4, -0.3], 1.0)
        .unwrap()
        .with_channel(TurningAxes::FORCE, &[0.0, 2.0], &[0.1, 0.4], 1.0)
        .unwrap();
    let report = check_gradient(&problem, &model, &cost, &Parameter::all().collect::<Vec<_>>()).unwrap();
    assert!(report.agrees(1e-10), "{report}");
}

#[test]
fn emitted_solutions_are_checked() {
    let report = check_derivatives(&random_points(&TurningAxes::default(), 5, 1), 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
}

#[test]
fn a_run_with_good_pivots_keeps_them() {
    let model = TurningPoint::default();
    let run = Simulation::new(&model).step(1e-3).until(1.0).run().unwrap();
    assert_eq!(run.statistics().pivoted, 0);
}
