//! Optimal inputs: the experiments of OB 5.3, shapes, bounds and limits, and what a long search has to be able to do.

use costate::cost::Quadrature;
use costate::experiment::{
    Bounding, Criterion, DesignIteration, DesignedInput, EndCondition, InputLimit, Noise, OptimalExperiment,
    OptimalInput, OptimalInputError, RepetitionSettings, Sensitivities, SineLine, Sweep,
};
use costate::identify::UnknownParameter;
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{InputSignal, Interrupt, InterruptedWork, Problem};
use costate::{Identification, Model, Parameter, Simulation};
use costate_models::{CartPendulum, PendulumOnCart, TwoMasses, cart_pendulum, pendulum_on_cart, two_masses};
use costate_publications::switching::{Bound, SwitchingProblem};
use costate_tests::DrivenPendulum;

const TAU: f64 = std::f64::consts::TAU;

costate::model! {
    /// The single mass of OB 5.3.2, all divided by the mass.
    pub SingleMass {
        parameters { c: 1/s^2 = 1 }
        inputs { u: m/s^2 }
        coordinates { x: m }
        mass { x: 1 }
        forces { x: -c*x + u }
        outputs { position: m = x }
    }
}

/// J = -1/2 integral x_c^2 is half the trace, over the samples per second.
#[test]
fn the_iterative_method_finds_the_switching_time_of_the_single_mass() {
    let model = SingleMass::default();
    let noise = || Noise::independent([(SingleMass::POSITION, 1.0)]).unwrap();
    let run = Simulation::new(&model).input(SingleMass::U, 0.0).step(TAU / 100.0).until(TAU);
    let problem = run.problem().unwrap();
    let exact = SwitchingProblem::of_model(&problem, &model, [SingleMass::C], &noise(), SingleMass::U, (-1.0, 1.0));
    let exact = exact.unwrap().extremal(Bound::Upper, &[1.2]).unwrap();
    assert!(exact.is_minimum());
    let t1 = exact.switching_times[0];
    for steps in [100.0, 400.0] {
        let h = TAU / steps;
        let found = OptimalInput::new(&Simulation::new(&model).step(h).until(TAU))
            .unknown([SingleMass::C])
            .sensors(noise())
            .criterion(Criterion::Trace)
            .design(
                DesignedInput::samples(SingleMass::U, InputSignal::function(|t| if t < 1.5 { 0.3 } else { -0.3 }))
                    .within(-1.0, 1.0),
            )
            .run()
            .unwrap();
        let samples = found.samples(SingleMass::U);
        // one switch, through one sample at most that is between the bounds
        let last = samples.iter().rposition(|u| *u == 1.0).unwrap();
        let first = samples.iter().position(|u| *u == -1.0).unwrap();
        assert!(first > last && first - last <= 2, "{samples:?}");
        // the force goes from bound to bound in straight lines: half way between
        let inside: f64 = samples[last + 1..first].iter().map(|u| 0.5 * (u + 1.0)).sum();
        let switching = h * (last as f64 + 0.5 + inside);
        // the trace counts the last sample whole, the integral half of it, which moves the optimum in proportion to h
        assert!((switching - t1).abs() < 3.0 * h, "{switching} {t1} {h}");
        let known = Sensitivities::simulate(found.problem(), &model, [SingleMass::C]).unwrap();
        let last = known.derivatives()[0].row(steps as usize)[0];
        let cost = 0.5 * h * (found.cost() + 0.5 * last * last);
        assert!((cost - exact.cost).abs() < 4.0 * h * h * exact.cost.abs(), "{cost} {} {h}", exact.cost);
    }
}

fn two_masses_run() -> Simulation<TwoMasses> {
    Simulation::new(&TwoMasses::default()).step(two_masses::STEP).until(two_masses::DURATION)
}

fn two_masses_search() -> OptimalInput<TwoMasses> {
    two_masses_search_of(&two_masses_run())
}

