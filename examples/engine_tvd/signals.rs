//! Signals of a simulated run-up.

use anyhow::Result;
use costate::Model;
use costate::simulate::Interrupt;
use costate_models::four_cylinder_engine::STEP;

use crate::engine::Engine;
use crate::experiment;
use crate::orders::OrderTable;

/// Speed and twist over time, and the orders of the twist over speed; the states, which need far more memory, are
/// not kept.
pub struct Signals {
    /// Speed of the flywheel in rpm at the steps.
    pub speed: Vec<f64>,
    /// Twist of the crankshaft in rad at the steps.
    pub twist: Vec<f64>,
    pub orders: OrderTable,
    /// Bytes that the simulation needed.
    pub memory: u64,
}

impl Signals {
    /// Simulates the run-up of an engine with this damper.
    pub fn of<M: Model>(engine: &Engine<M>, model: &M, interrupt: &Interrupt) -> Result<Self> {
        let run = experiment::simulate(engine, model, interrupt)?;
        let twist = run.output(engine.twist);
        Ok(Self {
            speed: run.output(engine.speed),
            orders: OrderTable::new(&run.times(), &twist)?,
            twist,
            memory: run.memory().total(),
        })
    }

    /// Iterates over time in s and twist in rad.
    pub fn twist(&self) -> impl Iterator<Item = (f64, f64)> {
        at_steps(&self.twist)
    }

    /// Iterates over time in s and speed in rpm.
    pub fn speed(&self) -> impl Iterator<Item = (f64, f64)> {
        at_steps(&self.speed)
    }
}

fn at_steps(values: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    values.iter().enumerate().map(|(i, &value)| (i as f64 * STEP, value))
}
