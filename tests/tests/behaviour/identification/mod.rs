//! Identification of small models from simulated measurements.

mod checks;
mod inertias;
mod refused;
mod states;

use std::error::Error;
use std::f64::consts::TAU;

use costate::identify::{Determination, Measurement, UnknownParameter};
use costate::optimize::{Iteration, OptimizerSettings, Stop};
use costate::simulate::Sampled;
use costate::{Identification, Record, Simulation, model};
use costate_tests::noise::pattern;

model! {
    #[interpreted]
    /// A mass on a cubic spring, with a damper and a part of the drive.
    pub Duffing {
        parameters {
            m: kg = 2.0,
            d: N*s/m = 0.8,
            c: N/m = 150.0,
            c3: N/m^3 = 4e4,
            /// Scales the drive together with `k`.
            gain: 1 = 1.5,
            k: 1 = 2.0,
            /// Begin of a stop with a constant force, which no run reaches by default.
            edge: m = 10,
        }
        inputs { drive: N }
        coordinates { x: m }
        mass { x: m }
        forces { x: gain*k*drive - d*dot(x) - c*x - c3*x^3 - if x > edge { 3[N] } else { 0[N] } }
        outputs {
            position: m = x,
            acceleration: m/s^2 = ddot(x),
        }
    }
}

const STEP: f64 = 5e-3;
const END: f64 = 2.0;

fn drive(t: f64) -> f64 {
    4.0 * (TAU * 1.3 * t).sin() + 2.0 * (TAU * 2.1 * t).cos()
}

/// Simulates both outputs with the default parameters; the error is a fixed pattern without trend.
fn record(error: f64) -> Result<Record, Box<dyn Error>> {
    let run = Simulation::new(&Duffing::default()).input(Duffing::DRIVE, drive).step(STEP).until(END).run()?;
    let mut noise = pattern();
    let mut with_error =
        |values: Vec<f64>| -> Vec<f64> { values.into_iter().map(|value| value + error * noise()).collect() };
    let position = with_error(run.output(Duffing::POSITION));
    let acceleration = with_error(run.output(Duffing::ACCELERATION));
    Ok(Record::new(run.times())?.with_channel("position", Some("m"), position)?.with_channel(
        "acceleration",
        Some("m/s^2"),
        acceleration,
    )?)
}

fn start() -> Duffing {
    Duffing { d: 0.3, c: 200.0, c3: 2e4, ..Duffing::default() }
}

/// From the start values, driven, with step and end of the record.
fn simulation() -> Simulation<Duffing> {
    Simulation::new(&start()).input(Duffing::DRIVE, drive)
}

fn identification(record: &Record) -> Identification<Duffing> {
    identification_of(&simulation(), record)
}

fn identification_of(simulation: &Simulation<Duffing>, record: &Record) -> Identification<Duffing> {
    Identification::new(simulation)
        .unknown([Duffing::D, Duffing::C, Duffing::C3])
        .measured(Duffing::ACCELERATION, record)
}

#[test]
fn finds_the_parameters_of_an_exact_measurement() {
    let record = record(0.0).unwrap();
    let fit = identification(&record).run().unwrap();
    println!("{fit}");
    for (parameter, exact) in [(Duffing::D, 0.8), (Duffing::C, 150.0), (Duffing::C3, 4e4)] {
        let found = fit.parameter(parameter).unwrap().found;
        assert!((found / exact - 1.0).abs() < 1e-8, "{parameter:?} {found}");
    }
    assert!(fit.summary().cost_end < 1e-16 * fit.summary().cost_start);
    assert_eq!(fit.model().m, 2.0);
    assert!(fit.parameter(Duffing::M).is_none());
}

