//! `costate records`: channels, units, rates, gaps and clipped values of a file.

use std::fmt::Write;

use clap::Args;
use costate::command::LeftOut;
use costate::command::shown::plain;
use costate::measure::{Record, RecordError, Recording, RecordingError};
use costate::signal::wrapped;
use serde_json::{Value, json};

use super::File;
use super::channel::Figures;
use super::plot::plot;
use crate::answer::Answer;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::options::RecordOptions;
use crate::table::{aligned, table};
use crate::{doubts, words};

/// Number of channels of which plots are drawn without being asked for.
const MAX_PLOTS: usize = 24;

/// Number of texts, of functions of frequency and of left-out data that are listed.
const MAX_LISTED: usize = 20;

/// The file, and what is listed of it.
#[derive(Debug, Args)]
pub struct Options {
    /// The file of a measuring device: CSV, UFF58, MDF4, MAT, TDMS, HDF5, Parquet, NumPy or WAV.
    file: File,
    #[command(flatten)]
    records: RecordOptions,
    /// Draws a plot of every channel, however many there are.
    #[arg(long, conflicts_with = "no_plots")]
    plots: bool,
    /// Draws no plots.
    #[arg(long)]
    no_plots: bool,
}

/// Lists what a file has.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let recording = options.records.reader().open(&options.file)?;
    let mut text = format!("{}: {}\n", options.file.display(), recording.format());
    let mut json = json!({ "file": options.file.display().to_string(), "format": recording.format().to_string() });
    for (name, value) in recording.texts().iter().take(MAX_LISTED) {
        let _ = writeln!(text, "{name}: {}", value.lines().next().unwrap_or_default());
    }
    if let Some(taken) = recording.taken() {
        let all = taken.to_string();
        // doubts follow with the records
        let known = all.lines().filter(|line| !line.starts_with("doubtful: "));
        known.for_each(|line| text += &format!("{line}\n"));
    }
    let starts = recording.groups().iter().flat_map(|group| &group.channels).filter_map(|channel| channel.start);
    if let Some(start) = starts.min() {
        let _ = writeln!(text, "begins {start}");
        json["begins"] = start.to_string().into();
    }
    let mut without = Vec::new();
    match recording.clone().records_and_rest() {
        Ok((records, left_out)) => {
            without = left_out;
            let count: usize = records.iter().map(|record| record.channels().len()).sum();
            let with_plots = options.plots || (!options.no_plots && count <= MAX_PLOTS);
            let all: Vec<Value> = records.iter().map(|record| add(&mut text, record, with_plots)).collect();
            json["records"] = all.into();
        }
        Err(RecordError::Recording(error)) => match *error {
            // functions of frequency alone
            RecordingError::NoChannels { .. } if !recording.functions().is_empty() => {}
            // what was left out is listed below
            RecordingError::NoChannels { is_chosen: false, .. } if !recording.left_out().is_empty() => {
                let _ = writeln!(text, "the file has no signals");
            }
            RecordingError::NoTimes { remedy, .. } => {
                let channels = untimed(&mut text, &recording);
                let _ = writeln!(text, "the file does not say the times of channels: {}", words::of_command(&remedy));
                json["channels"] = channels;
            }
            error => return Err(RecordError::from(error).into()),
        },
        Err(error) => return Err(error.into()),
    }
    rest(&mut text, &mut json, &recording, &without);
    let is_doubtful = text.lines().any(|line| line.starts_with("doubtful: "));
    // names and texts may come from anywhere
    let answer = Answer::new(plain(&text).into_owned(), json);
    Ok(if is_doubtful { Answer { exit: Exit::Doubtful, ..answer } } else { answer })
}

