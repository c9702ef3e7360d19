//! Unknowns of single experiments and groups, in several processes.

use std::ops::Range;

use costate::ensemble::{Executor, Threads};
use costate::identify::{
    Correction, DistributedFit, Experiment, ExperimentShare, IdentificationError, Measurement, Prior,
    SpecificationError, UnknownInput, UnknownParameter, Weighting,
};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Identification, Record};

use super::{DEVIATION, bits, each};
use crate::campaign::{BENCHES, Isolator, Tested, common, drive, driven, late, least_squares, records, start};

/// Makes a campaign of the experiments with these numbers with all kinds of unknowns, with given deviations; the
/// last experiment may validate.
fn unknown_campaign(records: &[Record], own: Range<usize>, validates: bool) -> Identification<Isolator> {
    let common = common();
    let mut id = Identification::new(&common)
        .unknown([Isolator::D, Isolator::C, Isolator::C_3])
        .unknown_per_group([UnknownParameter::from(Isolator::PRELOAD).linear(2.0)])
        .unknown_per_experiment([UnknownParameter::from(Isolator::BEGIN).linear(0.01)])
        .prior(Isolator::D, Prior::Normal { mean: 3.5, standard_deviation: 2.0 })
        .weighting(Weighting::Likelihood);
    for (number, (bench, record)) in own.clone().zip(BENCHES[own.clone()].iter().zip(&records[own])) {
        let is_validation = number == 2 && validates;
        let own = driven(&common, bench);
        let own = if is_validation { own.parameter(Isolator::BEGIN, bench.2) } else { own };
        let measured = Measurement::new(record).standard_deviation(DEVIATION);
        let mut one = Experiment::new(bench.0).group(bench.1).simulation(&own);
        let offset = Correction::unknown(0.0).typical(1e-3).within(-0.01, 0.01).common("zero of the sensor");
        let measured = if number == 1 { measured } else { measured.offset(offset) };
        let measured = if is_validation { measured.gain(Correction::unknown(1.02)) } else { measured };
        one = one.measured(Isolator::POSITION, measured);
        if number == 1 {
            one = one.measured(Isolator::ACCELERATION, late(record).standard_deviation(2e-3));
        }
        if is_validation {
            one = one.validation();
        }
        id = id.experiment(one);
    }
    id
}

