//! Identifies the parameters of a hydraulic engine mount from its measured acceleration, as in Lauss,
//! Oberpeilsteiner, Steiner, Nachbagauer: The discrete adjoint method for parameter identification in multibody
//! system dynamics (2018), section 5.

#[path = "../../models/src/engine_mount.rs"]
#[allow(dead_code, reason = "the variants of the mount are for other programs")]
mod engine_mount;
mod figures;
mod measurement;
mod options;
mod report;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::identify::IdentificationError;
use costate::optimize::OptimizerSettings;
use costate::simulate::Interrupt;
use costate::{Fit, Identification};
use costate_examples::{
    INTERRUPTED, Summary, create_folder_of, interrupted, say, stop_on_ctrl_c, write_json, write_text,
};

use engine_mount::EngineMount;
use figures::Runs;
use measurement::Measurement;
use options::Options;

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

    // A virtual measurement takes the way of a real one, through a file.
    let measurement = match &options.record {
        Some(file) => Measurement::read(file, options)?,
        None => {
            measurement::simulate(options)?.write_csv(file("measurement.csv"))?;
            Measurement::read(&file("measurement.csv"), options)?
        }
    };
    let start = EngineMount::start();
    let start_run = measurement.simulation(&start).run()?;
    tell(report::measurement(&measurement, &start_run, options)?);

    if let Some(file) = &options.state {
        create_folder_of(file)?;
    }
    let fit = match identify(start, &measurement, options, interrupt) {
        Err(IdentificationError::Interrupted(stopped)) => {
            tell(interrupted(&stopped.work, options.state.as_deref()));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        result => result?,
    };
    tell(format!("{fit}\n"));

    let truth = options.record.is_none().then(EngineMount::default);
    if let Some(truth) = &truth {
        tell(report::comparison(&fit, truth, options.noise > 0.0)?);
    }
    if let Some(file) = &options.json {
        write_json(file, &Summary::new(&fit, truth.as_ref())?)?;
    }
    if let Some(file) = &options.report {
        fit.report(file)?;
        tell(format!("report of the fit in `{}`", file.display()));
    }
    if !options.no_figures {
        let found_run = measurement.simulation(fit.model()).run()?;
        let runs = Runs { start: &start_run, found: &found_run };
        figures::write(&options.output, &measurement, &runs, fit.summary(), truth.as_ref())?;
        tell(format!("figures in `{}`", options.output.display()));
    }
    write_text(&file("report.txt"), &transcript)?;
    Ok(ExitCode::SUCCESS)
}

/// The identification itself.
fn identify(
    start: EngineMount,
    measurement: &Measurement,
    options: &Options,
    interrupt: Interrupt,
) -> Result<Fit<EngineMount>, IdentificationError> {
    let mut optimizer = OptimizerSettings::default();
    if let Some(iterations) = options.max_iterations {
        optimizer = optimizer.with_maximum_iterations(iterations);
    }
    let simulation = measurement.simulation(&start).interrupt(interrupt);
    let mut identification = Identification::new(&simulation)
        .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2])
        .measured(EngineMount::ACCELERATION, &measurement.record)
        .optimizer(optimizer)
        .progress(!options.quiet);
    if let Some(file) = &options.state {
        identification = identification.state_file(file);
    }
    identification.run()
}
