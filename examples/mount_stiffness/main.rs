//! Identifies a hydraulic engine mount from its dynamic stiffness over frequency at five amplitudes, as a test rig
//! measures it: the rig controls the displacement of the mount under a constant preload, and the force below it is
//! measured.
//!
//! The structure is that of Lauss, Oberpeilsteiner, Steiner, Nachbagauer: The discrete adjoint method for parameter
//! identification in multibody system dynamics (2018), section 5. The published values leave no loss angle above 1
//! degree below 50 Hz, since the fluid of their channel is light; those of this program are typical of passenger cars,
//! with a fluid that resonates near 10 Hz. Stiffness depends on the amplitude by two terms of the publication: the
//! losses of the channel, which grow with the cube of the velocity and lower the peak of the loss angle, and the cubic
//! stiffness of the elastomer. The membrane has no free play.

mod figures;
mod report;
mod rig;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::Identification;
use costate::cost::{ComplexForm, InForm};
use costate::identify::IdentificationError;
use costate::simulate::Interrupt;
use costate_examples::{Outputs, Summary, comparison, fraction, interrupted, stop_on_ctrl_c, write_text};
use costate_models::PreloadedMount;

use rig::Curve;

/// Identifies seven parameters of a hydraulic engine mount from its dynamic stiffness over frequency at five
/// amplitudes, 0.05 mm to 2 mm.
///
/// The stiffness is computed with the true parameters first, and noise is added. Ctrl-C stops the identification.
#[derive(Debug, Parser)]
struct Options {
    /// Standard deviation of the noise on real and on imaginary part of the stiffness, relative to its magnitude
    #[arg(long, value_name = "FRACTION", default_value_t = 0.01, value_parser = fraction,
        allow_negative_numbers = true)]
    noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Writes the report of the mount to this page: levels in dB re 1 N/m, loss factors, linearity, errors of the
    /// model, limits
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

fn main() -> Result<ExitCode> {
    let options = &Options::parse();
    let interrupt = stop_on_ctrl_c()?;
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;

    let (truth, start) = (rig::truth(), rig::start());
    let measured = rig::measure(&truth, options.noise, options.seed)?;
    write_text(&program.file("stiffness.csv"), &report::csv(&measured))?;
    program.tell(report::measurement(&measured, options));

    let fit = match identification(&start, &measured, options, interrupt)?.run() {
        Err(IdentificationError::Interrupted(stopped)) => {
            return Ok(program.stopped(interrupted(&stopped.work, None)));
        }
        result => result?,
    };
    program.tell(format!("{fit}\n"));
    program.tell(comparison(&fit, &truth, options.noise > 0.0)?);
    program.json(&Summary::new(&fit, Some(&truth))?)?;
    if let Some(file) = &options.report {
        let report = report::of_mount(fit.model(), &measured, options)?;
        report.write_html(file)?;
        program.tell(format!("{report}\nreport of the mount in `{}`\n", file.display()));
    }
    program.figures(|folder| {
        let [before, after] = [&start, fit.model()].map(rig::stiffness);
        figures::write(folder, &measured, &before?, &after?)
    })?;
    program.end()
}

/// Prepares the identification of the mount from the measured curves alone.
fn identification(
    start: &PreloadedMount,
    measured: &[Curve],
    options: &Options,
    interrupt: Interrupt,
) -> Result<Identification<PreloadedMount>> {
    let simulation = rig::simulation(start).interrupt(interrupt);
    let predicted = rig::balance(&simulation)
        .predict("rig", &rig::frequencies())?
        .stiffness(PreloadedMount::TRANSMITTED, PreloadedMount::DISPLACEMENT)?;
    let predicted = InForm::new(predicted, ComplexForm::RealAndImaginary)?;
    let mut numbers = Vec::new();
    for (curve, predicted_curve) in measured.iter().zip(predicted.curves()) {
        numbers.extend(curve.complex(options.noise).numbers(&predicted, &predicted_curve.name)?);
    }
    let identification = Identification::new(&simulation).unknown(rig::UNKNOWN).predicted(predicted, numbers);
    Ok(identification.progress(!options.outputs.quiet))
}
