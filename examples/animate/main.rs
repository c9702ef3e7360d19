//! Shows mechanisms in motion: a crane that moves a load, and a double wishbone suspension on a road.

#[path = "../mechanisms/crane.rs"]
mod crane;
#[path = "../mechanisms/double_wishbone.rs"]
mod double_wishbone;
mod options;

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Parser;
use costate::Simulation;
use costate::animate::Animation;
use costate_examples::{create_folder_of, say};

use crane::Crane;
use double_wishbone::DoubleWishbone;
use options::{Mechanism, Options};

fn main() -> Result<()> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<()> {
    let animation = match options.model {
        Mechanism::Crane => moved_load(options.until)?,
        Mechanism::DoubleWishbone => rough_road(options.until)?,
    };
    let standard =
        ["html", "glb", "svg"].map(|ending| Path::new("out/animate").join(options.model.name()).with_extension(ending));
    let files: &[PathBuf] = if options.files.is_empty() { &standard } else { &options.files };
    for file in files {
        create_folder_of(file)?;
        animation.write(file)?;
        if !options.quiet {
            say(format!("{}", file.display()));
        }
    }
    Ok(())
}

/// A load that is moved and left to itself.
fn moved_load(until: f64) -> Result<Animation> {
    let drive = |t: f64| match t {
        ..2.0 => 800.0,
        ..4.0 => -800.0,
        _ => 0.0,
    };
    let run = Simulation::new(&Crane::default()).input(Crane::DRIVE, drive).step(5e-3).until(until).run()?;
    Ok(run.animation().explained("A load that is moved and left to itself"))
}

/// A road with bumps that follow each other faster and faster.
fn rough_road(until: f64) -> Result<Animation> {
    let road = |t: f64| 0.02 * (1.0 - (3.0 * t + 1.5 * t * t).cos());
    let suspension = DoubleWishbone::default();
    let run = Simulation::new(&suspension).input(DoubleWishbone::ROAD, road).step(2e-3).until(until).run()?;
    Ok(run.animation().explained("A corner of a car over bumps that follow each other faster and faster"))
}
