//! Identifications from numbers that are predicted without a run.

use anyhow::{Context, Result};
use costate::identify::residuals::{Contradiction, Judgement, Loss};
use costate::identify::{
    Experiment, IdentificationError, MeasuredNumbers, Measurement, Prediction, ProfileEnd, ProfileSettings, Resampling,
    StartValuesError, UnknownParameter,
};
use costate::{Fit, Identification, Record, Simulation};

use super::Oscillator;
use super::closed_forms::{modes, phase, receptance, stiffness};

const TRUTH: Oscillator = Oscillator { m: 2.0, c: 800.0, c_3: 2e5, d: 3.0 };
const START: Oscillator = Oscillator { m: 2.0, c: 700.0, c_3: 1e5, d: 4.0 };

/// Normal numbers.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut even = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as f64 + 0.5) / 2f64.powi(31)
    };
    move || (-2.0 * even().ln()).sqrt() * (std::f64::consts::TAU * even()).cos()
}

fn parameters(model: &Oscillator) -> [f64; 4] {
    [model.m, model.c, model.c_3, model.d]
}

fn frequencies() -> Vec<f64> {
    (0..60).map(|k| 0.5 * 1.06_f64.powi(k)).collect()
}

/// The numbers of every group at the true parameters.
fn true_numbers(prediction: &impl Prediction) -> Result<Vec<(String, Vec<f64>)>> {
    let values = prediction.values(&parameters(&TRUTH))?;
    let mut rest = &values[..];
    let groups = prediction.groups().iter().map(|group| {
        let (own, others) = rest.split_at(group.places.len());
        rest = others;
        (group.name.clone(), own.to_vec())
    });
    Ok(groups.collect())
}

/// Measured numbers with errors of 1 % of the largest number of a group, whose deviations are given or not.
fn measured(prediction: &impl Prediction, seed: u64, given: bool) -> Result<Vec<MeasuredNumbers>> {
    let mut noise = noise(seed);
    let groups = true_numbers(prediction)?.into_iter().map(|(name, values)| {
        let deviation = 0.01 * values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let measured: Vec<f64> = values.iter().map(|value| value + deviation * noise()).collect();
        let measured = MeasuredNumbers::new(name, measured);
        if given { measured.deviation(deviation) } else { measured }
    });
    Ok(groups.collect())
}

fn identification() -> Identification<Oscillator> {
    Identification::new(&Simulation::new(&START)).unknown([Oscillator::C, Oscillator::D])
}

fn of_receptance(seed: u64, given: bool) -> Result<Fit<Oscillator>> {
    let prediction = receptance(&frequencies());
    let numbers = measured(&prediction, seed, given)?;
    Ok(identification().predicted(prediction, numbers).run()?)
}

#[test]
fn parameters_are_those_of_the_numbers() -> Result<()> {
    let numbers = true_numbers(&modes())?.into_iter();
    let numbers = numbers.map(|(name, values)| MeasuredNumbers::new(name, values).deviation(1e-3));
    let fit = identification().predicted(modes(), numbers).run()?;
    assert!((fit.model().c / 800.0 - 1.0).abs() < 1e-7 && (fit.model().d / 3.0 - 1.0).abs() < 1e-7, "{fit}");
    // f is proportional to the root of c, and zeta to d over this root
    let [f, zeta]: [f64; 2] = [20.0 / std::f64::consts::TAU, 3.0 / 80.0];
    let of_c = 2.0 * 800.0 / f * 1e-3;
    let of_d = 3.0 * ((1e-3 / zeta).powi(2) + (1e-3 / f).powi(2)).sqrt();
    let found = |k: usize| fit.summary().parameters[k].standard_deviation;
    assert!((found(0) / of_c - 1.0).abs() < 1e-6 && (found(1) / of_d - 1.0).abs() < 1e-6, "{fit}");
    // neither a run nor a verdict on residuals of zero
    assert!(fit.experiments().is_empty() && fit.summary().settings.runs.is_empty());
    assert!(fit.summary().verdict.is_none());
    Ok(())
}

