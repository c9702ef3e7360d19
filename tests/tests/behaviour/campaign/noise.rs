//! Outliers, masked samples and coloured noise.

use costate::identify::residuals::{Autoregression, AutoregressionOrder, Judgement, Loss, OrderCriterion};
use costate::identify::{ColouredNoise, Measurement, Weighting};
use costate::{Identification, Record, Simulation};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::error::Error;

use super::{BENCHES, Isolator, Tested, common, driven, experiment, late, least_squares, record, records, start};

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
            let spoiled = Record::new(clean.times().to_vec())?.with_channel("position", Some("mm"), values)?;
            let truth = Isolator { preload: 6.0, begin: 0.03, ..Isolator::default() };
            let simulation = Simulation::new(&Isolator { d: 3.5, c: 380.0, ..truth });
            let fit = Identification::new(&driven(&simulation, &BENCHES[2]))
                .unknown([Isolator::D, Isolator::C])
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
    for loss in
        [Loss::Huber { threshold: 1.345 }, Loss::Cauchy { scale: 2.385 }, Loss::Student { degrees_of_freedom: 4.0 }]
    {
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
    let fit = |measurement: Measurement| {
        let simulation = Simulation::new(&Isolator { preload: 2.0, begin: 0.01, ..start() });
        let id = Identification::new(&driven(&simulation, &BENCHES[0])).unknown([Isolator::D, Isolator::C]);
        id.measured(Isolator::POSITION, measurement).run()
    };
    let measurement = || Measurement::new(&spoiled).channel("position");
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

/// Noise of which every sample follows from the one before: estimated or given, found values scatter as their
/// deviations say, which those of white noise do not.
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
            let coloured = Record::new(clean.times().to_vec())?.with_channel("position", Some("mm"), values)?;
            let mut measurement = Measurement::new(&coloured);
            if let Some(noise) = &noise {
                measurement = measurement.coloured_noise(noise.clone());
            }
            let simulation = Simulation::new(&Isolator { c: 380.0, d: 3.3, ..truth });
            let fit = Identification::new(&driven(&simulation, &BENCHES[0]))
                .unknown([Isolator::C, Isolator::D])
                .measured(Isolator::POSITION, measurement)
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
    let estimated = scores(Some(AutoregressionOrder::Chosen { criterion: OrderCriterion::Bic, limit: 5 }.into()))?;
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
    let id = Identification::new(&common()).unknown([Isolator::D, Isolator::C]);
    let id = id.experiment(experiment(&BENCHES[1], &records[1]).measured(Isolator::ACCELERATION, late));
    let report = id.check_gradient()?;
    assert!(report.agrees(1e-10) && report.cost > 0.0, "{report}");
    Ok(())
}