/// Checks that unknowns of groups and experiments, gains, offsets and delays are those of an identification with
/// all experiments, in the same order, and so are the gradient and the result; with the same bits for any number
/// of processes.
#[test]
fn processes_share_what_experiments_have_for_themselves() -> Tested {
    let records = &records(1.0, 5)?;
    for method in [Method::Bfgs, least_squares().method] {
        let optimizer = &OptimizerSettings::default().with_method(method);
        let told = |on: &dyn Executor| -> Result<_, IdentificationError> {
            let share = ExperimentShare::new(on, BENCHES.len())?;
            let id = unknown_campaign(records, share.own(), false).optimizer(optimizer.clone());
            let joint = id.distributed(share)?;
            let names: Vec<String> = joint.unknowns().map(str::to_owned).collect();
            let (cost, gradient) = joint.evaluate(&joint.start())?;
            let factors = joint.memory()[0].factor_bytes;
            Ok((names, cost, gradient, factors, joint.minimize()?))
        };
        let (names, cost, gradient, factors, fit) = told(&Threads)?;
        let text = |(names, cost, gradient, factors, fit): &(_, _, _, _, DistributedFit<Isolator>)| {
            let _: (&Vec<String>, &f64, &Vec<f64>, &u64) = (names, cost, gradient, factors);
            format!("{names:?} {cost:?} {gradient:?} {factors} {} {}", bits(fit), fit.simulations)
        };
        let alone = text(&(names.clone(), cost, gradient.clone(), factors, fit.clone()));
        for count in [2, 3] {
            let all = each(count, |on| told(on).map(|told| text(&told)).map_err(|error| error.to_string()));
            assert_eq!(all, vec![Ok(alone.clone()); count], "{method} on {count}");
        }
        // three common unknowns, preload, begin and offset; `fast` also has delay, gain and another offset
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

/// Checks that an experiment that validates is simulated with the values found from the others, in whatever
/// process these are, and is no part of the cost.
#[test]
fn processes_validate() -> Tested {
    let records = &records(1.0, 5)?;
    let told = |on: &dyn Executor| -> Result<DistributedFit<Isolator>, IdentificationError> {
        let share = ExperimentShare::new(on, BENCHES.len())?;
        let id = unknown_campaign(records, share.own(), true).optimizer(least_squares());
        id.distributed(share)?.minimize()
    };
    let fit = told(&Threads)?;
    // of three processes the last one has only the experiment that validates
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
    // the begin and a gain, which the experiment has for itself, are found from its own data; minimisations end within
    // 1e-4 of the deviations of the unknowns, whose effect on the residuals is of second order
    let own: Vec<&str> = whole.summary().validation[0].own.iter().map(|own| &own.name[..]).collect();
    assert_eq!(own, ["begin [both]", "gain of position [both]"]);
    assert!((found.residual / one.standard_deviation - 1.0).abs() < 1e-6, "{found:?} {one:?}");
    // the experiment has the preload of its group, and the zero of the sensor
    assert!((found.residual / DEVIATION - 1.0).abs() < 0.1, "{found:?}");
    let (Some(percent), Some(expected)) = (found.fit_percent, one.fit_percent) else {
        return Err("a fit".into());
    };
    assert!((percent - expected).abs() < 1e-5, "{percent} {expected}");
    assert!(fit.to_string().contains("validation both: position, residual "), "{fit}");
    // without an experiment that is fitted
    let none = each(2, |on| {
        let share = ExperimentShare::new(on, 2)?;
        let of = |number: usize| Experiment::<Isolator>::new(BENCHES[number].0).validation();
        let id = Identification::new(&common()).unknown([Isolator::D]).experiment(of(share.own().start));
        id.distributed(share).map(|_| ())
    });
    assert!(none.iter().all(|told| matches!(
        told,
        Err(IdentificationError::Specification(SpecificationError::NothingFitted { experiments: 2 }))
    )));
    Ok(())
}

/// Checks unknown inputs of experiments, with prior knowledge of them.
#[test]
fn processes_share_unknown_inputs() -> Tested {
    let records = &records(1.0, 5)?;
    let of = |own: Range<usize>| {
        let common = common();
        let mut id = Identification::new(&common).unknown([Isolator::D, Isolator::C]).weighting(Weighting::Likelihood);
        for (bench, record) in BENCHES[own.clone()].iter().zip(&records[own]) {
            let measured = Measurement::new(record).standard_deviation(DEVIATION);
            let pushed = UnknownInput::straight(Isolator::DRIVE, 0.25, 2.0).deviation(3.0).smoothness(1e3);
            let one = Experiment::new(bench.0).simulation(&driven(&common, bench));
            let one = one.measured(Isolator::POSITION, measured);
            id = id.experiment(if bench.0 == "slow" { one } else { one.unknown_input(pushed) });
        }
        id
    };
    let told = |on: &dyn Executor| -> Result<(Vec<String>, f64, Vec<f64>), IdentificationError> {
        let share = ExperimentShare::new(on, BENCHES.len())?;
        let joint = of(share.own()).distributed(share)?;
        let at: Vec<f64> = joint.start().iter().enumerate().map(|(k, x)| x + 0.1 * (k as f64).sin()).collect();
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

/// Checks that values common to experiments of different processes must be the same in all of them.
#[test]
fn common_corrections_that_differ() -> Tested {
    let records = &records(1.0, 5)?;
    let refused = each(3, |on| {
        let share = ExperimentShare::new(on, BENCHES.len())?;
        let number = share.own().start;
        let zero = Correction::unknown(1e-4 * number as f64).typical(1e-3).common("zero");
        let measured = Measurement::new(&records[number]).standard_deviation(DEVIATION).offset(zero);
        let one = Experiment::new(BENCHES[number].0).measured(Isolator::POSITION, measured);
        let simulation = common().input(Isolator::DRIVE, drive([3.0, 11.0]));
        let id = Identification::new(&simulation).unknown([Isolator::D]).weighting(Weighting::Likelihood);
        id.experiment(one).distributed(share).map(|_| ())
    });
    for told in refused {
        let text = told.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(
            text.starts_with("process 1 has failed: the common offset `zero` begins with 0.0001 there, and differs"),
            "{text}"
        );
    }
    Ok(())
}