#[test]
fn a_nonlinear_curve_and_frequencies_of_two_predictions_go_together() -> Result<()> {
    let amplitudes: Vec<f64> = (1..=25).map(|k| 2e-3 * f64::from(k)).collect();
    let curve = stiffness(&amplitudes);
    let numbers = measured(&curve, 5, true)?;
    let places: Vec<f64> = amplitudes.iter().map(|a| 1e3 * a).collect();
    let numbers = numbers.into_iter().map(|numbers| numbers.over(places.clone(), "mm").source("rig 2"));
    let fit = identification()
        .unknown([Oscillator::C_3])
        .predicted(curve, numbers)
        .predicted(modes(), measured(&modes(), 6, true)?)
        .run()?;
    for (fitted, truth) in fit.summary().parameters.iter().zip([800.0, 3.0, 2e5]) {
        assert!((fitted.found - truth).abs() < 4.0 * fitted.standard_deviation, "{fit}");
        assert!(fitted.standard_deviation < 0.1 * truth, "{fit}");
    }
    // damping is known from the modes alone, the cubic stiffness from the curve
    let shares = &fit.summary().shares;
    let names: Vec<_> = shares.iter().map(|share| share.experiment.clone().unwrap_or_default()).collect();
    assert_eq!(names, ["dynamic stiffness", "modes"]);
    assert!(shares[0].parts[2] > 0.9 && shares[1].parts[1] > 0.9, "{shares:?}");
    let total: f64 = shares.iter().map(|share| share.parts[0]).sum();
    assert!((total - 1.0).abs() < 1e-9);
    let costs: f64 = fit.summary().predictions.iter().map(|group| group.cost).sum();
    assert!((costs / fit.summary().cost_end - 1.0).abs() < 1e-12);
    Ok(())
}

#[test]
fn deviations_are_those_of_the_scatter() -> Result<()> {
    for given in [true, false] {
        let mut beyond = [0; 2];
        let (mut squares, mut insufficient, mut doubtful) = (0.0, 0, 0);
        for seed in 0..40 {
            let fit = of_receptance(seed, given)?;
            for (fitted, truth) in fit.summary().parameters.iter().zip([800.0, 3.0]) {
                let z = ((fitted.found - truth) / fitted.standard_deviation).abs();
                beyond[0] += usize::from(z > 2.0);
                beyond[1] += usize::from(z > 3.0);
                squares += z * z;
            }
            match fit.summary().verdict.as_ref().context("no verdict")?.judgement {
                Judgement::Insufficient => insufficient += 1,
                Judgement::Doubtful => doubtful += 1,
                Judgement::Sufficient => {}
            }
        }
        // of 80 numbers 3.6 are expected beyond 2, and 0.2 beyond 3; more than these have probabilities below 1 %
        assert!(beyond[0] <= 9 && beyond[1] <= 2, "given {given}: {beyond:?}");
        assert!((0.7..1.4).contains(&(squares / 80.0)), "given {given}: {}", squares / 80.0);
        assert!(insufficient == 0 && doubtful <= 2, "given {given}: {insufficient} {doubtful}");
    }
    Ok(())
}

#[test]
fn a_wrong_model_is_found_insufficient() -> Result<()> {
    let prediction = receptance(&frequencies());
    let mut random = noise(3);
    // the numbers of another mass, which is not looked for, with errors of 1 %
    let other = Oscillator { m: 2.3, ..TRUTH };
    let values = prediction.values(&parameters(&other))?;
    let deviation = 0.01 * values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let values: Vec<f64> = values.iter().map(|value| value + deviation * random()).collect();
    for given in [true, false] {
        let numbers = prediction.groups().iter().zip(values.chunks(60)).map(|(group, values)| {
            let numbers = MeasuredNumbers::new(&group.name, values);
            if given { numbers.deviation(deviation) } else { numbers }
        });
        let fit = Identification::new(&Simulation::new(&START))
            .unknown([Oscillator::D])
            .predicted(prediction.clone(), numbers)
            .run()?;
        let verdict = fit.summary().verdict.as_ref().context("no verdict")?;
        assert_eq!(verdict.judgement, Judgement::Insufficient, "{fit}");
        let found = |wanted| verdict.findings.iter().any(|finding| finding.contradiction == wanted);
        assert!(found(Contradiction::NotWhite) && found(Contradiction::TooLarge) == given, "{fit}");
    }
    Ok(())
}

