//! Experiments in lanes, and shared among processes.

use crate::processes::processes;
use costate::ensemble::{Executor, Threads};
use costate::identify::residuals::Loss;
use costate::identify::{
    Correction, Experiment, ExperimentShare, Fit, IdentificationError, JointCost, JointFit, Measurement,
    Prior, UnknownInput, UnknownParameter, Weighting,
};
use costate::optimize::{Iteration, Method, OptimizerSettings};
use costate::simulate::{Interrupt, Interrupted, InterruptedWork};
use costate::{Identification, Record, Simulation};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use super::{
    BENCHES, Isolator, PRELOADS, Tested, campaign, drive, experiment, late, least_squares, records, start,
};

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

/// Standard deviation of the measured positions in m.
const DEVIATION: f64 = 0.02e-3;

/// The campaign with what experiments have for themselves known, of some of the experiments.
fn known_campaign(records: &[Record], own: std::ops::Range<usize>) -> Identification<'_, Isolator> {
    let mut id = Identification::new(start())
        .unknown([Isolator::D, Isolator::C, Isolator::C_3])
        .weighting(Weighting::Likelihood);
    for (bench, record) in BENCHES[own.clone()].iter().zip(&records[own]) {
        let preload = PRELOADS.iter().find(|(name, _)| *name == bench.1).map_or(0.0, |(_, preload)| *preload);
        let measured = Measurement::new(Isolator::POSITION, record).standard_deviation(DEVIATION);
        let one = Experiment::new(bench.0).input(Isolator::DRIVE, drive(bench.4)).measurement(measured);
        id = id.experiment(one.parameter(Isolator::PRELOAD, preload).parameter(Isolator::BEGIN, bench.2));
    }
    id
}

fn joint<'a>(
    records: &'a [Record],
    on: &'a dyn Executor,
    change: impl Fn(Identification<'a, Isolator>) -> Identification<'a, Isolator>,
) -> Result<JointCost<'a, Isolator>, IdentificationError> {
    let share = ExperimentShare::new(on, BENCHES.len())?;
    change(known_campaign(records, share.own())).joint(share)
}

/// What every one of several processes makes of its own.
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
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    })
}

/// Processes that have their own experiments alone find what one with all of them finds, with the same bits for any number of
/// processes.
#[test]
fn processes_have_their_own_experiments_alone() -> Tested {
    let records = &records(1.0, 5)?;
    for method in [Method::Bfgs, Method::LevenbergMarquardt { damping: 1e-3 }] {
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
        let fit = known_campaign(records, 0..BENCHES.len()).optimizer(optimizer.clone()).run()?;
        assert!((cost / fit.summary().cost_start - 1.0).abs() < 1e-12);
        for ((one, found), deviation) in fit.summary().parameters.iter().zip(found).zip(deviations) {
            assert!(((found - one.found) / one.standard_deviation).abs() < 1e-3, "{} {found}", one.quantity);
            assert!((deviation / one.standard_deviation - 1.0).abs() < 1e-4, "{} {deviation}", one.quantity);
        }
    }
    Ok(())
}

/// What a joint cost cannot have is refused, in every process where one of them has failed.
#[test]
fn joint_costs_that_cannot_be() -> Tested {
    let records = &records(1.0, 5)?;
    let refused = |result: Result<JointCost<'_, Isolator>, IdentificationError>| {
        result.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let of_all = refused(joint(records, &Threads, |id| id.experiments_on(&Threads)));
    assert!(of_all.starts_with("`experiments_on`, by which every process has all experiments"), "{of_all}");
    let estimated =
        refused(joint(records, &Threads, |id| id.experiment(experiment(&BENCHES[0], &records[0]))));
    assert!(
        estimated.starts_with("4 experiments are given, and this process has those with the numbers 0 to 2")
    );
    let idle = each(4, |on| ExperimentShare::new(on, 3).err().map(|error| error.to_string()));
    assert!(
        idle.iter()
            .all(|text| text.as_deref() == Some("4 processes cannot share 3 experiments; start at most 3"))
    );
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
    // one of them cannot begin
    let failed = each(2, |on| {
        let step = if on.is_root() { 1e-3 } else { -1.0 };
        refused(joint(records, on, |id| id.step(step)))
    });
    assert!(failed[0].starts_with("process 1 has failed: experiment"), "{failed:?}");
    assert!(failed[1].starts_with("experiment"), "{failed:?}");
    Ok(())
}

