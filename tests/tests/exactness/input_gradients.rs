//! Derivatives with respect to single samples of the inputs against dual numbers through the same scheme, and the
//! second-order adjoint against dual numbers of dual numbers.
//!
//! The models have, beside each input, a pulse that one sample alone feels: its height is a parameter.

use costate::differentiate::{adjoint_history, input_gradient};
use costate::model::{Dual, Scalar};
use costate::simulate::{Checkpoints, Problem, Scheme, Series};
use costate::{Input, Model, Parameter, Simulation, gradient};
use costate_driven_models::{DrivenAxes, DrivenCloud, DrivenPendulum};
use costate_tests::duals::{lifted, seeded};
use costate_tests::hyper_dual::HyperDual;

const TOLERANCE: f64 = 1e-9;

/// A model, an input and the pulse beside it.
struct Case<'a, M: Model> {
    problem: &'a Problem,
    model: &'a M,
    pulses: &'a [(Input<M>, Parameter<M>)],
    at: Parameter<M>,
}

/// Weights of every output at every step, and of the state at the end.
fn weights<M: Model>(problem: &Problem) -> (Series<f64>, Vec<f64>) {
    let width = <M as Model>::description().outputs.len();
    let mut outputs = Series::zeros(problem.settings().step, width, problem.steps() + 1);
    for i in 0..=problem.steps() {
        for (k, weight) in outputs.row_mut(i).iter_mut().enumerate() {
            *weight = (0.37 * i as f64 + 1.3 * k as f64).sin();
        }
    }
    let (n, m) = (<M as Model>::description().coordinates.len(), <M as Model>::description().constraints.len());
    // positions and velocities count as much as accelerations, which are larger
    let size = |j: usize| if j < 2 * n { 50.0 } else { 1.0 };
    (outputs, (0..3 * n + m).map(|j| size(j) * (1.0 + j as f64).cos()).collect())
}

impl<M: Model> Case<'_, M> {
    /// The parameters with the pulse at step k.
    fn parameters<S: Scalar>(&self, k: usize) -> Vec<S> {
        let mut parameters = lifted::<S, Vec<_>>(self.model.parameters().as_ref());
        parameters[self.at.index()] = S::constant(k as f64 * self.problem.settings().step);
        parameters
    }

    /// The sum of weighted outputs and of the weighted last state.
    fn cost<S: Scalar>(&self, parameters: &[S]) -> S {
        let trajectory = costate::simulate::forward_in::<M, S>(self.problem, parameters).unwrap();
        let outputs = costate::simulate::outputs_of::<M::Functions, _>(&trajectory);
        let (weights, end) = weights::<M>(self.problem);
        let mut sum = S::default();
        for i in 0..outputs.samples() {
            for (value, weight) in outputs.row(i).iter().zip(weights.row(i)) {
                sum += *value * *weight;
            }
        }
        for (value, weight) in trajectory.stored(self.problem.steps()).iter().zip(end) {
            sum += *value * weight;
        }
        sum
    }

    fn samples(&self) -> Vec<usize> {
        let last = self.problem.steps();
        vec![0, 1, 2, last / 3, last - 1, last]
    }

    /// First order: dJ/du_k.
    fn check_first(&self) {
        let parameters = self.parameters::<f64>(0);
        let (outputs, end) = weights::<M>(self.problem);
        let mut run = self.problem.run(&parameters).unwrap();
        let found = input_gradient::<M, f64>(self.problem, &mut run, &outputs, Some(&end)).unwrap();
        self.compare("first", &found, |k, pulse| {
            let mut parameters = self.parameters::<Dual>(k);
            parameters[pulse].derivative = 1.0;
            self.cost(&parameters).derivative
        });
    }

    /// Second order: the derivative of dJ/du_k with respect to a parameter.
    fn check_second(&self, parameter: Parameter<M>) {
        let mut parameters = self.parameters::<Dual>(0);
        parameters[parameter.index()].derivative = 1.0;
        let (outputs, end) = weights::<M>(self.problem);
        let mut lifted = Series::<Dual>::zeros(outputs.step(), outputs.width(), outputs.samples());
        for i in 0..outputs.samples() {
            for (to, from) in lifted.row_mut(i).iter_mut().zip(outputs.row(i)) {
                *to = Dual::constant(*from);
            }
        }
        let end: Vec<Dual> = end.into_iter().map(Dual::constant).collect();
        let mut run = costate::simulate::run_in::<M, Dual>(self.problem, &parameters).unwrap();
        let found = input_gradient::<M, Dual>(self.problem, &mut run, &lifted, Some(&end)).unwrap();
        let mut derivatives = Series::zeros(found.step(), found.width(), found.samples());
        for i in 0..found.samples() {
            for (to, from) in derivatives.row_mut(i).iter_mut().zip(found.row(i)) {
                *to = from.derivative;
            }
        }
        self.compare(parameter.name(), &derivatives, |k, pulse| {
            let mut numbers = self.parameters::<HyperDual>(k);
            numbers[pulse] = HyperDual::first(0.0);
            numbers[parameter.index()] = HyperDual::second(numbers[parameter.index()].component(0));
            self.cost(&numbers).mixed()
        });
    }

    fn compare(&self, what: &str, found: &Series<f64>, exact: impl Fn(usize, usize) -> f64) {
        for &(input, pulse) in self.pulses {
            let size = found.input(input).unwrap().fold(0.0, |size: f64, value| size.max(value.abs()));
            assert!(size > 0.0, "{what} {}", input.name());
            for k in self.samples() {
                let (found, exact) = (found.row(k)[input.index()], exact(k, pulse.index()));
                // what is small beside others at its neighbours is a difference of large numbers
                let reference = exact.abs().max(1e-2 * size);
                let difference = (found - exact).abs() / reference;
                assert!(
                    difference < TOLERANCE,
                    "{what} {} sample {k}: {found:e} {exact:e}, {difference:e}",
                    input.name()
                );
            }
        }
    }
}

