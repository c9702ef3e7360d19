//! Results after a fit: profiles, validation, bootstraps, files.

use costate::ensemble::{Collection, Ensemble, EnsembleError};
use costate::identify::residuals::Judgement;
use costate::identify::{
    Fit, Identifiability, IdentificationError, ModelComparison, ModelComparisonError, ProfileSettings, RequestError,
    Resampling, UnknownParameter,
};
use costate::{Identification, Record, Simulation};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{
    BENCHES, Bench, Isolator, Tested, campaign, common, drive, driven, experiment, experiment_of, least_squares,
    record, records,
};

/// Checks that profiles of a right model are parabolas near the minimum, and that undetermined unknowns are
/// reported, with the combination that is not determined.
#[test]
fn profiles_tell_what_can_be_identified() -> Tested {
    let record = record(&BENCHES[2], 30.0, 11)?;
    let truth = Isolator { preload: 6.0, begin: 0.03, ..Isolator::default() };
    let fitted = |unknown: &[costate::Parameter<Isolator>]| {
        let simulation = driven(&Simulation::new(&truth), &BENCHES[2]);
        let id = Identification::new(&simulation).unknown(unknown.iter().copied());
        id.measured(Isolator::POSITION, &record).optimizer(least_squares())
    };
    let fit = fitted(&[Isolator::D, Isolator::C, Isolator::C_3]).run()?;
    let profiled = fit.profiles(&ProfileSettings::default())?;
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
    let folder = crate::file("profiles");
    let in_folder = |shard: &str| -> Result<_, Box<dyn std::error::Error>> {
        let id = fitted(&[Isolator::D, Isolator::C, Isolator::C_3]);
        let ensemble = Ensemble::new().folder(&folder).shard(shard.parse()?);
        Ok(id.run()?.profiles_in(&ensemble, &ProfileSettings::default())?)
    };
    assert!(in_folder("2/2").is_err_and(|error| error.to_string().starts_with("3 of 6 tasks are done")));
    assert_eq!(in_folder("1/1")?.profiles, profiled.profiles);
    assert_eq!(Collection::read(&folder)?.repeated, 0);
    // mass, damping, stiffness and force are determined only up to a common factor
    let all = [Isolator::M, Isolator::D, Isolator::C, Isolator::C_3, Isolator::PRELOAD];
    let silent = Isolator { begin: 0.03, preload: 6.0, ..Isolator::default() };
    let id = Identification::new(&Simulation::new(&silent).input(Isolator::DRIVE, 0.0)).unknown(all);
    let run = Simulation::new(&truth).input(Isolator::DRIVE, 0.0).step(2e-3).until(2.0).run()?;
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let noisy = run.output(Isolator::POSITION).into_iter().map(|x| {
        let fresh: f64 = StandardNormal.sample(&mut random);
        x + 2e-4 * fresh
    });
    let free = Record::new(run.times())?.with_channel("position", Some("m"), noisy.collect())?;
    let settings = ProfileSettings::default().with_unknowns(["c"]).with_points(6);
    let id = id.measured(Isolator::POSITION, &free).optimizer(least_squares());
    let profiled = id.run()?.profiles(&settings)?;
    let profile = &profiled.profiles[0];
    assert_eq!(profile.identifiability, Identifiability::StructurallyNot, "{profiled}");
    let mut names: Vec<_> = profile.combination.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["c_3", "d", "m", "preload"], "{profiled}");
    // all change in proportion to their values, of which the ratios are those of the truth
    let value = |name: &str| match name {
        "m" => truth.m,
        "d" => truth.d,
        "c_3" => truth.c_3,
        _ => truth.preload,
    };
    let in_proportion = |(name, change): &(String, f64)| (change * truth.c / value(name) - 1.0).abs() < 0.1;
    assert!(profile.combination.iter().all(in_proportion), "{profiled}");
    // where another unknown has bounds, no end is determined by the data, and that unknown is named
    let id =
        Identification::new(&Simulation::new(&silent).input(Isolator::DRIVE, 0.0)).measured(Isolator::POSITION, &free);
    let bounded = UnknownParameter::from(Isolator::D).within(0.6 * truth.d, 1.5 * truth.d);
    let id = id.unknown([Isolator::M, Isolator::C, Isolator::C_3, Isolator::PRELOAD]).unknown([bounded]);
    let profiled = id.optimizer(least_squares()).run()?.profiles(&ProfileSettings::default().with_unknowns(["c"]))?;
    let profile = &profiled.profiles[0];
    assert_eq!(profile.identifiability, Identifiability::StructurallyNot, "{profiled}");
    assert_eq!(profile.others_at_bound, [["d"], ["d"]], "{profiled}");
    let parts = [profile.interval[0].value(-1.0), profile.interval[1].value(1.0)].map(|end| end / truth.c);
    assert!((parts[0] / 0.6 - 1.0).abs() < 0.1 && (parts[1] / 1.5 - 1.0).abs() < 0.1, "{parts:?} {profiled}");
    assert!(profiled.to_string().contains("its upper end is due to the bound of d"), "{profiled}");
    Ok(())
}

