//! The published models, as they are timed.

use costate::Simulation;
use costate::simulate::SimulationError;
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::{CartPendulum, EngineMount, FourCylinderEngine, cart_pendulum, engine_mount};
use costate_speed::{Figures, estimated, measure, strict};

/// The engine mount from the start of its identification, 10 000 steps.
pub fn mount(runs: usize) -> Result<Figures, SimulationError> {
    let model = EngineMount::start();
    let simulation = |newton| {
        Simulation::new(&model)
            .input(EngineMount::DRIVE, engine_mount::sweep)
            .step(engine_mount::STEP)
            .until(engine_mount::END)
            .alpha(engine_mount::ALPHA)
            .newton(newton)
            .problem()
    };
    let unknown = [EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2];
    measure(&simulation(estimated())?, &simulation(strict())?, &model, &unknown, runs)
}

/// The cart with three rods from the start of its identification, 10 000 steps.
pub fn pendulum(runs: usize) -> Result<Figures, SimulationError> {
    let model = cart_pendulum::FD.start();
    let simulation = |newton| {
        Simulation::new(&model)
            .input(CartPendulum::DRIVE, |t: f64| cart_pendulum::FD.force(t))
            .step(cart_pendulum::STEP)
            .until(cart_pendulum::END)
            .alpha(cart_pendulum::ALPHA)
            .newton(newton)
            .problem()
    };
    let unknown = [CartPendulum::C_F, CartPendulum::D_F];
    measure(&simulation(estimated())?, &simulation(strict())?, &model, &unknown, runs)
}

/// The engine at 3000 rpm from the start of its identification, 5000 steps.
pub fn engine(runs: usize) -> Result<Figures, SimulationError> {
    let drive = Drive::constant(3000.0);
    let model = FourCylinderEngine { speed_0: drive.from, ..FourCylinderEngine::start() };
    let simulation = |newton| {
        Simulation::new(&model)
            .input(FourCylinderEngine::Q_RUN, move |t: f64| drive.angle(t))
            .input(FourCylinderEngine::V_RUN, move |t: f64| drive.speed(t))
            .step(four_cylinder_engine::STEP)
            .until(0.25)
            .alpha(four_cylinder_engine::ALPHA)
            .newton(newton)
            .problem()
    };
    let unknown =
        [FourCylinderEngine::CS_1, FourCylinderEngine::DS_1, FourCylinderEngine::CS_2, FourCylinderEngine::DS_2];
    measure(&simulation(estimated())?, &simulation(strict())?, &model, &unknown, runs)
}
