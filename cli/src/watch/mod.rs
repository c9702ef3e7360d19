//! `costate watch`: a local page that shows a run of a model, and refreshes when the file of the model is saved.

mod files;
mod requests;
mod server;
mod shown;
mod work;

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use costate::measure::Record;
use costate::simulate::Interrupt;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::compare::MeasuredOptions;
use crate::error::{CommandError, command_errors};
use crate::interrupt::on_ctrl_c;
use crate::options::{RunOptions, read_record};
use files::Watched;
use shown::Board;

/// Time between two looks at the files.
const LOOK_INTERVAL: Duration = Duration::from_millis(30);

/// Time between two looks whether a run has ended.
const RUN_GLANCE: Duration = Duration::from_millis(2);

/// The model to show, and where.
#[derive(Debug, Clone, Args)]
pub struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    measured: OptionalRecord,
    /// The port of the page on 127.0.0.1; without it, a free one.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
}

/// A record that may be missing.
#[derive(Debug, Clone, Args)]
struct OptionalRecord {
    /// A record in CSV, with which the page compares the run.
    #[arg(long, value_name = "FILE")]
    record: Option<std::path::PathBuf>,
    /// The outputs that were measured, each with `=CHANNEL` where the channel has another name.
    #[arg(long, value_name = "OUTPUTS", value_delimiter = ',', value_parser = crate::compare::measured,
        requires = "record")]
    measured: Vec<(String, String)>,
}

impl Options {
    /// Returns the record and its outputs, if there is one.
    fn comparison(&self) -> Option<MeasuredOptions> {
        let OptionalRecord { record, measured } = self.measured.clone();
        Some(MeasuredOptions { record: record?, measured, unwrap: Vec::new() })
    }

    /// Reads the record, if there is one.
    fn record(&self) -> Result<Option<Record>, CommandError> {
        let reader = self.run.records.reader();
        let record = self.measured.record.as_ref().map(|path| read_record(path, &reader)).transpose()?;
        Ok(record.map(|record| self.run.counted(record).0))
    }
}

/// A port that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot serve a page at the port {port} of 127.0.0.1; choose another `--port`, or none for a free one")]
struct PortError {
    port: u16,
    source: std::io::Error,
}

command_errors!(Wrong: PortError);

/// Serves the page until Ctrl-C.
pub fn run(options: &Options, as_json: bool) -> Result<Answer, CommandError> {
    let failed = |source| PortError { port: options.port, source };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let board = Arc::new(Board::default());
    let stop = on_ctrl_c();
    server::serve(listener, port, &board);
    let address = format!("http://127.0.0.1:{port}/");
    let file = &options.run.selection.file;
    let text = format!("{address} shows `{}`; Ctrl-C ends it\n", file.display());
    Answer::new(text, json!({ "address": address, "file": file })).print(as_json)?;

    let mut watched = Watched::new(options);
    while !stop.is_triggered() {
        let interrupt = Interrupt::new();
        let files = std::thread::scope(|scope| {
            let worker = scope.spawn(|| work::refresh(options, &board, &interrupt));
            // a run of an old text is not waited for
            while !worker.is_finished() {
                std::thread::sleep(RUN_GLANCE);
                if stop.is_triggered() || watched.is_due() && watched.has_changed() {
                    interrupt.trigger();
                }
            }
            worker.join().unwrap_or_default()
        });
        watched.also(files);
        while !stop.is_triggered() && !watched.take_change() {
            std::thread::sleep(LOOK_INTERVAL);
        }
    }
    board.close();
    // the address was the answer
    Ok(Answer::new("", Value::Null))
}