/// Checks that an experiment that was not fitted is reported beside the fit, and that models of the same data are
/// compared.
#[test]
fn validation_and_comparison() -> Tested {
    let records = records(30.0, 6)?;
    let fit = |c_3: f64, unknown: &[costate::Parameter<Isolator>]| {
        let common = Simulation::new(&Isolator { c: 380.0, c_3, ..Isolator::default() });
        let known = |bench: &Bench, preload| {
            let own = driven(&common, bench).parameter(Isolator::PRELOAD, preload);
            let record = &records[BENCHES.iter().position(|b| b.0 == bench.0).unwrap_or(0)];
            experiment_of(bench, &own.parameter(Isolator::BEGIN, bench.2), record)
        };
        Identification::new(&common)
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
    assert!(models.models[1].behind > 100.0 && models.to_string().contains("very strong evidence"), "{models}");
    let other = campaign(&records).optimizer(least_squares()).run()?;
    let other = ModelComparison::new([("a", right.summary()), ("b", other.summary())]);
    assert!(matches!(other, Err(ModelComparisonError::OtherData { .. })), "{other:?}");
    Ok(())
}

/// Checks that deviations by resampling residuals or experiments are those of the fit where that is right, and
/// depend on the seed alone.
#[test]
fn bootstraps_scatter_as_deviations_say() -> Tested {
    let records = records(30.0, 8)?;
    let id = || {
        let common = Simulation::new(&Isolator { c: 390.0, ..Isolator::default() });
        let known = |k: usize, preload| {
            let own = driven(&common, &BENCHES[k]).parameter(Isolator::PRELOAD, preload);
            experiment_of(&BENCHES[k], &own.parameter(Isolator::BEGIN, BENCHES[k].2), &records[k])
        };
        Identification::new(&common)
            .unknown([Isolator::D, Isolator::C, Isolator::C_3])
            .experiment(known(0, 2.0))
            .experiment(known(1, 6.0))
            .experiment(known(2, 6.0))
            .optimizer(least_squares())
    };
    let fit = id().run()?;
    let drawn = fit.bootstrap(Resampling::Residuals, 40, 1)?;
    for (k, unknown) in fit.summary().parameters.iter().enumerate() {
        let ratio = drawn.standard_deviations[k] / unknown.standard_deviation;
        assert!((0.7..1.4).contains(&ratio), "{drawn}");
        let [lower, upper] = drawn.intervals[k];
        assert!(lower < unknown.found && unknown.found < upper, "{drawn}");
    }
    assert_eq!(fit.bootstrap(Resampling::Residuals, 3, 1)?.found[..], drawn.found[..3]);
    let folder = crate::file("bootstrap");
    let in_folder = |shard: &str, repetitions, seed| {
        let ensemble = Ensemble::new().folder(&folder).shard(shard.parse().unwrap());
        fit.bootstrap_in(&ensemble, Resampling::Residuals, repetitions, seed)
    };
    let unfinished = in_folder("1/2", 3, 1);
    assert!(
        matches!(unfinished, Err(IdentificationError::Ensemble(EnsembleError::Unfinished { done: 2, .. }))),
        "{unfinished:?}"
    );
    assert_eq!(in_folder("1/1", 4, 1)?.found[..], drawn.found[..4]);
    assert_eq!(Collection::read(&folder)?.repeated, 0);
    let other = in_folder("1/1", 4, 2).map(|_| ()).map_err(|e| e.to_string());
    assert!(other.is_err_and(|error| error.contains("the seed: 1 in the file, now 2")));
    let experiments = fit.bootstrap(Resampling::Experiments, 20, 1)?;
    assert!(experiments.failed.is_empty() && experiments.found.len() == 20, "{experiments}");
    // some samples contain one experiment three times, and so less information
    assert!(experiments.standard_deviations[1] > 0.0);

    let left = fit.leave_one_out()?;
    assert_eq!(left.left_out.len(), 3);
    for one in &left.left_out {
        assert!(one.changes.iter().all(|change| change.abs() < 6.0), "{left}");
        assert!(one.validation.measurements[0].fit_percent.is_some_and(|percent| percent > 80.0), "{left}");
    }
    assert!(left.to_string().contains("left out"), "{left}");
    let alone = Identification::new(&common()).unknown([Isolator::C]).experiment(experiment(&BENCHES[0], &records[0]));
    assert!(matches!(
        alone.run()?.leave_one_out(),
        Err(IdentificationError::Request(RequestError::TooFewExperiments { .. }))
    ));
    assert!(matches!(
        fit.bootstrap(Resampling::Residuals, 1, 1),
        Err(IdentificationError::Request(RequestError::Repetitions { .. }))
    ));
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
    Ok(())
}
