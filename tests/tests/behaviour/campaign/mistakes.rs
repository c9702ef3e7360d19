//! Refused campaigns, and the names in their errors.

use costate::identify::residuals::Loss;
use costate::identify::{Correction, Experiment, IdentificationError, Measurement, Prior, UnknownParameter};
use costate::{Identification, Record};
use std::error::Error;

use super::{BENCHES, Isolator, Tested, common, driven, experiment, experiment_of, records};

#[test]
fn mistakes_are_named() -> Tested {
    let records = records(1.0, 2)?;
    let [first, second] = [&records[0], &records[1]];
    let both = |a: Experiment<Isolator>, b| {
        let id = Identification::new(&common()).unknown([Isolator::C]);
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
    says(both(experiment(&BENCHES[0], first), experiment(&BENCHES[0], second)), "two experiments are called `slow`");
    let twice = experiment(&BENCHES[1], second).measured(Isolator::POSITION, second);
    says(both(experiment(&BENCHES[0], first), twice), "experiment `fast`: the output `position` is measured twice");
    let accelerated =
        |measurement: Measurement| experiment(&BENCHES[1], second).measured(Isolator::ACCELERATION, measurement);
    let beyond = Measurement::new(second).delay(Correction::unknown(3.0).within(2.5, 4.0));
    says(
        both(experiment(&BENCHES[0], first), accelerated(beyond)),
        "all 2001 samples of the output `acceleration` in `record` are left out",
    );
    let unbounded = Measurement::new(second).delay(Correction::unknown(1e-3));
    says(both(experiment(&BENCHES[0], first), accelerated(unbounded)), "give bounds with `.within(lower, upper)`");
    let masked = Measurement::new(second).window(5.0, 6.0);
    says(both(experiment(&BENCHES[0], first), accelerated(masked)), "all 2001 samples");
    let alone = Identification::new(&common()).unknown_per_experiment([Isolator::C]);
    let alone = alone.experiment(experiment(&BENCHES[0], first)).experiment(experiment(&BENCHES[1], second));
    says(alone.run().unwrap_err(), "no unknown is common to two of the 2 experiments");
    let prior = |prior| {
        let bounded = UnknownParameter::from(Isolator::C).within(300.0, 500.0);
        let id = Identification::new(&common()).unknown([bounded]).prior(Isolator::C, prior);
        id.experiment(experiment(&BENCHES[0], first)).run().unwrap_err()
    };
    says(
        prior(Prior::Normal { mean: 600.0, standard_deviation: 1.0 }),
        "the prior of `c` has mean = 600; it must be within the bounds of the unknown, 300 to 500",
    );
    says(prior(Prior::LogNormal { median: 400.0, log_deviation: 0.0 }), "log_deviation = 0");
    let known = Identification::new(&common()).unknown([Isolator::C]);
    let known = known.prior(Isolator::D, Prior::Normal { mean: 1.0, standard_deviation: 1.0 });
    says(known.experiment(experiment(&BENCHES[0], first)).run().unwrap_err(), "`d` has a prior and is not unknown");
    let beside = Identification::new(&common()).unknown([Isolator::C]).measured(Isolator::POSITION, first);
    says(beside.experiment(experiment(&BENCHES[0], first)).run().unwrap_err(), "a measurement of its own");
    let short = Record::new(vec![0.0, 1e-3])?.with_channel("position", Some("mm"), vec![0.0, 0.1])?;
    let few = Identification::new(&common()).unknown([Isolator::D, Isolator::C, Isolator::C_3]);
    says(few.experiment(experiment(&BENCHES[0], &short)).run().unwrap_err(), "2 samples cannot determine 3 unknowns");
    let given = Measurement::new(first).weight(2.0);
    let silent = common().input(Isolator::DRIVE, 0.0);
    let given = Experiment::new("a").simulation(&silent).measured(Isolator::POSITION, given);
    let robust = Identification::new(&common()).unknown([Isolator::C]).loss(Loss::Huber { threshold: 1.3 });
    says(robust.experiment(given).run().unwrap_err(), "requires residuals to be weighted by their standard deviations");
    Ok(())
}

/// Checks that the error names the experiment that cannot be simulated.
#[test]
fn an_experiment_that_fails_is_named() -> Tested {
    let records = records(1.0, 2)?;
    let nonsense = |t: f64| if t > 0.5 { f64::NAN } else { 0.0 };
    let one = experiment(&BENCHES[0], &records[0]);
    let failing = driven(&common(), &BENCHES[1]).input(Isolator::DRIVE, nonsense);
    let other = experiment_of(&BENCHES[1], &failing, &records[1]);
    let error = Identification::new(&common()).unknown([Isolator::C]).experiment(one).experiment(other).run();
    let error = error.unwrap_err();
    assert!(matches!(&error, IdentificationError::Experiment { experiment, .. } if experiment == "fast"), "{error:?}");
    Ok(())
}
