//! Identifications from many starts.

use std::error::Error;
use std::fmt;

use costate::cost::Cost;
use costate::differentiate::GradientMethod;
use costate::ensemble::{Collection, Ensemble, EnsembleError};
use costate::identify::{Approach, Fit, IdentificationError, SpecificationError, StartValuesError, UnknownParameter};
use costate::model::Dual;
use costate::optimize::{Method, MultistartError, OptimizerSettings, StartError, StepSize, Stop};
use costate::simulate::{Interrupt, InterruptedWork, Series};
use costate::{Identification, Record, Simulation, model};

use crate::file;

model! {
    #[interpreted]
    /// A mass on a spring that does not exist below a stiffness of 60 N/m.
    pub Oscillator {
        parameters { m: kg = 1, c: N/m = 150, d: N*s/m = 0.3 }
        coordinates { x: m }
        mass { x: m }
        forces { x: -(60[N/m] + sqrt(c - 60[N/m])^2)*x - d*dot(x) }
        initial { x = 0.1[m] }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
    }
}

fn record() -> Result<Record, Box<dyn Error>> {
    let run = Simulation::new(&Oscillator::default()).step(5e-3).until(5.0).run()?;
    let position = run.output(Oscillator::POSITION);
    Ok(Record::new(run.times())?.with_channel("position", Some("m"), position)?)
}

/// Starts at four times the stiffness, where the periods do not match and a minimum is that has nothing to do with the
/// measurement.
fn identification(record: &Record) -> Identification<Oscillator> {
    interruptible(Interrupt::new(), record)
}

/// With a flag that stops it.
fn interruptible(interrupt: Interrupt, record: &Record) -> Identification<Oscillator> {
    let start = Oscillator { c: 600.0, ..Oscillator::default() };
    Identification::new(&Simulation::new(&start).interrupt(interrupt))
        .unknown([
            UnknownParameter::from(Oscillator::C).within(30.0, 900.0),
            UnknownParameter::from(Oscillator::D).within(0.1, 0.6),
        ])
        .measured(Oscillator::POSITION, record)
        .optimizer(OptimizerSettings::default().with_maximum_iterations(60))
}

fn on(threads: usize, seed: u64, record: &Record) -> Result<Fit<Oscillator>, Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(|| identification(record).multistart(24, seed))?)
}

#[test]
fn many_starts_find_what_one_does_not() {
    let record = record().unwrap();
    let single = identification(&record).approach(Approach::Single).run().unwrap();
    assert!((single.model().c / 150.0 - 1.0).abs() > 0.1, "{single}");
    let multi = on(2, 1, &record).unwrap();
    println!("{multi}");
    let best = &multi;
    assert!((best.model().c / 150.0 - 1.0).abs() < 1e-6, "{multi}");
    assert!((best.model().d / 0.3 - 1.0).abs() < 1e-6, "{multi}");
    assert!(best.parameter(Oscillator::C).unwrap().standard_deviation < 1e-3, "{multi}");
    // Of every start it is known what became of it, of the given one as if it were alone.
    let starts = multi.starts();
    assert_eq!(starts.len(), 24);
    let mut numbers: Vec<_> = starts.iter().map(|start| start.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..24).collect::<Vec<_>>());
    let given = starts.iter().find(|start| start.number == 0).unwrap();
    assert_eq!(given.start, [600.0, 0.3]);
    assert_eq!(given.cost, Some(single.summary().cost_end));
    assert_eq!(given.found, [single.model().c, single.model().d]);
    assert_eq!(starts[0].cost, Some(best.summary().cost_end));
    assert_eq!(starts[0].start[0], best.parameter(Oscillator::C).unwrap().start);
}

