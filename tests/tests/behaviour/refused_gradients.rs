//! Refused gradients: parameters, derivatives of costs, runs and problems that do not belong together.

use costate::cost::{BolzaCost, Cost, CostDerivativeError, LeastSquares, Quadrature};
use costate::differentiate::{
    GradientMethod, RunWithCost, SelectionError, gradient_each, gradients, input_gradient, sensitivities,
    sensitivities_by_sample,
};
use costate::experiment::{Information, InformationError, Noise};
use costate::simulate::{
    Checkpoints, InitialStateError, InputSignal, OtherProblem, Problem, ProblemDifference, Scheme, Series, Settings,
    SimulationError, State, Trajectory,
};
use costate::{Model, Output, Parameter, check_gradient, gradient};

use crate::state_files::Pushed;

costate::model! {
    /// A driven pendulum in redundant coordinates.
    pub Pendulum {
        parameters { m: kg = 0.7, l: m = 0.9, g: m/s^2 = 9.81, d: N*s/m = 0.4, start: rad = 0.6 }
        inputs { drive: N }
        coordinates { x: m, y: m }
        mass { x: m, y: m }
        forces { x: drive - d*dot(x), y: -m*g - d*dot(y) }
        constraints { rod: x^2 + y^2 - l^2 }
        initial { x = l*sin(start), y ~ -l }
        outputs { position: m = x, speed: m/s = dot(x) }
    }
}

costate::model! {
    /// A mass on a spring that hardens.
    pub Hardening {
        parameters { c: N/m = 150.0, c_3: N/m^3 = 1500.0, d: N*s/m = 0.8 }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: 2[kg] }
        forces { x: drive - c*x - c_3*x^3 - d*dot(x) }
        outputs { position: m = x }
    }
}

const STEP: f64 = 1e-3;
const STEPS: usize = 50;

const METHODS: [GradientMethod; 2] = [GradientMethod::DiscreteAdjoint, GradientMethod::DirectDifferentiation];

fn settings() -> Settings {
    Settings::new(STEP, STEP * STEPS as f64)
}

fn problem(settings: Settings, drive: f64) -> Problem {
    Problem::new(settings, &[(Pendulum::DRIVE, InputSignal::from(drive))]).unwrap()
}

fn run(problem: &Problem) -> Trajectory {
    problem.forward(&Pendulum::default().parameters()).unwrap()
}

/// Returns dJ/ds of the last position.
fn of_end(width: usize, samples: usize, step: f64) -> Series<f64> {
    let mut derivatives = Series::zeros(step, width, samples);
    if let Some(last) = derivatives.row_mut(samples - 1).first_mut() {
        *last = 1.0;
    }
    derivatives
}

fn right() -> Series<f64> {
    of_end(2, STEPS + 1, STEP)
}

/// Calls every function that computes derivatives with respect to parameters.
fn all_by<M: Model>(
    problem: &Problem,
    run: &Trajectory,
    derivatives: &Series<f64>,
    unknown: &[Parameter<M>],
) -> Vec<(&'static str, SimulationError)> {
    let mut errors = Vec::new();
    for method in METHODS {
        errors.push(("method", method.gradient(problem, run, derivatives, unknown).unwrap_err()));
    }
    errors.push(("gradient", gradient(problem, run, derivatives, unknown).unwrap_err()));
    let two = [&of_end(<M as Model>::description().outputs.len(), STEPS + 1, STEP), derivatives];
    errors.push(("gradients", gradients(problem, run, &two, unknown).unwrap_err()));
    errors
}

