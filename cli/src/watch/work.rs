//! One refresh of the page: the model is compiled and run, and the results are put on the board.

use std::path::PathBuf;
use std::time::Instant;

use costate::simulate::{Interrupt, Run};
use costate_compiler::{Compiled, ModelFile};
use serde_json::{Value, json};

use super::Options;
use super::shown::Board;
use crate::compare::{self, Difference};
use crate::diagnostics::{Kind, Mark, marks};
use crate::error::CommandError;
use crate::exit::Exit;
use crate::loaded::load_from;
use crate::options::{LimitOptions, Prepared};
use crate::run::ranges_of;

/// The result of a run.
struct Done {
    prepared: Prepared,
    run: Run,
    differences: Vec<Difference>,
}

/// Compiles and runs the model, and shows the result or what is wrong. Returns the files that the model has read.
pub fn refresh(options: &Options, board: &Board, interrupt: &Interrupt) -> Vec<PathBuf> {
    let begin = Instant::now();
    match attempt(options, interrupt) {
        Ok((done, file)) => {
            let messages = remarks(&file, &done.prepared.loaded.compiled);
            let files = read_files(&done.prepared.loaded.compiled);
            let picture =
                done.run.animation().explained(done.prepared.loaded.compiled.model.documentation.as_str()).html();
            let (text, diagrams) = (text(&done), drawn(&done));
            board.change(|shown| {
                (shown.messages, shown.text, shown.diagrams) = (messages, text, diagrams);
                shown.picture = picture;
                shown.picture_number += 1;
                shown.is_current = true;
                shown.seconds = begin.elapsed().as_secs_f64();
            });
            files
        }
        // the file has changed meanwhile, and another refresh follows
        Err(error) if error.exit() == Exit::Interrupted => Vec::new(),
        Err(error) => {
            let messages = messages(&error);
            board.change(|shown| {
                shown.messages = messages;
                shown.is_current = false;
                shown.seconds = begin.elapsed().as_secs_f64();
            });
            Vec::new()
        }
    }
}

fn attempt(options: &Options, interrupt: &Interrupt) -> Result<(Done, ModelFile), CommandError> {
    let file = options.run.selection.read()?;
    let loaded = load_from(&file, &options.run.selection)?;
    let record = options.record()?;
    let motion = options.run.for_pictures(record.as_ref());
    let prepared = motion.prepare_loaded(loaded, (record.as_ref(), &LimitOptions::default()), interrupt.clone())?;
    let run = prepared.simulation.run()?;
    let differences = match (options.comparison(), record) {
        (Some(measured), Some(record)) => {
            let outputs = measured.outputs(&prepared.loaded, &record)?;
            compare::differences(&run, record.until(prepared.end)?, &outputs)?
        }
        _ => Vec::new(),
    };
    Ok((Done { prepared, run, differences }, file))
}

/// Returns the warnings and notes of a model that has been compiled.
fn remarks(file: &ModelFile, compiled: &Compiled) -> Vec<Value> {
    let warnings = marks(file, Kind::Warning, &compiled.warnings);
    warnings.iter().chain(&marks(file, Kind::Note, &compiled.notes)).map(Mark::json).collect()
}

/// Returns an error as messages, those of a model with their lines.
fn messages(error: &CommandError) -> Vec<Value> {
    let object = error.json();
    match object.get("diagnostics").and_then(Value::as_array) {
        Some(diagnostics) if !diagnostics.is_empty() => diagnostics.clone(),
        _ => vec![json!({ "severity": "error", "message": object["error"] })],
    }
}

/// Returns the files of the tables of a model.
fn read_files(compiled: &Compiled) -> Vec<PathBuf> {
    compiled.model.tables.iter().filter_map(|table| table.file.clone()).collect()
}

fn text(done: &Done) -> String {
    let compared = if done.differences.is_empty() { String::new() } else { compare::table(&done.differences) };
    done.prepared.described() + &ranges_of(&done.run) + &compared
}

/// Draws the comparison with the record. The page of the run has diagrams of its outputs.
fn drawn(done: &Done) -> Vec<String> {
    let figure = compare::figure(&done.differences);
    if figure.is_empty() { Vec::new() } else { figure.svg().into_iter().collect() }
}
