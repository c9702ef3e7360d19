//! Mechanisms of bodies. Their files stand next to the programs that include them, so that no other program compiles
//! them.

#[path = "../mechanisms/bricard.rs"]
mod bricard;
#[path = "../mechanisms/car.rs"]
mod car;
#[path = "../mechanisms/delta_robot.rs"]
mod delta_robot;
#[path = "../mechanisms/four_bars.rs"]
mod four_bars;
#[path = "../mechanisms/governor.rs"]
mod governor;
#[path = "../mechanisms/slider_crank.rs"]
mod slider_crank;
#[path = "../mechanisms/spatial_chain.rs"]
mod spatial_chain;

use std::f64::consts::PI;

use anyhow::Result;
use costate::Simulation;
use costate::simulate::SimulationError;
use costate_speed::{Figures, estimated, measure_defaults, strict};

use super::interpreted::{Pair, at_defaults, load, load_from_macro};

use bricard::Bricard;
use car::Car;
use delta_robot::DeltaRobot;
use governor::Governor;
use slider_crank::SliderCrank;

four_bars::four_bars!(FourBars10, 10);
four_bars::four_bars!(FourBars40, 40);
spatial_chain::spatial_chain!(SpatialChain10, 10);
spatial_chain::spatial_chain!(SpatialChain100, 100);

/// Tells the figures of each.
pub fn measure(runs: usize, tell: &mut dyn FnMut(&'static str, Figures)) -> Result<(), SimulationError> {
    tell("governor, bodies", measure_defaults::<Governor>(5e-4, 2.0, runs)?);
    tell("Bricard", measure_defaults::<Bricard>(1e-3, 5.0, runs)?);
    tell("delta robot", measure_delta_robot(runs)?);
    tell("car", measure_car(runs)?);
    tell("crank in space", measure_defaults::<SliderCrank>(1e-3, 5.0, runs)?);
    tell("10 four-bars", measure_defaults::<FourBars10>(1e-3, 10.0, runs)?);
    tell("40 four-bars", measure_defaults::<FourBars40>(1e-3, 10.0, runs)?);
    tell("10 in space", measure_defaults::<SpatialChain10>(1e-3, 4.0, runs)?);
    tell("100 in space", measure_defaults::<SpatialChain100>(1e-3, 1.0, runs)?);
    Ok(())
}

/// Times the delta robot with arms that swing.
fn measure_delta_robot(runs: usize) -> Result<Figures, SimulationError> {
    let model = DeltaRobot::default();
    let start = model.start;
    let problem = |newton| {
        Simulation::new(&model)
            .input(DeltaRobot::TARGET_1, move |t: f64| start + 10.0 * (6.0 * t).sin())
            .input(DeltaRobot::TARGET_2, move |t: f64| start + 5.0 * (4.0 * t).sin().powi(2))
            .input(DeltaRobot::TARGET_3, move |t: f64| start - 8.0 * (6.0 * t).sin())
            .step(1e-3)
            .until(5.0)
            .newton(newton)
            .problem()
    };
    let unknown = [DeltaRobot::M, DeltaRobot::L, DeltaRobot::PAYLOAD, DeltaRobot::C];
    costate_speed::measure(&problem(estimated())?, &problem(strict())?, &model, &unknown, runs)
}

/// Times the car on a road with a bump under its front wheels.
fn measure_car(runs: usize) -> Result<Figures, SimulationError> {
    let model = Car::default();
    let bump = |t: f64| if t > 0.5 && t < 0.7 { 0.02 * (1.0 - (10.0 * PI * (t - 0.5)).cos()) } else { 0.0 };
    let problem = |newton| {
        Simulation::new(&model)
            .input(Car::ROAD_FL, bump)
            .input(Car::ROAD_FR, bump)
            .input(Car::ROAD_RL, 0.0)
            .input(Car::ROAD_RR, 0.0)
            .step(1e-3)
            .until(2.0)
            .newton(newton)
            .problem()
    };
    let unknown = [Car::M_C, Car::C, Car::D, Car::C_T];
    costate_speed::measure(&problem(estimated())?, &problem(strict())?, &model, &unknown, runs)
}

/// Measures interpreted mechanisms.
pub fn measure_interpreted(runs: usize) -> Result<Vec<(&'static str, [f64; 2])>> {
    let governor = load("examples/mechanisms/governor.rs", None)?;
    let governor = Pair::new("governor", &Governor::default(), governor);
    let bricard = Pair::new("Bricard", &Bricard::default(), load("examples/mechanisms/bricard.rs", None)?);
    let variables = [("$name", "SpatialChain100"), ("$links", "100")];
    let chain = load_from_macro("examples/mechanisms/spatial_chain.rs", &variables)?;
    let chain = Pair::new("100 in space", &SpatialChain100::default(), chain);
    Ok(vec![
        ("governor, bodies", at_defaults(&governor, (5e-4, 2.0), runs)?),
        ("Bricard", at_defaults(&bricard, (1e-3, 5.0), runs)?),
        ("100 in space", at_defaults(&chain, (1e-3, 1.0), runs)?),
    ])
}
