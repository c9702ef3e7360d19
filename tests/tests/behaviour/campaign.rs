//! Identifications from several experiments: what they have in common and for themselves, and what lies between outputs and
//! channels.

use std::error::Error;

use costate::ensemble::{Collection, Ensemble, EnsembleError, ShardError};
use costate::identify::residuals::{Autoregression, AutoregressionOrder, Judgement, Loss, OrderCriterion};
use costate::identify::{
    ColouredNoise, Correction, Experiment, Fit, Identifiability, IdentificationError, Measurement,
    ModelComparison, ModelComparisonError, Prior, ProfileSettings, Resampling, UnknownParameter, Weighting,
};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{Checkpoints, Interrupt};
use costate::{Identification, Record, Simulation, model};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::processes::processes;

model! {
    /// A preloaded mass on a spring that hardens.
    pub Isolator {
        parameters {
            m: kg = 2.0,
            d: N*s/m = 3.0,
            c: N/m = 400.0,
            c_3: N/m^3 = 2e4,
            preload: N = 0.0,
            begin: m = 0.0,
        }
        inputs { drive: N }
        coordinates { x: m }
        initial { x = begin }
        mass { x: m }
        forces { x: drive + preload - d*dot(x) - c*x - c_3*x^3 }
        outputs { position: m = x, acceleration: m/s^2 = ddot(x), force: N = d*dot(x) + c*x + c_3*x^3 }
    }
}

type Tested = Result<(), Box<dyn Error>>;

/// The true numbers of a virtual test bench.
const DELAY: f64 = 3.7e-3;
const OFFSET: f64 = 0.4;
const GAIN: f64 = 0.93;
const PRELOADS: [(&str, f64); 2] = [("low", 2.0), ("high", 6.0)];

/// A run: its name, group, begin in m, step in s, and the frequencies of the drive in rad/s.
struct Bench(&'static str, &'static str, f64, f64, [f64; 2]);

const BENCHES: [Bench; 3] = [
    Bench("slow", "low", 0.01, 2e-3, [3.0, 11.0]),
    Bench("fast", "high", -0.02, 1e-3, [17.0, 29.0]),
    Bench("both", "high", 0.03, 2e-3, [7.0, 19.0]),
];

fn drive([a, b]: [f64; 2]) -> impl Fn(f64) -> f64 + Send + Sync + 'static {
    move |t| 5.0 * (a * t).sin() + 4.0 * (b * t).cos()
}

/// What a run measures, with noise of so many thousandths of a typical value: the position in mm, and in one run the
/// acceleration later, smaller and shifted.
fn record(
    Bench(name, group, begin, step, rates): &Bench,
    noise: f64,
    seed: u64,
) -> Result<Record, Box<dyn Error>> {
    let preload = PRELOADS.iter().find(|(name, _)| name == group).map_or(0.0, |(_, preload)| *preload);
    let truth = Isolator { preload, begin: *begin, ..Isolator::default() };
    let simulated =
        |step: f64| Simulation::new(&truth).input(Isolator::DRIVE, drive(*rates)).step(step).until(2.0).run();
    let run = simulated(*step)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || -> f64 { StandardNormal.sample(&mut random) };
    let position: Vec<f64> =
        run.output(Isolator::POSITION).iter().map(|x| 1e3 * (x + 0.02e-3 * noise * normal())).collect();
    let record = Record::new(run.times())?.with_channel("position", Some("mm"), position)?;
    if *name != "fast" {
        return Ok(record);
    }
    let late = simulated(DELAY / 37.0)?.output(Isolator::ACCELERATION);
    let sampled = |t: &f64| late[((t - DELAY) / (DELAY / 37.0)).round().max(0.0) as usize];
    let acceleration =
        run.times().iter().map(|t| GAIN * sampled(t) + OFFSET + 2e-3 * noise * normal()).collect();
    Ok(record.with_channel("acceleration", Some("m/s^2"), acceleration)?)
}

fn records(noise: f64, seed: u64) -> Result<Vec<Record>, Box<dyn Error>> {
    BENCHES.iter().zip(0..).map(|(bench, k)| record(bench, noise, 10 * seed + k)).collect()
}

fn start() -> Isolator {
    Isolator { d: 4.0, c: 350.0, c_3: 3e4, preload: 3.0, ..Isolator::default() }
}

fn late(record: &Record) -> Measurement<'_, Isolator> {
    Measurement::new(Isolator::ACCELERATION, record)
        .delay(Correction::unknown(1e-3).within(0.0, 10e-3))
        .gain(Correction::unknown(1.0))
        .offset(Correction::unknown(0.1))
}

fn experiment<'a>(Bench(name, group, _, _, rates): &Bench, record: &'a Record) -> Experiment<'a, Isolator> {
    let experiment = Experiment::new(*name).group(*group).input(Isolator::DRIVE, drive(*rates));
    experiment.measured(Isolator::POSITION, record)
}

/// Everything unknown that there may be.
fn campaign(records: &[Record]) -> Identification<'_, Isolator> {
    let mut id = Identification::new(start())
        .unknown([Isolator::D, Isolator::C, Isolator::C_3])
        .unknown_per_group([UnknownParameter::from(Isolator::PRELOAD).linear(2.0)])
        .unknown_per_experiment([UnknownParameter::from(Isolator::BEGIN).linear(0.01)]);
    for (bench, record) in BENCHES.iter().zip(records) {
        let mut one = experiment(bench, record);
        if bench.0 == "fast" {
            one = one.measurement(late(record));
        }
        id = id.experiment(one);
    }
    id
}