/// A file that does not exist yet.
fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// What a joint fit has found, by its bits.
fn bits(fit: &JointFit<Isolator>) -> String {
    let JointFit { parameters, cost_start, cost_end, experiments, iterations, stop, .. } = fit;
    format!("{parameters:?} {cost_start:?} {cost_end:?} {experiments:?} {iterations} {stop:?}")
}

/// A joint fit that was interrupted, by whichever process, goes on from its file to the same bits, with any number of processes.
#[test]
fn joint_fits_continue() -> Tested {
    let records = &records(1.0, 5)?;
    for (method, name, cases) in [
        (Method::Bfgs, "bfgs", [(0, 1, 3), (1, 3, 2)]),
        (least_squares().method, "residuals", [(0, 2, 1), (1, 2, 3)]),
    ] {
        let optimizer = &OptimizerSettings::default().with_method(method);
        let whole = bits(&joint(records, &Threads, |id| id.optimizer(optimizer.clone()))?.minimize()?);
        for (stopping, before, after) in cases {
            let path = &file(&format!("joint_{name}_{stopping}_{before}.json"));
            let interrupted = each(before, |on| {
                let interrupt = Interrupt::new();
                let flag = interrupt.clone();
                // one of them is told to stop
                let observer = move |iteration: &Iteration| {
                    if iteration.number == 2 && on.process() == stopping {
                        flag.trigger();
                    }
                };
                let share = ExperimentShare::new(on, BENCHES.len())?;
                let id = known_campaign(records, share.own()).optimizer(optimizer.clone());
                id.state_file(path).interrupt(interrupt).observer(observer).joint(share)?.minimize()
            });
            for result in interrupted {
                let Err(IdentificationError::Interrupted(Interrupted { work, state_file, .. })) = result
                else {
                    return Err(format!("{result:?}").into());
                };
                assert_eq!(work, InterruptedWork::Identification { iterations: 2 });
                assert_eq!(state_file.as_ref(), Some(path));
            }
            // the rest, and once more where nothing is left to do
            for count in [after, 1] {
                let continued = each(count, |on| {
                    joint(records, on, |id| id.optimizer(optimizer.clone()).state_file(path))?
                        .minimize()
                        .map(|fit| bits(&fit))
                });
                let continued = continued.into_iter().collect::<Result<Vec<_>, _>>()?;
                assert_eq!(continued, vec![whole.clone(); count], "{method} on {before}, then on {count}");
            }
        }
    }
    Ok(())
}

