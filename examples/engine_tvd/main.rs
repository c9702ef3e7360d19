//! Identifies the torsional vibration damper of a four-cylinder engine from an engine order of a run-up, as in
//! Oberpeilsteiner, Lauss, Nachbagauer, Steiner: A frequency domain approach for parameter identification in multibody
//! dynamics (FD, 2018), section 5.2.
//!
//! The two Maxwell elements can change places without any effect on the twist: (cs1, ds1) and (cs2, ds2) exchanged fit
//! as well. Which of both minima is found depends on the start values, which have to be nearer to the one than to its
//! mirror image.
//!
//! With 1 % noise on the measured amplitudes the parameters are known to some 3 % (cs1) to 20 % (ds2). The cost
//! compares squared amplitudes, whose errors grow with the square of the amplitude, while the standard deviations take
//! the errors at all speeds to be alike: over many seeds the distance from the true values is 0.4 (ds2) to 1.1 (ds1) of
//! them.

mod engine;
mod experiment;
mod figures;
mod measured_orders;
mod options;
mod orders;
mod report;
mod signals;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::Model;
use costate::identify::IdentificationError;
use costate_examples::{Summary, comparison, create_folder_of, interrupted, stop_on_ctrl_c};
use costate_models::{FourCylinderEngine, MappedEngine};

use engine::Engine;
use figures::Results;
use options::{Options, Pressure};
use signals::Signals;

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    match options.pressure {
        Pressure::Map => run(MappedEngine::default(), MappedEngine::start(), &options),
        Pressure::Formula => run(FourCylinderEngine::default(), FourCylinderEngine::start(), &options),
    }
}

fn run<M: Model>(truth: M, start: M, options: &Options) -> Result<ExitCode> {
    let interrupt = stop_on_ctrl_c()?;
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;

    let engine = Engine::new(truth, start)?;
    // What is wrong with a file is said before anything is simulated.
    let read = options.orders.as_deref().map(measured_orders::read).transpose()?;
    let start_run = Signals::of(&engine, &engine.start, &interrupt)?;
    let (measured, true_run) = match read {
        // Its damper is not known.
        Some(orders) => (orders, None),
        None => {
            let run = Signals::of(&engine, &engine.truth, &interrupt)?;
            (run.orders.clone().with_noise(options.noise, options.seed)?, Some(run))
        }
    };
    if let Some(file) = &options.write_orders {
        create_folder_of(file)?;
        orders::write_csv(file, &[("", &measured)])?;
    }
    program.tell(report::measurement(&start_run, options)?);

    if let Some(file) = &options.state {
        create_folder_of(file)?;
    }
    let fit = match experiment::identify(&engine, &measured, options, interrupt.clone())? {
        Err(IdentificationError::Interrupted(stopped)) => {
            return Ok(program.stopped(interrupted(&stopped.work, options.state.as_deref())));
        }
        result => result?,
    };
    program.tell(format!("{fit}\n"));
    let truth = true_run.is_some().then_some(&engine.truth);
    if let Some(truth) = truth {
        program.tell(comparison(&fit, truth, options.noise > 0.0)?);
    }

    let found_run = Signals::of(&engine, fit.model(), &interrupt)?;
    let (start, found) = (&start_run.orders, &found_run.orders);
    program.tell(report::peaks(&measured, start, found));
    let tables = [("measured", &measured), ("start", start), ("identified", found)];
    orders::write_csv(&program.file("orders.csv"), &tables)?;
    program.json(&Summary::new(&fit, truth)?)?;
    if let Some(file) = &options.report {
        fit.report(file)?;
    }
    program.figures(|folder| {
        let values = truth.unwrap_or(fit.model()).parameters();
        let results = Results {
            reference: if truth.is_some() { "true" } else { "identified" },
            shown: true_run.as_ref().unwrap_or(&found_run),
            measured: &measured,
            start,
            found,
            fit: fit.summary(),
            reference_values: engine.unknown.map(|unknown| values.as_ref()[unknown.index()]),
        };
        figures::write(folder, &results)
    })?;
    program.end()
}