fn least_squares() -> OptimizerSettings {
    OptimizerSettings::default().with_method(Method::LevenbergMarquardt { damping: 1e-3 })
}

/// The unknowns beside their true values.
fn truths(fit: &Fit<Isolator>) -> Vec<(String, f64, f64, f64)> {
    let truth = Isolator::default();
    let of = |quantity: &str, owner: Option<&str>| match (quantity, owner) {
        ("d", _) => truth.d,
        ("c", _) => truth.c,
        ("c_3", _) => truth.c_3,
        ("preload", Some(group)) => PRELOADS.iter().find(|(name, _)| *name == group).unwrap().1,
        ("begin", Some(name)) => BENCHES.iter().find(|bench| bench.0 == name).unwrap().2,
        ("delay of acceleration", _) => DELAY,
        ("gain of acceleration", _) => GAIN,
        ("offset of acceleration", _) => OFFSET,
        other => panic!("{other:?}"),
    };
    let all = fit.summary().parameters.iter();
    all.map(|p| (p.name.clone(), of(&p.quantity, p.of.as_deref()), p.found, p.standard_deviation)).collect()
}

#[test]
fn the_joint_gradient_is_exact() -> Tested {
    let records = records(1.0, 1)?;
    let report = campaign(&records).check_gradient()?;
    let names: Vec<_> = report.entries.iter().map(|entry| entry.parameter.as_str()).collect();
    assert_eq!(
        names,
        [
            "d",
            "c",
            "c_3",
            "preload [low]",
            "preload [high]",
            "begin [slow]",
            "begin [fast]",
            "begin [both]",
            "gain of acceleration [fast]",
            "offset of acceleration [fast]",
            "delay of acceleration [fast]"
        ]
    );
    assert!(report.agrees(1e-10) && report.cost > 0.0, "{report}");
    for loss in [Loss::Huber { threshold: 1.345 }, Loss::Cauchy { scale: 2.4 }] {
        let prior = Prior::LogNormal { median: 380.0, log_deviation: 0.02 };
        let report = campaign(&records).loss(loss).prior(Isolator::C, prior);
        let report = report.prior(Isolator::BEGIN, Prior::Normal { mean: 0.0, standard_deviation: 0.02 });
        let report = report.check_gradient()?;
        assert!(report.agrees(1e-10), "{loss:?}\n{report}");
    }
    Ok(())
}

#[test]
fn all_kinds_of_unknowns_are_found_by_every_method() -> Tested {
    let records = records(0.0, 0)?;
    for method in [Method::LevenbergMarquardt { damping: 1e-3 }, Method::GaussNewton, Method::Bfgs] {
        let settings = OptimizerSettings::default().with_method(method).with_maximum_iterations(400);
        let fit = campaign(&records).optimizer(settings).run()?;
        for (name, truth, found, _) in truths(&fit) {
            // the record's delay is of a finer run, whose steps leave other errors
            assert!((found - truth).abs() < 4e-3 * truth.abs(), "{method:?} {name}: {found} {truth}\n{fit}");
        }
        assert_eq!(fit.experiments().len(), 3);
        let fast = fit.experiment("fast").ok_or("no such experiment")?;
        assert!(
            (fast.model().preload / 6.0 - 1.0).abs() < 2e-3 && (fast.model().c / 400.0 - 1.0).abs() < 2e-3
        );
        assert!(fit.parameter(Isolator::PRELOAD).is_none(), "there are two");
        assert!(fit.parameter_of(Isolator::PRELOAD, "low").is_some());
    }
    Ok(())
}

#[test]
fn deviations_are_those_of_repeated_campaigns() -> Tested {
    let mut beyond = 0;
    let mut scores: Vec<Vec<f64>> = Vec::new();
    for seed in 1..=8 {
        let fit = campaign(&records(30.0, seed)?).optimizer(least_squares()).run()?;
        assert!(fit.summary().weights.is_some_and(|weights| weights.settled), "{fit}");
        let of_it: Vec<f64> = truths(&fit)
            .into_iter()
            .map(|(_, truth, found, deviation)| (found - truth) / deviation)
            .collect();
        beyond += of_it.iter().filter(|score| score.abs() > 3.0).count();
        scores.push(of_it);
    }
    let unknowns = scores[0].len();
    assert!(beyond <= 2, "{beyond} of {} beyond three deviations", unknowns * scores.len());
    let mean_square = scores.iter().flatten().map(|score| score * score).sum::<f64>() / (8 * unknowns) as f64;
    assert!((0.7..1.4).contains(&mean_square), "{mean_square}");
    Ok(())
}

/// What experiments have for themselves is as if each were alone, and what is known of one is not of another.
#[test]
fn an_experiment_alone_gives_what_an_identification_gives() -> Tested {
    let record = record(&BENCHES[1], 1.0, 7)?;
    let unknown = || Identification::new(start()).unknown([Isolator::D, Isolator::C]);
    let known = Isolator { preload: 6.0, begin: -0.02, ..start() };
    let direct = Identification::new(known).unknown([Isolator::D, Isolator::C]);
    let direct =
        direct.input(Isolator::DRIVE, drive(BENCHES[1].4)).measured(Isolator::POSITION, &record).run()?;
    let own =
        experiment(&BENCHES[1], &record).parameter(Isolator::PRELOAD, 6.0).parameter(Isolator::BEGIN, -0.02);
    let within = unknown().experiment(own).run()?;
    assert_eq!(direct.summary().history, within.summary().history);
    assert_eq!(direct.summary().covariance, within.summary().covariance);
    assert_eq!(within.summary().parameters[0].name, "d");
    Ok(())
}

