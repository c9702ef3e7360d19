//! `costate convert`: channels of a file in another format.

use clap::Args;
use costate::command::shown::Shown;
use costate::measure::{Record, RecordError, Recording, RecordingError};
use costate::signal::{Smoothing, smoothed, unwrapped, wrap_period};
use serde_json::json;

use super::{File, RecordFileError};
use crate::answer::Answer;
use crate::doubts;
use crate::error::CommandError;
use crate::options::{RecordOptions, extension, smoothing, taken_off};
use crate::output;

/// The files, and the channels that are written.
#[derive(Debug, Args)]
pub struct ConvertOptions {
    /// The file of a measuring device: CSV, UFF58, MDF4, MAT, TDMS, HDF5, Parquet or WAV.
    from: File,
    /// The file to write, whose extension says the format: `.csv`, `.uff` or `.unv` (binary data sets 58b), `.parquet`.
    to: File,
    #[command(flatten)]
    records: RecordOptions,
    /// Writes data sets 58 in text, with 13 digits of each value.
    #[arg(long)]
    text: bool,
    /// Continues an angle that begins anew after each turn.
    #[arg(long, value_name = "CHANNEL")]
    unwrap: Vec<String>,
    /// Replaces a channel by a smooth motion, for a prescribed motion, and adds its velocity `d NAME/dt` and its
    /// acceleration `d2 NAME/dt2`, all of one spline: `angle=8[Hz]` follows frequencies up to 8 Hz, `angle=0.05` is the
    /// distance of its knots in s, and `angle=auto` chooses that by cross-validation, for samples with independent
    /// errors.
    #[arg(long, value_name = "CHANNEL=LIMIT", value_parser = smoothing)]
    smooth: Vec<(String, Smoothing)>,
}

/// The functions of frequency of a file, with how many there are; `None` for a file without them.
fn functions(recording: &Recording) -> Option<String> {
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for function in recording.functions() {
        let kind = function.kind.to_string();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let counted = |(kind, count): &(String, usize)| format!("{kind} ({count})");
    (!kinds.is_empty())
        .then(|| format!("functions of frequency: {}", kinds.iter().map(counted).collect::<Vec<_>>().join(", ")))
}

/// Writes a file in another format.
pub fn convert(options: &ConvertOptions) -> Result<Answer, CommandError> {
    let recording = options.records.reader().open(&options.from)?;
    let functions = functions(&recording);
    let mut record = match recording.record() {
        Err(RecordError::Recording(inner))
            if functions.is_some() && matches!(*inner, RecordingError::NoChannels { .. }) =>
        {
            let file = options.from.clone();
            return Err(RecordFileError::FunctionsAlone { file, functions: functions.unwrap_or_default() }.into());
        }
        other => other?,
    };
    doubts::of_record(&record);
    let (mut said, mut smoothed_channels) = (String::new(), Vec::new());
    if !options.unwrap.is_empty() {
        for name in &options.unwrap {
            said += &format!("{}\n", doubts::continued(&record, name, wrap_period(&record, name)?));
        }
        record = unwrapped(&record, &options.unwrap.iter().map(String::as_str).collect::<Vec<_>>())?;
    }
    for (name, limit) in &options.smooth {
        doubts::of_turns(&record, name, None);
        let made = smoothed(&record, name, *limit)?;
        let (before, after) = (record.channel(name)?, made.record.channel(name)?);
        let (off, unit) = (taken_off(before, after), before.unit().unwrap_or("1"));
        said += &format!("{name}: {made}; {} {unit} (root mean square) smoothed away\n", Shown(off));
        smoothed_channels.push(json!({
            "channel": name, "unit": unit, "knots": made.knots, "noise": made.noise,
            "deviations": made.deviations, "taken_off": off,
        }));
        record = made.record;
    }
    output::check([options.to.as_path()])?;
    match extension(&options.to).as_str() {
        "csv" => record.write_csv(&options.to)?,
        "uff" | "unv" if options.text => record.write_uff(&options.to)?,
        "uff" | "unv" => record.write_uff_binary(&options.to)?,
        "parquet" => parquet(&record, options)?,
        _ => return Err(RecordFileError::Extension(options.to.clone()).into()),
    }
    let (channels, values) = (record.channels().len(), record.times().len());
    let to = options.to.display().to_string();
    let plural = if channels == 1 { "channel" } else { "channels" };
    let text = format!("{to}: {channels} {plural} of {values} values\n{said}");
    let json = json!({ "file": to, "channels": channels, "values": values, "smoothed": smoothed_channels });
    Ok(Answer::new(text, json))
}

#[cfg(feature = "parquet")]
fn parquet(record: &Record, options: &ConvertOptions) -> Result<(), CommandError> {
    Ok(record.write_parquet(&options.to)?)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Record, options: &ConvertOptions) -> Result<(), CommandError> {
    Err(RecordFileError::NoParquet(options.to.clone()).into())
}
