//! Simulates a pendulum, and finds its damping from the simulated angle.

mod model;

use anyhow::Result;
use costate::{Identification, Model, Record, Simulation};
use model::Pendulum;

/// Acceleration of the pivot in m/s^2.
fn shake(t: f64) -> f64 {
    2.0 * (3.0 * t).sin()
}

/// White noise with the standard deviation 1, the same in every run.
fn noise(mut state: u64) -> impl FnMut() -> f64 {
    let mut even = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as f64 / 2f64.powi(31)
    };
    // the sum of twelve uniform numbers between 0 and 1 is nearly normal
    move || (0..12).map(|_| even()).sum::<f64>() - 6.0
}

fn main() -> Result<()> {
    // `cargo run` interprets the model, `cargo run --release` compiles it.
    println!("back end: {}", Pendulum::description().back_end);
    let pendulum = Pendulum::default();
    let run = Simulation::new(&pendulum).input(Pendulum::SHAKE, shake).step(1e-3).until(5.0).run()?;
    let angle = run.output(Pendulum::ANGLE);
    println!("   t in s   angle in deg");
    for (time, angle) in run.times().iter().zip(&angle).step_by(500) {
        println!("{time:9.1} {angle:14.3}");
    }
    // A page that plays the run: its outputs, and of models with bodies the mechanism.
    run.animation().write("pendulum.html")?;

    // The simulation with noise of 0.1 degrees stands in for a measurement; `Record::read_csv` reads a real one.
    let mut noise = noise(1);
    let measured = angle.iter().map(|angle| angle + 0.1 * noise()).collect();
    let record = Record::new(run.times())?.with_channel("angle", Some("deg"), measured)?;
    let simulation = Simulation::new(&Pendulum { d: 0.03, ..pendulum }).input(Pendulum::SHAKE, shake);
    let fit = Identification::new(&simulation)
        .unknown([Pendulum::D])
        .measured(Pendulum::ANGLE, &record)
        .run()?;
    println!("\n{fit}");
    Ok(())
}