/// Cores and checkpoints do not change a bit, and a file continues where an interrupted campaign was.
#[test]
fn bits_depend_neither_on_threads_nor_on_memory_nor_on_interruptions() -> Tested {
    let records = records(1.0, 3)?;
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let run = || campaign(&records).optimizer(least_squares()).run().map(|fit| fit.summary().history.clone());
    let (one, four) = (pool(1)?.install(run)?, pool(4)?.install(run)?);
    assert_eq!(one, four);
    // so small that the run with most steps computes its states once more
    let checkpoints = campaign(&records).optimizer(least_squares()).checkpoints(Checkpoints::Within(100_000));
    assert_eq!(checkpoints.run()?.summary().history, one);

    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("campaign.json");
    let _ = std::fs::remove_file(&path);
    let stored = |stop_at: usize| {
        let interrupt = Interrupt::new();
        let (handle, mut count) = (interrupt.clone(), 0);
        let id = campaign(&records).optimizer(least_squares()).state_file(&path).interrupt(interrupt);
        id.observer(move |_| {
            count += 1;
            if count == stop_at {
                handle.trigger();
            }
        })
        .run()
    };
    // in the first minimisation, and in one with other weights
    assert!(matches!(stored(3), Err(IdentificationError::Interrupted(_))));
    assert!(matches!(stored(7), Err(IdentificationError::Interrupted(_))));
    let ended = stored(usize::MAX)?;
    assert_eq!(ended.summary().history, one);
    Ok(())
}

/// A normal prior on a parameter that enters linearly, against the posterior by hand.
#[test]
fn a_prior_gives_the_maximum_a_posteriori() -> Tested {
    let record = record(&BENCHES[0], 30.0, 5)?;
    let truth = Isolator { preload: 2.0, ..Isolator::default() };
    let identification = || {
        let linear = UnknownParameter::from(Isolator::BEGIN).linear(0.01);
        let measured = Measurement::new(Isolator::POSITION, &record).standard_deviation(0.6e-3);
        let id = Identification::new(truth).unknown([linear]).input(Isolator::DRIVE, drive(BENCHES[0].4));
        id.measurement(measured).weighting(Weighting::Likelihood).optimizer(least_squares())
    };
    let free = identification().run()?;
    let without = free.parameter(Isolator::BEGIN).ok_or("not unknown")?.clone();
    let width = 0.5 * without.standard_deviation;
    let mean = without.found + width;
    let bound =
        identification().prior(Isolator::BEGIN, Prior::Normal { mean, standard_deviation: width }).run()?;
    let with = bound.parameter(Isolator::BEGIN).ok_or("not unknown")?;
    // precisions 1 and 4 of the data's: the model is linear enough within these deviations
    let expected = (without.found + 4.0 * mean) / 5.0;
    assert!((with.found - expected).abs() < 2e-2 * width, "{bound}");
    assert!(
        (with.standard_deviation / without.standard_deviation * 5.0_f64.sqrt() - 1.0).abs() < 2e-2,
        "{bound}"
    );
    Ok(())
}

/// Five samples in a hundred are twenty deviations off: squares are misled, robust losses and their deviations are not.
#[test]
fn outliers_do_not_rule_robust_losses() -> Tested {
    let robust = |loss: Loss| -> Result<Vec<f64>, Box<dyn Error>> {
        let mut scores = Vec::new();
        for seed in 1..=8 {
            let clean = record(&BENCHES[2], 30.0, 100 + seed)?;
            let mut values = clean.channel("position")?.values().to_vec();
            let count = values.len();
            values.iter_mut().enumerate().filter(|(j, _)| (j + seed as usize).is_multiple_of(20)).for_each(
                |(j, value)| {
                    let sign = if j < count / 2 { 1.0 } else { -0.5 };
                    *value += sign * 20.0 * 0.6;
                },
            );
            let spoiled =
                Record::new(clean.times().to_vec())?.with_channel("position", Some("mm"), values)?;
            let truth = Isolator { preload: 6.0, begin: 0.03, ..Isolator::default() };
            let fit = Identification::new(Isolator { d: 3.5, c: 380.0, ..truth })
                .unknown([Isolator::D, Isolator::C])
                .input(Isolator::DRIVE, drive(BENCHES[2].4))
                .measured(Isolator::POSITION, &spoiled)
                .loss(loss)
                .weighting(Weighting::Likelihood)
                .optimizer(least_squares())
                .run()?;
            let score = |p: costate::Parameter<Isolator>, truth: f64| {
                let fitted = fit.parameter(p).unwrap();
                (fitted.found - truth) / fitted.standard_deviation
            };
            scores.extend([score(Isolator::D, truth.d), score(Isolator::C, truth.c)]);
        }
        Ok(scores)
    };
    for loss in [
        Loss::Huber { threshold: 1.345 },
        Loss::Cauchy { scale: 2.385 },
        Loss::Student { degrees_of_freedom: 4.0 },
    ] {
        let scores = robust(loss)?;
        let mean_square = scores.iter().map(|score| score * score).sum::<f64>() / scores.len() as f64;
        assert!((0.4..2.2).contains(&mean_square), "{loss:?} {mean_square} {scores:?}");
        assert!(scores.iter().all(|score| score.abs() < 4.0), "{loss:?} {scores:?}");
    }
    Ok(())
}

