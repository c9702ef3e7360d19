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

/// A delta robot that falls without its motors, to one side, whose forearms are bodies on universal joints.
const DELTA_ROBOT: &str = "
pub Delta {
    parameters {
        m: kg = 0.7, along: kg*m^2 = 5e-4, across: kg*m^2 = 0.05, l: m = 0.25, s: m = 0.14,
        m_f: kg = 0.3, f_along: kg*m^2 = 1e-4, f_across: kg*m^2 = 9e-3,
        m_p: kg = 0.8, flat: kg*m^2 = 8e-4,
        rod: m = 0.6, base: m = 0.15, edge: m = 0.06,
        g: m/s^2 = 9.81, start: deg = 20,
    }
    gravity { (g/4, 0, -g) }
    bodies {
        arm[1..=3]: spatial { mass: m, inertia: (along, across, across) },
        fore[1..=3]: spatial { mass: m_f, inertia: (f_along, f_across, f_across) },
        platform: spatial { mass: m_p, inertia: (flat, flat, 2*flat) },
    }
    let motor[i in 1..=3] = ground.rotated((0, 0, 1), 120[deg]*(i - 1)).at(base, 0, 0);
    let side[i in 1..=3] = platform.rotated((0, 0, 1), 120[deg]*(i - 1)).at(edge, 0, 0);
    joints {
        for i in 1..=3 {
            hinge[i]: revolute(motor[i], arm[i].at(-s, 0, 0), axis = (0, 1, 0)),
            elbow[i]: universal(
                arm[i].at(l - s, 0, 0), fore[i].at(-rod/2, 0, 0), axis = (0, 1, 0), second_axis = (0, 0, 1),
            ),
            wrist[i]: universal(side[i], fore[i].at(rod/2, 0, 0), axis = (0, 1, 0), second_axis = (0, 0, 1)),
        },
    }
    let out = base + l*cos(start) - edge;
    initial {
        for i in 1..=3 {
            let azimuth = 120[deg]*(i - 1);
            let middle = base + s*cos(start);
            arm[i].orientation = rotation((0, 0, 1), azimuth)*rotation((0, 1, 0), start),
            arm[i].position ~ (middle*cos(azimuth), middle*sin(azimuth), -s*sin(start)),
            let far = (base + l*cos(start) + edge)/2;
            fore[i].position ~ (far*cos(azimuth), far*sin(azimuth), -l*sin(start) - sqrt(rod^2 - out^2)/2),
            fore[i].orientation ~ rotation((0, 0, 1), azimuth)*rotation((0, 1, 0), atan2(sqrt(rod^2 - out^2), -out)),
        },
        platform.position ~ (0, 0, -l*sin(start) - sqrt(rod^2 - out^2)),
    }
    outputs { x: mm = platform.x, z: mm = platform.z }
}
";

/// Arms that stretch and fold: the order of pivots serves in every step of every length.
#[test]
fn a_delta_robot_keeps_its_pivots() {
    let robot = crate::loaded(DELTA_ROBOT).simulation().unwrap();
    for step in [5e-4, 1e-3, 2e-3] {
        let run = robot.clone().step(step).until(2.0).error_limit(None).run().unwrap();
        let reach = run.outputs().channel(0).unwrap().fold(0.0, |most: f64, x| most.max(x.abs()));
        assert!(reach > 100.0, "it falls by {reach} mm to the side");
        let statistics = run.statistics();
        assert!(20 * statistics.pivoted < statistics.factorizations, "{step}: {statistics:?}");
    }
}
