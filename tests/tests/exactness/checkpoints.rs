//! Gradients of runs that keep checkpoints: the same bits as with all states, within the permitted memory.

use costate::differentiate::sensitivities;
use costate::simulate::{Checkpoints, Interrupt, NewtonSettings, Series, SimulationError};
use costate::{Identification, Model, Parameter, Record, Simulation, gradient};
use costate_models::four_cylinder_engine::RUN_UP;
use costate_models::{CartPendulum, EngineMount, FourCylinderEngine, Oscillator, cart_pendulum, engine_mount};
use costate_tests::{Gyroscope, published};
use std::sync::{Arc, Mutex};

/// Returns weights of all outputs that differ from step to step.
fn output_gradient(outputs: &Series<f64>) -> Series<f64> {
    let mut gradient = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        for (k, (to, s)) in gradient.row_mut(i).iter_mut().zip(outputs.row(i)).enumerate() {
            *to = s + (0.1 * i as f64 + k as f64).sin();
        }
    }
    gradient
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Compares runs with checkpoints, within parts of the memory for all states, with the run that stores all states.
fn compare<M: Model>(model: &M, simulation: &Simulation<M>) {
    let unknown: Vec<_> = Parameter::<M>::all().collect();
    let (problem, parameters) = (simulation.problem().unwrap(), model.parameters());
    let (steps, memory) = (problem.steps() as u64, problem.memory());
    let trajectory = problem.forward(parameters.as_ref()).unwrap();
    let outputs = trajectory.outputs();
    let by_outputs = output_gradient(&outputs);
    let expected = gradient(&problem, &trajectory, &by_outputs, &unknown).unwrap();
    assert!(expected.iter().any(|entry| *entry != 0.0) && expected.iter().all(|entry| entry.is_finite()));
    let samples = memory.input_bytes + memory.output_bytes;
    let SimulationError::Checkpoints { needed: least, .. } =
        simulation.clone().checkpoints(Checkpoints::Within(0)).problem().unwrap_err()
    else {
        panic!("a run without memory")
    };
    let mut repeated = 0;
    for part in [1.0, 0.5, 0.25, 0.1, 0.03, 0.0] {
        let budget = (least - samples) + ((memory.trajectory_bytes - (least - samples)) as f64 * part) as u64;
        let budget = samples + budget;
        let problem = simulation.clone().checkpoints(Checkpoints::Within(budget)).problem().unwrap();
        let planned = problem.memory();
        assert!(planned.total() <= budget, "{planned:?} in {budget} bytes");
        assert!(planned.repeated_steps >= repeated, "{planned:?}");
        repeated = planned.repeated_steps;
        assert_eq!(problem.has_checkpoints(), part < 1.0);
        let mut run = problem.run(parameters.as_ref()).unwrap();
        assert_eq!(run.trajectory().is_some(), part == 1.0);
        assert_eq!(run.statistics(), trajectory.statistics());
        assert_eq!(*run.outputs(), outputs);
        // the second gradient after the first one has used up the checkpoints
        for again in [false, true] {
            let found = gradient(&problem, &mut run, &by_outputs, &unknown).unwrap();
            assert_eq!(bits(&found), bits(&expected), "{planned:?}, {again}");
        }
        let direct = sensitivities(&problem, &mut run, &unknown).unwrap();
        assert_eq!(direct, sensitivities(&problem, &trajectory, &unknown).unwrap());
    }
    assert!(repeated > 2 * steps, "the smallest budget needs more than a second run: {repeated} steps");
}

fn mount(steps: usize) -> Simulation<EngineMount> {
    published::mount(&EngineMount::default(), steps)
}

#[test]
fn engine_mount() {
    for steps in [61, 2000] {
        compare(&EngineMount::start(), &mount(steps));
    }
}

#[test]
fn pendulum() {
    let model = cart_pendulum::OB.start();
    let simulation = Simulation::new(&model)
        .input(CartPendulum::DRIVE, |t: f64| 20.0 * cart_pendulum::OB.force(t + 0.3))
        .step(cart_pendulum::STEP)
        .until(600.0 * cart_pendulum::STEP)
        .alpha(cart_pendulum::ALPHA);
    compare(&model, &simulation);
}

#[test]
fn engine() {
    let model = FourCylinderEngine::start();
    compare(&model, &published::engine(&model, RUN_UP, 500));
}

/// Compares runs with constant matrices: one factorisation serves many steps, also those after a checkpoint.
#[test]
fn factors_that_are_kept() {
    let model = Oscillator::default();
    let simulation = Simulation::new(&model).step(0.01).until(10.0);
    let statistics = simulation.run().unwrap().statistics();
    assert!(10 * statistics.factorizations < statistics.steps, "{statistics:?}");
    compare(&model, &simulation);
}

#[test]
fn steps_with_one_iteration() {
    let newton = NewtonSettings::default().with_estimate(true);
    let simulation = mount(1000).newton(newton);
    let statistics = simulation.run().unwrap().statistics();
    assert!(5 * statistics.iterations < 9 * statistics.steps, "{statistics:?}");
    compare(&EngineMount::start(), &simulation);
}

