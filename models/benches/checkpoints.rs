//! Gradients of the engine's run-up, 168 000 steps, with checkpoints in parts of the memory that all states need: the
//! time of forward run and gradient together, against that with all states.
//!
//! `cargo bench -p costate-models --bench checkpoints`

use std::time::Instant;

use costate::simulate::{Checkpoints, Problem, Series, SimulationError};
use costate::{Model, Simulation, gradient};
use costate_models::FourCylinderEngine;
use costate_models::four_cylinder_engine::{ALPHA, END, RUN_UP, STEP};

/// Runs with all states and with checkpoints, in turn; the medians of their ratios count.
const RUNS: usize = 7;

/// The memory with checkpoints is that with all states, inputs and outputs included, divided by these.
const PARTS: [u64; 4] = [2, 5, 20, 22];

fn main() -> Result<(), SimulationError> {
    let engine = FourCylinderEngine::start();
    let simulation = Simulation::new(&engine)
        .input(FourCylinderEngine::Q_RUN, |t: f64| RUN_UP.angle(t))
        .input(FourCylinderEngine::V_RUN, |t: f64| RUN_UP.speed(t))
        .step(STEP)
        .until(END)
        .alpha(ALPHA);
    let stored = simulation.problem()?;
    let all = stored.memory().total();
    println!("engine, {} steps; all states, inputs and outputs: {:.1} MB", stored.steps(), all as f64 * 1e-6);
    println!(
        "{:>5} {:>8} {:>12} {:>12} {:>9} {:>9} {:>9} {:>7}",
        "part", "MB", "checkpoints", "more steps", "forward", "gradient", "stored", "ratio"
    );
    println!("{:>5} {:>8} {:>12} {:>12} {:>9} {:>9} {:>9}", "", "", "", "per step", "s", "s", "s");
    for part in PARTS {
        let problem = simulation.clone().checkpoints(Checkpoints::Within(all / part)).problem()?;
        let memory = problem.memory();
        let mut timings = Vec::new();
        for _ in 0..RUNS {
            let (expected, reference) = measure(&stored, &engine)?;
            let (found, timing) = measure(&problem, &engine)?;
            assert_eq!(found, expected, "the gradients are the same bit by bit");
            timings.push((timing, reference.0 + reference.1));
        }
        let median = |value: fn(&((f64, f64), f64)) -> f64| median(timings.iter().map(value).collect());
        println!(
            "{:>5} {:>8.2} {:>12} {:>12.2} {:>9.3} {:>9.3} {:>9.3} {:>7.2}",
            format!("1/{part}"),
            memory.total() as f64 * 1e-6,
            memory.checkpoints,
            memory.repeated_steps as f64 / problem.steps() as f64,
            median(|(own, _)| own.0),
            median(|(own, _)| own.1),
            median(|(_, stored)| *stored),
            median(|(own, stored)| (own.0 + own.1) / stored),
        );
    }
    Ok(())
}

/// The gradient of 1/2 sum s^2 of the twist, with the seconds of the forward run (outputs included) and the gradient.
fn measure(problem: &Problem, engine: &FourCylinderEngine) -> Result<(Vec<f64>, (f64, f64)), SimulationError> {
    let parameters = engine.parameters();
    let unknown =
        [FourCylinderEngine::CS_1, FourCylinderEngine::DS_1, FourCylinderEngine::CS_2, FourCylinderEngine::DS_2];
    let start = Instant::now();
    let mut run = problem.run(&parameters)?;
    let forward = start.elapsed().as_secs_f64();
    let outputs = run.outputs();
    let mut output_gradient = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        output_gradient.row_mut(i)[0] = outputs.row(i)[0];
    }
    let start = Instant::now();
    let result = gradient(problem, &mut run, &output_gradient, &unknown)?;
    Ok((result, (forward, start.elapsed().as_secs_f64())))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