#[test]
fn a_parameter_is_named_once_and_exists() {
    let (problem, model) = (problem(settings(), 1.0), Pendulum::default());
    let run = run(&problem);
    let repeated = |name| SelectionError::Repeated { name };
    let missing = |index| SelectionError::NoParameter { index, count: 5, model: "Pendulum" };
    for (unknown, error) in [
        (&[Pendulum::M, Pendulum::M][..], repeated("m")),
        (&[Pendulum::L, Pendulum::M, Pendulum::L], repeated("l")),
        (&[Parameter::at(5)], missing(5)),
        (&[Pendulum::M, Parameter::at(usize::MAX)], missing(usize::MAX)),
    ] {
        let expected = SimulationError::from(error.clone());
        for (name, found) in all_by(&problem, &run, &right(), unknown) {
            assert_eq!(found, expected, "{name} {unknown:?}");
        }
        assert_eq!(sensitivities(&problem, &run, unknown).unwrap_err(), expected);
        let each = sensitivities_by_sample(&problem, &run, unknown, |_, _| Ok::<_, SimulationError>(()));
        assert_eq!(each.unwrap_err(), expected);
        let initial = problem.initial_derivatives(&model.parameters(), unknown).unwrap_err();
        assert_eq!(initial, InitialStateError::from(error.clone()).into());
        let parameters = [model.parameters(); 3];
        let mut runs: Vec<_> = problem.run_each(&parameters).into_iter().map(Result::unwrap).collect();
        let derivatives = right();
        let mut runs: Vec<_> = runs.iter_mut().map(|run| RunWithCost { run, output_gradient: &derivatives }).collect();
        for found in gradient_each(&problem, &mut runs, unknown) {
            assert_eq!(found.unwrap_err(), expected);
        }
    }
    let cost = BolzaCost::new(STEP, STEPS + 1).with_end_value(Pendulum::POSITION, 1.0).unwrap();
    let twice = check_gradient(&problem, &model, &cost, &[Pendulum::L, Pendulum::L]).unwrap_err();
    assert_eq!(twice, repeated("l").into());
    let absent = check_gradient(&problem, &model, &cost, &[Parameter::at(7)]).unwrap_err();
    assert_eq!(absent, missing(7).into());
    let noise = Noise::independent([(Pendulum::POSITION, 1e-3)]).unwrap();
    let twice = Information::simulate(&problem, &model, [Pendulum::L, Pendulum::L], &noise).unwrap_err();
    assert_eq!(twice, InformationError::from(repeated("l")));
    assert!(twice.to_string().contains("`l` is unknown twice"), "{twice}");
}

#[test]
fn the_order_of_parameters_is_that_of_the_gradient() {
    let problem = problem(settings(), 1.0);
    let run = run(&problem);
    for method in METHODS {
        let at = |unknown: &[Parameter<Pendulum>]| method.gradient(&problem, &run, &right(), unknown).unwrap();
        let [a, b] = at(&[Pendulum::L, Pendulum::D])[..] else { panic!("two entries") };
        assert_eq!(at(&[Pendulum::D, Pendulum::L]), [b, a]);
    }
}

#[test]
fn derivatives_of_a_cost_are_those_of_all_samples_and_outputs() {
    let problem = problem(settings(), 1.0);
    let run = run(&problem);
    for (width, samples) in [(2, STEPS), (2, STEPS + 2), (1, STEPS + 1), (3, STEPS + 1), (0, 0), (2, 1)] {
        let derivatives = of_end(width, samples.max(1), STEP);
        let samples = samples.max(1);
        let (expected_samples, expected_width) = (STEPS + 1, 2);
        let error = CostDerivativeError::Size { samples, width, expected_samples, expected_width };
        for (name, found) in all_by(&problem, &run, &derivatives, &[Pendulum::M, Pendulum::L]) {
            assert_eq!(found, error.clone().into(), "{name}");
        }
        assert_eq!(input_gradient::<Pendulum, f64>(&problem, &run, &derivatives, None).unwrap_err(), error.into());
    }
    let other = of_end(2, STEPS + 1, 2.0 * STEP);
    let error = CostDerivativeError::Step { step: 2.0 * STEP, expected: STEP };
    for (name, found) in all_by(&problem, &run, &other, &[Pendulum::M, Pendulum::L]) {
        assert_eq!(found, error.clone().into(), "{name}");
    }
    for given in [0, 6, 8] {
        let end = vec![0.0; given];
        let found = input_gradient::<Pendulum, f64>(&problem, &run, &right(), Some(&end)).unwrap_err();
        assert_eq!(found, CostDerivativeError::End { given, expected: 7 }.into());
    }
}

