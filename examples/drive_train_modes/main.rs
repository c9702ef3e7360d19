//! Torsional modes of a four-cylinder engine with a torsional vibration damper, the engine of `engine_tvd`: its
//! position of rest, modes with their energies, the speeds at which engine orders meet natural frequencies, and springs
//! and dampers from a modal test.
//!
//! At rest with the crank at a known angle, the engine is a linear system, and its modes are exact. In motion the
//! inertia of the crank mechanisms changes with the angle: `campbell.rs` says what poles over the speed are then. The
//! modal test determines 11 springs and dampers, but not all five of the vibration damper, which act mainly on two
//! modes: its Maxwell elements keep the values of the data sheet, which are the true ones here.

mod campbell;
mod energies;
mod engine;
mod figures;
mod modal_test;
mod options;
mod report;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate_examples::comparison;
use costate_models::FourCylinderEngine;

use campbell::Campbell;
use energies::Energies;
use modal_test::ModalTest;
use options::Options;

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;

    let truth = FourCylinderEngine::default();
    let rest = engine::at_rest(&truth, options.angle).find()?;
    let modes = rest.linearized().modes()?;
    let energies = Energies::of(&modes)?;
    program.tell(report::at_rest(&rest, &modes, &energies, options.angle));

    let campbell = Campbell::of(&truth, options.to)?;
    program.tell(report::over_angle(&campbell));
    program.tell(report::crossings(&campbell));

    let test = ModalTest::of(&truth, &options)?;
    let start = modal_test::start(&truth);
    program.tell(report::test(&test, &test.check(&start)?, &options));
    let fit = test.fit(&start)?;
    program.tell(format!("{fit}\n"));
    program.tell(comparison(&fit, &truth, true)?);
    program.tell(report::distance(&fit, &test)?);

    program.json(&report::Results::new(&fit, &truth, &modes, &campbell)?)?;
    if let Some(file) = &options.report {
        fit.report(file)?;
    }
    program.figures(|folder| figures::write(folder, &modes, &energies, &campbell))?;
    program.end()
}