/// A file of another problem is refused, and says by what; so is one that cannot be written, in all processes.
#[test]
fn joint_files_of_other_problems() -> Tested {
    let (two, mut three) = (&records(1.0, 5)?, records(1.0, 6)?);
    three[..2].clone_from_slice(&two[..2]);
    let three = &three;
    let path = &file("joint_other.json");
    let few = OptimizerSettings::default().with_maximum_iterations(2);
    joint(two, &Threads, |id| id.optimizer(few.clone()).state_file(path))?.minimize()?;
    let other =
        |records, change: &(dyn Fn(Identification<'_, Isolator>) -> Identification<'_, Isolator> + Sync)| {
            let told = each(2, |on| {
                let fit = joint(records, on, |id| change(id.state_file(path)))?.minimize();
                fit.map(|fit| bits(&fit))
            });
            told.into_iter().map(|result| result.err().map(|error| with_causes(&error)).unwrap_or_default())
        };
    // another record, an experiment of the second process; and another step
    for (records, step, what) in [
        (
            three,
            None,
            "the values of measurement 1 (output `position`) of `both`: 1001 values from -0.03230626045111062 to",
        ),
        (two, Some(4e-3), "`step` of the simulation of `slow`: 0.002 in the file, now 0.004"),
    ] {
        let told: Vec<String> =
            other(records, &|id| step.into_iter().fold(id, |id, step| id.step(step))).collect();
        let text = format!("the state file `{}` belongs to something else: {what}", path.display());
        assert!(told[0].starts_with(&text), "{told:?}");
        assert!(told[1].starts_with(&format!("process 0 has failed: {text}")), "{told:?}");
    }
    let of_one = known_campaign(two, 0..BENCHES.len()).state_file(path).run();
    let text = of_one.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(
        text.ends_with("is that of a joint identification, not of an identification: choose another file")
    );
    let nowhere = other(two, &|id| id.state_file("/no/such/folder/joint.json"));
    let nowhere: Vec<String> = nowhere.collect();
    assert!(
        nowhere[0].starts_with("cannot write the state file `/no/such/folder/joint.json`"),
        "{nowhere:?}"
    );
    assert!(nowhere[1].starts_with("process 0 has failed: cannot write the state file"), "{nowhere:?}");
    // one of them alone wants a file
    let alone = each(2, |on| {
        joint(two, on, |id| if on.is_root() { id.state_file(path) } else { id }).err().map(|e| e.to_string())
    });
    assert!(alone.iter().flatten().all(|text| text.starts_with("whether a state file is kept is false in")));
    assert_eq!(alone.iter().flatten().count(), 2);
    Ok(())
}

/// An error with its causes.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// The experiments with these numbers of a campaign that has everything unknown that there may be, with deviations that are given; the
/// last one may validate.
fn unknown_campaign(records: &[Record], own: Range<usize>, validates: bool) -> Identification<'_, Isolator> {
    let mut id = Identification::new(start())
        .unknown([Isolator::D, Isolator::C, Isolator::C_3])
        .unknown_per_group([UnknownParameter::from(Isolator::PRELOAD).linear(2.0)])
        .unknown_per_experiment([UnknownParameter::from(Isolator::BEGIN).linear(0.01)])
        .prior(Isolator::D, Prior::Normal { mean: 3.5, standard_deviation: 2.0 })
        .weighting(Weighting::Likelihood);
    for (number, (bench, record)) in own.clone().zip(BENCHES[own.clone()].iter().zip(&records[own])) {
        let measured = Measurement::new(Isolator::POSITION, record).standard_deviation(DEVIATION);
        let mut one = Experiment::new(bench.0).group(bench.1).input(Isolator::DRIVE, drive(bench.4));
        let offset = Correction::unknown(0.0).typical(1e-3).within(-0.01, 0.01).common("zero of the sensor");
        one = one.measurement(if number == 1 { measured } else { measured.offset(offset) });
        if number == 1 {
            one = one.measurement(late(record).standard_deviation(2e-3));
        }
        if number == 2 && validates {
            one = one.validation().parameter(Isolator::BEGIN, bench.2);
        }
        id = id.experiment(one);
    }
    id
}

