//! `costate convert`: channels of a file in another format.

use clap::Args;
use costate_record::Record;
use serde_json::json;

use super::{Choice, File};
use crate::answer::Answer;
use crate::error::CommandError;

/// The files, and the channels that are written.
#[derive(Debug, Args)]
pub struct ConvertOptions {
    /// The file of a measuring device: CSV, UFF58, MDF4, MAT, TDMS, HDF5, Parquet or WAV.
    from: File,
    /// The file to write, whose extension says the format: `.csv`, `.uff` or `.unv` (binary data sets 58b), `.parquet`.
    to: File,
    #[command(flatten)]
    choice: Choice,
    /// Writes data sets 58 in text, with 13 digits of each value.
    #[arg(long)]
    text: bool,
}

/// Writes a file in another format.
pub fn convert(options: &ConvertOptions) -> Result<Answer, CommandError> {
    let record = options.choice.open(&options.from)?.record()?;
    let extension =
        options.to.extension().and_then(|text| text.to_str()).unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "csv" => record.write_csv(&options.to)?,
        "uff" | "unv" if options.text => record.write_uff(&options.to)?,
        "uff" | "unv" => record.write_uff_binary(&options.to)?,
        "parquet" => parquet(&record, options)?,
        _ => return Err(CommandError::Extension(options.to.clone())),
    }
    let (channels, values) = (record.channels().len(), record.times().len());
    let to = options.to.display().to_string();
    let plural = if channels == 1 { "channel" } else { "channels" };
    let text = format!("{to}: {channels} {plural} of {values} values\n");
    Ok(Answer::new(text, json!({ "file": to, "channels": channels, "values": values })))
}

#[cfg(feature = "parquet")]
fn parquet(record: &Record, options: &ConvertOptions) -> Result<(), CommandError> {
    Ok(record.write_parquet(&options.to)?)
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Record, options: &ConvertOptions) -> Result<(), CommandError> {
    let (file, format) = (options.to.display().to_string(), costate_record::Format::Parquet);
    let missing = costate_record::FormatError::Feature { file, format, feature: format.feature() };
    Err(costate_record::RecordError::from(costate_record::RecordingError::from(missing)).into())
}
