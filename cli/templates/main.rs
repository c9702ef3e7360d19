//! Simulates a pendulum, and finds its damping from the simulated angle.

mod model;

use anyhow::Result;
use costate::{Identification, Record, Simulation};
use model::Pendulum;

/// Acceleration of the pivot in m/s^2.
fn shake(t: f64) -> f64 {
    2.0 * (3.0 * t).sin()
}

fn main() -> Result<()> {
    let pendulum = Pendulum::default();
    let run = Simulation::new(&pendulum).input(Pendulum::SHAKE, shake).step(1e-3).until(5.0).run()?;
    let angle = run.output(Pendulum::ANGLE);
    println!("   t in s   angle in deg");
    for (time, angle) in run.times().iter().zip(&angle).step_by(500) {
        println!("{time:9.1} {angle:14.3}");
    }
    // A page that plays the run: its outputs, and of models with bodies the mechanism.
    run.animation().write("pendulum.html")?;

    // The simulation stands in for a measurement; `Record::read_csv` reads a real one.
    let record = Record::new(run.times())?.with_channel("angle", Some("deg"), angle)?;
    let simulation = Simulation::new(&Pendulum { d: 0.03, ..pendulum }).input(Pendulum::SHAKE, shake);
    let fit = Identification::new(&simulation)
        .unknown([Pendulum::D])
        .measured(Pendulum::ANGLE, &record)
        .run()?;
    println!("\n{fit}");
    Ok(())
}
