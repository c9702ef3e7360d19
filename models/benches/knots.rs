//! Gradients with respect to parameters and all values of tables, by the discrete adjoint, against those with respect
//! to parameters alone: an oscillator with two curves, one with a surface, and the engine with its map of cylinder
//! pressures. Both run in turn on one thread; the least times of short runs count, which others on the machine disturb
//! least.
//!
//! `cargo bench -p costate-models --bench knots`

use std::time::Instant;

use costate::cost::{BolzaCost, Cost};
use costate::differentiate::{UnknownTables, table_gradient};
use costate::simulate::Problem;
use costate::table::{Curve, Extension, Surface};
use costate::{Model, Output, Parameter, Simulation, gradient};
use costate_models::MappedEngine;
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::restoring_force::{CoupledOscillator, IdentifiedOscillator};

/// Gradients of each kind, in turn.
const RUNS: usize = 25;

/// Steps of a run.
const STEPS: usize = 10_000;

/// Knots of a curve, and of a surface along each argument.
const CURVE: usize = 500;
const SURFACE: [usize; 2] = [25, 40];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "{:<20} {:>6} {:>13} {:>13} {:>7}   {:>13} {:>13} {:>7}",
        "", "knots", "run and sweep", "with tables", "ratio", "sweep", "with tables", "ratio"
    );
    println!("{:<20} {:>6} {:>13} {:>13}", "", "", "us per step", "us per step");
    curves()?;
    surface()?;
    engine()?;
    Ok(())
}

fn knots(count: usize, most: f64) -> Vec<f64> {
    (0..count).map(|i| most * (2.0 * i as f64 / (count - 1) as f64 - 1.0)).collect()
}

fn base(t: f64) -> f64 {
    20.0 * (30.0 * t * (1.0 + t)).sin()
}

fn curves() -> Result<(), Box<dyn std::error::Error>> {
    let (z, v) = (knots(CURVE, 0.05), knots(CURVE, 2.0));
    let elastic = z.iter().map(|z| 4e3 * z + 1e6 * z.powi(3)).collect();
    let dissipative = v.iter().map(|v| 15.0 * v + 4.0 * (5.0 * v).tanh()).collect();
    let model = IdentifiedOscillator::default();
    let problem = Simulation::new(&model)
        .input(IdentifiedOscillator::BASE, base)
        .table(IdentifiedOscillator::ELASTIC, Curve::new(z, elastic, Extension::Linear)?)
        .table(IdentifiedOscillator::DISSIPATIVE, Curve::new(v, dissipative, Extension::Linear)?)
        .step(1e-3)
        .until(1e-3 * STEPS as f64)
        .problem()?;
    compare("two curves", 2 * CURVE, &problem, &model, IdentifiedOscillator::ACCELERATION)
}

fn surface() -> Result<(), Box<dyn std::error::Error>> {
    let (z, v) = (knots(SURFACE[0], 0.05), knots(SURFACE[1], 2.0));
    let force = |z: f64, v: f64| 4e3 * z + 1e6 * z.powi(3) + 15.0 * v * (1.0 + 100.0 * z * z);
    let values = z.iter().flat_map(|&z| v.iter().map(move |&v| force(z, v))).collect();
    let model = CoupledOscillator::default();
    let problem = Simulation::new(&model)
        .input(CoupledOscillator::BASE, base)
        .table(CoupledOscillator::RESTORING, Surface::new(z, v, values, [Extension::Linear; 2])?)
        .step(1e-3)
        .until(1e-3 * STEPS as f64)
        .problem()?;
    let knots = SURFACE.iter().product();
    compare("a surface", knots, &problem, &model, CoupledOscillator::ACCELERATION)
}

fn engine() -> Result<(), Box<dyn std::error::Error>> {
    let drive = Drive::constant(3000.0);
    let model = MappedEngine { speed_0: drive.from, ..MappedEngine::start() };
    let problem = Simulation::new(&model)
        .input(MappedEngine::Q_RUN, move |t: f64| drive.angle(t))
        .input(MappedEngine::V_RUN, move |t: f64| drive.speed(t))
        .step(four_cylinder_engine::STEP)
        .until(four_cylinder_engine::STEP * STEPS as f64 / 2.0)
        .alpha(four_cylinder_engine::ALPHA)
        .problem()?;
    let knots = problem.tables().surface(MappedEngine::PRESSURE).values().len();
    let output = Output::all().next().ok_or("the engine has outputs")?;
    compare("the mapped engine", knots, &problem, &model, output)
}

fn compare<M: Model>(
    name: &str,
    knots: usize,
    problem: &Problem,
    model: &M,
    output: Output<M>,
) -> Result<(), Box<dyn std::error::Error>> {
    let parameters = model.parameters();
    let unknown: Vec<Parameter<M>> = Parameter::all().take(4).collect();
    let tables = UnknownTables::all();
    let cost = BolzaCost::new(problem.settings().step, problem.samples()).with_integral(output, 1.0)?;
    let run = problem.forward(parameters.as_ref())?;
    let by_outputs = cost.output_gradient(&run.outputs());
    let mut least = [f64::INFINITY; 4];
    for _ in 0..RUNS {
        let mut times = [0.0; 4];
        timed(&mut times[0], || problem.value_and_gradient(&cost, parameters.as_ref(), &unknown).map(drop))?;
        timed(&mut times[1], || {
            problem.value_and_table_gradient(&cost, parameters.as_ref(), &unknown, &tables).map(drop)
        })?;
        timed(&mut times[2], || gradient(problem, &run, &by_outputs, &unknown).map(drop))?;
        timed(&mut times[3], || table_gradient(problem, &run, &by_outputs, &unknown, &tables).map(drop))?;
        least.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time));
    }
    let [run, run_tables, sweep, sweep_tables] = least.map(|time| time * 1e6 / problem.steps() as f64);
    println!(
        "{name:<20} {knots:>6} {run:>13.3} {run_tables:>13.3} {:>7.2}   {sweep:>13.3} {sweep_tables:>13.3} {:>7.2}",
        run_tables / run,
        sweep_tables / sweep
    );
    Ok(())
}

fn timed<E>(time: &mut f64, work: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    let start = Instant::now();
    let result = work();
    *time = start.elapsed().as_secs_f64();
    result
}
