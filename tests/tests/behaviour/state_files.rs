//! State files: who may use them, what becomes of damage, and what is said when they belong to something else.

use std::fs;
use std::path::PathBuf;
use std::thread;

use costate::ensemble::{Ensemble, EnsembleError};
use costate::experiment::{DesignMember, DesignedInput, Noise, OptimalInput, OptimalInputError};
use costate::identify::{IdentificationError, StateFileError};
use costate::optimize::OptimizerSettings;
use costate::simulate::{Interrupt, Interrupted, InterruptedWork, Scheme, Series, SimulationError};
use costate::{Identification, Model, Record, Simulation, model};

use crate::file;

model! {
    /// A pushed oscillator.
    pub Pushed {
        parameters { m: kg = 1.0, d: N*s/m = 0.5, c: N/m = 100.0 }
        inputs { push: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: push - c*x - d*dot(x) }
        outputs { position: m = x }
    }
}

const STEP: f64 = 0.01;

fn push(t: f64) -> f64 {
    (7.0 * t).sin()
}

fn record() -> Record {
    let run = Simulation::new(&Pushed::default()).input(Pushed::PUSH, push).step(STEP).until(1.0).run().unwrap();
    let position = run.output(Pushed::POSITION);
    Record::new(run.times()).unwrap().with_channel("position", Some("m"), position).unwrap()
}

fn identification(record: &Record) -> Identification<Pushed> {
    interruptible(Interrupt::new(), record)
}

/// With a flag that stops it.
fn interruptible(interrupt: Interrupt, record: &Record) -> Identification<Pushed> {
    let start = Pushed { d: 0.3, c: 80.0, ..Pushed::default() };
    Identification::new(&Simulation::new(&start).input(Pushed::PUSH, push).interrupt(interrupt))
        .unknown([Pushed::D, Pushed::C])
        .measured(Pushed::POSITION, record)
        .optimizer(OptimizerSettings::default().with_maximum_iterations(3))
}

/// The run whose input is sought.
fn searched() -> Simulation<Pushed> {
    Simulation::new(&Pushed::default()).step(0.05).until(0.5)
}

fn search() -> OptimalInput<Pushed> {
    search_of(&searched())
}

fn search_of(simulation: &Simulation<Pushed>) -> OptimalInput<Pushed> {
    OptimalInput::new(simulation)
        .unknown([Pushed::C])
        .sensors(Noise::independent([(Pushed::POSITION, 1e-3)]).unwrap())
        .design(DesignedInput::samples(Pushed::PUSH, 0.5).within(-1.0, 1.0))
        .optimizer(OptimizerSettings::default().with_maximum_iterations(2))
}

