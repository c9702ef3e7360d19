//! The published identification of the engine mount (DA 5), from a CSV file.

use costate::identify::{IdentificationError, UnknownParameter};
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::Interrupt;
use costate::{Identification, Parameter, Record, Simulation};
use costate_models::{EngineMount, engine_mount};
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, Normal};

fn unknown() -> [Parameter<EngineMount>; 4] {
    [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2]
}

fn truth() -> [f64; 4] {
    let mount = EngineMount::default();
    [mount.c_e1, mount.c_e2, mount.d_e, mount.d_h2]
}

/// The acceleration of the true mount with noise of a standard deviation relative to its RMS, through a CSV file.
fn record(noise: f64, seed: u64) -> Record {
    let run = Simulation::new(&EngineMount::default())
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::END)
        .alpha(engine_mount::ALPHA)
        .run()
        .unwrap();
    let mut acceleration = run.output(EngineMount::ACCELERATION);
    let rms = (acceleration.iter().map(|a| a * a).sum::<f64>() / acceleration.len() as f64).sqrt();
    let (mut random, distribution) = (SmallRng::seed_from_u64(seed), Normal::new(0.0, noise * rms).unwrap());
    acceleration.iter_mut().for_each(|a| *a += distribution.sample(&mut random));
    let record = Record::new(run.times()).unwrap().with_channel("acceleration", Some("m/s^2"), acceleration).unwrap();
    let mut file = Vec::new();
    record.to_csv(&mut file).unwrap();
    Record::from_csv(file.as_slice(), "mount.csv").unwrap()
}

fn simulation() -> Simulation<EngineMount> {
    Simulation::new(&EngineMount::start()).input(EngineMount::DRIVE, engine_mount::sweep).alpha(engine_mount::ALPHA)
}

fn identification(simulation: &Simulation<EngineMount>, record: &Record) -> Identification<EngineMount> {
    Identification::new(simulation).unknown(unknown()).measured(EngineMount::ACCELERATION, record)
}

#[test]
fn exact_record_to_every_parameter_as_published() {
    let record = record(0.0, 0);
    let fit = identification(&simulation(), &record).run().unwrap();
    let summary = fit.summary();
    assert!(summary.iterations <= 12, "{fit}");
    assert!(summary.cost_end <= 1e-18 * summary.cost_start, "{fit}");
    assert!((summary.cost_start - 50.809481732739826).abs() < 1e-9 * 50.8, "{fit}");
    for (parameter, truth) in summary.parameters.iter().zip(truth()) {
        assert!((parameter.found - truth).abs() <= 1e-7 * truth, "{}: {fit}", parameter.name);
    }
    // c_e1 converges fastest, d_h2 slowest (DA figure 7).
    let settled = |k: usize, truth: f64| {
        summary.history.iter().rposition(|iteration| (iteration.parameters[k] - truth).abs() > 1e-2 * truth)
    };
    let settled: Vec<_> = (0..4).map(|k| settled(k, truth()[k])).collect();
    assert_eq!(settled.iter().min(), Some(&settled[0]), "{settled:?}");
    assert_eq!(settled.iter().max(), Some(&settled[3]), "{settled:?}");
}

#[test]
fn noisy_records_leave_the_truth_within_three_deviations() {
    for seed in 1..=4 {
        let record = record(0.01, seed);
        let fit = identification(&simulation(), &record).run().unwrap();
        for (parameter, truth) in fit.summary().parameters.iter().zip(truth()) {
            let deviations = (parameter.found - truth).abs() / parameter.standard_deviation;
            assert!(deviations < 3.0, "seed {seed}, {}: {deviations} deviations\n{fit}", parameter.name);
        }
        // The deviation of the record is found too.
        let found = fit.summary().measurements[0].standard_deviation;
        let given = record_deviation();
        assert!((found / given - 1.0).abs() < 0.05, "{found}, not {given}");
    }
}

fn record_deviation() -> f64 {
    let record = record(0.0, 0);
    let values = record.channel("acceleration").unwrap().values();
    0.01 * (values.iter().map(|a| a * a).sum::<f64>() / values.len() as f64).sqrt()
}

