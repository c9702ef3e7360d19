//! Gradients by the continuous adjoint (OB 3.3.4): those of the discrete one in the limit of small steps.

use costate::cost::{Cost, CostDerivativeError, LeastSquares, Quadrature};
use costate::differentiate::SelectionError;
use costate::optimize::{Failure, Objective, OptimizerSettings, OptimizerState, Variable, minimize};
use costate::simulate::{
    OtherProblem, OutOfRange, Problem, ProblemDifference, Scheme, Series, SettingsError, SimulationError, Trajectory,
};
use costate::{Model, Parameter, Simulation, gradient};
use costate_models::{Oscillator, oscillator};
use costate_publications::continuous_adjoint::{self, ContinuousAdjointError};
use costate_tests::SwingingRod;

/// A run of the rod and the derivatives of its cost.
struct Swing {
    problem: Problem,
    trajectory: Trajectory,
    output_gradient: Series<f64>,
}

/// N steps in one second. Without numerical damping accelerations and multipliers belong to t_i; with it, to t_i +
/// alpha h: then the continuous adjoint, which takes them as they are, is of first order.
fn swing<C: Cost>(steps: usize, cost: impl Fn(f64, usize) -> C) -> Swing {
    let (model, h) = (SwingingRod::default(), 1.0 / steps as f64);
    let problem = Simulation::new(&model).step(h).until(1.0).scheme(Scheme::Undamped).problem().unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    let output_gradient = cost(h, steps).output_gradient(&trajectory.outputs());
    Swing { problem, trajectory, output_gradient }
}

impl Swing {
    fn continuous(&self, order: usize, unknown: &[Parameter<SwingingRod>]) -> Result<Vec<f64>, ContinuousAdjointError> {
        let Self { problem, trajectory, output_gradient } = self;
        continuous_adjoint::gradient(problem, trajectory, output_gradient, unknown, order)
    }

    /// The largest difference from the discrete adjoint relative to its largest entry, each times its parameter.
    fn difference(&self, order: usize, unknown: &[Parameter<SwingingRod>]) -> f64 {
        let found = self.continuous(order, unknown).unwrap();
        let exact = gradient(&self.problem, &self.trajectory, &self.output_gradient, unknown).unwrap();
        let values = SwingingRod::default().parameters();
        let size = |i: usize| values[unknown[i].index()].abs();
        let largest =
            |of: &dyn Fn(usize) -> f64| (0..unknown.len()).map(|i| (of(i) * size(i)).abs()).fold(0.0, f64::max);
        largest(&|i| found[i] - exact[i]) / largest(&|i| exact[i])
    }
}

/// Angle and speed against what was measured at these times.
fn squares((h, steps): (f64, usize), times: &[f64], quadrature: Quadrature) -> LeastSquares {
    let measured: Vec<f64> = times.iter().map(|t| 0.2 * t.cos()).collect();
    LeastSquares::new(h, steps + 1, quadrature)
        .with_channel(SwingingRod::ANGLE, times, &measured, 1.0)
        .and_then(|cost| cost.with_channel(SwingingRod::SPEED, times, &measured, 1.0))
        .unwrap()
}

fn integral(h: f64, steps: usize) -> LeastSquares {
    let times: Vec<f64> = (0..=steps).map(|i| i as f64 * h).collect();
    squares((h, steps), &times, Quadrature::Trapezoid)
}

fn last(h: f64, steps: usize) -> LeastSquares {
    squares((h, steps), &[1.0], Quadrature::Sum)
}

#[test]
fn gradients_agree_to_the_order_of_the_scheme() {
    // Parameters in forces, masses and initial values.
    let smooth =
        [SwingingRod::M, SwingingRod::D, SwingingRod::G, SwingingRod::C, SwingingRod::PHI_0, SwingingRod::OMEGA_0];
    let swings = [400, 800, 1600].map(|steps| swing(steps, integral));
    for (order, expected) in [(1, 1.0), (2, 2.0), (3, 2.0)] {
        let errors = swings.each_ref().map(|swing| swing.difference(order, &smooth));
        let reached = (errors[1] / errors[2]).log2();
        assert!(reached > expected - 0.25, "order {order}: {errors:?}");
        assert!(errors[2] < if order == 1 { 1e-2 } else { 1e-4 }, "order {order}: {errors:?}");
    }
}

