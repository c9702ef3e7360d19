//! Four parameter sets in lanes against one after the other: forward runs, and gradients by the discrete adjoint, of
//! the engine mount and of the engine. Both run in turn on one thread; the least times of short runs count, which
//! others on the machine disturb least.
//!
//! `cargo bench -p costate-models --bench lanes`

use std::time::Instant;

use costate::differentiate::{RunWithCost, gradient_each};
use costate::simulate::{NewtonSettings, Problem, Series, SimulationError};
use costate::{Model, Parameter, Simulation, gradient};
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::{EngineMount, FourCylinderEngine, engine_mount};

/// Runs in lanes and one after the other, in turn.
const RUNS: usize = 25;

/// Steps of a run, those of the example `speed`.
const MOUNT_STEPS: usize = 10_000;
const ENGINE_STEPS: usize = 5000;

/// Parameter sets.
const SETS: usize = 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    Ok(pool.install(all)?)
}

fn all() -> Result<(), SimulationError> {
    println!("{:<22} {:>9} {:>12} {:>12} {:>7}", "four parameter sets", "", "one by one", "in lanes", "ratio");
    println!("{:<22} {:>9} {:>12} {:>12} {:>7}", "", "", "us per step", "us per step", "");
    for (name, estimate) in [("strict", false), ("estimated", true)] {
        let newton = || NewtonSettings::default().with_estimate(estimate);
        mount(&format!("mount, {name}"), newton())?;
        engine(&format!("engine, {name}"), newton())?;
    }
    Ok(())
}

fn mount(name: &str, newton: NewtonSettings) -> Result<(), SimulationError> {
    let model = EngineMount::start();
    let problem = Simulation::new(&model)
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::STEP * MOUNT_STEPS as f64)
        .alpha(engine_mount::ALPHA)
        .newton(newton)
        .problem()?;
    let unknown = [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2];
    compare(name, &problem, &model, &unknown)
}

fn engine(name: &str, newton: NewtonSettings) -> Result<(), SimulationError> {
    let drive = Drive::constant(3000.0);
    let model = FourCylinderEngine { speed_0: drive.from, ..FourCylinderEngine::start() };
    let problem = Simulation::new(&model)
        .input(FourCylinderEngine::Q_RUN, move |t: f64| drive.angle(t))
        .input(FourCylinderEngine::V_RUN, move |t: f64| drive.speed(t))
        .step(four_cylinder_engine::STEP)
        .until(four_cylinder_engine::STEP * ENGINE_STEPS as f64)
        .alpha(four_cylinder_engine::ALPHA)
        .newton(newton)
        .problem()?;
    let unknown =
        [FourCylinderEngine::CS_1, FourCylinderEngine::DS_1, FourCylinderEngine::CS_2, FourCylinderEngine::DS_2];
    compare(name, &problem, &model, &unknown)
}

fn compare<M: Model>(
    name: &str,
    problem: &Problem,
    model: &M,
    unknown: &[Parameter<M>],
) -> Result<(), SimulationError> {
    let set = |i: usize| {
        let mut parameters = model.parameters();
        for parameter in unknown {
            parameters.as_mut()[parameter.index()] *= 1.0 + 0.02 * i as f64;
        }
        parameters
    };
    let sets: Vec<_> = (0..SETS).map(set).collect();
    let mut least = [f64::INFINITY; 4];
    for _ in 0..RUNS {
        let start = Instant::now();
        let singles = sets.iter().map(|parameters| problem.run(parameters.as_ref())).collect::<Vec<_>>();
        let one_by_one = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let in_lanes = problem.run_each(&sets);
        let lanes = start.elapsed().as_secs_f64();
        let mut singles = singles.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut in_lanes = in_lanes.into_iter().collect::<Result<Vec<_>, _>>()?;
        let derivatives: Vec<_> = singles.iter().map(|run| half_squares(run.outputs())).collect();
        let start = Instant::now();
        for (run, derivatives) in singles.iter_mut().zip(&derivatives) {
            gradient(problem, run, derivatives, unknown)?;
        }
        let gradients = start.elapsed().as_secs_f64();
        let mut with_costs: Vec<_> = in_lanes
            .iter_mut()
            .zip(&derivatives)
            .map(|(run, output_gradient)| RunWithCost { run, output_gradient })
            .collect();
        let start = Instant::now();
        gradient_each(problem, &mut with_costs, unknown).into_iter().collect::<Result<Vec<_>, _>>()?;
        let gradient_lanes = start.elapsed().as_secs_f64();
        for (least, time) in least.iter_mut().zip([one_by_one, lanes, gradients, gradient_lanes]) {
            *least = least.min(time);
        }
    }
    let per_step = |time: f64| time * 1e6 / (SETS * problem.steps()) as f64;
    let [forward, forward_lanes, backward, backward_lanes] = least.map(per_step);
    for (what, one, lanes) in [
        ("forward", forward, forward_lanes),
        ("gradient", backward, backward_lanes),
        ("both", forward + backward, forward_lanes + backward_lanes),
    ] {
        println!("{name:<22} {what:>9} {one:>12.3} {lanes:>12.3} {:>7.2}", one / lanes);
    }
    Ok(())
}

/// dJ/ds of J = 1/2 sum s_0^2.
fn half_squares(outputs: &Series<f64>) -> Series<f64> {
    let mut derivatives = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
    for i in 0..outputs.samples() {
        derivatives.row_mut(i)[0] = outputs.row(i)[0];
    }
    derivatives
}
