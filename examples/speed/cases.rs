//! The published models, as they are timed: compiled and interpreted.

use anyhow::Result;
use costate::model::Differentiable;
use costate::{Model, Parameter, Simulation};
use costate_models::four_cylinder_engine::{self, Drive};
use costate_models::{CartPendulum, EngineMount, FourCylinderEngine, cart_pendulum, engine_mount};
use costate_speed::{Figures, estimated, strict};

use super::interpreted::{Pair, load};

/// A model with the run of its publication.
pub struct Case<M: Model> {
    pub name: &'static str,
    /// The model from the start of its identification.
    model: M,
    /// The file of the model below `models/src`, without its ending.
    file: &'static str,
    unknown: &'static [Parameter<M>],
    describe: fn(&'static dyn Differentiable, Simulation) -> Result<Simulation>,
}

impl<M: Model> Case<M> {
    /// Times compiled runs and gradients.
    pub fn measure(&self, runs: usize) -> Result<Figures> {
        let parameters = self.model.parameters();
        let problem = |newton| -> Result<_> {
            let simulation = Simulation::of(M::differentiable(), parameters.as_ref().to_vec());
            Ok((self.describe)(M::differentiable(), simulation)?.newton(newton).problem()?)
        };
        let (problem, strict) = (problem(estimated())?, problem(strict())?);
        Ok(costate_speed::measure(&problem, &strict, &self.model, self.unknown, runs)?)
    }

    /// Measures the times of interpreted runs and gradients over those of compiled ones.
    pub fn measure_interpreted(&self, runs: usize) -> Result<[f64; 2]> {
        let loaded = load(&format!("models/src/{}.rs", self.file), Some(M::description().name))?;
        let unknown = self.unknown.iter().map(|parameter| parameter.name()).collect();
        Pair::new(self.name, &self.model, loaded).with_unknown(unknown).measure(runs, self.describe)
    }
}

/// The engine mount, 10 000 steps.
pub fn mount() -> Case<EngineMount> {
    Case {
        name: "mount",
        model: EngineMount::start(),
        file: "engine_mount",
        unknown: &[EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2],
        describe: |system, simulation| {
            let simulation = simulation.input(system.input("drive")?, engine_mount::sweep);
            Ok(simulation.step(engine_mount::STEP).until(engine_mount::END).alpha(engine_mount::ALPHA))
        },
    }
}

/// The cart with three rods, 10 000 steps.
pub fn pendulum() -> Case<CartPendulum> {
    Case {
        name: "pendulum",
        model: cart_pendulum::FD.start(),
        file: "cart_pendulum",
        unknown: &[CartPendulum::C_F, CartPendulum::D_F],
        describe: |system, simulation| {
            let simulation = simulation.input(system.input("drive")?, |t: f64| cart_pendulum::FD.force(t));
            Ok(simulation.step(cart_pendulum::STEP).until(cart_pendulum::END).alpha(cart_pendulum::ALPHA))
        },
    }
}

/// The engine at 3000 rpm, 5000 steps.
pub fn engine() -> Case<FourCylinderEngine> {
    Case {
        name: "engine",
        model: FourCylinderEngine { speed_0: 3000.0, ..FourCylinderEngine::start() },
        file: "four_cylinder_engine",
        unknown: &[
            FourCylinderEngine::CS_1,
            FourCylinderEngine::DS_1,
            FourCylinderEngine::CS_2,
            FourCylinderEngine::DS_2,
        ],
        describe: |system, simulation| {
            let drive = Drive::constant(3000.0);
            let simulation = simulation.input(system.input("q_run")?, move |t: f64| drive.angle(t));
            let simulation = simulation.input(system.input("v_run")?, move |t: f64| drive.speed(t));
            Ok(simulation.step(four_cylinder_engine::STEP).until(0.25).alpha(four_cylinder_engine::ALPHA))
        },
    }
}