#[test]
fn mayer_terms_on_positions_and_velocities() {
    let smooth = [SwingingRod::M, SwingingRod::D, SwingingRod::C, SwingingRod::PHI_0, SwingingRod::OMEGA_0];
    let errors = [400, 800, 1600].map(|steps| swing(steps, last).difference(2, &smooth));
    assert!(errors[2] < 0.6 * errors[1] && errors[1] < 0.6 * errors[0] && errors[2] < 1e-2, "{errors:?}");
}

#[test]
fn parameters_in_constraints() {
    let constrained = [SwingingRod::L, SwingingRod::AMPLITUDE];
    for cost in [integral, last] {
        let errors = [400, 800, 1600].map(|steps| swing(steps, cost).difference(2, &constrained));
        assert!(errors[2] < 0.6 * errors[1] && errors[2] < 2e-2, "{errors:?}");
    }
}

#[test]
fn bolza_costs() {
    let cost = |h, steps| SwingingRod::bolza_cost(h, steps + 1);
    let unknown: Vec<_> = Parameter::<SwingingRod>::all().take(4).collect();
    let errors = [800, 1600].map(|steps| swing(steps, cost).difference(2, &unknown));
    assert!(errors[1] < 0.6 * errors[0] && errors[1] < 1e-2, "{errors:?}");
}

#[test]
fn the_published_oscillator() {
    let model = Oscillator::default();
    let steps = 20_000;
    let h = oscillator::END / steps as f64;
    let problem = Simulation::new(&model).step(h).until(oscillator::END).scheme(Scheme::Undamped).problem().unwrap();
    let trajectory = problem.forward(&model.parameters()).unwrap();
    let times: Vec<f64> = (0..=steps).map(|i| i as f64 * h).collect();
    let cost = LeastSquares::new(h, steps + 1, Quadrature::Trapezoid)
        .with_channel(Oscillator::POSITION, &times, &vec![0.0; steps + 1], 1.0)
        .unwrap();
    let output_gradient = cost.output_gradient(&trajectory.outputs());
    let unknown = [Oscillator::C, Oscillator::D];
    for order in [2, 5] {
        let found = continuous_adjoint::gradient(&problem, &trajectory, &output_gradient, &unknown, order).unwrap();
        for (found, printed) in found.iter().zip([-0.7498, -14.8474]) {
            assert!((found - printed).abs() < 1e-4, "order {order}: {found}, not {printed}");
        }
    }
}

/// The cost of stiffness and damping of the rod's pin.
struct Fit {
    problem: Problem,
    cost: LeastSquares,
    order: usize,
    latest: Option<Trajectory>,
}

impl Objective for Fit {
    type Error = ContinuousAdjointError;

    fn cost(&mut self, unknown: &[f64]) -> Result<f64, Failure<Self::Error>> {
        let model = SwingingRod { c: unknown[0], d: unknown[1], ..SwingingRod::default() };
        let run = self.problem.forward(&model.parameters());
        let run = run.map_err(|error| Failure::Here(error.into()))?;
        let cost = self.cost.value(&run.outputs());
        self.latest = Some(run);
        Ok(cost)
    }