#[test]
fn mass_matrix_that_moves() {
    let model = Gyroscope { m: 1.5, ..Gyroscope::default() };
    compare(&model, &Simulation::new(&model).step(1e-3).until(0.5));
}

costate::model! {
    #[interpreted]
    /// A rod that turns over and runs over a stiff bump, and a point without mass in axes that turn: steps fail with
    /// old factors, and pivots change with the angle of the axes.
    pub Rod {
        parameters { m: kg = 1.0, g: m/s^2 = 9.81, l: m = 1.0, k: N/m = 1e6, c: N*s/m = 0.5,
        rate: rad/s = 6.283185307179586 }
        coordinates { x: m, y: m, p[1..=2]: m }
        mass { x: m, y: m }
        forces {
            x: -c*dot(x),
            y: -m*g - c*dot(y) + if y < -0.999*l { -k*(y + 0.999*l) } else { 0.0[N] },
            p[1]: -m*g,
        }
        constraints {
            rod: x^2 + y^2 - l^2,
            along: cos(rate*t)*p[1] - sin(rate*t)*p[2] - 0.3*l,
            across: sin(rate*t)*p[1] + cos(rate*t)*p[2] - 0.2*l,
        }
        outputs { height: m = y, pull: N/m = multiplier(rod), hold: N = multiplier(along) }
        initial { x = l, y = 0.0[m], dot(y) = 8.0[m/s] }
    }
}

#[test]
fn pivots_that_change() {
    let model = Rod::default();
    let simulation = Simulation::new(&model).step(1e-3).until(2.0);
    let statistics = simulation.run().unwrap().statistics();
    assert!(statistics.pivoted > 3 && statistics.worst_iterations > 4, "{statistics:?}");
    compare(&model, &simulation);
}

#[test]
fn budgets_that_are_too_small_are_named() {
    let all = mount(1000).problem().unwrap().memory();
    for (field, simulation) in [
        ("checkpoints", mount(1000).checkpoints(Checkpoints::Within(100))),
        ("memory_limit", mount(1000).checkpoints(Checkpoints::Within(1 << 30)).memory_limit(100)),
        ("memory_limit", mount(1000).checkpoints(Checkpoints::Automatic).memory_limit(100)),
    ] {
        let error = simulation.problem().unwrap_err();
        let SimulationError::Checkpoints { field: found, bytes, needed } = error else { panic!("{error}") };
        assert_eq!((found, bytes), (field, 100));
        assert!(needed > all.input_bytes + all.output_bytes && needed < all.total() / 3);
        let text = SimulationError::Checkpoints { field: found, bytes, needed }.to_string();
        assert!(text.contains(field) && text.contains("100") && text.contains(&needed.to_string()), "{text}");
        // the memory that the error names is enough, and one byte less is not
        let with = |bytes| mount(1000).checkpoints(Checkpoints::Within(bytes)).problem();
        assert!(with(needed).is_ok());
        assert!(with(needed - 1).is_err());
    }
    // without checkpoints the memory limit refuses the run
    assert!(matches!(mount(1000).memory_limit(100).problem(), Err(SimulationError::Memory { .. })));
    // with checkpoints the memory limit leads to their use
    let limited = mount(1000).memory_limit(all.total() / 2).checkpoints(Checkpoints::Automatic);
    assert!(limited.problem().unwrap().has_checkpoints());
    assert!(matches!(limited.run(), Err(SimulationError::Memory { .. })));
    // any machine has the memory for this run
    assert!(!mount(10).checkpoints(Checkpoints::Automatic).problem().unwrap().has_checkpoints());
}

/// Checks that the progress also rises during repeated steps.
#[test]
fn progress_counts_repeated_steps() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let report = Arc::clone(&seen);
    let budget = mount(8000).problem().unwrap().memory().total() / 6;
    let problem = mount(8000)
        .checkpoints(Checkpoints::Within(budget))
        .problem()
        .unwrap()
        .with_progress(move |part| report.lock().unwrap().push(part));
    let mut run = problem.run(&EngineMount::start().parameters()).unwrap();
    let by_outputs = output_gradient(run.outputs());
    seen.lock().unwrap().clear();
    gradient(&problem, &mut run, &by_outputs, &[EngineMount::C_E1]).unwrap();
    let work = problem.memory().repeated_steps as usize + problem.steps();
    let parts = std::mem::take(&mut *seen.lock().unwrap());
    assert_eq!(parts.len(), work.div_ceil(1000), "{parts:?}");
    assert!(parts.is_sorted() && parts.last() == Some(&1.0), "{parts:?}");
    // another gradient, with the run that the used checkpoints need
    gradient(&problem, &mut run, &by_outputs, &[EngineMount::C_E1]).unwrap();
    let parts = std::mem::take(&mut *seen.lock().unwrap());
    assert_eq!(parts.len(), (work + problem.steps()).div_ceil(1000));
    assert!(parts.is_sorted() && parts.last() == Some(&1.0), "{parts:?}");
}

