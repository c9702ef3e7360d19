//! Identifies the parameters of a hydraulic engine mount from its measured acceleration, as in Lauss,
//! Oberpeilsteiner, Steiner, Nachbagauer: The discrete adjoint method for parameter identification in multibody
//! system dynamics (2018), section 5.

#[path = "../../models/src/engine_mount.rs"]
#[allow(dead_code, reason = "the variants of the mount are for other programs")]
mod engine_mount;
mod figures;
mod measurement;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use costate::identify::IdentificationError;
use costate::optimize::{Method, OptimizerSettings};
use costate::simulate::Interrupt;
use costate::{Fit, Identification};
use costate_examples::{
    Outputs, Summary, comparison, create_folder_of, fraction, interrupted, positive, stop_on_ctrl_c,
};

use engine_mount::EngineMount;
use figures::Runs;
use measurement::Measurement;

/// Identifies two stiffnesses and two damping parameters of a hydraulic engine mount from its acceleration.
///
/// Without a record, the acceleration is simulated with the true parameters first. Ctrl-C stops the identification.
#[derive(Debug, Parser)]
struct Options {
    /// Standard deviation of the noise on the simulated acceleration, relative to the RMS of the acceleration
    #[arg(long, value_name = "FRACTION", default_value_t = 0.0, value_parser = fraction, allow_negative_numbers = true,
        conflicts_with = "record")]
    noise: f64,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// CSV file with a measured acceleration: `time [s],acceleration [m/s^2]`, and `drive [N]` unless the mount was
    /// driven by the published sweep
    #[arg(long, value_name = "FILE", visible_alias = "file")]
    record: Option<PathBuf>,
    /// Step size in s [default: the record's sampling interval, 1e-4 without a record]
    #[arg(long, value_name = "H", value_parser = positive, allow_negative_numbers = true)]
    step: Option<f64>,
    /// End time in s [default: the end of the record, 1 without a record]
    #[arg(long, value_name = "T", value_parser = positive, allow_negative_numbers = true)]
    until: Option<f64>,
    /// Method of the search; the published one is BFGS, of which the cost over the iterations and the errors during the
    /// search are DA, figures 4 and 6
    #[arg(long, value_enum, default_value_t = Search::LevenbergMarquardt)]
    method: Search,
    /// Stores every iteration in this file, and continues from it if it exists
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Stops after this many iterations
    #[arg(long, value_name = "N")]
    max_iterations: Option<usize>,
    /// Writes everything about the fit to this page
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    outputs: Outputs,
}

/// Methods that search for the parameters.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Search {
    LevenbergMarquardt,
    GaussNewton,
    Bfgs,
}

impl Search {
    fn method(self) -> Method {
        match self {
            Self::LevenbergMarquardt => Method::LevenbergMarquardt,
            Self::GaussNewton => Method::GaussNewton,
            Self::Bfgs => Method::Bfgs,
        }
    }
}

fn main() -> Result<ExitCode> {
    let options = &Options::parse();
    let interrupt = stop_on_ctrl_c()?;
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;

    // A virtual measurement takes the way of a real one, through a file.
    let measurement = match &options.record {
        Some(file) => Measurement::read(file, options)?,
        None => {
            let file = program.file("measurement.csv");
            measurement::simulate(options)?.write_csv(&file)?;
            Measurement::read(&file, options)?
        }
    };
    let start = EngineMount::start();
    let start_run = measurement.simulation(&start).run()?;
    program.tell(report::measurement(&measurement, &start_run, options)?);

    if let Some(file) = &options.state {
        create_folder_of(file)?;
    }
    let fit = match identify(start, &measurement, options, interrupt) {
        Err(IdentificationError::Interrupted(stopped)) => {
            return Ok(program.stopped(interrupted(&stopped.work, options.state.as_deref())));
        }
        result => result?,
    };
    program.tell(format!("{fit}\n"));

    let truth = options.record.is_none().then(EngineMount::default);
    if let Some(truth) = &truth {
        program.tell(comparison(&fit, truth, options.noise > 0.0)?);
    }
    program.json(&Summary::new(&fit, truth.as_ref())?)?;
    if let Some(file) = &options.report {
        fit.report(file)?;
        program.tell(format!("report of the fit in `{}`", file.display()));
    }
    program.figures(|folder| {
        let on_the_way = figures::on_the_way(&measurement, fit.summary())?;
        let found_run = measurement.simulation(fit.model()).run()?;
        let runs = Runs { start: &start_run, found: &found_run, on_the_way: &on_the_way };
        figures::write(folder, &measurement, &runs, fit.summary(), truth.as_ref())
    })?;
    program.end()
}

/// The identification itself.
fn identify(
    start: EngineMount,
    measurement: &Measurement,
    options: &Options,
    interrupt: Interrupt,
) -> Result<Fit<EngineMount>, IdentificationError> {
    let mut optimizer = OptimizerSettings::default().with_method(options.method.method());
    if let Some(iterations) = options.max_iterations {
        optimizer = optimizer.with_maximum_iterations(iterations);
    }
    let simulation = measurement.simulation(&start).interrupt(interrupt);
    let mut identification = Identification::new(&simulation)
        .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2])
        .measured(EngineMount::ACCELERATION, &measurement.record)
        .optimizer(optimizer)
        .progress(!options.outputs.quiet);
    if let Some(file) = &options.state {
        identification = identification.state_file(file);
    }
    identification.run()
}
