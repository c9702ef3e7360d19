//! Runs of published models as their publications have them.

use costate::{Input, Model, Simulation};
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::{EngineMount, engine_mount};

/// The engine mount in the published sweep.
pub fn mount(model: &EngineMount, steps: usize) -> Simulation<EngineMount> {
    Simulation::new(model)
        .input(EngineMount::DRIVE, engine_mount::sweep)
        .step(engine_mount::STEP)
        .until(engine_mount::STEP * steps as f64)
        .alpha(engine_mount::ALPHA)
}

/// An engine with four cylinders, with its gas pressure by a formula or by a map, that is driven with a given speed.
///
/// # Panics
///
/// If the model has not the inputs `q_run` and `v_run`.
pub fn engine<M: Model>(model: &M, drive: Drive, steps: usize) -> Simulation<M> {
    let [angle, speed] = ["q_run", "v_run"].map(|name| Input::named(name).unwrap());
    Simulation::new(model)
        .input(angle, move |t: f64| drive.angle(t))
        .input(speed, move |t: f64| drive.speed(t))
        .step(four_cylinder_engine::STEP)
        .until(four_cylinder_engine::STEP * steps as f64)
        .alpha(four_cylinder_engine::ALPHA)
}