/// Unknowns of groups and experiments, gains, offsets and delays are those of an identification with all experiments, in the same
/// order, and so are the gradient and what is found; with the same bits for any number of processes.
#[test]
fn processes_share_what_experiments_have_for_themselves() -> Tested {
    let records = &records(1.0, 5)?;
    for method in [Method::Bfgs, least_squares().method] {
        let optimizer = &OptimizerSettings::default().with_method(method);
        let told = |on: &dyn Executor| -> Result<_, IdentificationError> {
            let share = ExperimentShare::new(on, BENCHES.len())?;
            let id = unknown_campaign(records, share.own(), false).optimizer(optimizer.clone());
            let joint = id.joint(share)?;
            let names: Vec<String> = joint.unknowns().map(str::to_owned).collect();
            let (cost, gradient) = joint.evaluate(&joint.start())?;
            let factors = joint.memory()[0].factor_bytes;
            Ok((names, cost, gradient, factors, joint.minimize()?))
        };
        let (names, cost, gradient, factors, fit) = told(&Threads)?;
        let text = |(names, cost, gradient, factors, fit): &(_, _, _, _, JointFit<Isolator>)| {
            let _: (&Vec<String>, &f64, &Vec<f64>, &u64) = (names, cost, gradient, factors);
            format!("{names:?} {cost:?} {gradient:?} {factors} {} {}", bits(fit), fit.simulations)
        };
        let alone = text(&(names.clone(), cost, gradient.clone(), factors, fit.clone()));
        for count in [2, 3] {
            let all = each(count, |on| told(on).map(|told| text(&told)).map_err(|error| error.to_string()));
            assert_eq!(all, vec![Ok(alone.clone()); count], "{method} on {count}");
        }
        // three common unknowns, preload, begin and offset; in `fast` delay and gain and another offset, too
        assert_eq!(factors, ((3 + 3 + 1) + (3 + 5 + 1) + (3 + 3 + 1)) * (names.len() as u64 + 1) * 8);

        let ordinary = || unknown_campaign(records, 0..3, false).optimizer(optimizer.clone());
        let report = ordinary().check_gradient()?;
        assert!((cost / report.cost - 1.0).abs() < 1e-12, "{cost} {}", report.cost);
        for ((name, derivative), entry) in names.iter().zip(&gradient).zip(&report.entries) {
            assert_eq!(*name, entry.parameter);
            let apart = (derivative - entry.adjoint).abs();
            assert!(apart <= 1e-12 * entry.reference + entry.rounding, "{name} {derivative} {report}");
            let apart = (derivative - entry.dual).abs();
            assert!(apart <= 1e-10 * entry.reference + entry.rounding, "{name} {derivative} {report}");
        }
        assert_eq!(names.len(), report.entries.len());
        let whole = ordinary().run()?;
        for (found, one) in fit.parameters.iter().zip(&whole.summary().parameters) {
            assert_eq!((&found.name, &found.of), (&one.name, &one.of));
            assert!(((found.found - one.found) / one.standard_deviation).abs() < 1e-3, "{fit} {whole}");
            assert!((found.standard_deviation / one.standard_deviation - 1.0).abs() < 1e-4, "{fit} {whole}");
        }
        assert_eq!(fit.model().preload.to_bits(), start().preload.to_bits());
    }
    Ok(())
}

/// An experiment that validates is simulated with what the others have found, wherever these are, and is no part of the cost.
#[test]
fn processes_validate() -> Tested {
    let records = &records(1.0, 5)?;
    let told = |on: &dyn Executor| -> Result<JointFit<Isolator>, IdentificationError> {
        let share = ExperimentShare::new(on, BENCHES.len())?;
        let id = unknown_campaign(records, share.own(), true).optimizer(least_squares());
        id.joint(share)?.minimize()
    };
    let fit = told(&Threads)?;
    // of three processes the last one has nothing but the experiment that validates
    for count in [2, 3] {
        let all = each(count, |on| told(on).map(|fit| format!("{fit:?}")).map_err(|error| error.to_string()));
        assert_eq!(all, vec![Ok(format!("{fit:?}")); count]);
    }
    assert_eq!(fit.experiments.iter().map(|one| &one.name[..]).collect::<Vec<_>>(), ["slow", "fast"]);
    let whole = unknown_campaign(records, 0..3, true).optimizer(least_squares()).run()?;
    let ([found], [one]) = (&fit.validation[..], &whole.summary().validation[..]) else {
        return Err("one experiment validates".into());
    };
    assert_eq!((&found.name[..], &found.failed), ("both", &None));
    let ([found], [one]) = (&found.outputs[..], &one.measurements[..]) else {
        return Err("one output".into());
    };
    assert_eq!((&found.output[..], &found.unit[..], found.samples), (one.output, one.unit, one.samples));
    assert!((found.residual / one.standard_deviation - 1.0).abs() < 1e-6, "{found:?} {one:?}");
    // it has the preload of its group, and the zero of the sensor
    assert!((found.residual / DEVIATION - 1.0).abs() < 0.1, "{found:?}");
    let (Some(percent), Some(expected)) = (found.fit_percent, one.fit_percent) else {
        return Err("a fit".into());
    };
    assert!((percent - expected).abs() < 1e-6);
    assert!(fit.to_string().contains("both, which was not fitted: position within "), "{fit}");
    // nothing else is left
    let none = each(2, |on| {
        let share = ExperimentShare::new(on, 2)?;
        let of = |number: usize| Experiment::<Isolator>::new(BENCHES[number].0).validation();
        let id = Identification::new(start()).unknown([Isolator::D]).experiment(of(share.own().start));
        id.joint(share).map(|_| ())
    });
    assert!(
        none.iter().all(|told| matches!(told, Err(IdentificationError::NothingFitted { experiments: 2 })))
    );
    Ok(())
}

