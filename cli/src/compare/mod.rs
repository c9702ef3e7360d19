//! `costate compare`: a run compared with a record of measurements.

mod difference;
mod pictures;

use std::path::{Path, PathBuf};

use clap::Args;
use costate::command::shown::{Exact, Shown};
use costate::cost::{LeastSquares, Quadrature};
use costate::measure::Record;
use costate::model::Output;
use costate::signal::{unwrapped, wrapped};
use costate::simulate::Run;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::assumed;
use crate::doubts;
use crate::error::{CommandError, command_errors};
use crate::interrupt;
use crate::loaded::Loaded;
use crate::options::{
    Format, LimitOptions, OptionError, RunOptions, formats, name_and_text, read_record, since_begin, whole, whole_names,
};
use crate::output::{self, write};
use crate::written::Written;
pub use difference::Difference;
pub use pictures::figure;

/// The run, the record, and the files to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    limit: LimitOptions,
    #[command(flatten)]
    measured: MeasuredOptions,
    /// A file to write: `.html` a page with diagrams, `.svg` the diagrams, `.json` what `--json` prints. Can be given
    /// several times.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

/// A record, and the outputs that it is compared with.
#[derive(Debug, Clone, Args)]
pub struct MeasuredOptions {
    /// The record, a file that `costate records` reads: times and channels with units. Inputs that no `--input` names
    /// are driven by its channels of the same name; without `--until` and `--step`, the run has its length and its
    /// interval.
    #[arg(long, value_name = "FILE")]
    pub record: PathBuf,
    /// The outputs that were measured, each with `=CHANNEL` where the channel has another name; without this, all
    /// outputs that are channels of the record.
    #[arg(long, value_name = "OUTPUTS", value_delimiter = ',', value_parser = measured)]
    pub measured: Vec<(String, String)>,
    /// Channels with angles that begin anew after each turn, as those of encoders: they are continued.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub unwrap: Vec<String>,
}

/// A record without any channel that is an output.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{}` has no channel with the name of an output; name the columns as the outputs (`{}`), or choose them with \
         `--measured OUTPUT=CHANNEL`",
    path.display(), outputs.join("`, `")
)]
struct NothingMeasured {
    path: PathBuf,
    outputs: Vec<String>,
}

command_errors!(Wrong: NothingMeasured);

/// Runs the model and compares.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let files = formats(&options.output, &[Format::Html, Format::Svg, Format::Json])?;
    let names = whole_names(&options.measured.unwrap);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let record = read_record(&options.measured.record, &options.run.records.reader())?;
    let continued = unwrapped(&record, &names)?;
    names.iter().for_each(|name| doubts::of_continued(&record, name));
    let record = continued;
    let late = record.late_begin();
    let (record, counted) = options.run.counted(record);
    let prepared = options.run.prepare(Some(&record), &options.limit)?;
    let outputs = options.measured.outputs(&prepared.loaded, &record)?;
    output::check(options.output.iter().map(PathBuf::as_path))?;
    let run = prepared.simulation.run()?;
    interrupt::at_once();
    let differences = differences(&run, record.clone().until(prepared.end)?, &outputs)?;
    let assumed = assumed::of(&run, outputs.iter().map(|(output, channel)| (&record, channel.as_str(), *output)))?;
    let accuracy = run.accuracy()?;
    doubts::of_steps(accuracy.step_for(options.limit.largest()));
    let doubt = options.limit.doubt(&run, &accuracy);
    let mut doubts: Vec<String> = doubt.iter().cloned().collect();
    doubts.extend(prepared.doubts(&run));
    doubts.extend(outputs.iter().filter_map(|(output, channel)| turns(&record, channel, *output)));

    let mut text = prepared.described();
    match (late, counted) {
        (_, Some(begin)) => {
            text += &format!("0 s of the run is {} s of the record, its first sample\n", Exact(begin));
        }
        (Some(late), None) if options.run.inputs.are_constant() => doubts.push(format!(
            "The record begins {} s after the begin of the run, which nothing drives until then: if the initial \
                 values are those of the first sample, leave out --until and inputs that are functions of the time.",
            Exact(late)
        )),
        _ => {}
    }
    text += &table(&differences);
    text += &assumed::line(&assumed);
    let mut json = prepared.json();
    json["record"] = json!(options.measured.record);
    json["outputs"] = json!(differences);
    json["assumed_units"] = json!(assumed);
    json["doubt"] = json!(doubt);
    json["doubts"] = json!(doubts);
    if let Some(begin) = counted {
        json["beginning"] = json!(begin);
    }
    let name = prepared.loaded.compiled.model.name.to_string();
    let write = |path: &Path, format| write_file(path, format, (&name, &text), &differences, &json);
    let written = Written::each(&files, write);
    Ok(written.answer(text, json).doubted(&doubts))
}

