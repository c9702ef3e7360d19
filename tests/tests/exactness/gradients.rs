//! The discrete adjoint gradient against dual numbers through the same scheme, and against direct differentiation.

use costate::cost::{Cost, LeastSquares, Quadrature};
use costate::differentiate::sensitivities;
use costate::simulate::{Problem, Scheme};
use costate::{Model, Output, Parameter, Simulation, check_gradient};
use costate_models::{CartPendulum, DiscreteOscillator, EngineMount, cart_pendulum, engine_mount};
use costate_tests::published::mount;
use costate_tests::{CrankTrain, DisplacedMount, Gyroscope, ParametersEverywhere};

const TOLERANCE: f64 = 1e-10;

/// Least squares of outputs against wavy records, every other one on a grid that does not fall on the steps.
fn cost<M: Model>(problem: &Problem, outputs: impl Iterator<Item = Output<M>>) -> LeastSquares {
    let h = problem.settings().step;
    let steps = problem.steps();
    let mut cost = LeastSquares::new(h, steps + 1, Quadrature::Rectangle);
    for output in outputs {
        let k = output.index() as f64;
        let spacing = if output.index() % 2 == 0 { h } else { 1.37 * h };
        let count = (steps as f64 * h / spacing).floor() as usize;
        let times: Vec<f64> = (0..=count).map(|j| j as f64 * spacing).collect();
        let values: Vec<f64> = times.iter().map(|t| (3.0 * t + k).sin()).collect();
        cost = cost.with_channel(output, &times, &values, 1.0 + k).unwrap();
    }
    cost
}

/// The adjoint gradient agrees with dual numbers and with direct differentiation, with the problem's scheme and with
/// generalized alpha.
fn check<M: Model>(problem: &Problem, model: &M, unknown: &[Parameter<M>]) {
    let cost = cost(problem, Output::<M>::all());
    check_cost(problem, model, unknown, &cost);
    let generalized = problem.clone().with_scheme(Scheme::GeneralizedAlpha { rho_inf: 0.7 }).unwrap();
    check_cost(&generalized, model, unknown, &cost);
}

fn check_cost<M: Model>(problem: &Problem, model: &M, unknown: &[Parameter<M>], cost: &LeastSquares) {
    let report = check_gradient(problem, model, cost, unknown).unwrap();
    assert!(report.agrees(TOLERANCE), "{report}");
    assert!(report.entries.iter().any(|entry| entry.adjoint != 0.0), "{report}");

    let trajectory = problem.forward(model.parameters().as_ref()).unwrap();
    let outputs = trajectory.outputs();
    let output_gradient = cost.output_gradient(&outputs);
    let direct = sensitivities(problem, &trajectory, unknown).unwrap();
    for (entry, sensitivity) in report.entries.iter().zip(direct) {
        let total: f64 = (0..outputs.samples())
            .flat_map(|i| output_gradient.row(i).iter().zip(sensitivity.row(i)))
            .map(|(derivative, sensitivity)| derivative * sensitivity)
            .sum();
        let allowed = TOLERANCE * entry.reference;
        assert!((total - entry.dual).abs() <= allowed, "{}: {total}\n{report}", entry.parameter);
    }
}

#[test]
fn engine_mount_published_unknowns() {
    let unknown = [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2];
    check(&mount(&EngineMount::default(), 10_000).problem().unwrap(), &EngineMount::start(), &unknown);
}

#[test]
fn engine_mount_every_parameter() {
    // Masses and the lever's lengths in the constraint included.
    let unknown: Vec<_> = Parameter::all().collect();
    check(&mount(&EngineMount::default(), 2000).problem().unwrap(), &EngineMount::start(), &unknown);
}

#[test]
fn cart_pendulum_every_parameter() {
    let unknown: Vec<_> = Parameter::all().collect();
    let pendulum = |variant: cart_pendulum::Variant, scheme: Scheme, step, output| {
        let model = variant.start();
        let problem = Simulation::new(&model)
            .input(CartPendulum::DRIVE, move |t: f64| 20.0 * variant.force(t + 0.3))
            .step(step)
            .until(2.0)
            .scheme(scheme)
            .problem()
            .unwrap();
        check_cost(&problem, &model, &unknown, &cost(&problem, [output].into_iter()));
    };
    for (variant, scheme) in [
        (cart_pendulum::FD, Scheme::Hht { alpha: -0.05 }),
        (cart_pendulum::OB, Scheme::Hht { alpha: -0.3 }),
        (cart_pendulum::OB, Scheme::Undamped),
    ] {
        pendulum(variant, scheme, cart_pendulum::STEP, CartPendulum::ANGLE);
        // Multipliers carry the rounding of the scaled constraints, eps |q|/(beta h^2), and without numerical damping
        // they keep it: longer steps, and damping.
        if scheme.is_damped() {
            pendulum(variant, scheme, 1e-2, CartPendulum::PIN_FORCE);
        }
    }
}

