//! Steps that begin anew, at the start of a run and where their length changes: order, closed forms, exact derivatives.

use costate::cost::{BolzaCost, Cost};
use costate::differentiate::{UnknownTables, sensitivities};
use costate::simulate::{Problem, Trajectory};
use costate::table::{Curve, Extension};
use costate::verify::{check_gradient, check_table_gradient};
use costate::{Model, Output, Parameter, Simulation, gradient};

costate::model! {
    #[interpreted]
    /// A pendulum that starts in motion.
    pub Moving {
        parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, start: rad = 0.7, spin: rad/s = 3 }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { y: -m*g }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = l*sin(start), y ~ -l, dot(x) = l*cos(start)*spin }
        outputs { tension: N = 2*l*multiplier(rod), a_x: m/s^2 = ddot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// A trolley that is driven along a curve, with a bob that is heavier to one side and holds on to a damper without
    /// mass.
    pub Trolley {
        parameters { m: kg = 2, m_t: kg = 5, l: m = 1.2, g: m/s^2 = 9.81, w: rad/s = 2, a: m = 0.4, start: rad = 0.3,
        c: N/m = 50, d: N*s/m = 8 }
        tables { drive(time: s): m }
        coordinates { trolley: m, x: m, y: m, soft: m }
        mass { trolley: m_t, x: m*(1 + x^2/4[m^2]), y: m }
        forces { y: -m*g, x: -c*(x - soft), soft: c*(x - soft) - d*dot(soft) }
        constraints { path: trolley - a*sin(w*t) - drive(t), rod: (x - trolley)^2 + y^2 - l^2 }
        initial { x = l*sin(start), y ~ -l, soft = 0.1[m], dot(x) = 0.5[m/s] }
        outputs { tension: N = 2*l*multiplier(rod), hold: N = multiplier(path), position: m = x, a_x: m/s^2 = ddot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// A light mass on a heavy one by a stiff spring, let go at rest.
    pub Stiff {
        parameters { m: kg = 1, c: N/m = 40, k: N/m = 1e8 }
        coordinates { x: m, y: m }
        mass { x: m, y: 0.01*m }
        forces { x: -c*x - k*(x - y), y: -k*(y - x) }
        initial { x = 0.1[m], y = 0.1[m], dot(x) = 0, dot(y) = 0 }
        outputs { a_y: m/s^2 = ddot(y) }
    }
}

/// The largest error of the tension over all steps, by the energy of the pendulum at its height.
fn tension_error(model: &Moving, run: &Trajectory) -> f64 {
    let errors = (0..=run.steps()).map(|i| {
        let y = run.coordinates(i)[1];
        let speed_squared = model.spin.powi(2) - 2.0 * model.g * (y + model.start.cos());
        (2.0 * run.multipliers(i)[0] - (speed_squared - model.g * y)).abs()
    });
    errors.fold(0.0, f64::max)
}

#[test]
fn multipliers_are_of_second_order_from_the_first_step_on() {
    let model = Moving::default();
    let simulation = || Simulation::new(&model).until(1.0).error_limit(None);
    let run = |h: f64| tension_error(&model, simulation().step(h).run().unwrap().trajectory());
    let errors = [4e-3, 2e-3, 1e-3].map(run);
    assert!(errors[0] < 6e-4, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((3.6..4.2).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

#[test]
fn multipliers_are_of_second_order_after_every_change_of_the_step() {
    let model = Moving::default();
    let mut problem = Simulation::new(&model).until(1.0).step(0.02).adaptive(1e-6).problem().unwrap();
    let mut errors = Vec::new();
    for _ in 0..3 {
        errors.push(tension_error(&model, &problem.forward(&model.parameters()).unwrap()));
        problem = problem.refined().unwrap();
    }
    // 29 N in all
    assert!(errors[0] < 1e-2, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((3.5..4.3).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

#[test]
fn no_force_is_evaluated_ahead() {
    let model = Stiff::default();
    for h in [1e-2, 1e-3, 1e-4] {
        let run = Simulation::new(&model).step(h).until(40.0 * h).error_limit(None).run().unwrap();
        let largest = run.output(Stiff::A_Y).into_iter().fold(0.0, |most: f64, a| most.max(a.abs()));
        // the light mass swings about -4 m/s^2, from 0 on
        assert!(largest < 8.1, "{h}: {largest}");
    }
}

/// The gradient of a cost of all outputs by dual numbers, and by the sums of the sensitivities.
fn check<M: Model>(model: &M, problem: &Problem) {
    let all: Vec<_> = Parameter::<M>::all().collect();
    let mut cost = BolzaCost::new(problem.settings().step, problem.samples());
    for output in Output::<M>::all() {
        cost = cost.with_end_value(output, 1.0).unwrap().with_integral(output, 0.3).unwrap();
    }
    let report = check_gradient(problem, model, &cost, &all).unwrap();
    assert!(report.agrees(1e-10), "{report}");
    let run = problem.forward(model.parameters().as_ref()).unwrap();
    let by_outputs = cost.output_gradient(&run.outputs());
    let found = gradient(problem, &run, &by_outputs, &all).unwrap();
    for (series, found) in sensitivities(problem, &run, &all).unwrap().iter().zip(found) {
        let products = || {
            let rows = (0..problem.samples()).map(|k| (series.row(k), by_outputs.row(k)));
            rows.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b))
        };
        let size: f64 = products().map(f64::abs).sum();
        assert!((products().sum::<f64>() - found).abs() <= 1e-9 * size, "{found}");
    }
    if !M::description().tables.is_empty() {
        let report = check_table_gradient(problem, model, &cost, &UnknownTables::all()).unwrap();
        assert!(report.agrees(1e-10), "{report}");
    }
}

#[test]
fn derivatives_are_those_of_the_displaced_velocities() {
    let (moving, trolley) = (Moving::default(), Trolley::default());
    let curve =
        Curve::new(vec![0.0, 0.2, 0.4, 0.7, 1.0, 1.5], vec![0.0, 0.05, 0.1, -0.05, 0.08, 0.0], Extension::Linear)
            .unwrap();
    let simulation = || Simulation::new(&trolley).table(Trolley::DRIVE, curve.clone()).until(0.5);
    check(&moving, &Simulation::new(&moving).until(0.5).step(0.01).problem().unwrap());
    check(&trolley, &simulation().step(0.01).problem().unwrap());
    let adaptive = Simulation::new(&moving).until(0.5).step(0.05).adaptive(1e-5).problem().unwrap();
    assert!(adaptive.steps() > 2 * (adaptive.samples() - 1));
    check(&moving, &adaptive);
    let adaptive = simulation().step(0.05).adaptive(1e-5).problem().unwrap();
    assert!(adaptive.steps() > 2 * (adaptive.samples() - 1));
    check(&trolley, &adaptive);
}