#[test]
fn deviations_match_the_errors_of_the_measurement() {
    let record = record(0.05).unwrap();
    let fit = identification(&record).run().unwrap();
    let summary = fit.summary();
    assert!((summary.measurements[0].standard_deviation / 0.05 - 1.0).abs() < 0.1, "{fit}");
    for (parameter, exact) in [(Duffing::D, 0.8), (Duffing::C, 150.0), (Duffing::C3, 4e4)] {
        let fitted = fit.parameter(parameter).unwrap();
        assert!((fitted.found - exact).abs() < 4.0 * fitted.standard_deviation, "{fit}");
        assert!(fitted.relative_deviation > 1e-6 && fitted.relative_deviation < 0.2, "{fit}");
    }
    assert_eq!(summary.correlation[1][1], 1.0);
    assert!(summary.correlation[1][2] < 0.0, "a stiffer spring replaces a cubic one");
    // A given deviation replaces that of the residuals, and twice the given deviation leads to twice the result.
    let with = |deviation| {
        let measurement = Measurement::new(&record).standard_deviation(deviation);
        let id = Identification::new(&simulation()).unknown([Duffing::D, Duffing::C, Duffing::C3]);
        id.measured(Duffing::ACCELERATION, measurement).run().unwrap()
    };
    let (one, two) = (with(0.1), with(0.2));
    let ratio =
        |k: usize| two.summary().parameters[k].standard_deviation / one.summary().parameters[k].standard_deviation;
    assert!((0..3).all(|k| (ratio(k) - 2.0).abs() < 1e-12));
}

#[test]
fn several_outputs_and_samples_between_the_steps() {
    let record = record(0.0).unwrap();
    let fit = Identification::new(&simulation().step(STEP / 2.0))
        .unknown([Duffing::D, Duffing::C, Duffing::C3])
        .measured(Duffing::ACCELERATION, &record)
        .measured(Duffing::POSITION, Measurement::new(&record).weight(1e4))
        .run()
        .unwrap();
    assert!((fit.model().c / 150.0 - 1.0).abs() < 1e-2, "{fit}");
    // Every third sample, and a step whose multiples meet only the first of them.
    let thin = |values: &[f64]| values.iter().step_by(3).copied().collect::<Vec<_>>();
    let position = thin(record.channel("position").unwrap().values());
    let thinned = Record::new(thin(record.times())).unwrap().with_channel("x", None, position).unwrap();
    let uneven = simulation().step(STEP * 0.7).until(STEP * 0.7 * 572.0);
    let fit = identification_of(&uneven, &thinned).run();
    assert!(fit.is_ok(), "the only channel serves whatever its name: {fit:?}");
}

/// Checks that a run that a record drives begins with the record, at whatever time that is.
#[test]
fn a_run_begins_with_the_record_that_drives_it() {
    let record = record(1e-3).unwrap();
    let values: Vec<f64> = record.times().iter().map(|t| drive(*t)).collect();
    let at = |beginning: f64| {
        let times = record.times().iter().map(|t| t + beginning).collect();
        let channel = |name: &str| record.channel(name).unwrap().values().to_vec();
        Record::new(times)
            .and_then(|moved| moved.with_channel("acceleration", Some("m/s^2"), channel("acceleration")))
            .and_then(|moved| moved.with_channel("drive", Some("N"), values.clone()))
            .unwrap()
    };
    let undriven = || Simulation::new(&start()).step(STEP);
    let fit_of = |simulation: Simulation<Duffing>, record: &Record| {
        Identification::new(&simulation).unknown([Duffing::D, Duffing::C]).measured(Duffing::ACCELERATION, record).run()
    };
    let early = fit_of(undriven(), &at(0.0)).unwrap();
    let late = at(12.34);
    let by_name = fit_of(undriven(), &late).unwrap();
    let sampled = Sampled::from_record(&late, "drive").unwrap();
    let given = fit_of(undriven().input(Duffing::DRIVE, sampled.clone()), &late).unwrap();
    let shifted = fit_of(undriven(), &late.clone().starting_at_zero()).unwrap();
    for fit in [&by_name, &given, &shifted] {
        for parameter in [Duffing::D, Duffing::C] {
            let [found, expected] = [fit, &early].map(|fit| fit.parameter(parameter).unwrap().found);
            assert!((found / expected - 1.0).abs() < 1e-6, "{parameter:?} {found} {expected}");
        }
    }
    let beginning = |fit: &costate::identify::Fit<Duffing>| fit.summary().measurements[0].beginning;
    assert_eq!((beginning(&early), beginning(&by_name), beginning(&given)), (0.0, 12.34, 12.34));
    assert!(by_name.to_string().contains("0 s of the run is 12.34 s of the record"), "{by_name}");
    assert!(!early.to_string().contains("0 s of the run"));
    // an end is one of the run, whose times are those of the record then
    let refused = fit_of(undriven().until(14.0), &late).unwrap_err().to_string();
    assert!(refused.contains("starting_at_zero"), "{refused}");
}

