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
mod options;
mod report;
mod rig;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::Identification;
use costate::cost::{ComplexForm, InForm};
use costate::identify::IdentificationError;
use costate::simulate::Interrupt;
use costate_examples::{
    INTERRUPTED, Summary, create_folder_of, interrupted, say, stop_on_ctrl_c, write_json, write_text,
};
use costate_models::PreloadedMount;

use options::Options;
use rig::Curve;

fn main() -> Result<ExitCode> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<ExitCode> {
    let interrupt = stop_on_ctrl_c()?;
    let mut transcript = String::new();
    let mut tell = |text: String| {
        if !options.quiet {
            say(&text);
        }
        transcript += &(text + "\n");
    };
    let file = |name: &str| options.output.join(name);
    create_folder_of(&file("report.txt"))?;

    let (truth, start) = (rig::truth(), rig::start());
    let measured = rig::measure(&truth, options.noise, options.seed)?;
    write_text(&file("stiffness.csv"), &report::csv(&measured))?;
    tell(report::measurement(&measured, options));

    let fit = match identification(&start, &measured, options, interrupt)?.run() {
        Err(IdentificationError::Interrupted(stopped)) => {
            tell(interrupted(&stopped.work, None));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        result => result?,
    };
    tell(format!("{fit}\n"));
    tell(report::comparison(&fit, &truth, options.noise > 0.0)?);
    if let Some(file) = &options.json {
        write_json(file, &Summary::new(&fit, Some(&truth))?)?;
    }
    if let Some(file) = &options.report {
        let report = report::of_mount(fit.model(), &measured, options)?;
        report.write_html(file)?;
        tell(format!("{report}\nreport of the mount in `{}`\n", file.display()));
    }
    if !options.no_figures {
        let [before, after] = [&start, fit.model()].map(rig::stiffness);
        figures::write(&options.output, &measured, &before?, &after?)?;
        tell(format!("curves and figures in `{}`", options.output.display()));
    }
    write_text(&file("report.txt"), &transcript)?;
    Ok(ExitCode::SUCCESS)
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
    Ok(identification.progress(!options.quiet))
}