/// Unknown inputs of experiments, with what is known of them beforehand.
#[test]
fn processes_share_unknown_inputs() -> Tested {
    let records = &records(1.0, 5)?;
    let of = |own: Range<usize>| {
        let mut id =
            Identification::new(start()).unknown([Isolator::D, Isolator::C]).weighting(Weighting::Likelihood);
        for (bench, record) in BENCHES[own.clone()].iter().zip(&records[own]) {
            let measured = Measurement::new(Isolator::POSITION, record).standard_deviation(DEVIATION);
            let pushed = UnknownInput::straight(Isolator::DRIVE, 0.25, 2.0).deviation(3.0).smoothness(1e3);
            let one = Experiment::new(bench.0).input(Isolator::DRIVE, drive(bench.4)).measurement(measured);
            id = id.experiment(if bench.0 == "slow" { one } else { one.unknown_input(pushed) });
        }
        id
    };
    let told = |on: &dyn Executor| -> Result<(Vec<String>, f64, Vec<f64>), IdentificationError> {
        let share = ExperimentShare::new(on, BENCHES.len())?;
        let joint = of(share.own()).joint(share)?;
        let at: Vec<f64> =
            joint.start().iter().enumerate().map(|(k, x)| x + 0.1 * (k as f64).sin()).collect();
        let (cost, gradient) = joint.evaluate(&at)?;
        let (start, at_start) = joint.evaluate(&joint.start())?;
        Ok((joint.unknowns().map(str::to_owned).collect(), cost + start, [gradient, at_start].concat()))
    };
    let alone = told(&Threads)?;
    for count in [2, 3] {
        let all = each(count, |on| told(on).map_err(|error| error.to_string()));
        assert_eq!(all, vec![Ok(alone.clone()); count]);
    }
    let report = of(0..3).check_gradient()?;
    let names: Vec<&String> = report.entries.iter().map(|entry| &entry.parameter).collect();
    assert_eq!(alone.0.iter().collect::<Vec<_>>(), names);
    for (derivative, entry) in alone.2[names.len()..].iter().zip(&report.entries) {
        let apart = (derivative - entry.dual).abs();
        assert!(apart <= 1e-10 * entry.reference + entry.rounding, "{derivative} {entry:?}");
    }
    Ok(())
}

/// What experiments of different processes have in common has to be the same in all of them.
#[test]
fn common_corrections_that_differ() -> Tested {
    let records = &records(1.0, 5)?;
    let refused = each(3, |on| {
        let share = ExperimentShare::new(on, BENCHES.len())?;
        let number = share.own().start;
        let zero = Correction::unknown(1e-4 * number as f64).typical(1e-3).common("zero");
        let measured = Measurement::new(Isolator::POSITION, &records[number]).standard_deviation(DEVIATION);
        let one = Experiment::new(BENCHES[number].0).measurement(measured.offset(zero));
        let id = Identification::new(start()).unknown([Isolator::D]).weighting(Weighting::Likelihood);
        id.experiment(one.input(Isolator::DRIVE, drive([3.0, 11.0]))).joint(share).map(|_| ())
    });
    for told in refused {
        let text = told.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            text.starts_with(
                "process 1 has failed: the common offset `zero` begins with 0.0001 there, and differs"
            ),
            "{text}"
        );
    }
    Ok(())
}