#[test]
fn deviations_that_are_too_large_are_remarked() -> Result<()> {
    let prediction = receptance(&frequencies());
    let numbers = measured(&prediction, 1, true)?;
    let numbers: Vec<_> =
        true_numbers(&prediction)?.iter().zip(numbers).map(|(_, numbers)| numbers.deviation(1e-3)).collect();
    let fit = identification().predicted(prediction.clone(), numbers).run()?;
    assert!(fit.summary().remarks.iter().any(|remark| remark.contains("smaller than their given")), "{fit}");
    // errors that depend on each other are tested neither for size nor for whiteness
    let numbers = measured(&prediction, 1, true)?.into_iter().map(MeasuredNumbers::dependent);
    let fit = identification().predicted(prediction, numbers).run()?;
    assert!(fit.summary().verdict.is_none() && fit.assessments().is_empty());
    let left_out = &fit.summary().predictions[0].left_out_tests;
    assert!(left_out[0].starts_with("size: the errors") && left_out[1].starts_with("whiteness:"), "{left_out:?}");
    Ok(())
}

#[test]
fn a_record_and_predictions_are_one_identification() -> Result<()> {
    let drive = |t: f64| 10.0 * (15.0 * t * t).sin();
    let simulated = Simulation::new(&TRUTH).input(Oscillator::DRIVE, drive).step(2e-3).until(3.0);
    let run = simulated.run()?;
    let mut random = noise(9);
    let positions = run.output(Oscillator::POSITION).iter().map(|x| x + 1e-4 * random()).collect();
    let record = Record::new(run.times())?.with_channel("position", Some("m"), positions)?;
    let simulation = Simulation::new(&START).input(Oscillator::DRIVE, drive).step(2e-3).until(3.0);
    let prediction = receptance(&frequencies());
    let alone = |with_record: bool, with_numbers: bool| -> Result<Identification<Oscillator>> {
        let mut identification =
            Identification::new(&simulation).unknown([Oscillator::C, Oscillator::C_3, Oscillator::D]);
        if with_record {
            let measurement = Measurement::new(&record).standard_deviation(1e-4);
            identification = identification.measured(Oscillator::POSITION, measurement);
        }
        if with_numbers {
            let numbers = measured(&prediction, 2, true)?;
            identification = identification.predicted(prediction.clone(), numbers);
        }
        Ok(identification)
    };
    let check = alone(true, true)?.check_gradient()?;
    assert!(check.agrees(1e-6), "{check}");
    let fit = alone(true, true)?.run()?;
    let of_record = alone(true, false)?.run()?;
    for (k, truth) in [800.0, 2e5, 3.0].into_iter().enumerate() {
        let [both, one] = [&fit, &of_record].map(|fit| &fit.summary().parameters[k]);
        assert!((both.found - truth).abs() < 4.0 * both.standard_deviation, "{fit}");
        assert!(both.standard_deviation < one.standard_deviation * (1.0 + 1e-6), "{fit}\n{of_record}");
    }
    assert_eq!(fit.experiments().len(), 1);
    assert_eq!(fit.summary().shares.len(), 2);
    assert!(fit.summary().parameters.iter().all(|parameter| parameter.step_shift.is_some()), "{fit}");
    assert_eq!(fit.summary().verdict.as_ref().context("no verdict")?.judgement, Judgement::Sufficient, "{fit}");
    // the same by the adjoint, without derivatives of residuals
    let settings = costate::optimize::OptimizerSettings::default().with_method(costate::optimize::Method::Bfgs);
    let by_bfgs = alone(true, true)?.optimizer(settings).run()?;
    for (one, other) in fit.summary().parameters.iter().zip(&by_bfgs.summary().parameters) {
        assert!((one.found - other.found).abs() < 0.05 * one.standard_deviation, "{fit}\n{by_bfgs}");
    }
    let drawn = fit.bootstrap(Resampling::Normal, 40, 1)?;
    for (own, of_fit) in drawn.standard_deviations.iter().zip(&drawn.of_fit) {
        assert!((0.6..1.5).contains(&(own / of_fit)), "{drawn}");
    }
    // experiments: one of a record, one of predictions alone, with a damping of each
    let numbers = measured(&prediction, 2, true)?;
    let experiment = |name: &str| Experiment::new(name);
    let fit = Identification::new(&simulation)
        .unknown([Oscillator::C, Oscillator::C_3])
        .unknown_per_experiment([Oscillator::D])
        .experiment(experiment("run").measured(Oscillator::POSITION, Measurement::new(&record)))
        .experiment(experiment("hammer").predicted(prediction.clone(), numbers))
        .run()?;
    let of_hammer = fit.parameter_of(Oscillator::D, "hammer").context("no damping")?;
    assert!((of_hammer.found - 3.0).abs() < 4.0 * of_hammer.standard_deviation, "{fit}");
    assert_eq!(fit.summary().predictions[0].experiment.as_deref(), Some("hammer"));
    let left = fit.leave_one_out()?;
    let names: Vec<_> = left.left_out.iter().map(|one| one.validation.experiment.as_str()).collect();
    assert_eq!(names, ["run", "hammer: receptance: real part", "hammer: receptance: imaginary part"]);
    Ok(())
}