    fn gradient(&mut self, _: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Self::Error>> {
        let Self { problem, cost, order, latest: Some(run) } = self else { panic!("no run") };
        let by_outputs = cost.output_gradient(&run.outputs());
        let unknown = [SwingingRod::C, SwingingRod::D];
        let found = continuous_adjoint::gradient(problem, run, &by_outputs, &unknown, *order);
        gradient.copy_from_slice(&found.map_err(Failure::Stop)?);
        Ok(())
    }
}

/// At the minimum of an exact measurement dJ/ds vanishes, and with it the error of the gradient.
#[test]
fn the_minimum_of_an_exact_measurement_is_found() {
    let truth = SwingingRod::default();
    let problem = Simulation::new(&truth).step(2e-3).until(2.0).scheme(Scheme::Undamped).problem().unwrap();
    let run = problem.forward(&truth.parameters()).unwrap();
    let measured: Vec<f64> = run.outputs().output(SwingingRod::ANGLE).unwrap().collect();
    let times: Vec<f64> = (0..measured.len()).map(|i| run.time(i)).collect();
    for order in [1, 2] {
        let cost = LeastSquares::new(2e-3, measured.len(), Quadrature::Rectangle)
            .with_channel(SwingingRod::ANGLE, &times, &measured, 1.0)
            .unwrap();
        let mut fit = Fit { problem: problem.clone(), cost, order, latest: None };
        let variables = vec![Variable::new("c", 3.0), Variable::new("d", 0.02)];
        let mut state = OptimizerState::new(variables, OptimizerSettings::default()).unwrap();
        minimize(&mut fit, &mut state, |_| Ok(())).unwrap();
        let found = state.parameters();
        assert!((found[0] / truth.c - 1.0).abs() < 1e-4, "order {order}: {found:?}");
        assert!((found[1] / truth.d - 1.0).abs() < 1e-4, "order {order}: {found:?}");
    }
}

#[test]
fn entries_are_in_the_order_of_the_parameters() {
    let swing = swing(50, integral);
    let [a, b] = swing.continuous(2, &[SwingingRod::L, SwingingRod::D]).unwrap()[..] else { panic!() };
    assert_eq!(swing.continuous(2, &[SwingingRod::D, SwingingRod::L]).unwrap(), [b, a]);
}

#[test]
fn costs_and_orders_that_the_equations_do_not_have_are_refused() {
    let mut swing = swing(50, integral);
    for order in [0, 6] {
        let refused = swing.continuous(order, &[SwingingRod::M]);
        assert!(
            matches!(refused, Err(ContinuousAdjointError::Order(OutOfRange { field: "order", .. }))),
            "{refused:?}"
        );
    }
    swing.output_gradient.row_mut(5)[SwingingRod::LOAD.index()] = 1.0;
    let refused = swing.continuous(2, &[SwingingRod::M]);
    assert_eq!(refused, Err(ContinuousAdjointError::Output { output: "load" }));
}

#[test]
fn what_does_not_belong_to_the_problem_is_refused() {
    let swing = swing(50, integral);
    let of_simulation = |refused| match refused {
        Err(ContinuousAdjointError::Simulation(error)) => error,
        other => panic!("{other:?}"),
    };
    let repeated = of_simulation(swing.continuous(2, &[SwingingRod::M, SwingingRod::M]));
    assert_eq!(repeated, SelectionError::Repeated { name: "m" }.into());
    let missing = of_simulation(swing.continuous(2, &[Parameter::at(8)]));
    assert_eq!(missing, SelectionError::NoParameter { index: 8, count: 8, model: "SwingingRod" }.into());

    let with = |problem: &Problem, trajectory: &Trajectory, derivatives: &Series<f64>| {
        let unknown = [SwingingRod::M];
        of_simulation(continuous_adjoint::gradient(problem, trajectory, derivatives, &unknown, 2))
    };
    let Swing { problem, trajectory, output_gradient } = &swing;
    let short = with(problem, trajectory, &Series::zeros(0.02, 3, 50));
    assert!(
        matches!(short, SimulationError::CostDerivatives(CostDerivativeError::Size { samples: 50, .. })),
        "{short}"
    );
    let coarse = with(problem, trajectory, &Series::zeros(0.04, 3, 51));
    assert_eq!(coarse, CostDerivativeError::Step { step: 0.04, expected: 0.02 }.into());
    let damped = problem.clone().with_scheme(Scheme::default()).unwrap();
    let other = with(&damped, trajectory, output_gradient);
    assert_eq!(other, OtherProblem { difference: ProblemDifference::Scheme }.into());

    let oscillator = Oscillator::default();
    let simulation = Simulation::new(&oscillator).step(0.02).until(1.0).error_limit(None);
    let foreign = simulation.problem().unwrap();
    let run = foreign.forward(&oscillator.parameters()).unwrap();
    let difference = ProblemDifference::Model { run: "Oscillator", problem: "SwingingRod" };
    for problem in [problem, &foreign] {
        assert_eq!(with(problem, &run, output_gradient), OtherProblem { difference }.into());
    }

    let model = SwingingRod::default();
    let adaptive = Simulation::new(&model).step(0.02).until(1.0).adaptive(1e-4).problem().unwrap();
    let run = adaptive.forward(&model.parameters()).unwrap();
    let refused = with(&adaptive, &run, &Series::zeros(0.02, 3, adaptive.samples()));
    assert!(matches!(refused, SimulationError::Settings(SettingsError::Adaptive { .. })), "{refused}");
}