/// Adds a record.
fn add(text: &mut String, record: &Record, with_plots: bool) -> Value {
    let times = record.times();
    let (first, last) = (times.first().copied().unwrap_or_default(), times.last().copied().unwrap_or_default());
    let interval = record.interval_beside_gaps();
    let rate = match interval {
        Some(interval) => {
            let gaps = if record.interval().is_none() { " beside gaps" } else { "" };
            format!("{} Hz, every {} s{gaps}", shown(1.0 / interval), shown(interval))
        }
        None => "at times that are not equidistant".to_owned(),
    };
    let _ = writeln!(text, "\n{} values from {} to {} s, {rate}", times.len(), shown(first), shown(last));
    let doubts = doubts::lines(record);
    for doubt in &doubts {
        let _ = writeln!(text, "doubtful: {doubt}");
    }
    if let Some(note) = doubts::of_clock(record) {
        let _ = writeln!(text, "note: {note}");
    }
    let clipped = record.clipped();
    let figures: Vec<Figures> =
        record.channels().iter().map(|channel| Figures::of(record, channel, &clipped)).collect();
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let number = |count: usize| or_dash((count > 0).then(|| count.to_string()));
    let rows = figures.iter().map(|figures| {
        let end = |value: f64| or_dash((figures.least <= figures.largest).then(|| shown(value)));
        [
            figures.name.clone(),
            or_dash(figures.unit.clone()),
            or_dash(figures.interval.map(|interval| format!("{} Hz", shown(1.0 / interval)))),
            end(figures.least),
            end(figures.largest),
            number(figures.missing),
            number(figures.gaps),
            number(figures.clipped),
        ]
    });
    let head = ["channel", "unit", "rate", "least", "largest", "missing", "gaps", "clipped"];
    *text += &table(head, rows, [0, 1]);
    let turns = record.channels().iter().filter_map(|channel| wrapped(record, channel.name(), None).ok().flatten());
    let turns: Vec<String> =
        turns.map(|found| format!("{found} by `costate convert --unwrap {}`", found.channel)).collect();
    for found in &turns {
        let _ = writeln!(text, "doubtful: {found}");
    }
    let samples = doubts::of_samples(record);
    for found in &samples {
        let _ = writeln!(text, "doubtful: {found}");
    }
    let all = [doubts, turns, samples].concat();
    for channel in record.channels().iter().filter(|_| with_plots) {
        let lines = plot(channel.values());
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{}\n{}", channel.name(), lines.join("\n"));
        }
    }
    json!({
        "name": record.name(), "sha256": record.sha256(), "values": times.len(), "from": first, "to": last,
        "interval": interval,
        "channels": figures, "doubts": all,
    })
}

/// Six digits.
fn shown(value: f64) -> String {
    let short = format!("{value:.5e}").parse::<f64>().unwrap_or(value);
    if short != 0.0 && !(1e-4..1e6).contains(&short.abs()) { format!("{short:e}") } else { format!("{short}") }
}

/// Adds channels for which the file has no times.
fn untimed(text: &mut String, recording: &Recording) -> Value {
    let mut rows = vec![["channel", "unit", "values", "first"].map(str::to_owned)];
    let mut all = Vec::new();
    for group in recording.groups() {
        for channel in &group.channels {
            let name =
                if group.name.is_empty() { channel.name.clone() } else { format!("{}.{}", group.name, channel.name) };
            let (unit, first) = (channel.unit.clone(), channel.values.first().copied().unwrap_or(f64::NAN));
            all.push(json!({ "name": name, "unit": unit, "values": channel.values.len() }));
            rows.push([name, unit.unwrap_or_else(|| "-".to_owned()), channel.values.len().to_string(), shown(first)]);
        }
    }
    let _ = writeln!(text, "\n{}", aligned(&rows, [0, 1]).trim_end());
    all.into()
}

/// Adds functions of frequency, what was left out, and notes.
fn rest(text: &mut String, json: &mut Value, recording: &Recording, without: &[LeftOut]) {
    let mut rows = vec![["function", "response", "reference", "values", "unit"].map(str::to_owned)];
    let mut functions = Vec::new();
    for function in recording.functions() {
        let reference = function.reference.as_ref().map_or_else(|| "-".to_owned(), ToString::to_string);
        let unit = match (&function.unit, &function.reference_unit) {
            (Some(unit), Some(per)) => format!("({unit})/({per})"),
            (Some(unit), None) => unit.clone(),
            _ => "-".to_owned(),
        };
        functions.push(json!({
            "kind": function.kind.to_string(), "response": function.response.to_string(), "reference": reference,
            "values": function.real.len(),
        }));
        rows.push([
            function.kind.to_string(),
            function.response.to_string(),
            reference,
            function.real.len().to_string(),
            unit,
        ]);
    }
    if !functions.is_empty() {
        let more = rows.len().saturating_sub(MAX_LISTED + 1);
        rows.truncate(MAX_LISTED + 1);
        let _ = writeln!(text, "\n{}", aligned(&rows, [0, 1, 2, 4]).trim_end());
        if more > 0 {
            let _ = writeln!(text, "and {more} more");
        }
    }
    json["functions"] = functions.into();
    let left_out: Vec<&LeftOut> = recording.left_out().iter().chain(without).collect();
    for left in left_out.iter().take(MAX_LISTED) {
        let _ = writeln!(text, "left out: `{}`: {}", left.name, left.reason);
    }
    if let Some(more) = left_out.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        let _ = writeln!(text, "left out: {more} more");
    }
    for note in recording.notes() {
        let _ = writeln!(text, "note: {note}");
    }
    json["left_out"] =
        left_out.iter().map(|left| json!({ "name": left.name, "reason": left.reason })).collect::<Vec<_>>().into();
    json["notes"] = recording.notes().to_vec().into();
}
