//! Derivatives that are zero but for rounding, in initial states, in runs with dual numbers and in the checks, and
//! those at kinks.

use costate::cost::{BolzaCost, LeastSquares, Quadrature};
use costate::differentiate::GradientMethod;
use costate::model::Dual;
use costate::simulate::{InitialStateError, Problem, Series, SimulationError, State};
use costate::verify::{CheckPoint, GradientReport};
use costate::{Model, Output, Parameter, Simulation, check_derivatives, check_gradient};
use costate_tests::duals::seeded;

/// The gradient of an output at the end, by the adjoint and by dual numbers.
fn check_end<M: Model>(
    model: &M,
    (step, steps): (f64, u32),
    output: Output<M>,
    unknown: &[Parameter<M>],
) -> Result<GradientReport, SimulationError> {
    let problem = Simulation::new(model).step(step).until(step * f64::from(steps)).problem()?;
    let cost = BolzaCost::new(step, problem.steps() + 1).with_end_value(output, 1.0).unwrap();
    check_gradient(&problem, model, &cost, unknown)
}

/// d/dp of the first output at the end by this method, and by dual numbers.
fn by_method<M: Model>(problem: &Problem, model: &M, p: Parameter<M>, method: GradientMethod) -> [f64; 2] {
    let run = problem.forward(model.parameters().as_ref()).unwrap();
    let mut derivatives = Series::zeros(run.step(), <M as Model>::description().outputs.len(), run.steps() + 1);
    derivatives.row_mut(run.steps())[0] = 1.0;
    let found = method.gradient(problem, &run, &derivatives, &[p]).unwrap()[0];
    let directed = seeded(model.parameters().as_ref(), p.index());
    [found, costate::simulate::outputs_in::<M, Dual>(problem, &directed).unwrap().row(run.steps())[0].derivative]
}

mod moving {
    costate::model! {
        #[interpreted]
        /// A pendulum whose support moves.
        pub Moving {
            parameters { m: kg = 1, l: m = 1, g: m/s^2 = 9.81, start: rad = 0.5, a: m = 0.3, w: rad/s = 5 }
            coordinates { x: m, y: m }
            mass { x: m, y: m }
            forces { y: -m*g }
            constraints { rod: (x - a*sin(w*t))^2 + y^2 - l^2 }
            initial { x = l*sin(start), y ~ -l }
            outputs { e_x: m = x }
        }
    }
}
use moving::Moving;

#[test]
fn velocities_that_do_not_depend_on_a_parameter_are_no_contradiction() {
    for l in [0.7, 0.9, 1.0, 2.0, 1.3] {
        let model = Moving { l, ..Moving::default() };
        let problem = Simulation::new(&model).step(1e-3).until(2.0).problem().unwrap();
        for method in [GradientMethod::DiscreteAdjoint, GradientMethod::DirectDifferentiation] {
            let [found, exact] = by_method(&problem, &model, Moving::L, method);
            assert!((found - exact).abs() < 1e-10, "{l} {method}: {found} {exact}");
        }
    }
}

mod factor {
    costate::model! {
        #[interpreted]
        /// A parameter that is only a factor of the constraint changes nothing.
        pub Factor {
            parameters { p: 1 = 0.3 }
            coordinates { x: 1, y: 1 }
            mass { x: 1[kg*m^2], y: 1[kg*m^2] }
            forces { x: -1[N*m]*x }
            constraints { c: sqrt(0.4 + p^2)*(y + 0.3*sin(y) - sin(x)) }
            initial { x = 0.4, dot(x) = 0.3[1/s] }
            outputs { position: 1 = x }
        }
    }
}
use factor::Factor;

#[test]
fn a_factor_of_a_constraint_is_no_contradiction() {
    for i in 0..40 {
        let model = Factor { p: 0.05 * f64::from(i) };
        let report = check_end(&model, (1e-3, 20), Factor::POSITION, &[Factor::P]).unwrap();
        assert!(report.agrees(1e-10), "{report}");
        assert!(report.entries[0].adjoint.abs() < 1e-15, "{report}");
    }
}

