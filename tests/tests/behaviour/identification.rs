//! Identification of small models from simulated measurements.

use std::error::Error;
use std::f64::consts::TAU;
use std::fs;
use std::path::PathBuf;

use costate::cost::MeasurementError;
use costate::differentiate::SelectionError;
use costate::identify::{
    DataError, Determination, IdentificationError, Measurement, ParameterSet, ParameterSetError, SpecificationError,
    StartValuesError, StateFileError, UnknownParameter,
};
use costate::optimize::{Iteration, OptimizerSettings, Stop};
use costate::simulate::{Interrupt, InterruptedWork, Remedy, Sampled, Scheme, SimulationError};
use costate::{Identification, Record, Simulation, model};

model! {
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
            /// Where a stop of constant force begins; no run comes there by default.
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
    let mut noise = 1_u32;
    let mut with_error = |values: Vec<f64>| -> Vec<f64> {
        values
            .into_iter()
            .map(|value| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                value + error * 12.0_f64.sqrt() * (f64::from(noise) / f64::from(u32::MAX) - 0.5)
            })
            .collect()
    };
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

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)))
}

/// Returns the path of a file that does not exist yet.
fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
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

/// Checks that the error of the steps is reported beside the noise, and that a step that is far too large is
/// refused before the fit.
#[test]
fn errors_of_the_steps_are_compared_with_the_noise() {
    let noisy = record(0.5).unwrap();
    let fit = identification(&noisy).run().unwrap();
    let error = fit.summary().measurements[0].step_error.unwrap();
    assert!(error > 0.05 && error < 0.25, "{error:e}");
    assert!(
        fit.to_string().contains(", step-size error 0.") && !fit.to_string().contains("separate it from the noise"),
        "{fit}"
    );
    let exact = record(0.0).unwrap();
    let fit = identification(&exact).run().unwrap();
    assert!(fit.to_string().contains("take a smaller step to separate it from the noise"), "{fit}");

    let coarse = simulation().step(0.2);
    let refused = identification_of(&coarse, &exact).run().unwrap_err();
    let IdentificationError::StartValues(StartValuesError::Start { source: SimulationError::Inaccurate(inaccuracy) }) =
        &refused
    else {
        panic!("{refused:?}")
    };
    let Remedy::Step { advised, .. } = inaccuracy.remedy else { panic!("{refused:?}") };
    assert!(advised < 0.1 && advised > 1e-3, "{refused:?}");
    assert!(identification_of(&coarse.error_limit(None), &exact).run().is_ok());
}