#[test]
fn interrupted_identifications_resume_bit_by_bit() {
    let record = record(0.0, 0);
    let folder = std::env::temp_dir().join(format!("costate-resume-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let state = folder.join("mount.json");
    let limited = |simulation: Simulation<EngineMount>| {
        let mut settings = OptimizerSettings::default();
        settings.maximum_iterations = 12;
        identification(&simulation, &record).optimizer(settings)
    };
    let whole = limited(simulation()).run().unwrap();
    // Interrupted in the middle of every third iteration, until it is done.
    let mut stops = 0;
    let resumed = loop {
        let interrupt = Interrupt::new();
        let mut iterations = 0;
        let trigger = interrupt.clone();
        let interrupted = limited(simulation().interrupt(interrupt)).state_file(&state);
        let result = interrupted.run_observed(|_| {
            iterations += 1;
            if iterations == 3 {
                trigger.trigger();
            }
        });
        match result {
            Ok(fit) => break fit,
            Err(IdentificationError::Interrupted { .. }) => stops += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(stops < 20);
    };
    assert!(stops >= 3, "{stops}");
    let values = |fit: &costate::Fit<EngineMount>| {
        fit.summary().parameters.iter().map(|p| p.found.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(values(&whole), values(&resumed));
    assert_eq!(whole.summary().cost_end.to_bits(), resumed.summary().cost_end.to_bits());
    assert_eq!(whole.summary().history, resumed.summary().history);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn inputs_come_from_the_record_where_nothing_else_is_given() {
    let run = Simulation::new(&EngineMount::default())
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(0.1)
        .run()
        .unwrap();
    let drive = run.times().into_iter().map(engine_mount::sweep).collect();
    let record = Record::new(run.times())
        .and_then(|record| record.with_channel("acceleration", None, run.output(EngineMount::ACCELERATION)))
        .and_then(|record| record.with_channel("drive", Some("N"), drive))
        .unwrap();
    let fit = Identification::new(&Simulation::new(&EngineMount { c_e1: 100e3, ..EngineMount::default() }))
        .unknown([EngineMount::C_E1])
        .measured(EngineMount::ACCELERATION, &record)
        .run()
        .unwrap();
    assert!((fit.model().c_e1 - 123e3).abs() < 1e-6 * 123e3, "{fit}");
}

#[test]
fn an_active_bound_holds_and_is_named() {
    let record = record(0.0, 0);
    let mut settings = OptimizerSettings::default();
    settings.maximum_iterations = 20;
    let mut tried = Vec::new();
    let simulation = Simulation::new(&EngineMount::start()).input(EngineMount::DRIVE, engine_mount::sweep);
    let fit = Identification::new(&simulation)
        .unknown([UnknownParameter::from(EngineMount::C_E1).within(60e3, 100e3)])
        .measured(EngineMount::ACCELERATION, &record)
        .optimizer(settings)
        .run_observed(|iteration| tried.push(iteration.parameters[0]))
        .unwrap();
    assert!(tried.iter().all(|c| (60e3..=100e3).contains(c)), "{tried:?}");
    assert_eq!(fit.model().c_e1, 100e3);
    assert!(fit.to_string().contains("c_e1 is at its bound"), "{fit}");
}

#[test]
fn starts_outside_the_bounds_are_refused_by_name() {
    let record = record(0.0, 0);
    let error = identification(&simulation(), &record)
        .unknown([UnknownParameter::from(EngineMount::C_H).within(3.0e5, 3.7e5)])
        .run()
        .unwrap_err();
    let message = error.to_string();
    assert!(["375000", "300000", "370000"].iter().all(|number| message.contains(number)), "{message}");
}

#[test]
fn methods_that_know_the_residuals_take_fewer_iterations() {
    let record = record(0.0, 0);
    for method in [Method::GaussNewton, Method::LevenbergMarquardt] {
        let fit = identification(&simulation(), &record)
            .optimizer(OptimizerSettings::default().with_method(method))
            .run()
            .unwrap();
        assert!(fit.summary().iterations <= 30, "{method:?}: {fit}");
        for (parameter, truth) in fit.summary().parameters.iter().zip(truth()) {
            assert!((parameter.found - truth).abs() <= 1e-7 * truth, "{method:?}, {}: {fit}", parameter.name);
        }
    }
}