/// Masks, windows and weights of samples: what does not count changes nothing.
#[test]
fn samples_that_do_not_count_change_nothing() -> Tested {
    let clean = record(&BENCHES[0], 1.0, 9)?;
    let mut values = clean.channel("position")?.values().to_vec();
    let mut weights = vec![1.0; values.len()];
    for (j, t) in clean.times().iter().enumerate() {
        if (0.4995..=0.7005).contains(t) {
            (values[j], weights[j]) = (1e3, 0.0);
        }
    }
    let spoiled = Record::new(clean.times().to_vec())?
        .with_channel("position", Some("mm"), values)?
        .with_channel("trust", None, weights)?;
    let fit = |measurement: Measurement<'_, Isolator>| {
        let truth = Isolator { preload: 2.0, begin: 0.01, ..start() };
        let id = Identification::new(truth).unknown([Isolator::D, Isolator::C]);
        id.input(Isolator::DRIVE, drive(BENCHES[0].4)).measurement(measurement).run()
    };
    let measurement = || Measurement::new(Isolator::POSITION, &spoiled).channel("position");
    let masked = fit(measurement().without(0.4995, 0.7005))?;
    let windows = fit(measurement().window(0.0, 0.4995).window(0.7005, 2.0))?;
    let weighted = fit(measurement().weights_from("trust"))?;
    assert_eq!(masked.summary().history, windows.summary().history);
    assert_eq!(masked.summary().history, weighted.summary().history);
    assert_eq!(masked.summary().measurements[0].masked, 101);
    assert!(masked.to_string().contains("101 left out"), "{masked}");
    assert!((masked.model().c / 400.0 - 1.0).abs() < 0.05);
    Ok(())
}

#[test]
fn mistakes_are_named() -> Tested {
    let records = records(1.0, 2)?;
    let [first, second] = [&records[0], &records[1]];
    let both = |a: Experiment<'_, Isolator>, b| {
        let id = Identification::new(start()).unknown([Isolator::C]);
        id.experiment(a).experiment(b).run().unwrap_err()
    };
    let says = |error: IdentificationError, text: &str| {
        let mut all = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            all += &format!(": {inner}");
            source = inner.source();
        }
        assert!(all.contains(text), "{all}");
    };
    says(
        both(experiment(&BENCHES[0], first), experiment(&BENCHES[0], second)),
        "two experiments are called `slow`",
    );
    let twice = experiment(&BENCHES[1], second).measured(Isolator::POSITION, second);
    says(
        both(experiment(&BENCHES[0], first), twice),
        "experiment `fast`: the output `position` is measured twice",
    );
    let beyond =
        Measurement::new(Isolator::ACCELERATION, second).delay(Correction::unknown(3.0).within(2.5, 4.0));
    says(
        both(experiment(&BENCHES[0], first), experiment(&BENCHES[1], second).measurement(beyond)),
        "none of the 2001 samples of the output `acceleration` in `record` counts",
    );
    let unbounded = Measurement::new(Isolator::ACCELERATION, second).delay(Correction::unknown(1e-3));
    says(
        both(experiment(&BENCHES[0], first), experiment(&BENCHES[1], second).measurement(unbounded)),
        "give bounds with `.within(lower, upper)`",
    );
    let masked = Measurement::new(Isolator::ACCELERATION, second).window(5.0, 6.0);
    says(
        both(experiment(&BENCHES[0], first), experiment(&BENCHES[1], second).measurement(masked)),
        "none of the 2001 samples",
    );
    let alone = Identification::new(start()).unknown_per_experiment([Isolator::C]);
    let alone = alone.experiment(experiment(&BENCHES[0], first)).experiment(experiment(&BENCHES[1], second));
    says(alone.run().unwrap_err(), "no unknown is common to two of the 2 experiments");
    let prior = |prior| {
        let bounded = UnknownParameter::from(Isolator::C).within(300.0, 500.0);
        let id = Identification::new(start()).unknown([bounded]).prior(Isolator::C, prior);
        id.experiment(experiment(&BENCHES[0], first)).run().unwrap_err()
    };
    says(
        prior(Prior::Normal { mean: 600.0, standard_deviation: 1.0 }),
        "the prior of `c` has mean = 600; it must be within the bounds of the unknown, 300 to 500",
    );
    says(prior(Prior::LogNormal { median: 400.0, log_deviation: 0.0 }), "log_deviation = 0");
    let known = Identification::new(start()).unknown([Isolator::C]);
    let known = known.prior(Isolator::D, Prior::Normal { mean: 1.0, standard_deviation: 1.0 });
    says(
        known.experiment(experiment(&BENCHES[0], first)).run().unwrap_err(),
        "`d` has a prior and is not unknown",
    );
    let beside = Identification::new(start()).unknown([Isolator::C]).measured(Isolator::POSITION, first);
    says(beside.experiment(experiment(&BENCHES[0], first)).run().unwrap_err(), "a measurement of its own");
    let short = Record::new(vec![0.0, 1e-3])?.with_channel("position", Some("mm"), vec![0.0, 0.1])?;
    let few = Identification::new(start()).unknown([Isolator::D, Isolator::C, Isolator::C_3]);
    says(
        few.experiment(experiment(&BENCHES[0], &short)).run().unwrap_err(),
        "2 samples cannot determine 3 unknowns",
    );
    let given = Measurement::new(Isolator::POSITION, first).weight(2.0);
    let given = Experiment::new("a").input(Isolator::DRIVE, |_| 0.0).measurement(given);
    let robust = Identification::new(start()).unknown([Isolator::C]).loss(Loss::Huber { threshold: 1.3 });
    says(robust.experiment(given).run().unwrap_err(), "weighs residuals by their standard deviation");
    Ok(())
}