fn two_masses_search_of(run: &Simulation<TwoMasses>) -> OptimalInput<TwoMasses> {
    let start = 0.5 * two_masses::LARGEST_FORCE;
    OptimalInput::new(run)
        .unknown([TwoMasses::C_2])
        .sensors(Noise::independent([(TwoMasses::POSITION, 1e-4)]).unwrap())
        .criterion(Criterion::Trace)
        .design(
            DesignedInput::samples(TwoMasses::FORCE, start)
                .within(-two_masses::LARGEST_FORCE, two_masses::LARGEST_FORCE),
        )
        .end_condition(EndCondition::velocity(TwoMasses::X_1, 0.0))
        .end_condition(EndCondition::velocity(TwoMasses::X_2, 0.0))
}

/// The best of a multistart, and the best of its random starts alone.
fn best<M: Model>(search: &OptimalInput<M>, starts: usize, seed: u64) -> (OptimalExperiment<M>, f64) {
    let members = search.multistart(starts, seed, |_| ()).unwrap();
    let random = members.iter().filter(|member| member.number > 0).filter_map(|member| member.cost());
    let random = random.fold(f64::INFINITY, f64::min);
    (members.into_iter().next().unwrap().outcome.unwrap(), random)
}

/// Velocities at the end are at most a ten-thousandth of the largest ones of the run.
fn check_rest<M: Model>(found: &OptimalExperiment<M>, model: &M, coordinates: &[costate::Coordinate<M>]) {
    let trajectory = found.problem().forward(model.parameters().as_ref()).unwrap();
    for coordinate in coordinates {
        let velocity = |i: usize| trajectory.velocities(i)[coordinate.index()].abs();
        let peak = (0..=trajectory.steps()).map(velocity).fold(0.0, f64::max);
        let end = velocity(trajectory.steps());
        assert!(end <= 1e-4 * peak, "{}: {end} of {peak}", coordinate.name());
    }
}

/// The scatter of 200 identifications, relative to the bound and to that with the input of the start.
fn check_scatter<M: Model>(
    found: &OptimalExperiment<M>,
    model: &M,
    unknown: &[Parameter<M>],
    noise: &Noise<M>,
    alpha: f64,
) {
    let input = found.inputs()[0];
    let mut deviations = Vec::new();
    for problem in [found.start_problem(), found.problem()] {
        let known = Sensitivities::simulate(problem, model, unknown.iter().copied()).unwrap();
        let repeated = known.repeat(
            noise,
            &RepetitionSettings::new(200, 1),
            |record| {
                let values = model.parameters();
                let linear = unknown.iter().map(|&parameter| {
                    UnknownParameter::from(parameter).linear(values.as_ref()[parameter.index()].abs())
                });
                let h = problem.settings().step;
                let samples = problem.inputs().rows().map(|row| row[input.index()]).collect();
                let simulation = Simulation::new(model)
                    .input(input, costate::simulate::Sampled::equidistant(h, samples))
                    .step(h)
                    .until(problem.settings().end)
                    .alpha(alpha);
                Identification::new(&simulation)
                    .unknown(linear)
                    .measured(noise.outputs()[0], record)
                    .quadrature(Quadrature::Sum)
                    .optimizer(OptimizerSettings::default().with_method(Method::GaussNewton).with_cost_tolerance(1e-9))
            },
            |_| (),
        );
        let repeated = repeated.unwrap();
        assert_eq!(repeated.failures().count(), 0, "{repeated}");
        deviations.push((repeated.standard_deviations(), repeated.information().standard_deviations()));
    }
    let (start, optimal) = (&deviations[0], &deviations[1]);
    for (k, parameter) in unknown.iter().enumerate() {
        let ratio = optimal.0[k] / optimal.1[k];
        assert!((ratio - 1.0).abs() < 0.15, "{}: {ratio} of the bound", parameter.name());
        assert!(optimal.0[k] < 0.5 * start.0[k], "{}: {:?}", parameter.name(), deviations);
    }
}

