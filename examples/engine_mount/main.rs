//! Identifies the parameters of a hydraulic engine mount from its measured acceleration, as in Lauss,
//! Oberpeilsteiner, Steiner, Nachbagauer: The discrete adjoint method for parameter identification in multibody
//! system dynamics (2018), section 5.

mod figures;
mod measurement;
mod options;
mod report;

use std::error::Error;
use std::process::ExitCode;

use clap::Parser;
use costate::{Fit, Identification, IdentificationError, Interrupt, OptimizerSettings};
use costate_examples::{INTERRUPTED, create_folder_of, exit, say, write_json};
use costate_models::{EngineMount, engine_mount};

use figures::Runs;
use measurement::Measurement;
use options::Options;

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Result<ExitCode, Box<dyn Error>> {
    let interrupt = stop_on_ctrl_c()?;
    let say = |line: String| {
        if !options.quiet {
            say(line)
        }
    };
    create_folder_of(&options.file("measurement.csv"))?;

    // A virtual measurement takes the way of a real one, through a file.
    let measurement = match &options.record {
        Some(file) => Measurement::read(file, options)?,
        None => {
            let file = options.file("measurement.csv");
            measurement::simulate(options)?.write_csv(&file)?;
            Measurement::read(&file, options)?
        }
    };
    let start = EngineMount::start();
    let start_run = measurement.simulation(&start).interrupt(interrupt.clone()).run()?;
    say(report::measurement(&measurement, &start_run, options)?);

    let fit = match identify(start, &measurement, options, interrupt.clone()) {
        Err(IdentificationError::Interrupted { iterations, .. }) => {
            say(report::interrupted(iterations, options));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        result => result?,
    };
    say(format!("{fit}\n"));

    let truth = options.record.is_none().then(EngineMount::default);
    if let Some(truth) = &truth {
        say(report::comparison(&fit, truth, options.noise > 0.0)?);
    }
    if let Some(file) = &options.json {
        write_json(file, &report::summary(&fit, truth.as_ref())?)?;
    }
    if !options.no_figures {
        let found_run = measurement.simulation(fit.model()).interrupt(interrupt).run()?;
        let runs = Runs { start: &start_run, found: &found_run };
        figures::write(&options.output, &measurement, &runs, fit.summary(), truth.as_ref())?;
        say(format!("figures in `{}`", options.output.display()));
    }
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
    let mut identification = Identification::new(start)
        .unknown([EngineMount::C_E1, EngineMount::C_E2, EngineMount::D_E, EngineMount::D_H2])
        .measured(EngineMount::ACCELERATION, &measurement.record)
        .signal(EngineMount::DRIVE, measurement.drive.clone())
        .step(measurement.step)
        .until(measurement.end)
        .alpha(engine_mount::ALPHA)
        .optimizer(optimizer)
        .interrupt(interrupt)
        .progress(!options.quiet);
    if let Some(file) = &options.state {
        identification = identification.state_file(file);
    }
    identification.run()
}

/// The first Ctrl-C asks for an orderly stop, the second one ends the program at once.
fn stop_on_ctrl_c() -> Result<Interrupt, ctrlc::Error> {
    let interrupt = Interrupt::new();
    let handle = interrupt.clone();
    ctrlc::set_handler(move || {
        if handle.is_triggered() {
            std::process::exit(i32::from(INTERRUPTED));
        }
        handle.trigger();
    })?;
    Ok(interrupt)
}