/// Checks that gradients interrupted in any phase can be computed again.
#[test]
fn interrupted_gradients_begin_anew() {
    const STEPS: usize = 200_000;
    let (model, interrupt) = (Oscillator::default(), Interrupt::new());
    let simulation = Simulation::new(&model).step(1e-3).until(1e-3 * STEPS as f64).interrupt(interrupt.clone());
    let memory = simulation.problem().unwrap().memory();
    let state = memory.trajectory_bytes / (STEPS as u64 + 1);
    let Err(SimulationError::Checkpoints { needed, .. }) =
        simulation.clone().checkpoints(Checkpoints::Within(0)).problem()
    else {
        panic!("a run without memory")
    };
    let snapshot = (needed - memory.output_bytes - 2 * state) / 2;
    let root = 2.0 * ((STEPS as u64 * snapshot * state) as f64).sqrt();
    let budget = memory.output_bytes + (0.4 * root) as u64;
    let after = Arc::new(Mutex::new(usize::MAX));
    let (trigger, limit) = (interrupt.clone(), Arc::clone(&after));
    let problem = simulation.checkpoints(Checkpoints::Within(budget)).problem().unwrap().with_progress(move |_| {
        let mut left = limit.lock().unwrap();
        *left -= 1;
        if *left == 0 {
            trigger.trigger();
        }
    });
    let planned = problem.memory();
    assert!(planned.repeated_steps > STEPS as u64, "{planned:?}");
    let parameters = model.parameters();
    let mut expected = None;
    for reports in 0..8 {
        interrupt.reset();
        *after.lock().unwrap() = usize::MAX;
        let mut run = problem.run(&parameters).unwrap();
        let by_outputs = output_gradient(run.outputs());
        if reports > 0 {
            *after.lock().unwrap() = reports;
            let error = gradient(&problem, &mut run, &by_outputs, &[Oscillator::C, Oscillator::D]).unwrap_err();
            assert!(matches!(error, SimulationError::Interrupted { .. }), "{error}");
            interrupt.reset();
            *after.lock().unwrap() = usize::MAX;
        }
        let found = bits(&gradient(&problem, &mut run, &by_outputs, &[Oscillator::C, Oscillator::D]).unwrap());
        assert_eq!(found, *expected.get_or_insert(found.clone()), "{reports}");
    }
}

fn record() -> Record {
    let run = mount(2000).run().unwrap();
    Record::new(run.times())
        .unwrap()
        .with_channel("acceleration", Some("m/s^2"), run.output(EngineMount::ACCELERATION))
        .unwrap()
}

/// With checkpoints as by default, or with others.
fn identification(record: &Record, checkpoints: Option<Checkpoints>) -> Identification<EngineMount> {
    let mut optimizer = costate::optimize::OptimizerSettings::default();
    optimizer.maximum_iterations = 6;
    let simulation = Simulation::new(&EngineMount::start())
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .alpha(engine_mount::ALPHA);
    let simulation = checkpoints.into_iter().fold(simulation, Simulation::checkpoints);
    Identification::new(&simulation)
        .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2])
        .measured(EngineMount::ACCELERATION, record)
        .optimizer(optimizer)
}

#[test]
fn identifications_find_the_same_bits() {
    let record = record();
    let expected = identification(&record, None).run().unwrap();
    let all = identification(&record, None).problem().unwrap().memory().total();
    for budget in [all / 2, all / 4, all / 5] {
        let with = identification(&record, Some(Checkpoints::Within(budget)));
        assert!(with.problem().unwrap().has_checkpoints());
        let found = with.run().unwrap();
        let (found, expected) = (found.summary(), expected.summary());
        assert_eq!(found.evaluations, expected.evaluations);
        for (found, expected) in found.parameters.iter().zip(&expected.parameters) {
            assert_eq!(found.found.to_bits(), expected.found.to_bits());
            assert_eq!(found.standard_deviation.to_bits(), expected.standard_deviation.to_bits());
        }
    }
    let report = identification(&record, Some(Checkpoints::Within(all / 4))).check_gradient().unwrap();
    assert!(report.agrees(1e-10), "{report}");
}

/// Checks that a state file that was begun with all states is continued with checkpoints.
#[test]
fn state_files_do_not_know_of_checkpoints() {
    let record = record();
    let folder = std::env::temp_dir().join(format!("costate-checkpoints-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let state = folder.join("mount.json");
    let mut optimizer = costate::optimize::OptimizerSettings::default();
    optimizer.maximum_iterations = 3;
    identification(&record, None).optimizer(optimizer).state_file(&state).run().unwrap();
    let resumed = identification(&record, Some(Checkpoints::Within(40_000))).state_file(&state).run().unwrap();
    let whole = identification(&record, None).run().unwrap();
    for (found, expected) in resumed.summary().parameters.iter().zip(&whole.summary().parameters) {
        assert_eq!(found.found.to_bits(), expected.found.to_bits());
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