#[test]
fn unknowns_may_change_their_sign_and_say_so() {
    let softening = Duffing { c3: -300.0, ..Duffing::default() };
    let run = Simulation::new(&softening).input(Duffing::DRIVE, drive).step(STEP).until(END).run().unwrap();
    let record = Record::new(run.times()).unwrap();
    let record = record.with_channel("acceleration", None, run.output(Duffing::ACCELERATION)).unwrap();
    let with = |c3: UnknownParameter<Duffing>| {
        let start = Duffing { c: 140.0, c3: 300.0, ..Duffing::default() };
        Identification::new(&Simulation::new(&start).input(Duffing::DRIVE, drive))
            .unknown([Duffing::C.into(), c3])
            .measured(Duffing::ACCELERATION, &record)
            .run()
            .unwrap()
    };
    for (unknown, is_said) in
        [(UnknownParameter::from(Duffing::C3), false), (UnknownParameter::from(Duffing::C3).logarithmic(), true)]
    {
        let fit = with(unknown);
        let found = fit.parameter(Duffing::C3).unwrap().found;
        assert!((found / -300.0 - 1.0).abs() < 1e-6, "{fit}");
        let said = fit.summary().remarks.iter().any(|said| said.contains("went towards 0 on its logarithmic scale"));
        assert_eq!(said, is_said, "{fit}");
    }
    // masses are positive
    let simulation = Simulation::new(&Duffing { m: 1.5, ..Duffing::default() }).input(Duffing::DRIVE, drive);
    let mass = Identification::new(&simulation)
        .unknown([Duffing::M, Duffing::C])
        .measured(Duffing::ACCELERATION, &record)
        .check()
        .unwrap();
    assert_eq!(mass.unknowns[0].determination, Determination::Well);
}

#[test]
fn bounds_hold() {
    let record = record(0.0).unwrap();
    let bounded = UnknownParameter::from(Duffing::C).within(180.0, 300.0);
    let start = Duffing { d: 0.3, c: 200.0, ..Duffing::default() };
    let fit = Identification::new(&Simulation::new(&start).input(Duffing::DRIVE, drive))
        .unknown([bounded, Duffing::D.into()])
        .measured(Duffing::ACCELERATION, &record)
        .run_observed(|iteration: &Iteration| assert!(iteration.parameters[0] >= 180.0))
        .unwrap();
    assert_eq!(fit.model().c, 180.0);
    assert!(fit.summary().parameters[0].at_bound);
    assert!(fit.to_string().contains("c is at its bound"), "{fit}");
}

#[test]
fn fits_are_printed_and_stored() {
    let record = record(0.01).unwrap();
    let few = OptimizerSettings::default().with_maximum_iterations(3);
    let fit = identification(&record).optimizer(few).run().unwrap();
    assert_eq!(fit.summary().stop, Stop::MaximumIterations);
    let table = fit.to_string();
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines[0], "Duffing");
    assert!(lines[1].starts_with("  parameter  unit   start"), "{table}");
    assert!(lines[2..5].iter().all(|line| line.chars().count() == lines[1].chars().count()), "{table}");
    let json: serde_json::Value = serde_json::to_value(&fit).unwrap();
    assert_eq!(json["parameters"][1]["name"], "c");
    assert_eq!(json["stop"], "maximum_iterations");
}

#[test]
fn the_identification_checks_its_own_gradient() -> Result<(), Box<dyn Error>> {
    let record = record(0.0)?;
    let report = identification(&record).check_gradient()?;
    assert!(report.agrees(1e-10) && report.cost > 0.0, "{report}");
    Ok(())
}
