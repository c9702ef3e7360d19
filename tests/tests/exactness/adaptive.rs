//! Adaptive steps: fewer than constant ones of the same accuracy, and exact derivatives on them.

use costate::cost::{BolzaCost, Cost};
use costate::differentiate::{GradientMethod, input_gradient, sensitivities};
use costate::model::Dual;
use costate::simulate::{Checkpoints, Problem, Settings, SettingsError, SimulationError, Steps};
use costate::{Identification, Model, Output, Parameter, Record, Run, Simulation, gradient};
use costate_tests::duals::seeded;

use crate::order::Points;
use crate::stepper::Hoist;

costate::model! {
    #[interpreted]
    /// A mass that a belt drags along by friction, smoothed over a small speed, until the spring tears it off.
    pub StickSlip {
        parameters { m: kg = 1, c: N/m = 100, belt: m/s = 0.1, grip: N = 6, hold: N = 4, slow: m/s = 2e-3,
        fade: m/s = 0.3 }
        coordinates { x: m }
        mass { x: m }
        let slip = belt - dot(x);
        forces { x: -c*x + tanh(slip/slow)*(hold + (grip - hold)*exp(-abs(slip)/fade)) }
        outputs { position: m = x, speed: m/s = dot(x) }
    }
}

costate::model! {
    #[interpreted]
    /// A mass that falls on a hard stop, which is soft over a small depth.
    pub BumpStop {
        parameters { m: kg = 2, c: N/m = 2e6, d: N*s/m = 20, soft: m = 1e-5, g: m/s^2 = 9.81, height: m = 0.05 }
        coordinates { x: m }
        mass { x: m }
        let depth = (sqrt(x^2 + soft^2) - x)/2;
        forces { x: -m*g + c*depth - d*dot(x) }
        initial { x = height }
        outputs { position: m = x, load: N = c*depth }
    }
}

/// The largest error of the first coordinate at the samples that both runs have, relative to its range, by a run that
/// is much more accurate.
fn error<M: Model>(run: &Run<M>, reference: &Run<M>) -> f64 {
    let [own, fine] = [run, reference].map(|run| run.coordinate(costate::Coordinate::all().next().unwrap()));
    let common = own.len().min(fine.len()) - 1;
    let [own_every, every] = [&own, &fine].map(|values| (values.len() - 1) / common);
    let (least, largest) =
        fine.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| (least.min(*x), most.max(*x)));
    let errors = (0..=common).map(|k| (own[k * own_every] - fine[k * every]).abs());
    errors.fold(0.0, f64::max) / (largest - least)
}

/// The error of an adaptive run, and the steps that constant lengths take for the same, over those of that run.
fn saving<M: Model>(simulation: impl Fn() -> Simulation<M>, step: f64, tolerance: f64) -> (f64, f64) {
    let simulation = || simulation().error_limit(None);
    let reference = simulation().step(step).adaptive(1e-2 * tolerance).run().unwrap();
    let adaptive = simulation().step(step).adaptive(tolerance).run().unwrap();
    let own = error(&adaptive, &reference);
    let mut constant = step;
    while simulation().step(constant).run().map_or(true, |run| error(&run, &reference) > own) {
        constant /= 2.0;
    }
    (own, adaptive.times().last().unwrap() / constant / adaptive.trajectory().steps() as f64)
}

#[test]
fn kinks_take_fewer_steps() {
    let model = StickSlip::default();
    let (own, saved) = saving(|| Simulation::new(&model).until(2.0), 2e-2, 1e-8);
    assert!(own < 1e-5 && saved > 2.0, "{own:e} {saved}");
    let model = BumpStop::default();
    let (own, saved) = saving(|| Simulation::new(&model).until(0.3), 1e-2, 1e-9);
    assert!(own < 1e-5 && saved > 2.0, "{own:e} {saved}");
}

/// Positions and velocities keep their order: errors fall with the number of steps squared. Accelerations and
/// multipliers of constrained motions swing for some steps after a change of length.
#[test]
fn the_order_is_kept() {
    let model = Points::default();
    let state = |run: &Run<Points>| run.trajectory().stored(run.trajectory().steps()).to_vec();
    let run = |tolerance: f64| Simulation::new(&model).step(0.05).until(1.0).adaptive(tolerance).run().unwrap();
    let fine = state(&Simulation::new(&model).step(2e-5).until(1.0).error_limit(None).run().unwrap());
    let runs = [1e-5, 1e-6, 1e-7].map(run);
    let found = runs.each_ref().map(|run| {
        let own = state(run);
        let part = |from: usize, to: usize| (from..to).map(|k| (own[k] - fine[k]).abs()).fold(0.0, f64::max);
        (run.trajectory().steps() as f64, [part(0, 4), part(4, 8)])
    });
    for part in 0..2 {
        let order = (found[0].1[part] / found[2].1[part]).ln() / (found[2].0 / found[0].0).ln();
        assert!((1.6..2.6).contains(&order), "part {part}: {found:?} {order}");
    }
}