/// A trial at which one experiment cannot be simulated ends the step of the search, and is told.
#[test]
fn an_experiment_that_fails_is_named() -> Tested {
    let records = records(1.0, 2)?;
    let nonsense = |t: f64| if t > 0.5 { f64::NAN } else { 0.0 };
    let one = experiment(&BENCHES[0], &records[0]);
    let other = experiment(&BENCHES[1], &records[1]).input(Isolator::DRIVE, nonsense);
    let error = Identification::new(start()).unknown([Isolator::C]).experiment(one).experiment(other).run();
    let error = error.unwrap_err();
    assert!(
        matches!(&error, IdentificationError::Experiment { experiment, .. } if experiment == "fast"),
        "{error:?}"
    );
    Ok(())
}

/// Noise of which every sample follows from the one before: estimated or given, found values scatter as their deviations say,
/// which those of white noise do not.
#[test]
fn coloured_noise_is_told_from_white() -> Tested {
    const CORRELATION: f64 = 0.9;
    let truth = Isolator { preload: 2.0, begin: 0.01, ..Isolator::default() };
    let scores = |noise: Option<ColouredNoise>| -> Result<f64, Box<dyn Error>> {
        let mut sum = 0.0;
        for seed in 1..=8 {
            let clean = record(&BENCHES[0], 0.0, 0)?;
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut state = 0.0;
            let values = clean.channel("position")?.values().iter().map(|x| {
                let fresh: f64 = StandardNormal.sample(&mut random);
                state = CORRELATION * state + 0.2 * fresh;
                x + state
            });
            let values = values.collect();
            let coloured =
                Record::new(clean.times().to_vec())?.with_channel("position", Some("mm"), values)?;
            let mut measurement = Measurement::new(Isolator::POSITION, &coloured);
            if let Some(noise) = &noise {
                measurement = measurement.coloured_noise(noise.clone());
            }
            let fit = Identification::new(Isolator { c: 380.0, d: 3.3, ..truth })
                .unknown([Isolator::C, Isolator::D])
                .input(Isolator::DRIVE, drive(BENCHES[0].4))
                .measurement(measurement)
                .weighting(Weighting::Likelihood)
                .optimizer(least_squares())
                .run()?;
            for (parameter, truth) in [(Isolator::C, truth.c), (Isolator::D, truth.d)] {
                let fitted = fit.parameter(parameter).ok_or("not unknown")?;
                sum += ((fitted.found - truth) / fitted.standard_deviation).powi(2) / 16.0;
            }
            if noise.is_some() {
                let found = fit.summary().measurements[0].noise.as_ref().ok_or("no noise")?;
                assert!((found.coefficients()[0] - CORRELATION).abs() < 0.06, "{fit}");
                assert!((found.innovation_deviation() / 0.2e-3 - 1.0).abs() < 0.1, "{fit}");
                let verdict = fit.summary().verdict.as_ref().ok_or("no verdict")?;
                assert_ne!(verdict.judgement, Judgement::Insufficient, "{fit}");
            }
        }
        Ok(sum)
    };
    let estimated =
        scores(Some(AutoregressionOrder::Chosen { criterion: OrderCriterion::Bic, limit: 5 }.into()))?;
    let given = scores(Some(Autoregression::new(vec![CORRELATION], 0.2e-3)?.into()))?;
    let white = scores(None)?;
    assert!((0.3..2.2).contains(&estimated) && (0.3..2.2).contains(&given), "{estimated} {given}");
    assert!(white > 3.0 * estimated, "{white} {estimated}");
    Ok(())
}

#[test]
fn gradients_are_exact_with_coloured_noise() -> Tested {
    let records = records(1.0, 4)?;
    let noise = Autoregression::new(vec![1.2, -0.5], 0.3)?;
    let late = late(&records[1]).coloured_noise(noise);
    let id = Identification::new(start()).unknown([Isolator::D, Isolator::C]);
    let id = id.experiment(experiment(&BENCHES[1], &records[1]).measurement(late));
    let report = id.check_gradient()?;
    assert!(report.agrees(1e-10) && report.cost > 0.0, "{report}");
    Ok(())
}