/// Checks the reported effect of the steps on found values, beside deviations due to the noise alone: it agrees
/// with the difference to a fit with fine steps, and is negligible beside the noise with the advised steps.
#[test]
fn found_values_that_steps_move_are_told() {
    let truth = Duffing::default();
    let exact = Simulation::new(&truth).input(Duffing::DRIVE, drive).step(STEP / 32.0).until(END);
    let exact = exact.run().unwrap().output(Duffing::ACCELERATION);
    let noisy = record(0.0).unwrap();
    let values = (0..noisy.times().len()).map(|k| {
        let noise = 12.0_f64.sqrt() * ((k * k * 7919 % 1009) as f64 / 1008.0 - 0.5);
        exact[32 * k] + 0.02 * noise
    });
    let record =
        Record::new(noisy.times().to_vec()).unwrap().with_channel("acceleration", None, values.collect()).unwrap();
    let with = |step: f64| identification_of(&simulation().step(step).until(END), &record).run().unwrap();
    let (coarse, fine) = (with(STEP), with(STEP / 16.0));
    let mut most = 0.0_f64;
    for (coarse, fine) in coarse.summary().parameters.iter().zip(&fine.summary().parameters) {
        let (shift, off) = (coarse.step_shift.unwrap(), coarse.found - fine.found);
        assert!((shift - off).abs() < 0.15 * off.abs().max(coarse.standard_deviation), "{shift:e} {off:e}");
        assert!(coarse.total_deviation() > coarse.standard_deviation);
        most = most.max(shift.abs() / coarse.standard_deviation);
    }
    assert!(most > 2.0, "{coarse}");
    let said = coarse.to_string();
    let moved = said.split("step-size errors shift the found values").nth(1).unwrap();
    let advised = moved.split("; steps of ").nth(1).unwrap().split(" s would keep the shifts within 0.5").next();
    let advised: f64 = advised.unwrap().parse().unwrap();
    assert!(said.contains("step-size shift") && advised < STEP, "{said}");
    let served = with(advised);
    let shifts = served.summary().parameters.iter();
    let mut shifts = shifts.map(|one| one.step_shift.unwrap().abs() / one.standard_deviation);
    assert!(shifts.all(|shift| shift < 0.55), "{served}");
    assert!(!fine.to_string().contains("step-size errors shift"), "{fine}");
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

#[test]
fn what_is_not_determined_is_infinite_and_named() {
    let record = record(0.01).unwrap();
    let simulation = Simulation::new(&Duffing { gain: 1.0, ..Duffing::default() }).input(Duffing::DRIVE, drive);
    let fit = Identification::new(&simulation)
        .unknown([Duffing::GAIN, Duffing::K, Duffing::C])
        .measured(Duffing::ACCELERATION, &record)
        .run()
        .unwrap();
    assert_eq!(fit.parameter(Duffing::GAIN).unwrap().standard_deviation, f64::INFINITY);
    assert!(fit.parameter(Duffing::C).unwrap().standard_deviation < 1.0);
    let combination = &fit.summary().undetermined[0];
    let relative = |k: usize| combination[k] / fit.summary().parameters[k].found;
    assert!((relative(0) + relative(1)).abs() < 1e-6 * relative(0).abs() && combination[2] == 0.0, "{fit}");
    assert!(fit.to_string().contains("not determined by the measurement"), "{fit}");
}

#[test]
fn the_check_before_the_fit_says_what_data_tell() {
    let record = record(0.05).unwrap();
    let check = identification(&record).check().unwrap();
    assert!(check.unknowns.iter().all(|unknown| unknown.determination == Determination::Well), "{check}");
    let [remark] = &check.remarks[..] else { panic!("{check}") };
    assert!(remark.starts_with("`acceleration`: with steps of 0.0050 s the step-size error is 0."), "{check}");
    assert!(check.undetermined.is_empty(), "{check}");
    // at the true values the predicted deviations are those that a fit finds
    let at_truth = Simulation::new(&Duffing::default()).input(Duffing::DRIVE, drive);
    let truth = || identification_of(&at_truth, &record);
    let (check, fit) = (truth().check().unwrap(), truth().run().unwrap());
    for (before, after) in check.unknowns.iter().zip(&fit.summary().parameters) {
        let ratio = before.predicted_deviation / after.standard_deviation;
        assert!((ratio - 1.0).abs() < 0.15, "{} {ratio}\n{check}", before.name);
    }
    let simulation = Simulation::new(&Duffing { gain: 1.0, ..Duffing::default() }).input(Duffing::DRIVE, drive);
    let product = Identification::new(&simulation)
        .unknown([Duffing::GAIN, Duffing::K, Duffing::C])
        .measured(Duffing::ACCELERATION, &record)
        .check()
        .unwrap();
    let told: Vec<_> = product.unknowns.iter().map(|unknown| unknown.determination).collect();
    assert_eq!(told, [Determination::InCombination, Determination::InCombination, Determination::Well], "{product}");
    let text = product.to_string();
    assert!(
        text.contains("only in a combination") && text.contains("gain changes by") && text.contains("with k by"),
        "{text}"
    );
    let clipped: Vec<f64> = record.channel("acceleration").unwrap().values().iter().map(|a| a.min(1.0)).collect();
    let clipped = Record::new(record.times().to_vec()).unwrap().with_channel("acceleration", None, clipped);
    let check = identification(&clipped.unwrap()).check().unwrap();
    assert!(check.remarks.iter().any(|remark| remark.contains("`acceleration` stays at 1 for")), "{check}");
}

/// Compares the advice with the check of the same record with more of its samples.
#[test]
fn the_check_says_how_much_more_data_would_do() {
    let record = record(0.05).unwrap();
    let until = |samples: usize| {
        let values = record.channel("acceleration").unwrap().values()[..samples].to_vec();
        let times = record.times()[..samples].to_vec();
        Record::new(times).unwrap().with_channel("acceleration", None, values).unwrap()
    };
    let checked = |samples: usize| {
        let short = until(samples);
        let simulation = Simulation::new(&Duffing::default()).input(Duffing::DRIVE, drive).step(STEP);
        let truth = Identification::new(&simulation).unknown([Duffing::C]);
        let measurement = Measurement::new(&short).standard_deviation(5.0);
        truth.measured(Duffing::ACCELERATION, measurement).check().unwrap()
    };
    let deviation = |samples: usize| checked(samples).unknowns[0].predicted_deviation;
    // the mass has hardly moved away from the position where the spring has no force
    let samples = 14;
    let check = checked(samples);
    assert_eq!(check.unknowns[0].determination, Determination::Poorly, "{check}");
    let text = check.to_string();
    let more = (deviation(samples) / 150.0).powi(2);
    assert!(text.contains("times as many data of the same kind") && more > 1.0, "{text}");
    assert!(text.contains("in the last fifth of the present ones"), "{text}");
    // a longer record is better than a repetition
    assert!(deviation(2 * samples) < 0.3 * deviation(samples), "{text}");
    assert!(!checked(record.times().len()).to_string().contains("times as many data"));
}

#[test]
fn what_has_no_influence_is_refused_in_the_first_iteration() {
    let record = record(0.01).unwrap();
    let at_rest = || {
        Identification::new(&Simulation::new(&start()).input(Duffing::DRIVE, 0.0))
            .unknown([Duffing::C, Duffing::D])
            .measured(Duffing::POSITION, &record)
    };
    let refused = at_rest().run().unwrap_err();
    assert!(
        matches!(&refused, IdentificationError::StartValues(StartValuesError::WithoutInfluence { unknowns }) if unknowns == &["`c`", "`d`"]),
        "{refused}"
    );
    assert!(at_rest().check().unwrap().unknowns.iter().all(|unknown| unknown.determination == Determination::Nothing));
    let fit = at_rest().ignore_check().run().unwrap();
    assert_eq!(fit.parameter(Duffing::C).unwrap().standard_deviation, f64::INFINITY);
    assert_eq!(fit.parameter(Duffing::C).unwrap().found, 200.0);
}

/// Checks that the place of a jump, which has no derivative but is determined by the data, is reported as such,
/// and not as undetermined.
#[test]
fn what_acts_by_jumps_alone_is_said_in_its_own_words() {
    let truth = Duffing { edge: 0.02, ..Duffing::default() };
    let run = Simulation::new(&truth).input(Duffing::DRIVE, drive).step(STEP).until(END).error_limit(None);
    let run = run.run().unwrap();
    let position = run.output(Duffing::POSITION);
    assert!(position.iter().any(|x| *x > 0.02), "{position:?}");
    let record = Record::new(run.times()).unwrap().with_channel("position", Some("m"), position).unwrap();
    let simulation = Simulation::new(&Duffing { edge: 0.022, ..start() }).input(Duffing::DRIVE, drive);
    let simulation = simulation.error_limit(None);
    let id =
        || Identification::new(&simulation).unknown([Duffing::C, Duffing::EDGE]).measured(Duffing::POSITION, &record);
    let check = id().check().unwrap();
    assert_eq!(
        [check.unknowns[0].determination, check.unknowns[1].determination],
        [Determination::Well, Determination::ByJumps],
        "{check}"
    );
    let refused = id().run().unwrap_err();
    assert!(
        matches!(&refused, IdentificationError::StartValues(StartValuesError::WithoutDerivative { unknowns }) if unknowns == &["`edge`"])
    );
    assert!(refused.to_string().contains("smooth_step"), "{refused}");
    let fit = id().ignore_check().run().unwrap();
    assert_eq!(fit.summary().by_jumps, ["edge"], "{fit}");
    let said = fit.to_string();
    assert!(
        said.contains("edge acts only through jumps") && !said.contains("not determined by the measurement"),
        "{said}"
    );
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

/// Checks that an input that is taken by name from a record is not extrapolated beyond the record.
#[test]
fn runs_that_go_on_behind_the_record_of_their_input_are_refused() {
    let record = record(0.0).unwrap();
    let values = record.times().iter().map(|t| drive(*t)).collect();
    let record = record.with_channel("drive", Some("N"), values).unwrap();
    let undriven = || Simulation::new(&start());
    let id = |simulation: Simulation<Duffing>| {
        Identification::new(&simulation).unknown([Duffing::C]).measured(Duffing::POSITION, &record)
    };
    assert!(id(undriven()).run().is_ok() && id(undriven().step(0.7 * STEP)).check().is_ok());
    let refused = id(undriven().until(2.0 * END)).run().unwrap_err().to_string();
    assert!(refused.contains("extend the record or shorten the run"), "{refused}");
}

#[test]
fn numbers_that_overflow_at_the_start_are_refused_with_their_reason() {
    let record = record(0.01).unwrap();
    // the force is unchanged, while its derivative by `gain` overflows
    let huge = Duffing { gain: 3e-308, k: 1e308, ..Duffing::default() };
    let gain = UnknownParameter::from(Duffing::GAIN).within(1e-308, 1e-300);
    let huge = Simulation::new(&huge).input(Duffing::DRIVE, drive);
    let huge = Identification::new(&huge).unknown([Duffing::C]).unknown([gain]);
    let huge = huge.measured(Duffing::ACCELERATION, &record);
    let refused = huge.run().unwrap_err();
    let is_told = matches!(&refused,
    IdentificationError::StartValues(StartValuesError::NotFinite { output: "acceleration", by: Some(by),
    .. }) if by.contains("gain"));
    assert!(is_told, "{refused}");
    // residuals whose squares overflow
    let far = vec![1e200; record.times().len()];
    let far = Record::new(record.times().to_vec()).unwrap().with_channel("acceleration", None, far).unwrap();
    let refused = identification(&far).run().unwrap_err();
    assert!(matches!(refused, IdentificationError::StartValues(StartValuesError::StartNotFinite)), "{refused}");
}

#[test]
fn more_unknowns_than_samples_are_refused() {
    let record = record(0.0).unwrap();
    let few = |channel: &str| record.channel(channel).unwrap().values()[..2].to_vec();
    let few = Record::new(record.times()[..2].to_vec())
        .unwrap()
        .with_channel("acceleration", None, few("acceleration"))
        .unwrap();
    let refused = identification_of(&simulation().step(STEP), &few).run().unwrap_err();
    assert!(
        matches!(refused, IdentificationError::Data(DataError::TooFewSamples { samples: 2, unknowns: 3 })),
        "{refused}"
    );
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
fn an_interrupted_identification_continues_bit_by_bit() {
    let record = record(0.01).unwrap();
    let full = identification(&record).run().unwrap();
    let path = file("interrupted.json");
    let interrupt = Interrupt::new();
    let handle = interrupt.clone();
    let error = identification_of(&simulation().interrupt(interrupt), &record)
        .state_file(&path)
        .run_observed(move |iteration| {
            if iteration.number == 4 {
                handle.trigger()
            }
        })
        .unwrap_err();
    match error {
        IdentificationError::Interrupted(stopped) => {
            assert_eq!(stopped.work, InterruptedWork::Identification { iterations: 4 });
            assert_eq!(stopped.state_file.as_ref(), Some(&path));
        }
        other => panic!("{other:?}"),
    }
    let mut numbers = Vec::new();
    let resumed = identification(&record).state_file(&path).run_observed(|i| numbers.push(i.number)).unwrap();
    assert_eq!(numbers[0], 5);
    assert_eq!(resumed.summary().history, full.summary().history);
    assert_eq!(resumed.summary().covariance, full.summary().covariance);
    // Another run has nothing left to do.
    let again = identification(&record).state_file(&path).run_observed(|_| panic!("no iteration")).unwrap();
    assert_eq!(again.summary().history, full.summary().history);
}

#[test]
fn a_state_of_another_identification_is_refused() {
    let record = record(0.01).unwrap();
    let path = file("other.json");
    let few = || OptimizerSettings::default().with_maximum_iterations(2);
    identification(&record).state_file(&path).optimizer(few()).run().unwrap();
    let differs = |id: Identification<Duffing>, expected: &str| match id.state_file(&path).run() {
        Err(IdentificationError::StateFile(StateFileError::Differs { differences, .. })) => {
            assert_eq!(differences[0].to_string(), expected)
        }
        other => panic!("{expected}: {other:?}"),
    };
    differs(
        identification(&record).unknown([Duffing::M]),
        "the unknown parameters: d, c, c3 in the file, now d, c, c3, m",
    );
    differs(
        identification_of(&simulation().scheme(Scheme::GeneralizedAlpha { rho_inf: 0.6 }), &record),
        "`scheme.GeneralizedAlpha.rho_inf` of the simulation: 0.8 in the file, now 0.6",
    );
    let (least, largest) = range((0..=400).map(|i| drive(f64::from(i) * STEP)));
    differs(
        identification_of(&simulation().input(Duffing::DRIVE, |t: f64| t), &record),
        &format!("input `drive`: 401 values from {least} to {largest} in the file, now 401 values from 0 to 2"),
    );
    let silent_once = |t: f64| if t == 1.0 { 0.0 } else { drive(t) };
    differs(
        identification_of(&simulation().input(Duffing::DRIVE, silent_once), &record),
        &format!("input `drive`: not as in the file, though both are 401 values from {least} to {largest}"),
    );
    differs(
        identification(&record).measured(Duffing::POSITION, &record),
        "the weight of measurement 2 (output `position`): not in the file, now 1.0",
    );
    differs(
        identification(&record).optimizer(few().with_first_step(0.2)),
        "`first_step` of the optimizer: 0.1 in the file, now 0.2",
    );
    let other = Simulation::new(&Duffing { m: 3.0, ..start() }).input(Duffing::DRIVE, drive);
    differs(identification_of(&other, &record), "parameter `m`: 2.0 in the file, now 3.0");
    // More iterations are not a difference.
    let full = identification(&record).run().unwrap();
    let more = identification(&record).state_file(&path).run().unwrap();
    assert_eq!(more.summary().history, full.summary().history);

    fs::write(&path, "{}").unwrap();
    let content = identification(&record).state_file(&path).run();
    assert!(matches!(content, Err(IdentificationError::StateFile(StateFileError::Content { .. }))));
    let nowhere = identification(&record).state_file("/no/such/folder/state.json").run();
    assert!(matches!(nowhere, Err(IdentificationError::StateFile(StateFileError::Write { .. }))));
}

#[test]
fn mistakes_have_their_own_errors() {
    let record = record(0.0).unwrap();
    let new = || Identification::new(&simulation());
    let none = new().measured(Duffing::POSITION, &record).run();
    assert!(matches!(
        none,
        Err(IdentificationError::Specification(SpecificationError::NoUnknowns { model: "Duffing" }))
    ));
    let twice = identification(&record).unknown([Duffing::C]).run();
    assert!(matches!(
        twice,
        Err(IdentificationError::Specification(SpecificationError::Selection(SelectionError::Repeated {
            name: "c",
            ..
        })))
    ));
    let unmeasured = new().unknown([Duffing::C]).run();
    assert!(matches!(unmeasured, Err(IdentificationError::Specification(SpecificationError::NoMeasurement { .. }))));
    let outside = new().unknown([UnknownParameter::from(Duffing::C).within(1.0, 2.0)]);
    let outside = outside.measured(Duffing::POSITION, &record).run().unwrap_err().to_string();
    assert_eq!(outside, "the start value 200 of `c` is outside its bounds [1, 2]; change one of them");
    let channel = Measurement::new(&record).channel("speed");
    let channel = new().unknown([Duffing::C]).measured(Duffing::POSITION, channel).run();
    assert!(matches!(channel, Err(IdentificationError::Data(DataError::Record(_)))), "{channel:?}");
    let late = identification_of(&simulation().until(1.0), &record).run();
    let outside = |source: &MeasurementError| matches!(source, MeasurementError::Outside { sample: 201, .. });
    assert!(
        matches!(late, Err(IdentificationError::Data(DataError::Measurement { ref source, .. })) if outside(source))
    );
    let undriven = Identification::new(&Simulation::new(&start()))
        .unknown([Duffing::C])
        .measured(Duffing::POSITION, &record)
        .run();
    assert!(matches!(undriven, Err(IdentificationError::Simulation(_))));
    let irregular = Record::new(vec![0.0, 0.1, 0.3]).unwrap().with_channel("x", None, vec![0.0; 3]).unwrap();
    let irregular = new().unknown([Duffing::C]).measured(Duffing::POSITION, &irregular).run();
    assert!(matches!(irregular, Err(IdentificationError::Specification(SpecificationError::NoStep { .. }))));
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
fn parameter_sets_by_name() {
    let set = ParameterSet::of(&start());
    let text = serde_json::to_string(&set).unwrap();
    assert_eq!(text, r#"{"m":2.0,"d":0.3,"c":200.0,"c3":20000.0,"gain":1.5,"k":2.0,"edge":10.0}"#);
    let back: ParameterSet = serde_json::from_str(&text).unwrap();
    assert_eq!(back.to_model::<Duffing>().unwrap().c, 200.0);
    let part: ParameterSet = serde_json::from_str(r#"{"c": 7}"#).unwrap();
    assert_eq!(part.apply(&start()).unwrap().c, 7.0);
    assert_eq!(part.apply(&start()).unwrap().d, 0.3);
    match part.to_model::<Duffing>() {
        Err(ParameterSetError::Missing { missing, .. }) => {
            assert_eq!(missing, ["m", "d", "c3", "gain", "k", "edge"])
        }
        other => panic!("{other:?}"),
    }
    let wrong: ParameterSet = serde_json::from_str(r#"{"stiffness": 7}"#).unwrap();
    let error = wrong.apply(&start()).unwrap_err().to_string();
    assert_eq!(error, "model `Duffing` has no parameter `stiffness`; it has m, d, c, c3, gain, k, edge");
    assert!(serde_json::from_str::<ParameterSet>(r#"{"c": 7, "c": 8}"#).is_err());
}

#[test]
fn the_identification_checks_its_own_gradient() -> Result<(), Box<dyn Error>> {
    let record = record(0.0)?;
    let report = identification(&record).check_gradient()?;
    assert!(report.agrees(1e-10) && report.cost > 0.0, "{report}");
    Ok(())
}