fn bump() -> (BumpStop, Problem) {
    // harder stops make more of the rounding of the values than 1e-10 of their derivatives
    let model = BumpStop { soft: 1e-3, ..BumpStop::default() };
    let problem = Simulation::new(&model).step(5e-3).until(0.3).adaptive(1e-6).problem().unwrap();
    assert!(problem.steps() > 3 * (problem.samples() - 1), "{}", problem.steps());
    (model, problem)
}

#[test]
fn gradients_are_those_of_the_same_steps() {
    let (model, problem) = bump();
    let all: Vec<_> = Parameter::all().collect();
    check_gradient_by_dual_numbers(&model, &problem, &all);
    let mut run = problem.run(&model.parameters()).unwrap();
    let series = sensitivities(&problem, &mut run, &all).unwrap();
    let rows = costate::simulate::outputs_in::<BumpStop, Dual>(&problem, &seeded(&model.parameters(), 1)).unwrap();
    for sample in 0..problem.samples() {
        let (found, exact) = (series[1].row(sample)[0], rows.row(sample)[0].derivative);
        assert!((found - exact).abs() <= 1e-10 * exact.abs().max(1e-9), "{sample}: {found:e} {exact:e}");
    }
}

/// By the adjoint, by direct differentiation and by the blocks of the matrices, which serve several costs at once.
fn check_gradient_by_dual_numbers<M: Model>(model: &M, problem: &Problem, all: &[Parameter<M>]) {
    let lengths: Vec<f64> = {
        let run = problem.forward(model.parameters().as_ref()).unwrap();
        (1..=run.steps()).map(|i| run.time(i) - run.time(i - 1)).collect()
    };
    assert!(
        lengths.windows(2).any(|h| h[1] > 1.5 * h[0]) && lengths.windows(2).any(|h| h[0] > 1.5 * h[1]),
        "{lengths:?}"
    );
    let cost = cost::<M>(problem);
    let mut run = problem.run(model.parameters().as_ref()).unwrap();
    let derivatives = cost.output_gradient(run.outputs());
    let adjoint = gradient(problem, &mut run, &derivatives, all).unwrap();
    let direct = GradientMethod::DirectDifferentiation.gradient(problem, &mut run, &derivatives, all).unwrap();
    let exact: Vec<f64> = all
        .iter()
        .map(|p| {
            cost.value_dual(
                &costate::simulate::outputs_in::<M, Dual>(problem, &seeded(model.parameters().as_ref(), p.index()))
                    .unwrap(),
            )
            .derivative
        })
        .collect();
    for (k, exact) in exact.iter().enumerate() {
        for (kind, found) in [("adjoint", adjoint[k]), ("direct", direct[k])] {
            assert!((found - exact).abs() <= 1e-10 * exact.abs(), "{kind} {k}: {found:e} {exact:e}");
        }
    }
    // several costs at once go by blocks
    let twice = costate::differentiate::gradients(problem, &mut run, &[&derivatives, &derivatives], all).unwrap();
    for (one, other) in twice[1].iter().zip(&exact) {
        assert!((one - other).abs() <= 1e-10 * other.abs(), "{one:e} {other:e}");
    }
}

fn cost<M: Model>(problem: &Problem) -> BolzaCost {
    let cost =
        BolzaCost::new(problem.settings().step, problem.samples()).with_integral(Output::<M>::at(0), 1.0).unwrap();
    cost.with_integral(Output::<M>::at(1), 1e-3).unwrap().with_end_value(Output::<M>::at(0), 0.5).unwrap()
}

#[test]
fn constraints_and_inputs_have_exact_gradients_too() {
    let model = Hoist::default();
    // a drive that sets in when the motion has grown slow
    let drive = |t: f64| if t > 0.7 { 300.0 * (80.0 * (t - 0.7)).sin().powi(3) } else { 0.0 };
    let simulation = Simulation::new(&model).input(Hoist::DRIVE, drive).step(0.02).until(1.0).adaptive(1e-5);
    let problem = simulation.problem().unwrap();
    let all: Vec<_> = Parameter::all().collect();
    check_gradient_by_dual_numbers(&model, &problem, &all);
}

#[test]
fn checkpoints_give_the_same_bits() {
    let (model, problem) = bump();
    let cost = cost::<BumpStop>(&problem);
    let all: Vec<_> = Parameter::<BumpStop>::all().collect();
    let budget = problem.memory().total() * 2 / 3;
    let stored = Simulation::new(&model)
        .step(5e-3)
        .until(0.3)
        .adaptive(1e-6)
        .checkpoints(Checkpoints::Within(budget))
        .problem()
        .unwrap();
    assert!(stored.has_checkpoints());
    let gradients = [&problem, &stored].map(|problem| {
        let mut run = problem.run(&model.parameters()).unwrap();
        let derivatives = cost.output_gradient(run.outputs());
        gradient(problem, &mut run, &derivatives, &all).unwrap()
    });
    assert_eq!(gradients[0], gradients[1]);
}