/// Profiles of a right model are parabolas near the minimum; what is not determined is told, and with what.
#[test]
fn profiles_tell_what_can_be_identified() -> Tested {
    let record = record(&BENCHES[2], 30.0, 11)?;
    let truth = Isolator { preload: 6.0, begin: 0.03, ..Isolator::default() };
    let fitted = |unknown: &[costate::Parameter<Isolator>]| {
        let id = Identification::new(truth).unknown(unknown.iter().copied());
        let id = id.input(Isolator::DRIVE, drive(BENCHES[2].4)).measured(Isolator::POSITION, &record);
        id.optimizer(least_squares())
    };
    let profiled = fitted(&[Isolator::D, Isolator::C, Isolator::C_3]).profiles(&ProfileSettings::default())?;
    println!("{profiled}");
    for (profile, truth) in profiled.profiles.iter().zip([truth.d, truth.c, truth.c_3]) {
        assert_eq!(profile.identifiability, Identifiability::Identifiable, "{profiled}");
        let [lower, upper] = [profile.interval[0].value(-1.0), profile.interval[1].value(1.0)];
        let [linear_lower, linear_upper] = profile.linear_interval;
        let width = linear_upper - linear_lower;
        assert!((lower - linear_lower).abs() < 0.1 * width && (upper - linear_upper).abs() < 0.1 * width);
        assert!(lower < truth + 0.5 * width && truth - 0.5 * width < upper);
        assert!(profile.points.windows(2).all(|pair| pair[0].value < pair[1].value));
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("profiles");
    let _ = std::fs::remove_dir_all(&folder);
    let in_folder = |shard: &str| -> Result<_, Box<dyn std::error::Error>> {
        let id = fitted(&[Isolator::D, Isolator::C, Isolator::C_3]);
        let ensemble = Ensemble::new().folder(&folder).shard(shard.parse()?);
        Ok(id.ensemble(ensemble).profiles(&ProfileSettings::default())?)
    };
    assert!(in_folder("2/2").is_err_and(|error| error.to_string().starts_with("3 of 6 tasks are done")));
    assert_eq!(in_folder("1/1")?.profiles, profiled.profiles);
    assert_eq!(Collection::read(&folder)?.repeated, 0);
    // mass, damping, stiffness and force are known up to a factor
    let all = [Isolator::M, Isolator::D, Isolator::C, Isolator::C_3, Isolator::PRELOAD];
    let silent = Isolator { begin: 0.03, preload: 6.0, ..Isolator::default() };
    let id = Identification::new(silent).unknown(all).input(Isolator::DRIVE, |_| 0.0);
    let run = Simulation::new(&truth).input(Isolator::DRIVE, |_| 0.0).step(2e-3).until(2.0).run()?;
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let noisy = run.output(Isolator::POSITION).into_iter().map(|x| {
        let fresh: f64 = StandardNormal.sample(&mut random);
        x + 2e-4 * fresh
    });
    let free = Record::new(run.times())?.with_channel("position", Some("m"), noisy.collect())?;
    let settings = ProfileSettings::default().with_unknowns(["c"]).with_points(6);
    let id = id.measured(Isolator::POSITION, &free).optimizer(least_squares());
    let profiled = id.profiles(&settings)?;
    let profile = &profiled.profiles[0];
    assert_eq!(profile.identifiability, Identifiability::StructurallyNot, "{profiled}");
    let mut names: Vec<_> = profile.combination.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["c_3", "d", "m", "preload"], "{profiled}");
    assert!(profile.combination.iter().all(|(_, part)| (part - 1.0).abs() < 0.1), "{profiled}");
    Ok(())
}

/// An experiment that was not fitted is told beside the fit, and models of the same data stand side by side.
#[test]
fn validation_and_comparison() -> Tested {
    let records = records(30.0, 6)?;
    let fit = |c_3: f64, unknown: &[costate::Parameter<Isolator>]| {
        let known = |bench: &Bench, preload| {
            let one = experiment(bench, &records[BENCHES.iter().position(|b| b.0 == bench.0).unwrap_or(0)]);
            one.parameter(Isolator::PRELOAD, preload).parameter(Isolator::BEGIN, bench.2)
        };
        Identification::new(Isolator { c: 380.0, c_3, ..Isolator::default() })
            .unknown(unknown.iter().copied())
            .experiment(known(&BENCHES[0], 2.0))
            .experiment(known(&BENCHES[1], 6.0))
            .experiment(known(&BENCHES[2], 6.0).validation())
            .optimizer(least_squares())
            .run()
    };
    let right = fit(2e4, &[Isolator::D, Isolator::C, Isolator::C_3])?;
    let wrong = fit(0.0, &[Isolator::D, Isolator::C])?;
    let validation = |fit: &Fit<Isolator>| fit.summary().validation[0].clone();
    assert_eq!(validation(&right).experiment, "both");
    assert_eq!(validation(&right).verdict.ok_or("no verdict")?.judgement, Judgement::Sufficient, "{right}");
    assert_eq!(validation(&wrong).verdict.ok_or("no verdict")?.judgement, Judgement::Insufficient, "{wrong}");
    let percent = |fit: &Fit<Isolator>| validation(fit).measurements[0].fit_percent.unwrap_or(0.0);
    assert!(percent(&right) > percent(&wrong) + 5.0, "{right}\n{wrong}");
    assert!(right.experiment("both").is_some() && right.experiments().len() == 3);
    let shares = &right.summary().shares;
    for k in 0..3 {
        let sum: f64 = shares.iter().map(|share| share.parts[k]).sum();
        assert!((sum - 1.0).abs() < 1e-12 && shares.iter().all(|share| share.parts[k] > 0.0), "{right}");
    }
    let models = ModelComparison::new([("linear", wrong.summary()), ("hardening", right.summary())])?;
    assert_eq!(models.models[0].name, "hardening");
    assert!(
        models.models[1].behind > 100.0 && models.to_string().contains("very strong evidence"),
        "{models}"
    );
    let other = campaign(&records).optimizer(least_squares()).run()?;
    let other = ModelComparison::new([("a", right.summary()), ("b", other.summary())]);
    assert!(matches!(other, Err(ModelComparisonError::OtherData { .. })), "{other:?}");
    Ok(())
}

