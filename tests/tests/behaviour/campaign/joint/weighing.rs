//! The weights of residuals of several processes.

use std::ops::Range;

use costate::ensemble::{Executor, Threads};
use costate::identify::residuals::Loss;
use costate::identify::{
    DistributedFit, Experiment, ExperimentShare, IdentificationError, Measurement, Prior, UnknownParameter, Weighting,
};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Identification, Record};

use super::{DEVIATION, bits, each, with_causes};
use crate::campaign::{BENCHES, Isolator, Tested, common, driven, least_squares, records};
use crate::file;

/// With losses other than squares, with weights in place of deviations, and with deviations that the residuals tell,
/// cost, fit and standard deviations are those of an identification with all experiments.
#[test]
fn processes_share_losses_weights_and_deviations() -> Tested {
    let mut records = records(1.0, 5)?;
    // some samples of one record are far off
    let position = records[1].channel("position")?.values().iter().enumerate();
    let values: Vec<f64> = position.map(|(j, x)| x + f64::from(j % 50 == 7)).collect();
    records[1] = Record::new(records[1].times().to_vec())?.with_channel("position", Some("mm"), values)?;
    let records = &records;
    let of = |own: Range<usize>, (loss, is_given): (Option<Loss>, bool), method: Method| {
        let common = common();
        let mut id = Identification::new(&common)
            .unknown([Isolator::D, Isolator::C, Isolator::C_3])
            .unknown_per_group([UnknownParameter::from(Isolator::PRELOAD).linear(2.0)])
            .optimizer(OptimizerSettings::default().with_method(method))
            .weighting(Weighting::Given);
        for (bench, record) in BENCHES[own.clone()].iter().zip(&records[own]) {
            let measured = Measurement::new(record);
            let measured = match loss {
                Some(_) if is_given || bench.0 == "both" => measured.standard_deviation(DEVIATION),
                Some(_) => measured,
                None => measured.weight(if bench.0 == "fast" { 1e6 } else { 1e7 }),
            };
            let known = driven(&common, bench).parameter(Isolator::BEGIN, bench.2);
            let one = Experiment::new(bench.0).group(bench.1).simulation(&known);
            id = id.experiment(one.measured(Isolator::POSITION, measured));
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
            let joint = if is_kept { id.state_file(path) } else { id }.distributed(share)?;
            let (_, gradient) = joint.evaluate(&joint.start())?;
            Ok::<_, IdentificationError>((joint.minimize()?, gradient))
        };
        let (fit, gradient) = told(&Threads, None, false)?;
        let text = |(fit, gradient): &(DistributedFit<Isolator>, Vec<f64>)| {
            format!("{} {} {} {gradient:?}", bits(fit), fit.rounds, fit.settled)
        };
        let alone = text(&(fit.clone(), gradient.clone()));
        assert!(fit.settled && (fit.rounds > 1) == (said.0.is_some() && !said.1), "{said:?} {fit:?}");
        // stopped before, and continued
        let stopped = each(2, |on| told(on, Some(3), true).map(|(fit, _)| fit.iterations));
        assert!(stopped.into_iter().all(|told| told.is_ok_and(|iterations| iterations == 3)));
        let all = each(3, |on| told(on, None, true).map(|told| text(&told)).map_err(|error| with_causes(&error)));
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