#[test]
fn a_run_of_another_problem_has_no_gradient_here() {
    let here = problem(settings(), 1.0);
    let longer = Settings::new(STEP, 2.0 * STEP * STEPS as f64);
    let shorter = Settings::new(STEP, STEP);
    let coarser = Settings::new(2.0 * STEP, 2.0 * STEP * STEPS as f64);
    for (other, difference) in [
        (problem(longer, 1.0), ProblemDifference::Steps { run: 2 * STEPS, problem: STEPS }),
        (problem(shorter, 1.0), ProblemDifference::Steps { run: 1, problem: STEPS }),
        (problem(coarser, 1.0), ProblemDifference::Step { run: 2.0 * STEP, problem: STEP }),
        (problem(Settings { scheme: Scheme::Hht { alpha: -0.2 }, ..settings() }, 1.0), ProblemDifference::Scheme),
        (problem(settings(), 1.5), ProblemDifference::Inputs),
    ] {
        let expected = SimulationError::from(OtherProblem { difference });
        let trajectory = run(&other);
        for (name, found) in all_by(&here, &trajectory, &right(), &[Pendulum::M, Pendulum::L]) {
            assert_eq!(found, expected, "{name}");
        }
        assert_eq!(sensitivities(&here, &trajectory, &[Pendulum::M]).unwrap_err(), expected);
        assert_eq!(input_gradient::<Pendulum, f64>(&here, &trajectory, &right(), None).unwrap_err(), expected);
        let checkpoints = Settings { checkpoints: Checkpoints::Within(1 << 20), ..other.settings().clone() };
        let drive = other.inputs().row(0)[0];
        let mut kept = problem(checkpoints, drive).run(&Pendulum::default().parameters()).unwrap();
        assert_eq!(gradient(&here, &mut kept, &right(), &[Pendulum::M, Pendulum::L]).unwrap_err(), expected);
        assert_eq!(sensitivities(&here, &mut kept, &[Pendulum::M]).unwrap_err(), expected);
    }
    // a problem that differs in its memory and its name only is the same
    let trajectory = run(&problem(settings(), 1.0));
    let expected = gradient(&here, &run(&here), &right(), &[Pendulum::M, Pendulum::L]).unwrap();
    assert_eq!(gradient(&here, &trajectory, &right(), &[Pendulum::M, Pendulum::L]).unwrap(), expected);
    let moved = here.clone().with_inputs(here.inputs().rows().map(|_| [3.0])).unwrap();
    assert!(matches!(
        gradient(&moved, &trajectory, &right(), &[Pendulum::M]).unwrap_err(),
        SimulationError::OtherProblem(OtherProblem { difference: ProblemDifference::Inputs })
    ));
}

#[test]
fn a_run_of_another_model_has_no_gradient_here() {
    let pendulum = |settings| problem(settings, 1.0);
    let hardening = |settings| Problem::new(settings, &[(Hardening::DRIVE, InputSignal::from(1.0))]).unwrap();
    let pushed = |settings| Problem::new(settings, &[(Pushed::PUSH, InputSignal::from(1.0))]).unwrap();
    refuses_runs::<Pendulum, Hardening>(pendulum, hardening);
    refuses_runs::<Hardening, Pendulum>(hardening, pendulum);
    // models of the same sizes
    refuses_runs::<Hardening, Pushed>(hardening, pushed);
}

/// Checks that a run of the model `R` is refused for a problem of the model `M`, and for parameters of `M`.
fn refuses_runs<M: Model, R: Model + Default>(
    problem: impl Fn(Settings) -> Problem,
    other: impl Fn(Settings) -> Problem,
) {
    let parameters = R::default().parameters();
    let (here, there) = (problem(settings()), other(settings()));
    let run = there.forward(parameters.as_ref()).unwrap();
    let names = (R::description().name, <M as Model>::description().name);
    let difference = ProblemDifference::Model { run: names.0, problem: names.1 };
    let expected = SimulationError::from(OtherProblem { difference });
    let text = expected.to_string();
    assert!(text.contains(&format!("of the model `{}` instead of `{}`", names.0, names.1)), "{text}");
    let unknown = [Parameter::<M>::at(0)];
    let of = |width: usize| of_end(width, STEPS + 1, STEP);
    let derivatives = of(<M as Model>::description().outputs.len());
    for (name, found) in all_by(&here, &run, &derivatives, &unknown) {
        assert_eq!(found, expected, "{name}");
    }
    assert_eq!(input_gradient::<M, f64>(&here, &run, &derivatives, None).unwrap_err(), expected);
    let memory = there.memory();
    let checkpoints = Checkpoints::Within(memory.total() - memory.trajectory_bytes / 4);
    let few = Settings { checkpoints, ..settings() };
    assert!(other(few.clone()).has_checkpoints());
    for (problem, derivatives) in [(&here, &derivatives), (&there, &of(R::description().outputs.len()))] {
        assert_eq!(gradient(problem, &run, derivatives, &unknown).unwrap_err(), expected);
        assert_eq!(sensitivities(problem, &run, &unknown).unwrap_err(), expected);
        for settings in [settings(), few.clone()] {
            let other = other(settings);
            let mut kept = [0, 1].map(|_| other.run(parameters.as_ref()).unwrap());
            assert_eq!(gradient(problem, &mut kept[0], derivatives, &unknown).unwrap_err(), expected);
            assert_eq!(sensitivities(problem, &mut kept[0], &unknown).unwrap_err(), expected);
            let mut kept: Vec<_> =
                kept.iter_mut().map(|run| RunWithCost { run, output_gradient: derivatives }).collect();
            for found in gradient_each(problem, &mut kept, &unknown) {
                assert_eq!(found.unwrap_err(), expected);
            }
        }
    }
}

