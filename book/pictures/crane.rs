//! A crane with its load, as a still.

use anyhow::Result;
use costate::Simulation;

#[path = "../../examples/mechanisms/crane.rs"]
mod model;

use model::Crane;

/// While it is driven.
pub fn still() -> Result<String> {
    let crane = Crane::default();
    let drive = |t: f64| {
        if t < 2.0 {
            800.0
        } else if t < 4.0 {
            -800.0
        } else {
            0.0
        }
    };
    let run = Simulation::new(&crane).input(Crane::DRIVE, drive).step(5e-3).until(8.0).run()?;
    Ok(run.animation().still(1.6))
}