/// Deviations by drawing residuals or experiments again are those of the fit where that is right, and depend on the seed alone.
#[test]
fn bootstraps_scatter_as_deviations_say() -> Tested {
    let records = records(30.0, 8)?;
    let id = || {
        let known = |k: usize, preload| {
            let one = experiment(&BENCHES[k], &records[k]);
            one.parameter(Isolator::PRELOAD, preload).parameter(Isolator::BEGIN, BENCHES[k].2)
        };
        Identification::new(Isolator { c: 390.0, ..Isolator::default() })
            .unknown([Isolator::D, Isolator::C, Isolator::C_3])
            .experiment(known(0, 2.0))
            .experiment(known(1, 6.0))
            .experiment(known(2, 6.0))
            .optimizer(least_squares())
    };
    let drawn = id().bootstrap(Resampling::Residuals, 40, 1)?;
    for (k, unknown) in drawn.fit.summary().parameters.iter().enumerate() {
        let ratio = drawn.standard_deviations[k] / unknown.standard_deviation;
        assert!((0.7..1.4).contains(&ratio), "{drawn}");
        let [lower, upper] = drawn.intervals[k];
        assert!(lower < unknown.found && unknown.found < upper, "{drawn}");
    }
    assert_eq!(id().bootstrap(Resampling::Residuals, 3, 1)?.found[..], drawn.found[..3]);
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("bootstrap");
    let _ = std::fs::remove_dir_all(&folder);
    let in_folder = |shard: &str| -> Result<_, ShardError> {
        Ok(id().ensemble(Ensemble::new().folder(&folder).shard(shard.parse()?)))
    };
    let unfinished = in_folder("1/2")?.bootstrap(Resampling::Residuals, 3, 1);
    assert!(
        matches!(unfinished, Err(IdentificationError::Ensemble(EnsembleError::Unfinished { done: 2, .. }))),
        "{unfinished:?}"
    );
    assert_eq!(in_folder("1/1")?.bootstrap(Resampling::Residuals, 4, 1)?.found[..], drawn.found[..4]);
    assert_eq!(Collection::read(&folder)?.repeated, 0);
    let other =
        in_folder("1/1")?.bootstrap(Resampling::Residuals, 4, 2).map(|_| ()).map_err(|e| e.to_string());
    assert!(other.is_err_and(|error| error.contains("the seed: 1 in the file, now 2")));
    let experiments = id().bootstrap(Resampling::Experiments, 20, 1)?;
    assert!(experiments.failed.is_empty() && experiments.found.len() == 20, "{experiments}");
    // some draws have one experiment three times: less is known
    assert!(experiments.standard_deviations[1] > 0.0);

    let left = id().leave_one_out()?;
    assert_eq!(left.left_out.len(), 3);
    for one in &left.left_out {
        assert!(one.changes.iter().all(|change| change.abs() < 6.0), "{left}");
        assert!(one.validation.measurements[0].fit_percent.is_some_and(|percent| percent > 80.0), "{left}");
    }
    assert!(left.to_string().contains("left out"), "{left}");
    let alone =
        Identification::new(start()).unknown([Isolator::C]).experiment(experiment(&BENCHES[0], &records[0]));
    assert!(matches!(alone.leave_one_out(), Err(IdentificationError::TooFewExperiments { .. })));
    assert!(matches!(
        id().bootstrap(Resampling::Residuals, 1, 1),
        Err(IdentificationError::Repetitions { .. })
    ));
    Ok(())
}

/// A region of two unknowns with the probability one half covers the truth about every second time.
#[test]
fn joint_regions_cover_as_they_say() -> Tested {
    let truth = Isolator { preload: 2.0, begin: 0.01, ..Isolator::default() };
    let mut covered = 0;
    for seed in 1..=60 {
        let record = record(&BENCHES[0], 20.0, seed)?;
        let fit = Identification::new(Isolator { c: 380.0, d: 3.3, ..truth })
            .unknown([Isolator::C, Isolator::D, Isolator::C_3])
            .input(Isolator::DRIVE, drive(BENCHES[0].4))
            .measured(Isolator::POSITION, &record)
            .optimizer(least_squares())
            .run()?;
        let region = fit.summary().joint_region("c", "c_3", 0.5)?;
        assert_eq!(region.units, ["N/m", "N/m^3"]);
        covered += usize::from(region.contains([truth.c, truth.c_3]));
        let certain = fit.summary().joint_region("c", "c_3", 0.9999)?;
        assert!(region.boundary(12).into_iter().all(|point| certain.contains(point)));
    }
    // 30 in the mean, with a deviation of 3.9
    assert!((18..=42).contains(&covered), "{covered}");
    Ok(())
}