#[test]
fn two_masses_come_to_rest_and_tell_most() {
    let (found, _) = best(&two_masses_search(), 13, 1);
    assert!(found.is_converged(), "{found}");
    check_rest(&found, &TwoMasses::default(), &[TwoMasses::X_1, TwoMasses::X_2]);
    let (_, random) = best(&two_masses_search(), 21, 2);
    // maxima that are as good as equal
    assert!(found.cost() <= random + 0.005 * random.abs(), "{} {random}", found.cost());
    let noise = Noise::independent([(TwoMasses::POSITION, 1e-4)]).unwrap();
    check_scatter(&found, &TwoMasses::default(), &[TwoMasses::C_2], &noise, 0.0);
}

fn pendulum_search() -> OptimalInput<PendulumOnCart> {
    let start = |t: f64| 0.5 * pendulum_on_cart::LARGEST_FORCE * (TAU * t / pendulum_on_cart::DURATION).sin();
    let simulation = Simulation::new(&PendulumOnCart::default())
        .step(2.0 * pendulum_on_cart::STEP)
        .until(pendulum_on_cart::DURATION);
    OptimalInput::new(&simulation)
        .unknown([PendulumOnCart::S_P, PendulumOnCart::D_P])
        .sensors(Noise::independent([(PendulumOnCart::ANGLE, 1e-2)]).unwrap())
        .design(
            DesignedInput::samples(PendulumOnCart::FORCE, InputSignal::function(start))
                .within(-pendulum_on_cart::LARGEST_FORCE, pendulum_on_cart::LARGEST_FORCE),
        )
        .end_condition(EndCondition::position(PendulumOnCart::PHI, 0.0))
        .end_condition(EndCondition::velocity(PendulumOnCart::X, 0.0))
        .end_condition(EndCondition::velocity(PendulumOnCart::PHI, 0.0))
}

#[test]
fn a_pendulum_on_a_cart_comes_to_rest_and_tells_most() {
    let (found, _) = best(&pendulum_search(), 9, 1);
    assert!(found.is_converged(), "{found}");
    let model = PendulumOnCart::default();
    check_rest(&found, &model, &[PendulumOnCart::X, PendulumOnCart::PHI]);
    let angle: Vec<f64> = found.outputs().output(PendulumOnCart::ANGLE).unwrap().collect();
    let peak = angle.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    assert!(angle.last().unwrap().abs() < 1e-4 * peak);
    let (_, random) = best(&pendulum_search(), 21, 2);
    assert!(found.cost() <= 1.02 * random, "{} {random}", found.cost());
    let noise = Noise::independent([(PendulumOnCart::ANGLE, 1e-2)]).unwrap();
    let unknown = [PendulumOnCart::S_P, PendulumOnCart::D_P];
    check_scatter(&found, &model, &unknown, &noise, 0.0);
    // better than a sine of the same amplitude too
    let sine = Simulation::new(&model)
        .input(PendulumOnCart::FORCE, |t: f64| {
            pendulum_on_cart::LARGEST_FORCE * (TAU * t / pendulum_on_cart::DURATION).sin()
        })
        .step(2.0 * pendulum_on_cart::STEP)
        .until(pendulum_on_cart::DURATION);
    let sine = Sensitivities::simulate(&sine.problem().unwrap(), &model, unknown).unwrap();
    let sine = sine.information(&noise).unwrap().standard_deviations();
    for (optimal, sine) in found.information().standard_deviations().iter().zip(sine) {
        assert!(*optimal < 0.5 * sine, "{optimal} {sine}");
    }
}

#[test]
fn a_pendulum_in_redundant_coordinates_tells_of_its_joints() {
    let model = cart_pendulum::OB.model();
    let noise = Noise::independent([(CartPendulum::ANGLE, 1e-3)]).unwrap();
    let unknown = [CartPendulum::C_F, CartPendulum::D_F];
    let found = OptimalInput::new(&Simulation::new(&model).step(0.02).until(4.0).alpha(cart_pendulum::ALPHA))
        .unknown(unknown)
        .sensors(noise.clone())
        .design(
            DesignedInput::samples(CartPendulum::DRIVE, InputSignal::function(|t| cart_pendulum::OB.force(t)))
                .within(-5.0, 5.0),
        )
        .end_condition(EndCondition::velocity(CartPendulum::X_C, 0.0))
        .run()
        .unwrap();
    assert!(found.is_converged(), "{found}");
    check_rest(&found, &model, &[CartPendulum::X_C]);
    check_scatter(&found, &model, &unknown, &noise, cart_pendulum::ALPHA);
}

