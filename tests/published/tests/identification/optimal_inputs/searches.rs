//! Searches for inputs of every shape, with bounds and limits, and what a long search has to be able to do.

use costate::Simulation;
use costate::experiment::{
    Bounding, Criterion, DesignIteration, DesignedInput, EndCondition, InputLimit, Noise, OptimalExperiment,
    OptimalInput, OptimalInputError, SineLine, Sweep,
};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{InputSignal, Interrupt, InterruptedWork};
use costate_driven_models::DrivenPendulum;
use costate_models::TwoMasses;

use super::{two_masses_run, two_masses_search, two_masses_search_of};

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