#[test]
fn any_number_of_steps() {
    // steps are taken four at a time, the first ones one by one
    let unknown: Vec<_> = Parameter::all().collect();
    let model = cart_pendulum::FD.start();
    for steps in 1..=9 {
        let problem = Simulation::new(&model)
            .input(CartPendulum::DRIVE, |t: f64| 20.0 * cart_pendulum::FD.force(t + 0.3))
            .step(cart_pendulum::STEP)
            .until(cart_pendulum::STEP * f64::from(steps))
            .alpha(-0.05)
            .problem()
            .unwrap();
        check_cost(&problem, &model, &unknown, &cost(&problem, [CartPendulum::ANGLE].into_iter()));
    }
}

#[test]
fn parameters_in_masses_constraints_and_initial_conditions() {
    let model = ParametersEverywhere::default();
    let problem = Simulation::new(&model).step(1e-3).until(0.8).alpha(-0.1).problem().unwrap();
    check(&problem, &model, &Parameter::all().collect::<Vec<_>>());
}

#[test]
fn initial_acceleration_that_depends_on_parameters() {
    // Positions and velocities at t = 0 do not; the share of x_0 must not be left out for all that (DA 2 does).
    let model = DisplacedMount::default();
    let problem = Simulation::new(&model)
        .input(DisplacedMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(200.0 * engine_mount::STEP)
        .alpha(engine_mount::ALPHA)
        .problem()
        .unwrap();
    let initial = problem.initial_derivatives(&model.parameters(), &[DisplacedMount::C_E1]).unwrap();
    assert!(initial.rows(0, 8).amax() == 0.0 && initial[(8, 0)] < 0.0, "{initial}");
    check(&problem, &model, &Parameter::all().collect::<Vec<_>>());
}

#[test]
fn initial_state_alone() {
    // No step has been made when only the first sample counts: the gradient is that of x_0(p).
    let model = ParametersEverywhere::default();
    let problem = Simulation::new(&model).step(1e-3).until(2e-3).alpha(-0.1).problem().unwrap();
    let mut cost = LeastSquares::new(1e-3, 3, Quadrature::Sum);
    for output in Output::<ParametersEverywhere>::all() {
        cost = cost.with_channel(output, &[0.0], &[0.7], 1.0).unwrap();
    }
    let report = check_gradient(&problem, &model, &cost, &Parameter::all().collect::<Vec<_>>()).unwrap();
    assert!(report.agrees(TOLERANCE), "{report}");
    let nonzero = report.entries.iter().filter(|entry| entry.adjoint != 0.0).count();
    assert!(nonzero >= 8, "{report}");
}

#[test]
fn components() {
    let model = CrankTrain::default();
    let problem = Simulation::new(&model)
        .input(CrankTrain::TORQUE, |t: f64| 20.0 * (30.0 * t).sin())
        .input(CrankTrain::CYLINDER_1_LEAK, |t: f64| 5.0 * t)
        .input(CrankTrain::CYLINDER_2_LEAK, 1.0)
        .step(5e-4)
        .until(0.2)
        .alpha(-0.1)
        .problem()
        .unwrap();
    check(&problem, &model, &Parameter::all().collect::<Vec<_>>());
}

#[test]
fn mass_matrix_that_moves() {
    let model = Gyroscope { m: 1.5, ..Gyroscope::default() };
    let problem = Simulation::new(&model).step(1e-3).until(1.0).problem().unwrap();
    check(&problem, &model, &Parameter::all().collect::<Vec<_>>());
}

#[test]
fn acceleration_of_the_discrete_oscillator() {
    let model = DiscreteOscillator::default();
    for alpha in [0.0, -0.2] {
        let problem = Simulation::new(&model).step(0.01).until(3.0).alpha(alpha).problem().unwrap();
        check(&problem, &model, &Parameter::all().collect::<Vec<_>>());
    }
}