#[test]
fn a_fit_leaves_files_that_can_be_read() -> Tested {
    let folder = std::env::temp_dir().join(format!("costate-fit-{}", std::process::id()));
    let records = records(1.0, 6)?;
    let fit = campaign(&records).optimizer(least_squares()).run()?;
    let paths = fit.write(&folder)?;
    let names: Vec<_> = paths.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(
        names,
        [
            "fit.json",
            "parameters.csv",
            "slow run.csv",
            "slow inputs.csv",
            "slow residuals of position.csv",
            "fast run.csv",
            "fast inputs.csv",
            "fast residuals of position.csv",
            "fast residuals of acceleration.csv",
            "both run.csv",
            "both inputs.csv",
            "both residuals of position.csv",
        ]
    );
    let json: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&paths[0])?)?;
    assert_eq!(json["parameters"][1]["found"].as_f64(), Some(fit.model().c));
    let lines = std::fs::read_to_string(&paths[1])?;
    assert_eq!(lines.lines().count(), 1 + fit.summary().parameters.len());
    assert!(lines.lines().any(|line| line.starts_with("\"preload [low]\",N,3,")), "{lines}");
    let run = Record::read_csv(&paths[5])?;
    let of_fit = fit.experiment("fast").ok_or("fast")?;
    assert_eq!(run.channel("acceleration")?.values(), of_fit.output(Isolator::ACCELERATION));
    let driven = Record::read_csv(&paths[6])?;
    assert_eq!(driven.channel("drive")?.values()[100], drive(BENCHES[1].4)(0.1));
    std::fs::remove_dir_all(&folder)?;
    let blocked = std::env::temp_dir().join(format!("costate-no-folder-{}", std::process::id()));
    std::fs::write(&blocked, "")?;
    let error = fit.write(blocked.join("inside")).unwrap_err().to_string();
    assert!(error.contains("inside` cannot be written"), "{error}");
    std::fs::remove_file(blocked)?;
    let unknown = fit.summary().joint_region("c", "k", 0.9).unwrap_err().to_string();
    assert!(unknown.contains("there is no unknown `k`"), "{unknown}");
    let level = fit.summary().joint_region("c", "d", 95.0).unwrap_err().to_string();
    assert!(level.contains("probability 95"), "{level}");
    Ok(())
}

/// Experiments that differ in parameters alone go beside each other in lanes; the gradient stays exact, and results do not depend on
/// how many go together.
#[test]
fn alike_experiments_go_in_lanes() -> Tested {
    let preloads = [1.0, 2.0, 3.5, 5.0, 6.0];
    let mut records = Vec::new();
    for (preload, seed) in preloads.into_iter().zip(1..) {
        let truth = Isolator { preload, ..Isolator::default() };
        let run =
            Simulation::new(&truth).input(Isolator::DRIVE, drive([3.0, 11.0])).step(2e-3).until(1.0).run()?;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let noisy = run.output(Isolator::POSITION).into_iter().map(|x| {
            let noise: f64 = StandardNormal.sample(&mut random);
            x + 1e-4 * noise
        });
        records.push(Record::new(run.times())?.with_channel("position", Some("m"), noisy.collect())?);
    }
    let id = |method| {
        let mut id = Identification::new(start())
            .unknown([Isolator::D, Isolator::C, Isolator::C_3])
            .unknown_per_experiment([UnknownParameter::from(Isolator::PRELOAD).linear(2.0)])
            .input(Isolator::DRIVE, drive([3.0, 11.0]))
            .optimizer(OptimizerSettings::default().with_method(method));
        for (number, record) in records.iter().enumerate() {
            id = id.experiment(Experiment::new(format!("run {number}")).measured(Isolator::POSITION, record));
        }
        id
    };
    let report = id(Method::Bfgs).check_gradient()?;
    assert_eq!(report.entries.len(), 8);
    assert!(report.agrees(1e-10), "{report}");
    for method in [Method::Bfgs, Method::LevenbergMarquardt { damping: 1e-3 }] {
        let with_threads = |threads| -> Result<Vec<u64>, Box<dyn Error>> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let fit = pool.install(|| id(method).run())?;
            for (number, preload) in preloads.into_iter().enumerate() {
                let found =
                    fit.parameter_of(Isolator::PRELOAD, &format!("run {number}")).ok_or("a preload")?;
                assert!(((found.found - preload) / found.standard_deviation).abs() < 4.0, "{fit}");
            }
            Ok(fit.summary().parameters.iter().map(|fitted| fitted.found.to_bits()).collect())
        };
        let alone = with_threads(1)?;
        assert_eq!(alone, with_threads(2)?);
        assert_eq!(alone, with_threads(5)?);
    }
    Ok(())
}

/// Experiments that several processes share give each of them what a single process finds, to the last bit.
#[test]
fn processes_share_experiments() -> Tested {
    fn told(fit: &Fit<Isolator>) -> String {
        let found = fit.summary();
        format!("{:?} {:?} {:?} {}", found.history, found.parameters, found.covariance, found.simulations)
    }
    let records = &records(1.0, 5)?;
    for method in [Method::Bfgs, Method::LevenbergMarquardt { damping: 1e-3 }] {
        let optimizer = &OptimizerSettings::default().with_method(method).with_maximum_iterations(5);
        let alone = told(&campaign(records).optimizer(optimizer.clone()).run()?);
        for count in [2, 3] {
            let all = processes(count);
            let found: Vec<Result<String, String>> = std::thread::scope(|scope| {
                let mut threads = Vec::new();
                for on in &all {
                    threads.push(scope.spawn(move || {
                        let id = campaign(records).optimizer(optimizer.clone()).experiments_on(on);
                        id.run().map(|fit| told(&fit)).map_err(|error| error.to_string())
                    }));
                }
                threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
            });
            assert_eq!(found, vec![Ok(alone.clone()); count], "{method} on {count}");
        }
    }
    // one that ends leaves the other with an error
    let mut two = processes(2);
    drop(two.pop());
    let left = two.pop().ok_or("no process")?;
    let lost = campaign(records).experiments_on(&left).run();
    assert!(lost.is_err_and(|error| format!("{error:?}").contains("a process has ended")));
    Ok(())
}