#[test]
fn experiments_of_predictions_validate() -> Result<()> {
    let prediction = receptance(&frequencies());
    let fit = identification()
        .experiment(Experiment::new("first").predicted(prediction.clone(), measured(&prediction, 1, true)?))
        .experiment(
            Experiment::new("second").predicted(prediction.clone(), measured(&prediction, 2, true)?).validation(),
        )
        .run()?;
    let [validation] = &fit.summary().validation[..] else { anyhow::bail!("{fit}") };
    assert!(validation.failed.is_none() && validation.experiment == "second: receptance");
    assert!(validation.predictions.iter().all(|group| group.fit_percent.is_some_and(|percent| percent > 85.0)));
    assert_eq!(validation.verdict.as_ref().context("no verdict")?.judgement, Judgement::Sufficient, "{fit}");
    Ok(())
}

#[test]
fn profiles_bootstrap_and_left_out_groups_agree_with_deviations() -> Result<()> {
    let fit = of_receptance(11, true)?;
    let profiles = fit.profiles(&ProfileSettings::default())?;
    for (profile, fitted) in profiles.profiles.iter().zip(&fit.summary().parameters) {
        let [ProfileEnd::At(lower), ProfileEnd::At(upper)] = profile.interval else {
            anyhow::bail!("open: {profiles}")
        };
        let half = 0.5 * (upper - lower) / fitted.standard_deviation;
        assert!((1.8..2.2).contains(&half), "{half}: {profiles}");
    }
    for resampling in [Resampling::Normal, Resampling::Residuals] {
        let drawn = fit.bootstrap(resampling, 200, 1)?;
        assert!(drawn.failed.is_empty());
        for (own, of_fit) in drawn.standard_deviations.iter().zip(&drawn.of_fit) {
            assert!((0.75..1.3).contains(&(own / of_fit)), "{resampling:?}: {drawn}");
        }
        assert_eq!(fit.bootstrap(resampling, 3, 1)?.found[..], drawn.found[..3]);
    }
    let left = fit.leave_one_out()?;
    assert_eq!(left.left_out.len(), 2);
    // the others are one group, of which a fit finds the same
    let prediction = receptance(&frequencies());
    for (one, other) in left.left_out.iter().zip([1, 0]) {
        assert!(one.validation.predictions.len() == 1 && one.validation.failed.is_none());
        let numbers = measured(&prediction, 11, true)?.swap_remove(other);
        let alone = identification().predicted(prediction.clone(), [numbers]).run()?;
        for (found, fitted) in one.found.iter().zip(&alone.summary().parameters) {
            assert!((found - fitted.found).abs() < 0.01 * fitted.standard_deviation, "{left}\n{alone}");
        }
        assert!(one.changes.iter().any(|change| change.abs() > 0.1), "{left}");
    }
    // two residuals are too few to be drawn
    let of_modes = identification().predicted(modes(), measured(&modes(), 1, true)?).run()?;
    let refused = of_modes.bootstrap(Resampling::Residuals, 10, 1).err().context("not refused")?;
    assert!(refused.to_string().contains("Resampling::Normal"), "{refused}");
    let drawn = of_modes.bootstrap(Resampling::Normal, 200, 1)?;
    for (own, of_fit) in drawn.standard_deviations.iter().zip(&drawn.of_fit) {
        assert!((0.8..1.25).contains(&(own / of_fit)), "{drawn}");
    }
    Ok(())
}

