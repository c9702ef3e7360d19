//! The published identification of the engine's torsional vibration damper from order 6 of a run-up (FD 5.2).

use costate::cost::{RunUp, SpectralValue, SpectrumCost, SpectrumForm, Window, fourier_coefficients};
use costate::optimize::{Method, OptimizerSettings};
use costate::{Fit, Identification, Model, Output, Parameter};
use costate_models::four_cylinder_engine::{RUN_UP, STEP};
use costate_models::{FourCylinderEngine, MappedEngine};
use costate_tests::published::engine;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::{Distribution, Normal};

/// The identified parameters, and their true values.
const UNKNOWN: [(&str, f64); 4] = [("cs[1]", 2e4), ("ds[1]", 5.0), ("cs[2]", 8e3), ("ds[2]", 20.0)];

fn twist<M: Model>() -> Output<M> {
    Output::named("twist").unwrap()
}

/// Returns the cost of the order at 13 speeds, measured with relative noise, and the number of steps to the end
/// of the last window.
fn cost<M: Model>(truth: &M, noise: f64, seed: u64) -> (SpectrumCost, usize) {
    let run_up = RunUp::new(RUN_UP.from / 60.0..=RUN_UP.to / 60.0, RUN_UP.begin..=RUN_UP.end).unwrap();
    let speeds = (0..13).map(|k| f64::from(3000 + 200 * k) / 60.0);
    let lines = run_up.lines(6.0, speeds, Window::Hann).unwrap();
    let steps = (lines[12].to / STEP).ceil() as usize;
    let run = engine(truth, RUN_UP, steps).run().unwrap();
    let measured = fourier_coefficients(&run.times(), &run.output(twist()), &lines).unwrap();
    let (mut random, distribution) = (SmallRng::seed_from_u64(seed), Normal::new(1.0, noise).unwrap());
    let mut cost = SpectrumCost::new(STEP, steps + 1, SpectrumForm::SquaredAmplitude);
    for (line, coefficients) in lines.iter().zip(measured) {
        let amplitude = SpectralValue::Amplitude(coefficients.amplitude() * distribution.sample(&mut random));
        cost = cost.with_line(twist::<M>(), *line, amplitude, 1.0).unwrap();
    }
    (cost, steps)
}

fn identify<M: Model>(start: M, (cost, steps): (SpectrumCost, usize), optimizer: OptimizerSettings) -> Fit<M> {
    Identification::new(&engine(&start, RUN_UP, steps))
        .unknown(UNKNOWN.map(|(name, _)| Parameter::named(name).unwrap()))
        .cost(1.0, cost)
        .optimizer(optimizer)
        .run()
        .unwrap()
}

/// Finds every parameter. Observed: 43 iterations with 45 simulations, errors of 3e-9.
#[test]
fn exact_order_to_every_parameter() {
    exact(FourCylinderEngine::default(), FourCylinderEngine::start());
}

/// Finds every parameter with a map of the gas pressure. Observed: 43 iterations, errors of 1e-8.
#[test]
fn exact_order_with_a_map_of_the_pressure() {
    exact(MappedEngine::default(), MappedEngine::start());
}

fn exact<M: Model>(truth: M, start: M) {
    let optimizer = OptimizerSettings::default().with_gradient_tolerance(2e-9);
    let fit = identify(start, cost(&truth, 0.0, 0), optimizer);
    println!("{fit}");
    let summary = fit.summary();
    assert!(summary.stop.converged() && summary.iterations <= 70, "{fit}");
    assert!(summary.cost_end <= 1e-15 * summary.cost_start, "{fit}");
    for (parameter, (_, truth)) in summary.parameters.iter().zip(UNKNOWN) {
        assert!((parameter.found - truth).abs() <= 1e-5 * truth, "{}: {fit}", parameter.name);
    }
}

/// Levenberg-Marquardt needs fewer simulations than BFGS for the same minimum.
#[test]
fn noisy_orders_leave_the_truth_within_three_deviations() {
    for seed in 1..=2 {
        let optimizer = OptimizerSettings::default().with_method(Method::LevenbergMarquardt).with_cost_tolerance(1e-7);
        let fit = identify(FourCylinderEngine::start(), cost(&FourCylinderEngine::default(), 0.01, seed), optimizer);
        println!("{fit}");
        assert!(fit.summary().stop.converged(), "{fit}");
        for (parameter, (_, truth)) in fit.summary().parameters.iter().zip(UNKNOWN) {
            let deviations = (parameter.found - truth).abs() / parameter.standard_deviation;
            assert!(deviations < 3.0, "seed {seed}, {}: {deviations} deviations\n{fit}", parameter.name);
            assert!(parameter.relative_deviation < 1.0, "seed {seed}, {}\n{fit}", parameter.name);
        }
    }
}