#[test]
fn the_estimated_error_is_that_of_the_run() {
    let model = BumpStop { soft: 1e-3, ..BumpStop::default() };
    let simulation = || Simulation::new(&model).until(0.4).error_limit(None);
    let reference = simulation().step(1e-2).adaptive(1e-11).run().unwrap();
    let run = simulation().step(1e-2).adaptive(1e-6).run().unwrap();
    let found = error(&run, &reference);
    let accuracy = run.accuracy().unwrap();
    let ratio = accuracy.coordinates[0].relative() / found;
    assert!((0.33..3.0).contains(&ratio), "{found:e} {ratio} {accuracy}");
    let refused = simulation().step(1e-2).adaptive(1e-6).error_limit(1e-9).run().unwrap_err();
    assert!(refused.to_string().contains("take a tolerance of"), "{refused}");
}

#[test]
fn an_identification_keeps_its_steps_and_renews_them() {
    let truth = BumpStop::default();
    let measured = Simulation::new(&truth).step(1e-3).until(0.3).adaptive(1e-8).run().unwrap();
    let record = Record::new(measured.times())
        .unwrap()
        .with_channel("position", Some("m"), measured.output(BumpStop::POSITION))
        .unwrap();
    let start = BumpStop { c: 2e5, d: 10.0, ..truth };
    let simulation = Simulation::new(&start).step(5e-3).until(0.3).adaptive(1e-8);
    let fit = Identification::new(&simulation)
        .unknown([BumpStop::C, BumpStop::D])
        .measured(BumpStop::POSITION, &record)
        .run()
        .unwrap();
    let steps = fit.summary().adaptive_steps.unwrap();
    assert!(steps.renewals >= 1 && steps.excess <= 4.0, "{steps:?}");
    assert!((fit.model().d / truth.d - 1.0).abs() < 1e-2 && (fit.model().c / truth.c - 1.0).abs() < 3e-2, "{fit}");
    assert_eq!(fit.parameter(BumpStop::C).unwrap().start, 2e5);
    // what came before a renewal counts
    let summary = fit.summary();
    assert_eq!(summary.history.len(), summary.iterations + 1);
    assert!(summary.history.iter().enumerate().all(|(i, iteration)| iteration.number == i));
    assert_eq!(summary.history[0].parameters, [2e5, 10.0]);
    assert!(summary.simulations >= summary.evaluations, "{} {}", summary.simulations, summary.evaluations);
    assert!(fit.to_string().contains("adaptive steps, chosen again"), "{fit}");
}

#[test]
fn what_has_no_adaptive_steps_says_so() {
    let (model, problem) = bump();
    let refused = |error: SimulationError| match error {
        SimulationError::Settings(
            error @ (SettingsError::Adaptive { .. }
            | SettingsError::StepsUnknown
            | SettingsError::AdaptiveScheme { .. }),
        ) => error.to_string(),
        other => panic!("{other}"),
    };
    let mut run = problem.run(&model.parameters()).unwrap();
    let zeros = costate::simulate::Series::zeros(5e-3, 2, problem.samples());
    refused(input_gradient::<BumpStop, f64>(&problem, &mut run, &zeros, None).unwrap_err());
    let simulation = || Simulation::new(&model).step(5e-3).until(0.3).adaptive(1e-6);
    refused(costate::stepper::start(&simulation()).unwrap_err());
    assert!(refused(simulation().alpha(-0.1).problem().unwrap_err()).contains("GeneralizedAlpha"));
    let adaptive = Settings { steps: Steps::Adaptive { tolerance: 1e-6 }, ..Settings::new(5e-3, 0.3) };
    let unplanned = Problem::new::<BumpStop>(adaptive, &[]).unwrap();
    assert!(refused(unplanned.forward(&model.parameters()).unwrap_err()).contains("with_steps_for"));
    let planned = unplanned.with_steps_for(&model.parameters()).unwrap();
    assert_eq!(planned.steps(), problem.steps());
    // other parameters have other steps, and their runs are not of this problem
    let other = BumpStop { c: 1e4, ..model };
    let other = planned.with_steps_for(&other.parameters()).unwrap();
    assert_ne!(other.steps(), problem.steps());
    assert!(gradient(&other, &mut run, &zeros, &[BumpStop::C]).is_err());
    assert!(Simulation::new(&model).step(1e-3).until(0.1).adaptive(0.5).run().is_err());
    // as many sets of parameters, all on the steps of the first
    let study = simulation().study(&[model, BumpStop { d: 30.0, ..model }]).unwrap();
    assert_eq!(study[0].as_ref().unwrap(), &problem.outputs(&model.parameters()).unwrap());
    assert!(matches!(problem.settings().steps, Steps::Adaptive { .. }));
}