#[test]
fn angles_are_compared_without_jumps() -> Result<()> {
    let prediction = phase(&frequencies());
    let (_, values) = true_numbers(&prediction)?.remove(0);
    let mut random = noise(4);
    // measured angles go on beyond -pi, from 0 to -4 pi and more
    let turned =
        values.iter().enumerate().map(|(k, angle)| angle + 0.01 * random() - std::f64::consts::TAU * (k % 3) as f64);
    let numbers = MeasuredNumbers::new("phase", turned.collect::<Vec<_>>()).deviation(0.01);
    let identification = identification().predicted(prediction, [numbers]);
    let check = identification.check_gradient()?;
    assert!(check.agrees(1e-6), "{check}");
    let fit = identification.run()?;
    for (fitted, truth) in fit.summary().parameters.iter().zip([800.0, 3.0]) {
        assert!((fitted.found - truth).abs() < 4.0 * fitted.standard_deviation, "{fit}");
    }
    let group = &fit.summary().predictions[0];
    let far = group.fitted.iter().zip(&group.measured).map(|(s, y)| (s - y).abs()).fold(0.0, f64::max);
    assert!(far < 0.05, "{far}");
    Ok(())
}

#[test]
fn outliers_do_not_rule_a_robust_fit() -> Result<()> {
    let prediction = receptance(&frequencies());
    let (name, mut values) = true_numbers(&prediction)?.remove(0);
    let mut random = noise(8);
    values.iter_mut().for_each(|value| *value += 1e-5 * random());
    for outlier in [7, 20, 33] {
        values[outlier] += 5e-3;
    }
    let fitted = |loss: Loss| -> Result<Fit<Oscillator>> {
        let numbers = MeasuredNumbers::new(&name, values.clone());
        Ok(identification().loss(loss).predicted(prediction.clone(), [numbers]).run()?)
    };
    let (squares, robust) = (fitted(Loss::Squares)?, fitted(Loss::huber())?);
    let error = |fit: &Fit<Oscillator>| (fit.model().d - 3.0).abs();
    assert!(error(&robust) < 0.2 * error(&squares), "{squares}\n{robust}");
    Ok(())
}

#[test]
fn failed_predictions_are_failed_trials() -> Result<()> {
    let mut limited = modes();
    limited.limit = 805.0;
    let numbers = measured(&modes(), 0, true)?;
    let start = UnknownParameter::from(Oscillator::C);
    let begun = |c: f64| {
        Identification::new(&Simulation::new(&Oscillator { c, ..START })).unknown([start.clone(), Oscillator::D.into()])
    };
    let exact =
        true_numbers(&modes())?.into_iter().map(|(name, values)| MeasuredNumbers::new(name, values).deviation(1e-3));
    let fit = begun(100.0).predicted(limited.clone(), exact).run()?;
    assert!((fit.model().c / 800.0 - 1.0).abs() < 1e-6, "{fit}");
    let failed = begun(900.0).predicted(limited, numbers).run().err().context("not refused")?;
    assert!(matches!(failed, IdentificationError::StartValues(StartValuesError::Start { .. })), "{failed:?}");
    let words = format!("{:#}", anyhow::Error::from(failed));
    assert!(words.contains("`modes`") && words.contains("no equilibrium at a stiffness of 900 N/m"), "{words}");
    Ok(())
}