mod given {
    costate::model! {
        #[interpreted]
        /// Everything is specified, by numbers: `p` is a factor, what `q` changes is tiny beside the terms.
        pub Given {
            parameters { p: 1 = 0.3, q: 1 = 0 }
            coordinates { x: 1, y: 1 }
            mass { x: 1[kg*m^2], y: 1[kg*m^2] }
            forces { x: -1[N*m]*x }
            constraints { c: sqrt(0.4 + p^2)*(y/3 - 0.7*x) + 1e-11*q }
            initial { x = 0.31, y = 0.651, dot(x) = 0.3[1/s], dot(y) = 0.63[1/s] }
            outputs { position: 1 = x }
        }
    }
}
use given::Given;

#[test]
fn what_is_specified_may_not_depend_on_a_factor_but_contradicts_where_little_is_missing() {
    let report = check_end(&Given::default(), (1e-3, 20), Given::POSITION, &[Given::P]).unwrap();
    assert!(report.agrees(1e-10), "{report}");
    let refused = check_end(&Given::default(), (1e-3, 20), Given::POSITION, &[Given::Q]).unwrap_err();
    let SimulationError::InitialState(InitialStateError::Derivative { constraint, value, .. }) = refused else {
        panic!("{refused}");
    };
    assert_eq!(constraint, "c");
    assert!((value - 1e-11).abs() < 1e-16, "{value}");
}

mod dead_centre {
    costate::model! {
        #[interpreted]
        /// Slider-crank that starts at rest at its dead centre.
        pub DeadCentre {
            parameters { r: m = 0.1, l: m = 0.3, gamma: rad = 0.3, j: kg*m^2 = 0.01, m_s: kg = 2, torque: N*m = 5,
                extra: kg = 0 }
            coordinates { theta: rad, phi: rad, s: m }
            mass { theta: j, s: m_s + extra }
            forces { theta: torque }
            constraints {
                c_x: r*cos(theta) + l*cos(phi) - s*cos(gamma),
                c_y: r*sin(theta) + l*sin(phi) - s*sin(gamma),
            }
            initial { theta = gamma, phi = gamma, s = r + l, dot(theta) = 0, dot(phi) = 0, dot(s) = 0 }
            outputs { angle: rad = theta, slider: m = s }
        }
    }
}
use dead_centre::DeadCentre;

#[test]
fn runs_in_dual_numbers_converge_where_a_derivative_is_zero() {
    let unknown: Vec<_> = Parameter::all().collect();
    for step in [1e-3, 1e-4, 1e-5] {
        for gamma in [0.0, 0.3, 0.7, 1.0] {
            for output in [DeadCentre::ANGLE, DeadCentre::SLIDER] {
                let model = DeadCentre { gamma, ..DeadCentre::default() };
                let report = check_end(&model, (step, 100), output, &unknown).unwrap();
                assert!(report.agrees(1e-10), "{step} {gamma} {output:?}\n{report}");
            }
        }
    }
}

#[test]
fn a_mistake_in_a_small_derivative_is_seen() {
    // the slider hardly moves: m_s changes its position by 2e-8 m/kg, that of r is 1
    let model = DeadCentre::default();
    let unknown: Vec<_> = Parameter::all().collect();
    let report = check_end(&model, (1e-4, 100), DeadCentre::SLIDER, &unknown).unwrap();
    for entry in &report.entries {
        let seen = (1e-6 * entry.dual.abs() - entry.rounding) / entry.reference;
        // nothing moves the slider with the direction
        assert_eq!(seen > 1e-8, entry.parameter != "gamma", "{entry:?}");
    }
}

mod drift {
    costate::model! {
        #[interpreted]
        /// An output that is zero but for rounding, and one that does not depend on the parameters.
        pub Drift {
            parameters { m: kg = 0.7, l: m = 0.9, g: m/s^2 = 9.81 }
            coordinates { x: m, y: m }
            mass { x: m, y: m }
            forces { y: -m*g }
            constraints { rod: x^2 + y^2 - l^2 }
            initial { x = 0.6*l, y ~ -l }
            outputs { drift: m^2 = x^2 + y^2 - l^2, ratio: 1 = (x^2 + y^2)/l^2 }
        }
    }
}
use drift::Drift;

