//! The run-up, its engine orders, and the identification.

use anyhow::Result;
use costate::cost::{RunUp, SpectralValue, SpectrumCost, SpectrumError, SpectrumForm, Window};
use costate::identify::IdentificationError;
use costate::optimize::OptimizerSettings;
use costate::simulate::{Interrupt, SimulationError};
use costate::{Fit, Identification, Model, Run, Simulation};
use costate_models::four_cylinder_engine::{ALPHA, END, RUN_UP, STEP};

use crate::engine::Engine;
use crate::options::Options;
use crate::orders::OrderTable;

/// The order that the damper is identified from, and the speeds in rpm.
pub const FITTED_ORDER: f64 = 6.0;
pub const FITTED_SPEEDS: (f64, f64) = (3000.0, 5400.0);
pub const FITTED_EVERY: f64 = 200.0;

/// Speeds in rpm from the first to the last one.
pub fn speeds((first, last): (f64, f64), every: f64) -> impl Iterator<Item = f64> {
    let count = ((last - first) / every).round() as usize;
    (0..=count).map(move |k| first + k as f64 * every)
}

/// The speeds of the identification in rpm.
pub fn fitted_speeds() -> impl Iterator<Item = f64> {
    speeds(FITTED_SPEEDS, FITTED_EVERY)
}

/// The run-up that places the windows.
pub fn run_up() -> Result<RunUp, SpectrumError> {
    RunUp::new(RUN_UP.from / 60.0..=RUN_UP.to / 60.0, RUN_UP.begin..=RUN_UP.end)
}

/// The run-up to its end, of an engine with this damper.
pub fn simulate<M: Model>(engine: &Engine<M>, model: &M, interrupt: &Interrupt) -> Result<Run<M>, SimulationError> {
    Simulation::new(model)
        .interrupt(interrupt.clone())
        .input(engine.drive[0], |t: f64| RUN_UP.angle(t))
        .input(engine.drive[1], |t: f64| RUN_UP.speed(t))
        .step(STEP)
        .until(END)
        .alpha(ALPHA)
        .run()
}

/// Number of steps to the end of the last window: what comes after does not change the cost.
fn steps(run_up: &RunUp) -> Result<usize, SpectrumError> {
    let last = run_up.line(FITTED_ORDER, FITTED_SPEEDS.1 / 60.0, Window::Hann)?;
    Ok((last.to / STEP).ceil() as usize)
}

/// 1/4 sum (A^2 + B^2 - measured^2)^2 over the speeds.
fn cost<M: Model>(engine: &Engine<M>, measured: &OrderTable) -> Result<(SpectrumCost, usize)> {
    let run_up = run_up()?;
    let steps = steps(&run_up)?;
    let mut cost = SpectrumCost::new(STEP, steps + 1, SpectrumForm::SquaredAmplitude);
    for speed in fitted_speeds() {
        let line = run_up.line(FITTED_ORDER, speed / 60.0, Window::Hann)?;
        let amplitude = SpectralValue::Amplitude(measured.amplitude(FITTED_ORDER, speed)?);
        cost = cost.with_line(engine.twist, line, amplitude, 1.0)?;
    }
    Ok((cost, steps))
}

/// The cost is of the fourth power of small amplitudes, so that rounding ends the search at a gradient of about 3e-10
/// of that of the start without noise, and at relative decreases of the cost of about 1e-9 with noise.
fn optimizer() -> OptimizerSettings {
    OptimizerSettings::default().with_gradient_tolerance(2e-9).with_cost_tolerance(1e-7)
}

/// Finds the damper; an interruption is part of the result.
pub fn identify<M: Model>(
    engine: &Engine<M>,
    measured: &OrderTable,
    options: &Options,
    interrupt: Interrupt,
) -> Result<Result<Fit<M>, IdentificationError>> {
    let (cost, steps) = cost(engine, measured)?;
    let mut optimizer = optimizer();
    if let Some(iterations) = options.max_iterations {
        optimizer = optimizer.with_maximum_iterations(iterations);
    }
    let simulation = Simulation::new(&engine.start)
        .input(engine.drive[0], |t: f64| RUN_UP.angle(t))
        .input(engine.drive[1], |t: f64| RUN_UP.speed(t))
        .step(STEP)
        .until(STEP * steps as f64)
        .alpha(ALPHA)
        .interrupt(interrupt);
    let mut identification = Identification::new(&simulation)
        .unknown(engine.unknown)
        .cost(1.0, cost)
        .optimizer(optimizer)
        .progress(!options.outputs.quiet);
    if let Some(file) = &options.state {
        identification = identification.state_file(file);
    }
    Ok(identification.run())
}