#[test]
fn a_wrong_run_beside_others_changes_nothing_of_theirs() {
    let here = problem(settings(), 1.0);
    let parameters: Vec<_> =
        (0..5).map(|i| Pendulum { l: 0.8 + 0.1 * f64::from(i), ..Pendulum::default() }.parameters()).collect();
    let runs = || -> Vec<_> { here.run_each(&parameters).into_iter().map(Result::unwrap).collect() };
    let derivatives = right();
    let of = |mut runs: Vec<_>, derivatives: &[&Series<f64>]| {
        let mut runs: Vec<_> = runs
            .iter_mut()
            .zip(derivatives)
            .map(|(run, &output_gradient)| RunWithCost { run, output_gradient })
            .collect();
        gradient_each(&here, &mut runs, &[Pendulum::M, Pendulum::L])
    };
    let all = of(runs(), &[&derivatives; 5]);
    let short = of_end(2, STEPS, STEP);
    let mut others = runs();
    others[1] = problem(settings(), 2.0).run(&parameters[1]).unwrap();
    let some = of(others, &[&derivatives, &derivatives, &derivatives, &short, &derivatives]);
    for i in [0, 2, 4] {
        assert_eq!(some[i], all[i], "{i}");
        assert!(some[i].is_ok());
    }
    assert_eq!(some[1], Err(OtherProblem { difference: ProblemDifference::Inputs }.into()));
    assert!(matches!(some[3], Err(SimulationError::CostDerivatives(CostDerivativeError::Size { .. }))));
}

#[test]
fn nothing_is_where_there_is_no_sample_or_output() {
    let here = problem(settings(), 1.0);
    let mut run = here.run(&Pendulum::default().parameters()).unwrap();
    let outputs = run.outputs().clone();
    for i in [STEPS + 1, usize::MAX / 2, usize::MAX] {
        assert!(outputs.row(i).is_empty());
        assert!(outputs.clone().row_mut(i).is_empty());
        let trajectory = run.trajectory().unwrap();
        assert!(trajectory.coordinates(i).is_empty() && trajectory.velocities(i).is_empty());
        assert!(trajectory.accelerations(i).is_empty() && trajectory.multipliers(i).is_empty());
        assert!(trajectory.stored(i).is_empty());
        assert!(!trajectory.load(i, &mut State::<Pendulum, f64>::zeros()));
    }
    let last = |output| outputs.output(output).unwrap().last().unwrap();
    assert_eq!(outputs.row(STEPS), [Pendulum::POSITION, Pendulum::SPEED].map(last));
    assert!(outputs.channel(0).unwrap().eq(outputs.output(Pendulum::POSITION).unwrap()));
    assert!(outputs.channel(2).is_none() && outputs.output(Output::<Pendulum>::at(2)).is_none());
    // rows of another width belong neither to the outputs of the model nor to its inputs
    assert!(of_end(3, 2, STEP).output(Pendulum::POSITION).is_none());
    assert!(outputs.input(Pendulum::DRIVE).is_none() && of_end(1, 2, STEP).input(Pendulum::DRIVE).is_some());
    assert_eq!(run.trajectory().unwrap().outputs(), outputs);
    // costs of other outputs and runs have neither a value nor a gradient
    let absent = BolzaCost::new(STEP, STEPS + 1).with_end_value(Output::<Pendulum>::at(2), 1.0).unwrap();
    let longer = BolzaCost::new(STEP, STEPS + 2).with_end_value(Pendulum::POSITION, 1.0).unwrap();
    let measured =
        LeastSquares::new(STEP, STEPS + 2, Quadrature::Sum).with_channel(Pendulum::POSITION, &[STEP], &[0.1], 1.0);
    for cost in [&absent as &dyn Cost, &longer, &measured.unwrap()] {
        assert!(cost.value(&outputs).is_nan());
        let mut derivatives = right();
        cost.add_gradient(&outputs, &mut derivatives);
        let found = gradient(&here, &mut run, &derivatives, &[Pendulum::M]).unwrap();
        assert!(found[0].is_nan(), "{found:?}");
        let refused = check_gradient(&here, &Pendulum::default(), cost, &[Pendulum::L]).unwrap_err();
        let (samples, width, step) = (STEPS + 1, 2, STEP);
        assert_eq!(refused, CostDerivativeError::Cost { samples, width, step }.into());
    }
}