#[test]
fn a_failing_start_is_reported() {
    let multi = on(2, 1, &record().unwrap()).unwrap();
    let (ended, failed): (Vec<_>, Vec<_>) = multi.starts().iter().partition(|start| start.outcome.is_ok());
    assert!(!failed.is_empty() && failed.len() < 12, "{multi}");
    for start in &failed {
        assert!(start.start[0] < 60.0 && start.cost.is_none(), "{multi}");
        let cause = |error: &IdentificationError| match error {
            IdentificationError::StartValues(StartValuesError::Start { source }) => Some(source.clone()),
            _ => None,
        };
        let source = start.outcome.as_ref().err().and_then(cause);
        assert!(source.is_some(), "{multi}");
    }
    assert!(ended.windows(2).all(|pair| pair[0].cost <= pair[1].cost), "{multi}");
    let table = multi.to_string();
    assert_eq!(table.matches("failed: the simulation fails at the start values").count(), failed.len(), "{table}");
    let json = serde_json::to_value(&multi).unwrap();
    assert_eq!(json["starts"].as_array().unwrap().len(), 24);
    assert_eq!(json["model"], "Oscillator");
    let single = serde_json::to_value(identification(&record().unwrap()).run().unwrap()).unwrap();
    assert!(single.get("starts").is_none());
    assert!(json["starts"][23]["outcome"].as_str().unwrap().starts_with("the simulation fails"));
}

#[test]
fn the_threads_do_not_matter_but_the_seed_does() {
    let record = record().unwrap();
    let text = |multi: &Fit<Oscillator>| format!("{:?}", multi.starts());
    let (one, two) = (on(1, 3, &record).unwrap(), on(2, 3, &record).unwrap());
    assert_eq!(text(&one), text(&two));
    assert_eq!(one.summary().history, two.summary().history);
    assert_eq!(one.summary().covariance, two.summary().covariance);
    assert_ne!(text(&one), text(&on(2, 4, &record).unwrap()));
}

#[test]
fn another_gradient_serves_as_well() {
    let record = record().unwrap();
    let multi = identification(&record).gradient_method(GradientMethod::DirectDifferentiation).multistart(24, 1);
    assert!((multi.unwrap().model().c / 150.0 - 1.0).abs() < 1e-6);
}

#[test]
fn what_a_multistart_cannot_do_is_refused() {
    let record = record().unwrap();
    let unbounded = Identification::new(&Simulation::new(&Oscillator::default()))
        .unknown([UnknownParameter::from(Oscillator::C).within(100.0, 200.0), Oscillator::D.into()])
        .measured(Oscillator::POSITION, &record)
        .multistart(3, 0)
        .unwrap_err();
    match &unbounded {
        IdentificationError::Specification(SpecificationError::Multistart(MultistartError::NoRange {
            name, ..
        })) => assert_eq!(name, "d"),
        other => panic!("{other:?}"),
    }
    assert!(unbounded.to_string().starts_with("`d` has no range to start from"), "{unbounded}");
    let none = identification(&record).multistart(0, 0);
    assert!(matches!(
        none,
        Err(IdentificationError::Specification(SpecificationError::Multistart(MultistartError::NoStarts)))
    ));
    let stored = identification(&record).state_file("state.json").multistart(3, 0).unwrap_err();
    assert!(stored.to_string().starts_with("a multistart has no state file; leave out `.state_file(..)`"), "{stored}");
    let outside = Identification::new(&Simulation::new(&Oscillator::default()))
        .unknown([UnknownParameter::from(Oscillator::C).within(1.0, 2.0)])
        .measured(Oscillator::POSITION, &record)
        .multistart(3, 0);
    assert!(
        matches!(
            outside,
            Err(IdentificationError::Specification(SpecificationError::Unknowns(StartError::Variable(_))))
        ),
        "{outside:?}"
    );
}

