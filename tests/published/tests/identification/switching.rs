//! Optimal inputs of compiled linear models by their switching times (OB 5.3.1).

use costate::experiment::{Noise, Sensitivities};
use costate::identify::UnknownParameter;
use costate::simulate::{InputSignal, Problem, Settings};
use costate::{Model, Parameter, Simulation};
use costate_models::CartPendulum;
use costate_publications::switching::{Bound, LinearModelError, SwitchingProblem};
use nalgebra::{DMatrix, DVector};

const PI: f64 = std::f64::consts::PI;

costate::model! {
    #[interpreted]
    /// The single mass of OB 5.3.2, all divided by the mass.
    pub SingleMass {
        parameters { c: 1/s^2 = 1, d: 1/s = 0, x_0: m = 0 }
        inputs { u: m/s^2 }
        coordinates { x: m }
        mass { x: 1 }
        forces { x: -c*x - 2*d*dot(x) + u }
        initial { x = x_0 }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// The two masses of OB 5.3.3 with weight and an offset of the second spring.
    pub TwoMasses {
        parameters {
            m1: kg = 1, m2: kg = 0.5, c1: N/m = 20, c2: N/m = 10, d1: N*s/m = 0.2, d2: N*s/m = 0.1, load: N = 0.3,
            x_0: m = 0.05,
        }
        inputs { force: N, other: N }
        coordinates { x1: m, x2: m }
        mass { x1: m1, x2: m2 }
        let spring = c2*(x2 - x1) + d2*(dot(x2) - dot(x1));
        forces { x1: -c1*x1 - d1*dot(x1) + spring + force, x2: -spring + load + other }
        initial { x1 = x_0, x2 = 2*x_0 }
        outputs { far: m = x2, speed: m/s = dot(x1), near: m = x1 }
    }
}

costate::model! {
    #[interpreted]
    /// The two masses of `TwoMasses` with a third coordinate, the stretch of the second spring, and a constraint
    /// that depends on a parameter.
    pub Redundant {
        parameters {
            m1: kg = 1, m2: kg = 0.5, c1: N/m = 20, c2: N/m = 10, d1: N*s/m = 0.2, d2: N*s/m = 0.1, load: N = 0.3,
            x_0: m = 0.05, ratio: 1 = 1,
        }
        inputs { force: N, other: N }
        coordinates { x1: m, x2: m, stretch: m }
        mass { x1: m1, x2: m2 }
        forces {
            x1: -c1*x1 - d1*dot(x1) + force,
            x2: load + other,
            stretch: -c2*stretch - d2*dot(stretch),
        }
        constraints { spring: stretch - (x2 - ratio*x1) }
        initial { x1 = x_0, x2 = 2*x_0 }
        outputs { far: m = x2, speed: m/s = dot(x1), near: m = x1, pull: N = multiplier(spring) }
    }
}

fn single_mass(model: &SingleMass) -> SwitchingProblem {
    let problem = Simulation::new(model).input(SingleMass::U, 0.0).step(PI / 500.0).until(2.0 * PI).problem().unwrap();
    let noise = Noise::independent([(SingleMass::POSITION, 1.0)]).unwrap();
    SwitchingProblem::of_model(&problem, model, [SingleMass::C], &noise, SingleMass::U, (-1.0, 1.0)).unwrap()
}

#[test]
fn the_single_mass_gives_the_published_system() {
    #[rustfmt::skip]
    let a = DMatrix::from_row_slice(4, 4, &[
        0.0, 1.0, 0.0, 0.0,
        -1.0, 0.0, 0.0, 0.0,
        0.0, 0.0, 0.0, 1.0,
        -1.0, 0.0, -1.0, 0.0,
    ]);
    let b = DVector::from_vec(vec![0.0, 1.0, 0.0, 0.0]);
    let weight = DMatrix::from_diagonal(&DVector::from_vec(vec![0.0, 0.0, 1.0, 0.0]));
    let found = single_mass(&SingleMass::default());
    // the end is a whole number of steps
    assert!((found.end() - 2.0 * PI).abs() < 1e-12);
    assert_eq!(found, SwitchingProblem::new(a, b, weight, found.end()).unwrap());
    assert!(found.extremal(Bound::Upper, &[1.3]).unwrap().is_minimum());
}

/// Computes -2 J h^-1 from the simulated information of an input that switches at these times.
fn simulated<M: Model>(
    model: &M,
    (unknowns, noise): (&[Parameter<M>], &Noise<M>),
    (step, end): (f64, f64),
    signals: &[(costate::Input<M>, InputSignal)],
) -> f64 {
    let problem = Problem::new(Settings::new(step, end), signals).unwrap();
    let known = Sensitivities::simulate(&problem, model, unknowns.iter().copied()).unwrap();
    -0.5 * step * known.information(noise).unwrap().relative_matrix().trace()
}

/// Extrapolates over the step size: the rectangle rule and the jumps of the input cause errors of first order,
/// the scheme errors of second order.
fn extrapolated([coarse, middle, fine]: [f64; 3]) -> f64 {
    (4.0 * (2.0 * fine - middle) - (2.0 * middle - coarse)) / 3.0
}

#[test]
fn the_cost_is_half_the_trace_of_the_information() {
    let model = TwoMasses::default();
    let noise = Noise::independent([(TwoMasses::FAR, 2e-3), (TwoMasses::SPEED, 5e-3)]).unwrap();
    let unknowns = [TwoMasses::C2, TwoMasses::D1, TwoMasses::M1, TwoMasses::LOAD, TwoMasses::X_0];
    let times = [0.5, 1.125, 2.5];
    let value = move |t: f64| if t < 0.5 || (1.125..2.5).contains(&t) { 2.0 } else { -1.0 };
    let sampled = |step: f64| {
        let signals = [
            (TwoMasses::FORCE, InputSignal::function(move |t| value(t + 1e-12))),
            (TwoMasses::OTHER, InputSignal::from(0.25)),
        ];
        simulated(&model, (&unknowns, &noise), (step, 3.0), &signals)
    };
    let problem = Problem::new(
        Settings::new(0.125, 3.0),
        &[(TwoMasses::FORCE, InputSignal::from(7.0)), (TwoMasses::OTHER, InputSignal::from(0.25))],
    )
    .unwrap();
    let switching =
        SwitchingProblem::of_model(&problem, &model, unknowns, &noise, TwoMasses::FORCE, (-1.0, 2.0)).unwrap();
    let exact = switching.cost(Bound::Upper, &times).unwrap();
    let values = [1e-3, 5e-4, 2.5e-4].map(sampled);
    let error = (extrapolated(values) / exact - 1.0).abs();
    assert!(error < 2e-7, "{error:e}");
    assert!(((values[0] - exact) / (values[1] - exact) - 2.0).abs() < 0.02);

    // the model with a constraint has the same cost, and the same optimal input
    let redundant = Redundant::default();
    let noise = Noise::independent([(Redundant::FAR, 2e-3), (Redundant::SPEED, 5e-3)]).unwrap();
    let unknowns = [Redundant::C2, Redundant::D1, Redundant::M1, Redundant::LOAD, Redundant::X_0];
    let problem = Problem::new(
        Settings::new(0.125, 3.0),
        &[(Redundant::FORCE, InputSignal::from(7.0)), (Redundant::OTHER, InputSignal::from(0.25))],
    )
    .unwrap();
    let with_constraint =
        SwitchingProblem::of_model(&problem, &redundant, unknowns, &noise, Redundant::FORCE, (-1.0, 2.0)).unwrap();
    let cost = with_constraint.cost(Bound::Upper, &times).unwrap();
    assert!((cost / exact - 1.0).abs() < 1e-11, "{cost} {exact}");
    let best = &switching.search(4, 6, 1).unwrap()[0];
    assert!(best.pontryagin.is_satisfied(), "{best}");
    let again = with_constraint.extremal(best.first, &best.switching_times).unwrap();
    assert!((again.cost / best.cost - 1.0).abs() < 1e-11, "{again}\n{best}");
}

#[test]
fn parameters_of_constraints_count() {
    let model = Redundant { ratio: 0.8, ..Redundant::default() };
    let noise = Noise::independent([(Redundant::NEAR, 1e-3), (Redundant::PULL, 0.1)]).unwrap();
    let unknowns = [Redundant::RATIO, Redundant::C2];
    let sampled = |step: f64| {
        let force = InputSignal::function(|t| if t + 1e-12 < 1.0 { 1.0 } else { -1.0 });
        let signals = [(Redundant::FORCE, force), (Redundant::OTHER, InputSignal::from(0.0))];
        simulated(&model, (&unknowns, &noise), (step, 2.0), &signals)
    };
    let problem = Simulation::new(&model)
        .input(Redundant::FORCE, 0.0)
        .input(Redundant::OTHER, 0.0)
        .step(0.1)
        .until(2.0)
        .problem()
        .unwrap();
    let switching =
        SwitchingProblem::of_model(&problem, &model, unknowns, &noise, Redundant::FORCE, (-1.0, 1.0)).unwrap();
    let exact = switching.cost(Bound::Upper, &[1.0]).unwrap();
    let error = (extrapolated([1e-3, 5e-4, 2.5e-4].map(sampled)) / exact - 1.0).abs();
    assert!(error < 2e-7, "{error:e}");
}

#[test]
fn models_that_are_not_linear_are_refused() {
    let model = CartPendulum::default();
    let problem = Simulation::new(&model).input(CartPendulum::DRIVE, 0.0).step(0.1).until(1.0).problem().unwrap();
    let output = costate::Output::<CartPendulum>::all().next().unwrap();
    let unknown = Parameter::<CartPendulum>::all().next().unwrap();
    let noise = Noise::independent([(output, 1.0)]).unwrap();
    let error =
        SwitchingProblem::of_model(&problem, &model, [unknown], &noise, CartPendulum::DRIVE, (-1.0, 1.0)).unwrap_err();
    assert!(matches!(error, LinearModelError::Nonlinear { model: "CartPendulum", .. }), "{error}");

    let model = SingleMass::default();
    let problem = Simulation::new(&model).input(SingleMass::U, 0.0).step(0.1).until(1.0).problem().unwrap();
    let noise = Noise::independent([(SingleMass::ACCELERATION, 1.0)]).unwrap();
    let of = |unknowns: Vec<UnknownParameter<SingleMass>>, noise: &Noise<SingleMass>, bounds| {
        SwitchingProblem::of_model(&problem, &model, unknowns, noise, SingleMass::U, bounds)
    };
    // the acceleration contains u, but its sensitivity does not, since no term is divided by a parameter
    assert!(of(vec![SingleMass::C.into()], &noise, (-1.0, 1.0)).is_ok());
    assert!(matches!(of(Vec::new(), &noise, (-1.0, 1.0)), Err(LinearModelError::Information(_))));
    assert!(matches!(of(vec![SingleMass::C.into()], &noise, (1.0, 1.0)), Err(LinearModelError::Switching(_))));

    let model = TwoMasses::default();
    let problem = Simulation::new(&model)
        .input(TwoMasses::FORCE, 0.0)
        .input(TwoMasses::OTHER, |t: f64| t)
        .step(0.1)
        .until(1.0)
        .problem()
        .unwrap();
    let noise = Noise::independent([(TwoMasses::FAR, 1.0)]).unwrap();
    let error = SwitchingProblem::of_model(&problem, &model, [TwoMasses::C2], &noise, TwoMasses::FORCE, (-1.0, 1.0));
    assert_eq!(error.unwrap_err(), LinearModelError::OtherInput { input: "other" });
}

costate::model! {
    #[interpreted]
    /// Depends on the time, without an input of its own that matters.
    pub Shaken {
        parameters { c: 1/s^2 = 1, m: kg = 2 }
        inputs { u: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*m*x + u + 1[N]*sin(1[rad/s]*t) }
        outputs { position: m = x }
    }
}

costate::model! {
    #[interpreted]
    /// An acceleration whose sensitivity contains the input, and a force that is not smooth.
    pub Pushed {
        parameters { m: kg = 2, c: N/m = 1, k: N/m = 0 }
        inputs { u: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: -c*x + u - k*max(x, 0) }
        outputs { acceleration: m/s^2 = ddot(x), position: m = x }
    }
}

#[test]
fn time_kinks_and_feedthrough_are_refused() {
    let shaken = Shaken::default();
    let problem = Simulation::new(&shaken).input(Shaken::U, 0.0).step(0.1).until(1.0).problem().unwrap();
    let noise = Noise::independent([(Shaken::POSITION, 1.0)]).unwrap();
    let error = SwitchingProblem::of_model(&problem, &shaken, [Shaken::C], &noise, Shaken::U, (-1.0, 1.0)).unwrap_err();
    assert!(
        matches!(&error, LinearModelError::TimeDependent { coefficient, .. } if coefficient.contains("`x`")),
        "{error}"
    );

    let pushed = Pushed::default();
    let of = |model: &Pushed, output| {
        let problem = Simulation::new(model).input(Pushed::U, 0.0).step(0.1).until(1.0).problem().unwrap();
        let noise = Noise::independent([(output, 1.0)]).unwrap();
        SwitchingProblem::of_model(&problem, model, [Pushed::M], &noise, Pushed::U, (-1.0, 1.0))
    };
    let error = of(&pushed, Pushed::ACCELERATION).unwrap_err();
    assert_eq!(error, LinearModelError::Feedthrough { output: "acceleration", parameter: "m" });
    assert!(of(&pushed, Pushed::POSITION).is_ok());
    let kinked = Pushed { k: 3.0, ..pushed };
    let error = of(&kinked, Pushed::POSITION).unwrap_err();
    assert!(matches!(error, LinearModelError::Nonlinear { .. }), "{error}");
}
