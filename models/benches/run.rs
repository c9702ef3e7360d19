//! Forward runs and discrete adjoint gradients of the published examples, in turn, with their ratio.
//!
//! `cargo bench -p costate-models --bench run`

use std::time::Instant;

use costate::{Model, NewtonSettings, Problem, Series, Simulation, SimulationError, gradient};
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::{CartPendulum, EngineMount, FourCylinderEngine, cart_pendulum, engine_mount};

/// Pairs of runs; the medians count.
const RUNS: usize = 31;

fn main() -> Result<(), SimulationError> {
    println!(
        "{:<10} {:>12} {:>12} {:>7} {:>11} {:>15} {:>11}",
        "model", "forward", "gradient", "ratio", "iterations", "factorisations", "bytes"
    );
    println!(
        "{:<10} {:>12} {:>12} {:>7} {:>11} {:>15} {:>11}",
        "", "us/step", "us/step", "", "per step", "per step", "per step"
    );
    let mount = EngineMount::start();
    let mount_run = Simulation::new(&mount)
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::END)
        .alpha(engine_mount::ALPHA);
    let unknown =
        [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2].map(|p| p.index());
    measure("mount", mount_run, &mount, &unknown)?;
    let pendulum = cart_pendulum::FD.start();
    let pendulum_run = Simulation::new(&pendulum)
        .input(CartPendulum::DRIVE, |t| cart_pendulum::FD.force(t))
        .step(cart_pendulum::STEP)
        .until(cart_pendulum::END)
        .alpha(cart_pendulum::ALPHA);
    let unknown = [CartPendulum::C_F, CartPendulum::D_F].map(|p| p.index());
    measure("pendulum", pendulum_run, &pendulum, &unknown)?;
    let drive = Drive::constant(3000.0);
    let engine = FourCylinderEngine { speed_0: drive.from, ..FourCylinderEngine::start() };
    let engine_run = Simulation::new(&engine)
        .input(FourCylinderEngine::Q_RUN, move |t| drive.angle(t))
        .input(FourCylinderEngine::V_RUN, move |t| drive.speed(t))
        .step(four_cylinder_engine::STEP)
        .until(0.25)
        .alpha(four_cylinder_engine::ALPHA);
    let unknown = [
        FourCylinderEngine::CS_1,
        FourCylinderEngine::DS_1,
        FourCylinderEngine::CS_2,
        FourCylinderEngine::DS_2,
    ]
    .map(|p| p.index());
    measure("engine", engine_run, &engine, &unknown)
}

/// Measures with the default settings, and with one iteration where an estimate says that it is enough.
fn measure<M: Model>(
    name: &str,
    simulation: Simulation<'_, M>,
    model: &M,
    unknown: &[usize],
) -> Result<(), SimulationError> {
    time(name, &simulation.problem()?, model, unknown)?;
    let mut newton = NewtonSettings::default();
    newton.estimate = true;
    time("  estimate", &simulation.newton(newton).problem()?, model, unknown)
}

/// Times forward run and gradient (of 1/2 sum s^2 of the first output) one after the other.
fn time<M: Model>(
    name: &str,
    problem: &Problem<M>,
    model: &M,
    unknown: &[usize],
) -> Result<(), SimulationError> {
    let parameters = model.parameters();
    let trajectory = problem.forward(&parameters)?;
    let outputs = trajectory.outputs(problem);
    let mut output_gradient = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        output_gradient.row_mut(i)[0] = outputs.row(i)[0];
    }
    let (mut forward, mut backward, mut ratio) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        let trajectory = problem.forward(&parameters)?;
        let middle = Instant::now();
        gradient(problem, &trajectory, &output_gradient, unknown)?;
        let end = Instant::now();
        let (there, back) = ((middle - start).as_secs_f64(), (end - middle).as_secs_f64());
        forward.push(there);
        backward.push(back);
        ratio.push(back / there);
    }
    let steps = problem.steps() as f64;
    let statistics = trajectory.statistics();
    println!(
        "{name:<10} {:>12.3} {:>12.3} {:>7.2} {:>11.2} {:>15.2} {:>11.0}",
        median(forward) / steps * 1e6,
        median(backward) / steps * 1e6,
        median(ratio),
        statistics.iterations as f64 / steps,
        statistics.factorisations as f64 / steps,
        problem.memory().trajectory_bytes as f64 / (steps + 1.0),
    );
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