#[test]
fn checks_tables_and_files_have_predictions() -> Result<()> {
    let prediction = receptance(&frequencies());
    let numbers = measured(&prediction, 1, true)?;
    let definition = identification().predicted(prediction.clone(), numbers.clone());
    let check = definition.check()?;
    assert!(check.unknowns.iter().all(|unknown| unknown.predicted_deviation < 0.1 * unknown.start), "{check}");
    let gradient = definition.check_gradient()?;
    assert!(gradient.agrees(1e-6), "{gradient}");
    let fit = definition.run()?;
    let text = fit.to_string();
    assert!(text.contains("receptance: real part: 60 numbers, std. deviation"), "{text}");
    assert!(text.contains("not tested for spectrum"), "{text}");
    let html = fit.report_html()?;
    for wanted in ["Measured and predicted numbers", "±2 standard deviations", "start", "p of the size"] {
        assert!(html.contains(wanted), "{wanted}");
    }
    let json = serde_json::to_value(&fit)?;
    assert_eq!(json["predictions"][1]["group"], "imaginary part");
    assert_eq!(json["predictions"][1]["measured"].as_array().map(Vec::len), Some(60));
    let folder = std::env::temp_dir().join(format!("costate predictions {}", std::process::id()));
    let paths = fit.write(&folder)?;
    assert!(paths.iter().any(|path| path.ends_with("receptance_ real part.csv")), "{paths:?}");
    let written = std::fs::read_to_string(folder.join("receptance_ real part.csv"))?;
    assert!(written.starts_with("\"frequency [Hz]\",\"measured [m/N]\""), "{written}");
    assert_eq!(written.lines().count(), 61);
    // a state file of the same numbers is continued, and of others refused
    let file = folder.join("state.json");
    let begin =
        |numbers: Vec<MeasuredNumbers>| identification().predicted(prediction.clone(), numbers).state_file(&file).run();
    let first = begin(numbers.clone())?;
    assert_eq!(begin(numbers)?.model().c, first.model().c);
    let refused = begin(measured(&prediction, 2, true)?).err().context("not refused")?;
    assert!(refused.to_string().contains("receptance"), "{refused}");
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

#[test]
fn many_starts_and_posteriors_have_predictions() -> Result<()> {
    let prediction = receptance(&frequencies());
    let definition = |given: bool| -> Result<Identification<Oscillator>> {
        let within = UnknownParameter::from(Oscillator::C).within(100.0, 3000.0);
        let damping = UnknownParameter::from(Oscillator::D).within(0.5, 30.0);
        let numbers = measured(&prediction, 21, given)?;
        let identification = Identification::new(&Simulation::new(&START)).unknown([within, damping]);
        Ok(identification.predicted(prediction.clone(), numbers))
    };
    let (one, many) = (definition(true)?.run()?, definition(true)?.multistart(6, 1)?);
    assert!(many.summary().cost_end <= one.summary().cost_end * (1.0 + 1e-9));
    assert!((many.model().c - one.model().c).abs() < 1e-3 * one.summary().parameters[0].standard_deviation);
    // the density falls by 1/2 one standard deviation beside the maximum, all other unknowns free: here with the
    // covariance
    let density = one.density()?;
    let mut evaluator = density.evaluator();
    let found: Vec<f64> = one.summary().parameters.iter().map(|parameter| parameter.found).collect();
    let direction = one.summary().covariance[0].iter();
    let deviation = one.summary().parameters[0].standard_deviation;
    let beside: Vec<f64> = found.iter().zip(direction).map(|(at, covariance)| at + covariance / deviation).collect();
    let mut slope = vec![0.0; 2];
    let failed = |_| anyhow::anyhow!("the density fails");
    let fall = evaluator.evaluate(&found, &mut slope).map_err(failed)? - evaluator.value(&beside).map_err(failed)?;
    assert!((fall - 0.5).abs() < 0.05, "{fall}");
    let refused = definition(false)?.run()?.density().err().context("not refused")?;
    assert!(refused.to_string().contains("MeasuredNumbers::deviation"), "{refused}");
    Ok(())
}
