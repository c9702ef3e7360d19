//! Unknowns that data determine: checks before fits, errors of steps beside the noise, and unknowns without influence.

use costate::identify::{Determination, IdentificationError, Measurement, StartValuesError};
use costate::simulate::{Remedy, SimulationError};
use costate::{Identification, Record, Simulation};

use super::{Duffing, END, STEP, drive, identification, identification_of, record, simulation, start};

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
    // those of order 2 come last
    let advised = moved.rsplit("steps of ").next().unwrap().split(" s would").next();
    let advised: f64 = advised.unwrap().parse().unwrap();
    assert!(said.contains("step-size shift") && advised < STEP, "{said}");
    let served = with(advised);
    let shifts = served.summary().parameters.iter();
    let mut shifts = shifts.map(|one| one.step_shift.unwrap().abs() / one.standard_deviation);
    assert!(shifts.all(|shift| shift < 0.55), "{served}");
    assert!(!fine.to_string().contains("step-size errors shift"), "{fine}");
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
        matches!(&refused, IdentificationError::StartValues(StartValuesError::WithoutInfluence { unknowns })
            if unknowns == &["`c`", "`d`"]),
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
    assert!(matches!(&refused, IdentificationError::StartValues(StartValuesError::WithoutDerivative { unknowns })
            if unknowns == &["`edge`"]));
    assert!(refused.to_string().contains("smooth_step"), "{refused}");
    let fit = id().ignore_check().run().unwrap();
    assert_eq!(fit.summary().by_jumps, ["edge"], "{fit}");
    let said = fit.to_string();
    assert!(
        said.contains("edge acts only through jumps") && !said.contains("not determined by the measurement"),
        "{said}"
    );
}