fn refused(record: &Record, path: &PathBuf) -> StateFileError {
    match identification(record).state_file(path).run() {
        Err(IdentificationError::StateFile(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_in_use_is_refused() {
    let (record, path) = (record(), file("in_use.json"));
    let mut met = 0;
    identification(&record)
        .state_file(&path)
        .run_observed(|_| {
            let error = refused(&record, &path);
            assert!(matches!(&error, StateFileError::InUse { file } if *file == path), "{error}");
            assert!(error.to_string().contains("is in use by other work"), "{error}");
            met += 1;
        })
        .unwrap();
    assert!(met >= 2);
    // nobody uses it any more, and the file that is left of the lock locks nothing
    assert!(path.with_file_name("in_use.json.lock").exists());
    identification(&record).state_file(&path).run().unwrap();

    let path = file("search_in_use.json");
    search()
        .state_file(&path)
        .run_observed(|_| {
            let error = search().state_file(&path).run().unwrap_err();
            assert!(matches!(error, OptimalInputError::StateFile(StateFileError::InUse { .. })), "{error}");
        })
        .unwrap();
}

#[test]
fn a_fit_goes_on_where_its_state_can_no_longer_be_written() {
    let (record, folder) = (record(), file("vanishing"));
    fs::create_dir_all(&folder).unwrap();
    let expected = identification(&record).run().unwrap();
    let found = identification(&record).state_file(folder.join("state.json")).run_observed(|iteration| {
        if iteration.number > 0 {
            let _ = fs::remove_dir_all(&folder);
        }
    });
    assert_eq!(found.unwrap().summary().cost_end.to_bits(), expected.summary().cost_end.to_bits());
    assert!(!folder.exists());
}

#[test]
fn many_at_once_do_not_disturb_each_other() {
    let (record, path) = (record(), file("many.json"));
    let whole = identification(&record).run().unwrap();
    let results: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> =
            (0..12).map(|_| scope.spawn(|| identification(&record).state_file(&path).run())).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut succeeded = 0;
    for result in results {
        match result {
            Ok(fit) => {
                assert_eq!(fit.summary().history, whole.summary().history);
                succeeded += 1;
            }
            Err(IdentificationError::StateFile(StateFileError::InUse { .. })) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert!(succeeded > 0);
    let folder = fs::read_dir(path.parent().unwrap()).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.ends_with(".part")));
}

#[test]
fn every_damage_is_found() {
    let (record, path) = (record(), file("damaged.json"));
    identification(&record).state_file(&path).run().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    // another start, which contradicts what else the file says
    let start = r#""name":"c","start":80.0"#;
    assert!(text.contains(start), "{text}");
    fs::write(&path, text.replace(start, r#""name":"c","start":81.0"#)).unwrap();
    let error = refused(&record, &path);
    assert!(matches!(error, StateFileError::Damaged { .. }), "{error}");
    // any digit, any letter, any end
    let places = text.len() / 150 + 1;
    for place in (0..text.len()).step_by(places) {
        let mut bytes = text.clone().into_bytes();
        bytes[place] = if bytes[place] == b'1' { b'2' } else { b'1' };
        fs::write(&path, &bytes).unwrap();
        refused(&record, &path);
        fs::write(&path, &text.as_bytes()[..place]).unwrap();
        refused(&record, &path);
    }
    fs::write(&path, &text).unwrap();
    identification(&record).state_file(&path).run().unwrap();
}

#[test]
fn other_formats_and_other_work_are_named() {
    let (record, path) = (record(), file("other_work.json"));
    fs::write(&path, r#"{"format":3,"model":"Pushed"}"#).unwrap();
    let error = refused(&record, &path).to_string();
    assert!(error.contains("has format 3, this version reads format 4: delete it to start afresh"), "{error}");

    fs::remove_file(&path).unwrap();
    search().state_file(&path).run().unwrap();
    let error = refused(&record, &path).to_string();
    let expected = "belongs to a search for an optimal input, not to an identification: choose another file";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn searches_say_what_differs() {
    let path = file("search.json");
    search().state_file(&path).run().unwrap();
    let differs = |search: OptimalInput<Pushed>, expected: &[&str]| match search.state_file(&path).run() {
        Err(OptimalInputError::StateFile(StateFileError::Differs { differences, .. })) => {
            let texts: Vec<_> = differences.iter().map(ToString::to_string).collect();
            assert_eq!(texts, expected);
        }
        other => panic!("{other:?}"),
    };
    differs(search().tolerance(1e-3), &["the tolerance: 1e-6 in the file, now 0.001"]);
    differs(
        search_of(&searched().scheme(Scheme::GeneralizedAlpha { rho_inf: 0.6 })),
        &["`scheme.GeneralizedAlpha.rho_inf` of the simulation: 0.8 in the file, now 0.6"],
    );
    let noise = Noise::independent([(Pushed::POSITION, 2e-3)]).unwrap();
    differs(search().sensors(noise), &["the noise of the sensors: 0.001 in the file, now 0.002"]);
    assert!(search().state_file(&path).run().is_ok());
}

#[test]
fn what_was_interrupted_before_a_state_is_not_kept() {
    let (record, path, interrupt) = (record(), file("not_yet.json"), Interrupt::new());
    interrupt.trigger();
    let error = interruptible(interrupt.clone(), &record).state_file(&path).run().unwrap_err();
    let IdentificationError::Interrupted(Interrupted { work, state_file, .. }) = error else { panic!("{error}") };
    assert_eq!((work, state_file), (InterruptedWork::Identification { iterations: 0 }, None));
    let error = search_of(&searched().interrupt(interrupt)).run().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the search for an optimal input was interrupted after 0 iterations; nothing of it is kept: only `.run()` with \
         `.state_file(path)` can be continued"
    );
}

#[cfg(unix)]
#[test]
fn a_link_to_a_state_file_stays_one() {
    let (record, path, link) = (record(), file("target.json"), file("link.json"));
    fs::write(path.with_file_name("target.json.lock"), "left over").unwrap();
    identification(&record).state_file(&path).run().unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    identification(&record).state_file(&link).run().unwrap();
    assert!(link.is_symlink());
    fs::remove_file(&link).unwrap();
}

#[test]
fn searches_from_many_starts_go_on_from_their_logs() {
    let found = |members: Vec<DesignMember<Pushed>>| -> Vec<(usize, Vec<f64>)> {
        let of = |member: DesignMember<Pushed>| (member.number, member.outcome.unwrap().samples(Pushed::PUSH));
        members.into_iter().map(of).collect()
    };
    let whole = found(search().multistart(4, 7, |_| ()).unwrap());
    let folder = file("searches");
    let kept = Ensemble::new().folder(&folder);
    let interrupt = Interrupt::new();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let stoppable = search_of(&searched().interrupt(interrupt.clone()));
    let stopped = pool.install(|| stoppable.multistart_in(&kept, 4, 7, |_| interrupt.trigger()));
    let Err(OptimalInputError::Interrupted(stopped)) = stopped else { panic!("{stopped:?}") };
    assert_eq!(stopped.work, InterruptedWork::Multistart { ended: 1, starts: 4 });
    let mut ended = Vec::new();
    let continued = search().multistart_in(&kept, 4, 7, |progress| ended.push(progress.ended)).unwrap();
    ended.sort_unstable();
    assert_eq!(ended, [2, 3, 4]);
    assert_eq!(found(continued), whole);
    // all there, also for other numbers of threads
    assert_eq!(found(search().multistart_in(&kept, 4, 7, |_| panic!("done again")).unwrap()), whole);
    let other = search().tolerance(1e-3).multistart_in(&kept, 4, 7, |_| ());
    assert!(matches!(other, Err(OptimalInputError::Ensemble(_))), "{other:?}");
}

#[test]
fn studies_go_on_from_their_logs() {
    let still = Pushed::default();
    let simulation = Simulation::new(&still).step(STEP).until(1.0).input(Pushed::PUSH, push);
    let problem = simulation.problem().unwrap();
    let mut models: Vec<Pushed> =
        (0..11).map(|i| Pushed { c: 50.0 + 9.0 * f64::from(i), ..Pushed::default() }).collect();
    models[6].m = 0.0;
    models[6].d = 0.0;
    let sets: Vec<_> = models.iter().map(Model::parameters).collect();
    let last = |outputs: &Series<f64>| outputs.row(outputs.samples() - 1)[0];
    let expected: Vec<Option<f64>> =
        problem.outputs_each(&sets).iter().map(|run| run.as_ref().ok().map(last)).collect();
    assert_eq!(expected.iter().filter(|run| run.is_none()).count(), 1);
    let folder = file("study");
    let kept = || Ensemble::new().folder(&folder);
    let shard = kept().shard("2/3".parse().unwrap());
    let unfinished = problem.study(&sets, &shard, "the last position", last);
    assert!(matches!(unfinished, Err(EnsembleError::Unfinished { done: 4, tasks: 11, .. })), "{unfinished:?}");
    let found = problem.study(&sets, &kept(), "the last position", last).unwrap();
    let found: Vec<Option<f64>> = found.into_iter().map(|outcome| outcome.result.ok()).collect();
    assert_eq!(found, expected);
    let again = problem.study(&sets, &kept(), "the last position", |_| -> f64 { panic!("run again") }).unwrap();
    assert!(again.iter().zip(&expected).all(|(outcome, expected)| outcome.result.as_ref().ok() == expected.as_ref()));
    let fragile = |outputs: &Series<f64>| match last(outputs) {
        last if Some(last) == expected[2] => panic!("not this one"),
        last => last,
    };
    let found = problem.study(&sets, &Ensemble::new(), "the last position", fragile).unwrap();
    assert_eq!(found[2].result.as_ref().unwrap_err().error, "panicked: not this one");
    let others = found.iter().zip(&expected).filter(|(outcome, _)| outcome.number != 2);
    assert!(others.clone().all(|(outcome, expected)| outcome.result.as_ref().ok() == expected.as_ref()));
    assert_eq!(others.count(), 10);
    assert!(problem.study(&sets[1..], &kept(), "the last position", last).is_err());
    assert!(problem.study(&sets, &kept(), "something else", last).is_err());
}

#[test]
fn numbers_of_starts_that_no_machine_can_store_are_refused() {
    match search().multistart(usize::MAX, 0, |_| ()) {
        Err(OptimalInputError::Simulation(SimulationError::OutOfMemory(error))) => {
            assert_eq!((error.count, error.counted), (usize::MAX, "starts"));
        }
        other => panic!("{other:?}"),
    }
    let long = search_of(&searched().until(1e13)).run();
    assert!(matches!(long, Err(OptimalInputError::Simulation(SimulationError::OutOfMemory(_)))), "{long:?}");
}