#[test]
fn rounding_is_not_compared_with_rounding() {
    let unknown: Vec<_> = Parameter::all().collect();
    for output in [Drift::DRIFT, Drift::RATIO] {
        let report = check_end(&Drift::default(), (1e-3, 300), output, &unknown).unwrap();
        assert!(report.agrees(1e-10), "{report}");
        let problem = Simulation::new(&Drift::default()).step(1e-3).until(0.3).problem().unwrap();
        let cost = LeastSquares::new(1e-3, 301, Quadrature::Sum)
            .with_channel(output, &[0.1, 0.2, 0.3], &[0.0, 0.5, 1.0], 1.0)
            .unwrap();
        let report = check_gradient(&problem, &Drift::default(), &cost, &unknown).unwrap();
        assert!(report.agrees(1e-10), "{report}");
    }
}

mod saturated {
    costate::model! {
        /// Forces that no longer change, or hardly.
        pub Saturated {
            parameters { k: N = 3, c: 1/m = 400, e: 1/m = 1e5 }
            coordinates { x: m }
            mass { x: 1[kg] }
            forces { x: -k*tanh(c*x) - k*exp(-e*x^2*1[1/m]) }
            initial { x = 2[m] }
            outputs { position: m = x }
        }
    }
}
use saturated::Saturated;

#[test]
fn entries_below_rounding_are_no_mistakes() {
    let model = Saturated::default();
    let point = |x: f64| CheckPoint::<Saturated> {
        program: (),
        time: 0.0,
        state: State { coordinates: [x], ..State::zeros() },
        inputs: [],
        parameters: model.parameters(),
        tables: Saturated::tables(),
    };
    let points: Vec<_> = [0.07, 0.1, 0.3, 0.8, 1.0].map(point).into();
    let report = check_derivatives(&points, 1e-12);
    assert!(report.mismatches.is_empty(), "{report}");
    assert!(report.worst < 1e-12, "{report}");
}

mod kinks {
    costate::model! {
        /// Kinks of every kind, all of them at x = `gap` or dot(x) = 0.
        pub Kinks {
            parameters {
                m: kg = 1.3, k: N/m = 70, f: N = 3, c: N*s/m = 2, gap: m = 0.1, x0: m = 0.1, v0: m/s = 0,
            }
            coordinates { x: m }
            mass { x: m }
            forces {
                x: f*abs(x - gap)*1[1/m] - c*abs(dot(x)) - k*max(x - gap, 0) - k*min(x, gap)
                    - (if x > gap { f } else { 2*f*x/gap - f }) - f*sign(x - gap),
            }
            initial { x = x0, dot(x) = v0 }
            outputs { distance: m = abs(x - gap), most: m = max(x, gap), least: m = min(gap, x),
                chosen: m = if x < gap { 2*x } else { 3*x - gap }, side: 1 = sign(x - gap) }
        }
    }
}
use kinks::Kinks;

#[test]
fn emitted_derivatives_and_dual_numbers_take_the_same_side_of_a_kink() {
    let model = Kinks::default();
    let unknown: Vec<_> = Parameter::all().collect();
    let at = |x: f64, v: f64| CheckPoint::<Kinks> {
        program: (),
        time: 0.0,
        state: State { coordinates: [x], velocities: [v], accelerations: [0.3], multipliers: [] },
        inputs: [],
        parameters: model.parameters(),
        tables: Kinks::tables(),
    };
    let points: Vec<_> = [0.1, 0.1 - 1e-17, 0.1 + 2e-17, -0.1]
        .into_iter()
        .flat_map(|x| [0.0, -0.0, 1e-300, -1e-300].map(|v| at(x, v)))
        .collect();
    let report = check_derivatives(&points, 1e-14);
    assert!(report.mismatches.is_empty(), "{report}");
    for output in Output::all() {
        for steps in [1, 2, 50] {
            let report = check_end(&model, (1e-3, steps), output, &unknown).unwrap();
            assert!(report.agrees(1e-10), "{output:?} {steps}\n{report}");
        }
    }
}