fn driven_run() -> Simulation<DrivenPendulum> {
    Simulation::new(&DrivenPendulum::default())
        .input(DrivenPendulum::PULL, |t: f64| 100.0 * (5.0 * t).cos())
        .step(2e-2)
        .until(1.0)
}

/// A search over every kind of input, with parameters in mass, constraint and initial state.
fn driven(design: DesignedInput<DrivenPendulum>) -> OptimalInput<DrivenPendulum> {
    driven_of(&driven_run(), design)
}

fn driven_of(run: &Simulation<DrivenPendulum>, design: DesignedInput<DrivenPendulum>) -> OptimalInput<DrivenPendulum> {
    OptimalInput::new(run)
        .unknown([DrivenPendulum::L, DrivenPendulum::M_C, DrivenPendulum::OMEGA_0])
        .sensors(Noise::independent([(DrivenPendulum::ANGLE, 1e-2), (DrivenPendulum::ACCELERATION, 0.5)]).unwrap())
        .criterion(Criterion::Determinant)
        .design(design)
}

fn gain(found: &OptimalExperiment<DrivenPendulum>) -> f64 {
    found.history()[0].cost - found.cost()
}

#[test]
fn every_shape_keeps_its_bounds_and_gains() {
    let sine = || InputSignal::function(|t: f64| (9.0 * t).sin());
    let knots: Vec<f64> = (0..=10).map(|k| 0.1 * f64::from(k)).collect();
    let lines: Vec<SineLine> = (1..=4).map(|k| SineLine { frequency: f64::from(k), cosine: 0.1, sine: 0.4 }).collect();
    let sweep = Sweep { amplitude: 1.0, from: 0.5, to: 3.0, phase: 0.2 };
    let force = DrivenPendulum::FORCE;
    let designs = [
        DesignedInput::samples(force, sine()).within(-2.0, 2.0),
        DesignedInput::samples(force, sine()).within(-2.0, 2.0).bounding(Bounding::Logistic),
        DesignedInput::piecewise_linear(force, knots.clone(), sine()).within(-2.0, 2.0),
        DesignedInput::spline(force, knots, sine()).within(-2.0, 2.0).bounding(Bounding::Arctangent),
        DesignedInput::multisine(force, lines).within(-2.0, 2.0).bounding(Bounding::Arctangent),
        DesignedInput::sweep(force, sweep).within(-2.0, 2.0).bounding(Bounding::Logistic),
    ];
    let mut gains = Vec::new();
    for design in designs {
        let name = format!("{design:?}");
        let found = driven(design).run().unwrap();
        let samples = found.samples(force);
        assert!(samples.iter().all(|u| (-2.0..=2.0).contains(u)), "{name}: {samples:?}");
        assert!(gain(&found) > 0.3, "{name}: {found}");
        gains.push(found.cost());
    }
    // free samples are about as good as the best of fewer numbers, or better
    assert!(gains[2..].iter().all(|cost| *cost > gains[0] - 0.05), "{gains:?}");
}

#[test]
fn energy_and_rate_are_limited() {
    let force = DrivenPendulum::FORCE;
    let design = || DesignedInput::samples(force, InputSignal::function(|t: f64| 0.3 * (5.0 * t).sin()));
    let free = driven(design().within(-3.0, 3.0)).run().unwrap();
    let (h, energy, rate) = (2e-2, 1.5, 8.0);
    let found = driven(design().within(-3.0, 3.0))
        .limit(InputLimit::energy(force, energy))
        .limit(InputLimit::rate(force, rate))
        .run()
        .unwrap();
    assert!(found.is_converged(), "{found}");
    let samples = found.samples(force);
    let square = |i: usize| if i == 0 || i + 1 == samples.len() { 0.5 } else { 1.0 } * samples[i] * samples[i];
    let used: f64 = (0..samples.len()).map(square).sum::<f64>() * h;
    let fastest = samples.windows(2).map(|pair| (pair[1] - pair[0]).abs() / h).fold(0.0, f64::max);
    assert!(used < energy * (1.0 + 1e-5) && fastest < rate * (1.0 + 1e-5), "{used} {fastest}");
    // both matter
    assert!(used > 0.99 * energy || fastest > 0.99 * rate, "{used} {fastest}");
    assert!(gain(&found) > 0.1 && found.cost() > free.cost(), "{found}\n{free}");
}