fn pendulum(model: &DrivenPendulum, scheme: Scheme) -> Simulation<DrivenPendulum> {
    Simulation::new(model)
        .input(DrivenPendulum::FORCE, |t: f64| 2.0 * (7.0 * t).sin() + 0.5)
        .input(DrivenPendulum::PULL, |t: f64| 300.0 * (5.0 * t).cos())
        .step(1e-2)
        .until(1.0)
        .scheme(scheme)
}

const PENDULUM_PULSES: [(Input<DrivenPendulum>, Parameter<DrivenPendulum>); 2] =
    [(DrivenPendulum::FORCE, DrivenPendulum::FORCE_PULSE), (DrivenPendulum::PULL, DrivenPendulum::PULL_PULSE)];

#[test]
fn constrained_model_to_first_and_second_order() {
    for scheme in [Scheme::Undamped, Scheme::Hht { alpha: -0.1 }, Scheme::GeneralizedAlpha { rho_inf: 0.6 }] {
        let model = DrivenPendulum::default();
        let problem = pendulum(&model, scheme).problem().unwrap();
        let case = Case { problem: &problem, model: &model, pulses: &PENDULUM_PULSES, at: DrivenPendulum::AT };
        case.check_first();
        // in mass and constraint, damping, initial state, the massless node
        for parameter in [
            DrivenPendulum::L,
            DrivenPendulum::D,
            DrivenPendulum::PHI_0,
            DrivenPendulum::M_C,
            DrivenPendulum::C,
            DrivenPendulum::B,
        ] {
            case.check_second(parameter);
        }
    }
}

#[test]
fn model_without_emitted_elimination() {
    assert!(<DrivenCloud as Model>::description().elimination.is_none());
    let model = DrivenCloud { width: 1e-3, ..DrivenCloud::default() };
    let problem = Simulation::new(&model)
        .input(DrivenCloud::FORCE, |t: f64| (40.0 * t).sin())
        .step(1e-3)
        .until(0.05)
        .alpha(-0.05)
        .problem()
        .unwrap();
    let pulses = [(DrivenCloud::FORCE, DrivenCloud::FORCE_PULSE)];
    let case = Case { problem: &problem, model: &model, pulses: &pulses, at: DrivenCloud::AT };
    case.check_first();
    case.check_second(DrivenCloud::RATIO);
    case.check_second(DrivenCloud::C_3);
}

#[test]
fn steps_whose_pivots_are_replaced() {
    let model = DrivenAxes { rate: std::f64::consts::FRAC_PI_2, ..DrivenAxes::default() };
    let problem = Simulation::new(&model)
        .input(DrivenAxes::FORCE, |t: f64| (3.0 * t).sin())
        .step(1e-2)
        .until(2.0)
        .problem()
        .unwrap();
    let run = problem.run(&model.parameters()).unwrap();
    assert!(run.statistics().pivoted > 0, "{:?}", run.statistics());
    let pulses = [(DrivenAxes::FORCE, DrivenAxes::FORCE_PULSE)];
    let case = Case { problem: &problem, model: &model, pulses: &pulses, at: DrivenAxes::AT };
    case.check_first();
    case.check_second(DrivenAxes::A);
    case.check_second(DrivenAxes::RATE);
}