/// Returns the doubt about an angle that jumps after each turn.
pub fn turns(record: &Record, channel: &str, output: Output) -> Option<String> {
    let found = wrapped(record, channel, Some(output.quantity().unit)).ok().flatten()?;
    Some(format!("{found}, with `--unwrap {channel}`"))
}

impl MeasuredOptions {
    /// Returns the measured outputs with the names of their channels.
    ///
    /// # Errors
    /// Names that the model or the record does not have, and a record without any output.
    pub fn outputs(&self, loaded: &Loaded, record: &Record) -> Result<Vec<(Output, String)>, CommandError> {
        let all = Output::each_of(loaded.system.description());
        if self.measured.is_empty() {
            let found: Vec<_> = all
                .filter(|output| record.channel(output.name()).is_ok())
                .map(|output| (output, output.name().to_owned()))
                .collect();
            if found.is_empty() {
                let outputs = loaded.compiled.model.outputs.iter().map(|output| output.name.clone());
                return Err(NothingMeasured { path: self.record.clone(), outputs: outputs.collect() }.into());
            }
            return Ok(found);
        }
        let mut found: Vec<(Output, String)> = Vec::new();
        for (name, channel) in &whole(&self.measured, |(_, channel)| channel) {
            let output = loaded.system.output(name)?;
            record.channel(channel)?;
            if found.iter().any(|(other, _)| *other == output) {
                return Err(OptionError::Repeated { option: "--measured", name: name.clone() }.into());
            }
            found.push((output, channel.clone()));
        }
        Ok(found)
    }
}

/// Compares the outputs of a run with the channels of a record that is no longer than the run, without its samples
/// before 0 s.
///
/// # Errors
/// Units that do not fit, and channels without samples.
pub fn differences(run: &Run, record: Record, outputs: &[(Output, String)]) -> Result<Vec<Difference>, CommandError> {
    let series = run.outputs();
    let record = since_begin(record)?;
    let difference = |(output, channel): &(Output, String)| {
        let samples = record.samples(channel)?;
        let cost = LeastSquares::new(series.step(), series.samples(), Quadrature::Sum);
        let cost = cost.with_record(*output, &record, record.channel(channel)?, 1.0)?;
        let measured = cost.channels().iter().flat_map(|channel| channel.values().iter().copied()).collect();
        let computed = cost.channels().iter().flat_map(|channel| channel.interpolated(series)).collect();
        Ok(Difference::of(*output, channel, samples.times, measured, computed))
    };
    outputs.iter().map(difference).collect()
}

/// Returns the table of the comparison, with the definition of the explained part.
pub fn table(differences: &[Difference]) -> String {
    let rows = differences.iter().map(|difference| {
        [
            difference.output.to_owned(),
            difference.unit.to_owned(),
            difference.samples.to_string(),
            difference.explained.map_or("-".to_owned(), |percent| format!("{percent:.2}")),
            Shown(difference.rms).to_string(),
            Shown(difference.largest).to_string(),
            Shown(difference.largest_time).to_string(),
        ]
    });
    let head = ["output", "unit", "samples", "explained %", "RMS", "largest", "at s"];
    crate::table::table(head, rows, [0, 1])
        + "explained: 100 (1 - |computed - measured| / |measured - its mean|) %, of root mean squares\n"
}

fn write_file(
    path: &Path,
    format: Format,
    (name, text): (&str, &str),
    differences: &[Difference],
    json: &Value,
) -> Result<(), CommandError> {
    match format {
        Format::Svg => Ok(figure(differences).write(path)?),
        Format::Html => write(path, &pictures::page(name, text, differences)?),
        _ => write(path, &format!("{json}\n")),
    }
}

/// Parses `acceleration` or `acceleration=acc 1`.
///
/// # Errors
/// A text of another form, with what to write instead.
pub fn measured(text: &str) -> Result<(String, String), String> {
    match text.contains('=') {
        true => {
            let (name, channel) = name_and_text(text, "acceleration=sensor 1")?;
            Ok((name.to_owned(), channel.to_owned()))
        }
        false if text.trim().is_empty() => Err("write the names of outputs, e.g. `acceleration,load`".to_owned()),
        false => Ok((text.trim().to_owned(), text.trim().to_owned())),
    }
}