#[test]
fn what_is_known_changes_what_is_asked() {
    let force = DrivenPendulum::FORCE;
    let design = || DesignedInput::samples(force, InputSignal::function(|t: f64| (9.0 * t).sin())).within(-2.0, 2.0);
    let alone = driven(design()).criterion(Criterion::TraceOfInverse).run().unwrap();
    // from the first input on
    let again = DesignedInput::samples(force, alone.signal(force)).within(-2.0, 2.0);
    let twice = driven(again).criterion(Criterion::TraceOfInverse).known(alone.information().clone()).run().unwrap();
    // a second experiment that is best beside the first one is better than the first one once more
    let repeated = alone.information().combined(alone.information()).unwrap();
    let repeated = repeated.criterion(Criterion::TraceOfInverse).unwrap();
    assert!(twice.cost() < repeated * (1.0 + 1e-9), "{} {repeated}", twice.cost());
}

#[test]
fn an_interrupted_search_continues_with_the_same_bits() {
    let file = std::env::temp_dir().join(format!("costate-optimal-input-{}.json", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let whole = two_masses_search().optimizer(short()).run().unwrap();
    let interrupt = Interrupt::new();
    for stops in [7, 130, usize::MAX] {
        let flag = interrupt.clone();
        flag.reset();
        let observed = interrupt.clone();
        let search = two_masses_search_of(&two_masses_run().interrupt(flag));
        let result = search.optimizer(short()).state_file(&file).run_observed(move |iteration: &DesignIteration| {
            if iteration.number == stops {
                observed.trigger();
            }
        });
        match result {
            Err(OptimalInputError::Interrupted(stopped)) => {
                assert_eq!(stopped.work, InterruptedWork::OptimalInput { iterations: stops });
                assert_eq!(stopped.state_file.as_deref(), Some(file.as_path()));
            }
            Ok(found) => {
                assert_eq!(stops, usize::MAX);
                assert_eq!(found.samples(TwoMasses::FORCE), whole.samples(TwoMasses::FORCE));
                assert_eq!(found.history(), whole.history());
            }
            Err(error) => panic!("{error}"),
        }
    }
    // another search does not continue from there
    let error = two_masses_search().optimizer(short()).tolerance(1e-3).state_file(&file).run().unwrap_err();
    assert!(matches!(error, OptimalInputError::StateFile(_)), "{error}");
    std::fs::remove_file(&file).unwrap();
}

fn short() -> OptimizerSettings {
    OptimizerSettings::default()
        .with_method(Method::limited_memory_bfgs())
        .with_bend_at_bounds(true)
        .with_maximum_iterations(160)
}

#[test]
fn threads_change_nothing_and_failures_are_members() {
    let force = DrivenPendulum::FORCE;
    let search_of = |run: Simulation<DrivenPendulum>| {
        let design = DesignedInput::samples(force, InputSignal::function(|t: f64| (9.0 * t).sin())).within(-2.0, 2.0);
        driven_of(&run, design).optimizer(short().with_maximum_iterations(15))
    };
    let search = || search_of(driven_run());
    let runs: Vec<Vec<(usize, Vec<f64>)>> = [1, 3]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let members = pool.install(|| search().multistart(4, 3, |_| ())).unwrap();
            members.into_iter().map(|member| (member.number, member.outcome.unwrap().samples(force))).collect()
        })
        .collect();
    assert_eq!(runs[0], runs[1]);
    let distinct: Vec<usize> = runs[0].iter().map(|(number, _)| *number).collect();
    assert_eq!(distinct.len(), 4);

    // without bounds random starts have the size of the given one: some are too violent for the constraints
    let violent = DesignedInput::samples(force, 0.0);
    let members = driven(violent).optimizer(short().with_maximum_iterations(1)).multistart(2, 1, |_| ()).unwrap();
    assert_eq!(members.len(), 2);

    let interrupt = Interrupt::new();
    interrupt.trigger();
    match search_of(driven_run().interrupt(interrupt)).multistart(3, 1, |_| ()) {
        Err(OptimalInputError::Interrupted(stopped)) => {
            assert_eq!(stopped.work, InterruptedWork::Multistart { ended: 0, starts: 3 });
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn errors_say_what_to_change() {
    let force = DrivenPendulum::FORCE;
    let samples = || DesignedInput::samples(force, 1.0);
    let message = |search: OptimalInput<DrivenPendulum>| search.run().unwrap_err().to_string();
    let cases = [
        (driven(samples()).design(samples()), "the input `force` is designed twice; name it once"),
        (driven(samples().within(2.0, 1.0)), "the bounds [2, 1] of the input `force` are not possible"),
        (driven(samples().within(2.0, 3.0)), "the input `force` starts with 1, outside of its bounds [2, 3]"),
        (driven(DesignedInput::spline(force, vec![0.0], 1.0)), "the input `force` has 1 knots, at least 2 are needed"),
        (
            driven(DesignedInput::piecewise_linear(force, vec![0.0, 1.0, 1.0], 1.0)),
            "knot 2 of the input `force`, counted from 0, is at 1 s, the one before at 1 s",
        ),
        (
            driven(DesignedInput::spline(force, vec![0.0, 1.0], 1.0).within(-2.0, 2.0)),
            "projection keeps bounds of sampled values only, not of a spline",
        ),
        (driven(samples()).limit(InputLimit::rate(force, -1.0)), "the limit of the rate of force is -1"),
        (
            driven(samples()).limit(InputLimit::energy(DrivenPendulum::PULL, 1.0)),
            "the energy of pull is limited, but this input is not designed",
        ),
        (driven(samples()).tolerance(0.0), "`tolerance` is 0; choose a value from"),
        (
            driven(samples()).end_condition(EndCondition::velocity(DrivenPendulum::X, f64::NAN)),
            "the end condition of `dot(x)`, NaN, has the scale",
        ),
    ];
    for (search, start) in cases {
        let message = message(search);
        assert!(message.starts_with(start), "{message}");
    }
    let without = OptimalInput::new(&Simulation::new(&DrivenPendulum::default()).step(0.01).until(1.0))
        .unknown([DrivenPendulum::L]);
    assert!(message(without).starts_with("no output of `DrivenPendulum` is measured"));
    // at rest, nothing is seen of the stiffness
    let still = OptimalInput::new(&Simulation::new(&TwoMasses::default()).step(0.01).until(1.0))
        .unknown([TwoMasses::C_2])
        .sensors(Noise::independent([(TwoMasses::POSITION, 1e-4)]).unwrap())
        .criterion(Criterion::Trace)
        .design(DesignedInput::samples(TwoMasses::FORCE, 0.0));
    let message = still.run().unwrap_err().to_string();
    assert!(message.starts_with("with the start input the outputs do not determine the parameters"), "{message}");
}

/// A run with checkpoints leads to the same search.
#[test]
fn checkpoints_change_nothing() {
    let force = DrivenPendulum::FORCE;
    let design = || DesignedInput::samples(force, InputSignal::function(|t: f64| (9.0 * t).sin())).within(-2.0, 2.0);
    let search =
        |run: Simulation<DrivenPendulum>| driven_of(&run, design()).optimizer(short().with_maximum_iterations(5));
    let all = search(driven_run()).run().unwrap();
    let memory = |problem: &Problem| problem.memory();
    let all_memory = memory(all.problem());
    let bytes = 2 * all_memory.output_bytes + all_memory.input_bytes + all_memory.trajectory_bytes;
    let within = driven_run().checkpoints(costate::simulate::Checkpoints::Within(bytes));
    let few = search(within).run().unwrap();
    assert_eq!(all.samples(force), few.samples(force));
}
