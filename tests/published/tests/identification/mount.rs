//! The published identification of the engine mount (DA 5), from a CSV file.

use costate::identify::UnknownParameter;
use costate::optimize::{Method, OptimizerSettings, StepSize};
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
    record_until(engine_mount::END, noise, seed)
}

fn record_until(end: f64, noise: f64, seed: u64) -> Record {
    let run = Simulation::new(&EngineMount::default())
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(end)
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

/// The published search takes about 60 iterations to a cost of 1e-18 (DA, figure 4).
#[test]
fn the_published_method_takes_as_many_iterations() {
    let settings = OptimizerSettings::default().with_method(Method::Bfgs);
    let fit = identification(&simulation(), &record(0.0, 0)).optimizer(settings).run().unwrap();
    let summary = fit.summary();
    let small = summary.history.iter().find(|iteration| iteration.cost <= 1e-18);
    assert!(small.is_some_and(|iteration| (55..=75).contains(&iteration.number)), "{fit}");
    for (parameter, truth) in summary.parameters.iter().zip(truth()) {
        assert!((parameter.found - truth).abs() <= 1e-7 * truth, "{}: {fit}", parameter.name);
    }
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
fn methods_that_know_the_residuals_take_few_iterations() {
    let record = record(0.0, 0);
    for (method, step_size) in [
        (Method::GaussNewton, StepSize::StrongWolfe),
        (Method::GaussNewton, StepSize::cubic_interpolation()),
        (Method::LevenbergMarquardt, StepSize::StrongWolfe),
    ] {
        let settings = OptimizerSettings::default().with_method(method).with_step_size(step_size);
        let fit = identification(&simulation(), &record).optimizer(settings).run().unwrap();
        let summary = fit.summary();
        assert!(summary.stop.converged() && summary.iterations <= 20, "{method}, {step_size}: {fit}");
        for (parameter, truth) in summary.parameters.iter().zip(truth()) {
            assert!((parameter.found / truth - 1.0).abs() < 1e-8, "{method}, {step_size}, {}: {fit}", parameter.name);
        }
    }
}

#[test]
fn a_bound_keeps_the_truth_out() {
    let record = record(0.0, 0);
    let start = EngineMount { d_e: 0.5, ..EngineMount::start() };
    let simulation = Simulation::new(&start).input(EngineMount::DRIVE, engine_mount::sweep).alpha(engine_mount::ALPHA);
    let mut costs = Vec::new();
    for method in [Method::Bfgs, Method::GaussNewton, Method::LevenbergMarquardt] {
        let bounded = UnknownParameter::from(EngineMount::D_E).within(0.1, 4.0);
        let fit = Identification::new(&simulation)
            .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_H2])
            .unknown([bounded])
            .measured(EngineMount::ACCELERATION, &record)
            .optimizer(OptimizerSettings::default().with_method(method))
            .run_observed(|iteration| assert!((0.1..=4.0).contains(&iteration.parameters[3])))
            .unwrap();
        let at_bound: Vec<bool> = fit.summary().parameters.iter().map(|parameter| parameter.at_bound).collect();
        assert_eq!(at_bound, [false, false, false, true], "{method}: {fit}");
        assert_eq!(fit.model().d_e, 4.0);
        assert!(fit.to_string().contains("d_e is at its bound"), "{fit}");
        costs.push(fit.summary().cost_end);
    }
    assert!(costs.iter().all(|cost| (cost / costs[0] - 1.0).abs() < 1e-6), "{costs:?}");
}

#[test]
fn starts_all_over_the_ranges_lead_to_the_true_mount() {
    let record = record_until(0.2, 0.0, 0);
    let truth = truth();
    let ranges = unknown().into_iter().zip(truth);
    let fit = Identification::new(
        &Simulation::new(&EngineMount::default())
            .input(EngineMount::DRIVE, engine_mount::sweep)
            .alpha(engine_mount::ALPHA),
    )
    .unknown(ranges.map(|(unknown, truth)| UnknownParameter::from(unknown).within(truth / 3.0, truth * 3.0)))
    .measured(EngineMount::ACCELERATION, &record)
    .optimizer(OptimizerSettings::default().with_method(Method::LevenbergMarquardt))
    .multistart(6, 1)
    .unwrap();
    assert!(fit.starts().iter().all(|start| start.outcome.is_ok()), "{fit}");
    for start in &fit.starts()[..4] {
        for (found, truth) in start.found.iter().zip(truth) {
            assert!((found / truth - 1.0).abs() < 1e-4, "start {}: {found}, not {truth}", start.number);
        }
    }
}