/// With losses other than squares, with weights in place of deviations, and with deviations that the residuals tell, cost, fit and
/// standard deviations are those of an identification with all experiments.
#[test]
fn processes_share_losses_weights_and_deviations() -> Tested {
    let mut records = records(1.0, 5)?;
    // some samples of one record are far off
    let position = records[1].channel("position")?.values().iter().enumerate();
    let values: Vec<f64> = position.map(|(j, x)| x + f64::from(j % 50 == 7)).collect();
    records[1] = Record::new(records[1].times().to_vec())?.with_channel("position", Some("mm"), values)?;
    let records = &records;
    let of = |own: Range<usize>, (loss, is_given): (Option<Loss>, bool), method: Method| {
        let mut id = Identification::new(start())
            .unknown([Isolator::D, Isolator::C, Isolator::C_3])
            .unknown_per_group([UnknownParameter::from(Isolator::PRELOAD).linear(2.0)])
            .optimizer(OptimizerSettings::default().with_method(method))
            .weighting(Weighting::Given);
        for (bench, record) in BENCHES[own.clone()].iter().zip(&records[own]) {
            let measured = Measurement::new(Isolator::POSITION, record);
            let measured = match loss {
                Some(_) if is_given || bench.0 == "both" => measured.standard_deviation(DEVIATION),
                Some(_) => measured,
                None => measured.weight(if bench.0 == "fast" { 1e6 } else { 1e7 }),
            };
            let one = Experiment::new(bench.0).group(bench.1).input(Isolator::DRIVE, drive(bench.4));
            id = id.experiment(one.measurement(measured).parameter(Isolator::BEGIN, bench.2));
        }
        let prior = Prior::Normal { mean: 3.5, standard_deviation: 2.0 };
        let id = if loss == Some(Loss::Squares) { id.prior(Isolator::D, prior) } else { id };
        loss.into_iter().fold(id, |id, loss| id.loss(loss).weighting(Weighting::Likelihood))
    };
    for (said, method) in [
        ((Some(Loss::huber()), true), Method::Bfgs),
        ((Some(Loss::cauchy()), false), least_squares().method),
        ((Some(Loss::Squares), false), least_squares().method),
        ((None, false), Method::Bfgs),
    ] {
        let path = &file("joint_rounds.json");
        let told = |on: &dyn Executor, most: Option<usize>, is_kept: bool| {
            let share = ExperimentShare::new(on, BENCHES.len())?;
            let mut id = of(share.own(), said, method);
            if let Some(most) = most {
                let optimizer = OptimizerSettings::default().with_method(method);
                id = id.optimizer(optimizer.with_maximum_iterations(most));
            }
            let joint = if is_kept { id.state_file(path) } else { id }.joint(share)?;
            let (_, gradient) = joint.evaluate(&joint.start())?;
            Ok::<_, IdentificationError>((joint.minimize()?, gradient))
        };
        let (fit, gradient) = told(&Threads, None, false)?;
        let text = |(fit, gradient): &(JointFit<Isolator>, Vec<f64>)| {
            format!("{} {} {} {gradient:?}", bits(fit), fit.rounds, fit.settled)
        };
        let alone = text(&(fit.clone(), gradient.clone()));
        assert!(fit.settled && (fit.rounds > 1) == (said.0.is_some() && !said.1), "{said:?} {fit:?}");
        // stopped before, and continued
        let stopped = each(2, |on| told(on, Some(3), true).map(|(fit, _)| fit.iterations));
        assert!(stopped.into_iter().all(|told| told.is_ok_and(|iterations| iterations == 3)));
        let all =
            each(3, |on| told(on, None, true).map(|told| text(&told)).map_err(|error| with_causes(&error)));
        assert_eq!(all, vec![Ok(alone); 3], "{said:?}");

        let report = of(0..3, said, method).check_gradient()?;
        for (derivative, entry) in gradient.iter().zip(&report.entries) {
            let apart = (derivative - entry.dual).abs();
            assert!(apart <= 1e-10 * entry.reference + entry.rounding, "{said:?} {derivative} {report}");
        }
        let whole = of(0..3, said, method).run()?;
        let within = if fit.rounds > 1 { 1e-4 } else { 1e-9 };
        assert!((fit.cost_end / whole.summary().cost_end - 1.0).abs() < within, "{said:?} {fit} {whole}");
        for (found, one) in fit.parameters.iter().zip(&whole.summary().parameters) {
            assert!(((found.found - one.found) / one.standard_deviation).abs() < 1e-3, "{fit} {whole}");
            let deviations = found.standard_deviation / one.standard_deviation;
            assert!((deviations - 1.0).abs() < 1e-4, "{said:?} {fit} {whole}");
        }
    }
    Ok(())
}