#[test]
fn when_every_start_fails_the_reason_is_told() {
    let record = record().unwrap();
    let nowhere = Identification::new(&Simulation::new(&Oscillator { c: 40.0, ..Oscillator::default() }))
        .unknown([UnknownParameter::from(Oscillator::C).within(30.0, 50.0)])
        .measured(Oscillator::POSITION, &record)
        .multistart(4, 0)
        .unwrap_err();
    match &nowhere {
        IdentificationError::EveryStart { starts: 4, source } => {
            assert!(matches!(**source, IdentificationError::StartValues(StartValuesError::Start { .. })), "{source:?}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_interruption_ends_all_starts() {
    let record = record().unwrap();
    let interrupt = Interrupt::new();
    interrupt.trigger();
    let stopped = interruptible(interrupt, &record).multistart(5, 0);
    match stopped {
        Err(IdentificationError::Interrupted(stopped)) => {
            assert_eq!(stopped.work, InterruptedWork::Multistart { ended: 0, starts: 5 });
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_start_is_an_identification() {
    let record = record().unwrap();
    let near = || {
        let unknown = UnknownParameter::from(Oscillator::C).within(100.0, 200.0);
        let id =
            Identification::new(&Simulation::new(&Oscillator { c: 140.0, ..Oscillator::default() })).unknown([unknown]);
        id.measured(Oscillator::POSITION, &record)
    };
    let (single, multi) = (near().run().unwrap(), near().progress(true).multistart(1, 9).unwrap());
    assert_eq!(multi.summary().history, single.summary().history);
    assert_eq!(multi.summary().covariance, single.summary().covariance);
    assert!(!matches!(multi.starts()[0].outcome, Ok(Stop::MaximumIterations)));
}

#[test]
fn a_multistart_goes_on_from_its_logs() {
    let (record, folder) = (record().unwrap(), file("multistart"));
    let ensemble = || Ensemble::new().folder(&folder);
    let multistart = |ensemble: Ensemble<'_>, seed| identification(&record).multistart_in(&ensemble, 24, seed);
    for shard in ["2/3", "1/3"] {
        let rest = multistart(ensemble().shard(shard.parse().unwrap()), 3);
        assert!(
            matches!(rest, Err(IdentificationError::Ensemble(EnsembleError::Unfinished { tasks: 24, .. }))),
            "{rest:?}"
        );
    }
    // a kill has cut the last line short: its start is done once more
    let log = folder.join("tasks-2-of-3-0001.log");
    let text = std::fs::read(&log).unwrap();
    std::fs::write(&log, &text[..text.len() - 5]).unwrap();
    let other = multistart(ensemble(), 4).unwrap_err().to_string();
    assert!(other.contains("the seed of the starts: 3 in the file, now 4"), "{other}");
    let continued = multistart(ensemble(), 3).unwrap();
    let collection = Collection::read(&folder).unwrap();
    assert_eq!((collection.done, collection.repeated, collection.damaged), (24, 0, 1));
    let (again, plain) = (multistart(ensemble(), 3).unwrap(), on(2, 3, &record).unwrap());
    // whoever has done them: errors of others are known by their text
    let json = |fit: &Fit<Oscillator>| serde_json::to_value(fit.starts()).unwrap();
    assert!(plain.starts().iter().any(|start| start.outcome.is_err()));
    for fit in [&continued, &again] {
        assert_eq!(json(fit), json(&plain));
        assert_eq!(fit.summary().history, plain.summary().history);
        assert_eq!(fit.summary().covariance, plain.summary().covariance);
        assert_eq!(fit.summary().simulations, plain.summary().simulations);
    }
}

/// A cost of nothing, which sees the stiffness of every run.
struct Watch<F>(F);

impl<F> fmt::Debug for Watch<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

impl<F: Fn(f64) + Send + Sync> Cost for Watch<F> {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        // the acceleration of the mass at rest
        (self.0)(-outputs.row(0)[1] / outputs.row(0)[0]);
        0.0
    }

    fn value_dual(&self, _: &Series<Dual>) -> Dual {
        Dual::default()
    }

    fn add_gradient(&self, _: &Series<f64>, _: &mut Series<f64>) {}
}

/// Starts that go side by side in lanes: those of a method that needs no residuals.
fn in_lanes(
    threads: usize,
    step_size: StepSize,
    identification: Identification<Oscillator>,
    ensemble: &Ensemble<'_>,
) -> Result<Fit<Oscillator>, Box<dyn Error>> {
    let settings = OptimizerSettings::default().with_method(Method::Bfgs).with_step_size(step_size);
    let identification = identification.optimizer(settings.with_maximum_iterations(20));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(|| identification.multistart_in(ensemble, 24, 1))?)
}

#[test]
fn starts_in_lanes_do_not_depend_on_each_other() {
    let record = record().unwrap();
    for step_size in [StepSize::StrongWolfe, StepSize::cubic_interpolation()] {
        let found =
            [1, 24].map(|threads| in_lanes(threads, step_size, identification(&record), &Ensemble::new()).unwrap());
        let text = |multi: &Fit<Oscillator>| format!("{:?}", multi.starts());
        for other in &found[1..] {
            assert_eq!(text(other), text(&found[0]), "{step_size}");
            assert_eq!(other.summary().history, found[0].summary().history, "{step_size}");
            assert_eq!(other.summary().simulations, found[0].summary().simulations, "{step_size}");
        }
    }
}

#[test]
fn a_panic_in_a_start_leaves_the_others_as_they_are() {
    let (record, folder) = (record().unwrap(), file("panics"));
    let fragile = || {
        identification(&record).cost(
            1.0,
            Watch(|c| {
                if c < 90.0 {
                    panic!("too soft")
                }
            }),
        )
    };
    let calm = in_lanes(1, StepSize::StrongWolfe, identification(&record), &Ensemble::new()).unwrap();
    let kept = Ensemble::new().folder(&folder);
    let half = kept.clone().shard("1/2".parse().unwrap());
    in_lanes(1, StepSize::StrongWolfe, fragile(), &half).unwrap_err();
    let found = [1, 24].map(|threads| in_lanes(threads, StepSize::StrongWolfe, fragile(), &Ensemble::new()).unwrap());
    for multi in found.iter().chain([&in_lanes(1, StepSize::StrongWolfe, fragile(), &kept).unwrap()]) {
        let panicked = |error: &IdentificationError| error.to_string().contains("panicked: too soft");
        let (panicked, others): (Vec<_>, Vec<_>) =
            multi.starts().iter().partition(|start| start.outcome.as_ref().is_err_and(panicked));
        assert!(panicked.iter().any(|start| start.start[0] > 90.0) && others.len() > 8, "{multi}");
        for start in others {
            let expected = calm.starts().iter().find(|other| other.number == start.number).unwrap();
            assert_eq!(serde_json::to_value(start).unwrap(), serde_json::to_value(expected).unwrap());
        }
        assert_eq!(multi.summary().history, calm.summary().history);
        assert_eq!(multi.summary().simulations, found[0].summary().simulations);
    }
}

#[test]
fn starts_in_lanes_have_limits_of_time_and_are_interrupted() {
    let record = record().unwrap();
    let late = Ensemble::new().time_limit(std::time::Duration::ZERO);
    let late = in_lanes(2, StepSize::StrongWolfe, identification(&record), &late).unwrap_err();
    let source = late.source().map(ToString::to_string).unwrap_or_default();
    assert!(source.contains("took longer than 0ns"), "{late}: {source}");
    let interrupt = Interrupt::new();
    let runs = std::sync::atomic::AtomicUsize::new(0);
    let handle = interrupt.clone();
    let watch = move |_| {
        if runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 150 {
            handle.trigger();
        }
    };
    let stopped = interruptible(interrupt, &record).cost(1.0, Watch(watch));
    let stopped = in_lanes(1, StepSize::StrongWolfe, stopped, &Ensemble::new()).unwrap_err();
    match stopped.downcast_ref() {
        Some(IdentificationError::Interrupted(stopped)) => {
            assert!(matches!(stopped.work, InterruptedWork::Multistart { ended: 1..20, starts: 24 }), "{stopped:?}");
        }
        other => panic!("{other:?}"),
    }
}
