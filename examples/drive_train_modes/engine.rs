//! The engine without gas: at rest with the crank at some angle, and turned at constant speed.

use std::f64::consts::TAU;

use anyhow::Result;
use costate::Simulation;
use costate::vibration::{EquilibriumSearch, LinearModel};
use costate_models::FourCylinderEngine;
use costate_models::four_cylinder_engine::ALPHA;

/// Revolutions after which the shaft turns evenly, and the steps of each.
const RUN_IN: usize = 12;
const STEPS: usize = 720;

/// Removes the gas forces, as if the spark plugs were out.
pub fn without_gas(engine: &FourCylinderEngine) -> FourCylinderEngine {
    FourCylinderEngine { p_0: 0.0, p_c: 0.0, p_v: 0.0, ..*engine }
}

/// Returns the engine at rest without gas, whose crank has turned by this angle in degrees.
pub fn turned(engine: &FourCylinderEngine, angle: f64) -> FourCylinderEngine {
    let mut turned = FourCylinderEngine { speed_0: 0.0, ..without_gas(engine) };
    let nodes = [
        &mut turned.rest_1,
        &mut turned.rest_2,
        &mut turned.rest_3,
        &mut turned.rest_4,
        &mut turned.rest_5,
        &mut turned.rest_6,
    ];
    nodes.into_iter().for_each(|node| *node += angle);
    turned
}

/// Sets up a simulation of the engine at rest.
pub fn simulation_at_rest(engine: &FourCylinderEngine, angle: f64) -> Simulation<FourCylinderEngine> {
    Simulation::new(&turned(engine, angle))
        .input(FourCylinderEngine::Q_RUN, angle.to_radians())
        .input(FourCylinderEngine::V_RUN, 0.0)
}

/// Searches the engine's position of rest.
pub fn at_rest(engine: &FourCylinderEngine, angle: f64) -> EquilibriumSearch<FourCylinderEngine> {
    EquilibriumSearch::new(&simulation_at_rest(engine, angle))
}

/// The engine that is turned at constant speed without gas, over one revolution.
pub struct Turning {
    simulation: Simulation<FourCylinderEngine>,
    states: Vec<Vec<f64>>,
    step: f64,
}

impl Turning {
    /// Turns the engine at this speed in rpm until it turns evenly.
    pub fn at(engine: &FourCylinderEngine, speed: f64) -> Result<Self> {
        let engine = FourCylinderEngine { speed_0: speed, ..without_gas(engine) };
        let omega = speed * TAU / 60.0;
        let step = TAU / omega / STEPS as f64;
        let simulation = Simulation::new(&engine)
            .input(FourCylinderEngine::Q_RUN, move |t: f64| omega * t)
            .input(FourCylinderEngine::V_RUN, omega)
            .step(step)
            .until(step * (RUN_IN * STEPS) as f64)
            .alpha(ALPHA);
        let run = simulation.run()?;
        let first = (RUN_IN - 1) * STEPS;
        let states = (first..=first + STEPS).map(|step| run.trajectory().stored(step).to_vec()).collect();
        Ok(Self { simulation, states, step })
    }

    /// Linearises the engine at this angle of the last revolution in degrees.
    pub fn linearized(&self, angle: f64) -> Result<LinearModel, costate::vibration::VibrationError> {
        let place = (angle / 360.0 * STEPS as f64).round() as usize;
        let place = place.min(self.states.len() - 1);
        let time = self.step * ((RUN_IN - 1) * STEPS + place) as f64;
        LinearModel::at(&self.simulation, time, &self.states[place])
    }
}