#[test]
fn checkpoints_give_the_same_bits() {
    let model = DrivenPendulum::default();
    let all = pendulum(&model, Scheme::Hht { alpha: -0.1 }).problem().unwrap();
    let bytes = all.memory().input_bytes + all.memory().output_bytes + all.memory().trajectory_bytes / 5;
    let few = pendulum(&model, Scheme::Hht { alpha: -0.1 }).checkpoints(Checkpoints::Within(bytes)).problem().unwrap();
    assert!(few.has_checkpoints());
    let (outputs, end) = weights::<DrivenPendulum>(&all);
    let parameters = model.parameters();
    let gradients = [&all, &few].map(|problem| {
        let mut run = problem.run(&parameters).unwrap();
        input_gradient::<DrivenPendulum, f64>(problem, &mut run, &outputs, Some(&end)).unwrap()
    });
    assert_eq!(gradients[0], gradients[1]);
    // with twice as many numbers per state
    let mut directed = lifted::<Dual, Vec<_>>(&parameters);
    directed[DrivenPendulum::L.index()].derivative = 1.0;
    let mut lifted = Series::<Dual>::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        for (to, from) in lifted.row_mut(i).iter_mut().zip(outputs.row(i)) {
            *to = Dual { value: *from, derivative: -*from };
        }
    }
    let twice = 2 * all.memory().output_bytes + all.memory().input_bytes + all.memory().trajectory_bytes / 2;
    let few = pendulum(&model, Scheme::Hht { alpha: -0.1 }).checkpoints(Checkpoints::Within(twice)).problem().unwrap();
    let gradients = [&all, &few].map(|problem| {
        let mut run = costate::simulate::run_in::<DrivenPendulum, Dual>(problem, &directed).unwrap();
        assert_eq!(run.trajectory().is_none(), std::ptr::eq(problem, &few));
        input_gradient::<DrivenPendulum, Dual>(problem, &mut run, &lifted, None).unwrap()
    });
    assert_eq!(gradients[0], gradients[1]);
}

/// The parameters `PHI_0` and `OMEGA_0` act on the initial state alone, which goes along the constraints, and on the
/// velocity of a coordinate without mass.
#[test]
fn the_adjoint_at_the_start_is_the_gradient_by_the_initial_state() {
    let model = DrivenPendulum::default();
    let unknown = [DrivenPendulum::PHI_0, DrivenPendulum::OMEGA_0];
    for scheme in [Scheme::default(), Scheme::Hht { alpha: -0.1 }] {
        let problem = pendulum(&model, scheme).problem().unwrap();
        let (outputs, _) = weights::<DrivenPendulum>(&problem);
        let parameters = model.parameters();
        let run = problem.forward(&parameters).unwrap();
        let found = adjoint_history::<DrivenPendulum>(&problem, &run, &outputs).unwrap();
        let by_start = problem.initial_derivatives(&parameters, &unknown).unwrap();
        let both = found.coordinates.row(0).iter().chain(found.velocities.row(0));
        let weighted: Vec<f64> = by_start
            .column_iter()
            .map(|column| column.iter().zip(both.clone()).map(|(x, derivative)| x * derivative).sum())
            .collect();
        let exact = gradient(&problem, &run, &outputs, &unknown).unwrap();
        for (k, parameter) in unknown.iter().enumerate() {
            let parameters = seeded(&parameters, parameter.index());
            let dual = costate::simulate::forward_in::<DrivenPendulum, Dual>(&problem, &parameters).unwrap();
            let series = costate::simulate::outputs_of::<DrivenPendulum, _>(&dual);
            let derivative: f64 = (0..series.samples())
                .flat_map(|i| series.row(i).iter().zip(outputs.row(i)))
                .map(|(value, weight)| value.derivative * weight)
                .sum();
            for found in [weighted[k], exact[k]] {
                let difference = (found - derivative).abs() / derivative.abs();
                assert!(difference < TOLERANCE, "{}: {found:e} {derivative:e}", parameter.name());
            }
        }
    }
}
