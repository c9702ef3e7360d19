//! Joint costs of experiments that are distributed over processes.

mod files;
mod unknowns;
mod weighing;

use std::error::Error;
use std::ops::Range;

use costate::ensemble::{Executor, Threads};
use costate::identify::{
    DistributedCost, DistributedFit, Experiment, ExperimentShare, IdentificationError, Measurement, Weighting,
};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Identification, Record, Simulation};

use super::{BENCHES, Isolator, PRELOADS, Tested, common, driven, experiment, records};
use crate::processes::processes;

/// Standard deviation of the measured positions in m.
const DEVIATION: f64 = 0.02e-3;

/// Makes the campaign of some of the experiments, with known values of the parameters of single experiments.
fn known_campaign(common: &Simulation<Isolator>, records: &[Record], own: Range<usize>) -> Identification<Isolator> {
    let mut id =
        Identification::new(common).unknown([Isolator::D, Isolator::C, Isolator::C_3]).weighting(Weighting::Likelihood);
    for (bench, record) in BENCHES[own.clone()].iter().zip(&records[own]) {
        let preload = PRELOADS.iter().find(|(name, _)| *name == bench.1).map_or(0.0, |(_, preload)| *preload);
        let known = driven(common, bench).parameter(Isolator::PRELOAD, preload);
        let known = known.parameter(Isolator::BEGIN, bench.2);
        let measured = Measurement::new(record).standard_deviation(DEVIATION);
        let one = Experiment::new(bench.0).simulation(&known).measured(Isolator::POSITION, measured);
        id = id.experiment(one);
    }
    id
}

fn joint<'a>(
    records: &'a [Record],
    on: &'a dyn Executor,
    change: impl Fn(Identification<Isolator>) -> Identification<Isolator>,
) -> Result<DistributedCost<'a, Isolator>, IdentificationError> {
    joint_of(&common(), records, on, change)
}

fn joint_of<'a>(
    common: &Simulation<Isolator>,
    records: &'a [Record],
    on: &'a dyn Executor,
    change: impl Fn(Identification<Isolator>) -> Identification<Isolator>,
) -> Result<DistributedCost<'a, Isolator>, IdentificationError> {
    let share = ExperimentShare::new(on, BENCHES.len())?;
    change(known_campaign(common, records, share.own())).distributed(share)
}

/// Runs `work` in each of several simulated processes and returns the results; a panic in one of them is a panic
/// of the test.
fn each<T: Send>(count: usize, work: impl Fn(&dyn Executor) -> T + Sync) -> Vec<T> {
    let all = processes(count);
    std::thread::scope(|scope| {
        let threads: Vec<_> = all
            .into_iter()
            .map(|on| {
                let work = &work;
                scope.spawn(move || work(&on))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Formats the results of a joint fit, by their bits.
fn bits(fit: &DistributedFit<Isolator>) -> String {
    let DistributedFit { parameters, cost_start, cost_end, experiments, iterations, stop, .. } = fit;
    format!("{parameters:?} {cost_start:?} {cost_end:?} {experiments:?} {iterations} {stop:?}")
}

/// Formats an error with its causes.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// Checks that processes with their own experiments alone find the same result as one process with all of them,
/// with the same bits for any number of processes.
#[test]
fn processes_have_their_own_experiments_alone() -> Tested {
    let records = &records(1.0, 5)?;
    for method in [Method::Bfgs, Method::LevenbergMarquardt] {
        let optimizer = &OptimizerSettings::default().with_method(method);
        let told = |on: &dyn Executor| -> Result<(String, f64, Vec<f64>, Vec<f64>), IdentificationError> {
            let joint = joint(records, on, |id| id.optimizer(optimizer.clone()))?;
            let bytes: u64 = joint.memory().iter().map(|memory| memory.simulation_bytes).sum();
            let evaluated = joint.evaluate(&joint.start())?;
            let names = joint.experiments().join(", ");
            let fit = joint.minimize()?;
            let found = fit.parameters.iter().map(|one| one.found).collect();
            let deviations = fit.parameters.iter().map(|one| one.standard_deviation).collect();
            let cost = evaluated.0;
            Ok((format!("{names}, {bytes} bytes, {evaluated:?}, {fit:?}"), cost, found, deviations))
        };
        let (alone, cost, found, deviations) = told(&Threads)?;
        for count in [2, 3] {
            let all = each(count, |on| told(on).map(|(text, ..)| text).map_err(|error| error.to_string()));
            assert_eq!(all, vec![Ok(alone.clone()); count], "{method} on {count}");
        }
        let fit = known_campaign(&common(), records, 0..BENCHES.len()).optimizer(optimizer.clone()).run()?;
        assert!((cost / fit.summary().cost_start - 1.0).abs() < 1e-12);
        for ((one, found), deviation) in fit.summary().parameters.iter().zip(found).zip(deviations) {
            assert!(((found - one.found) / one.standard_deviation).abs() < 1e-3, "{} {found}", one.quantity);
            assert!((deviation / one.standard_deviation - 1.0).abs() < 1e-4, "{} {deviation}", one.quantity);
        }
    }
    Ok(())
}

/// Checks that a process that ends leaves the other with an error.
#[test]
fn a_process_that_ends() -> Tested {
    let records = &records(1.0, 5)?;
    let lost = each(2, |on| {
        let joint = joint(records, on, |id| id).map_err(|error| with_causes(&error))?;
        match on.is_root() {
            true => joint.minimize().map(|_| ()).map_err(|error| with_causes(&error)),
            false => Ok(()),
        }
    });
    assert!(matches!(&lost[..], [Err(error), Ok(())] if error.contains("a process has ended")), "{lost:?}");
    Ok(())
}

/// Checks that impossible joint costs are refused, in every process if one of them has failed.
#[test]
fn joint_costs_that_cannot_be() -> Tested {
    let records = &records(1.0, 5)?;
    let refused = |result: Result<DistributedCost<'_, Isolator>, IdentificationError>| {
        result.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let estimated = refused(joint(records, &Threads, |id| id.experiment(experiment(&BENCHES[0], &records[0]))));
    assert!(estimated.starts_with("4 experiments are given, and this process has those with the numbers 0 to 2"));
    let idle = each(4, |on| ExperimentShare::new(on, 3).err().map(|error| error.to_string()));
    assert!(idle.iter().all(|text| text.as_deref() == Some("4 processes cannot share 3 experiments; start at most 3")));
    let counted = joint(records, &Threads, |id| id)?.evaluate(&[1.0]).err().map(|error| error.to_string());
    assert_eq!(counted.as_deref(), Some("1 values are given for 3 unknowns; give one for each"));
    // another step tolerance in one of them
    let differ = each(2, |on| {
        let tolerance = if on.is_root() { 1e-8 } else { 1e-9 };
        let optimizer = OptimizerSettings::default().with_gradient_tolerance(tolerance);
        refused(joint(records, on, |id| id.optimizer(optimizer.clone())))
    });
    let text = "`gradient_tolerance` of the optimizer is 1e-9 in process 1 and 1e-8 in process 0";
    assert!(differ.iter().all(|told| told.starts_with(text)), "{differ:?}");
    // one of the processes cannot begin
    let failed = each(2, |on| {
        let step = if on.is_root() { 1e-3 } else { -1.0 };
        refused(joint_of(&common().step(step), records, on, |id| id))
    });
    assert!(failed[0].starts_with("process 1 has failed: experiment"), "{failed:?}");
    assert!(failed[1].starts_with("experiment"), "{failed:?}");
    Ok(())
}
