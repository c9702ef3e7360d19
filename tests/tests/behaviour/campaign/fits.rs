//! Unknowns of all kinds, in several experiments: exact gradients, known truths, the same bits.

use costate::identify::residuals::Loss;
use costate::identify::{IdentificationError, Measurement, Prior, UnknownParameter, Weighting};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::{Checkpoints, Interrupt};
use costate::{Identification, Simulation};

use super::{
    BENCHES, Isolator, Tested, campaign, campaign_of, common, driven, experiment_of, least_squares, record, records,
    start, truths,
};

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
    for method in [Method::LevenbergMarquardt, Method::GaussNewton, Method::Bfgs] {
        let settings = OptimizerSettings::default().with_method(method).with_maximum_iterations(400);
        let fit = campaign(&records).optimizer(settings).run()?;
        for (name, truth, found, _) in truths(&fit) {
            // the record's delay is that of a run with finer steps, which have other errors
            assert!((found - truth).abs() < 4e-3 * truth.abs(), "{method:?} {name}: {found} {truth}\n{fit}");
        }
        assert_eq!(fit.experiments().len(), 3);
        let fast = fit.experiment("fast").ok_or("no such experiment")?;
        assert!((fast.model().preload / 6.0 - 1.0).abs() < 2e-3 && (fast.model().c / 400.0 - 1.0).abs() < 2e-3);
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
        let of_it: Vec<f64> =
            truths(&fit).into_iter().map(|(_, truth, found, deviation)| (found - truth) / deviation).collect();
        beyond += of_it.iter().filter(|score| score.abs() > 3.0).count();
        scores.push(of_it);
    }
    let unknowns = scores[0].len();
    assert!(beyond <= 2, "{beyond} of {} beyond three deviations", unknowns * scores.len());
    let mean_square = scores.iter().flatten().map(|score| score * score).sum::<f64>() / (8 * unknowns) as f64;
    assert!((0.7..1.4).contains(&mean_square), "{mean_square}");
    Ok(())
}

/// Checks that the values of an experiment act as if it were alone, and that those of one experiment do not act
/// on another.
#[test]
fn an_experiment_alone_gives_what_an_identification_gives() -> Tested {
    let record = record(&BENCHES[1], 1.0, 7)?;
    let identification = |simulation: &_| Identification::new(simulation).unknown([Isolator::D, Isolator::C]);
    let known = Simulation::new(&Isolator { preload: 6.0, begin: -0.02, ..start() });
    let direct = identification(&driven(&known, &BENCHES[1]));
    let direct = direct.measured(Isolator::POSITION, &record).run()?;
    let own = driven(&common(), &BENCHES[1]);
    let own = own.parameter(Isolator::PRELOAD, 6.0).parameter(Isolator::BEGIN, -0.02);
    let within = identification(&common()).experiment(experiment_of(&BENCHES[1], &own, &record)).run()?;
    assert_eq!(direct.summary().history, within.summary().history);
    assert_eq!(direct.summary().covariance, within.summary().covariance);
    assert_eq!(within.summary().parameters[0].name, "d");
    Ok(())
}

/// Checks that threads and checkpoints do not change a bit, and that a file continues an interrupted campaign.
#[test]
fn bits_depend_neither_on_threads_nor_on_memory_nor_on_interruptions() -> Tested {
    let records = records(1.0, 3)?;
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let run = || campaign(&records).optimizer(least_squares()).run().map(|fit| fit.summary().history.clone());
    let (one, four) = (pool(1)?.install(run)?, pool(4)?.install(run)?);
    assert_eq!(one, four);
    // so small that states of the run with most steps are recomputed
    let checkpoints = common().checkpoints(Checkpoints::Within(100_000));
    let recomputed = campaign_of(&checkpoints, &records).optimizer(least_squares());
    assert_eq!(recomputed.run()?.summary().history, one);

    let path = crate::file("campaign.json");
    let stored = |stop_at: usize| {
        let interrupt = Interrupt::new();
        let (handle, mut count) = (interrupt.clone(), 0);
        let id = campaign_of(&common().interrupt(interrupt), &records);
        let id = id.optimizer(least_squares()).state_file(&path);
        id.run_observed(move |_| {
            count += 1;
            if count == stop_at {
                handle.trigger();
            }
        })
    };
    // in the first minimisation, and in one with other weights
    assert!(matches!(stored(3), Err(IdentificationError::Interrupted(_))));
    assert!(matches!(stored(7), Err(IdentificationError::Interrupted(_))));
    let ended = stored(usize::MAX)?;
    assert_eq!(ended.summary().history, one);
    Ok(())
}

/// Compares a normal prior on a parameter that enters linearly with the posterior by hand.
#[test]
fn a_prior_gives_the_maximum_a_posteriori() -> Tested {
    let record = record(&BENCHES[0], 30.0, 5)?;
    let truth = Isolator { preload: 2.0, ..Isolator::default() };
    let identification = || {
        let linear = UnknownParameter::from(Isolator::BEGIN).linear(0.01);
        let measured = Measurement::new(&record).standard_deviation(0.6e-3);
        let id = Identification::new(&driven(&Simulation::new(&truth), &BENCHES[0])).unknown([linear]);
        id.measured(Isolator::POSITION, measured).weighting(Weighting::Likelihood).optimizer(least_squares())
    };
    let free = identification().run()?;
    let without = free.parameter(Isolator::BEGIN).ok_or("not unknown")?.clone();
    let width = 0.5 * without.standard_deviation;
    let mean = without.found + width;
    let bound = identification().prior(Isolator::BEGIN, Prior::Normal { mean, standard_deviation: width }).run()?;
    let with = bound.parameter(Isolator::BEGIN).ok_or("not unknown")?;
    // the prior is four times as precise as the data; the model is linear enough within these deviations
    let expected = (without.found + 4.0 * mean) / 5.0;
    assert!((with.found - expected).abs() < 2e-2 * width, "{bound}");
    assert!((with.standard_deviation / without.standard_deviation * 5.0_f64.sqrt() - 1.0).abs() < 2e-2, "{bound}");
    Ok(())
}
