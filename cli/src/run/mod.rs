//! `costate run`: runs a model, and says how accurate the run is and what its outputs do.

mod accuracy;
pub mod diagrams;
mod divergence;
mod growth;
mod ranges;
mod undefined;

use std::path::{Path, PathBuf};

use clap::Args;
use costate::measure::Record;
use costate::simulate::Run;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::assumed;
use crate::doubts;
use crate::error::CommandError;
use crate::interrupt;
use crate::options::{Format, LimitOptions, Prepared, RunOptions, formats};
use crate::output::{self, write};
use crate::written::Written;
pub use divergence::Divergence;
use growth::Growth;
use ranges::Range;

/// The run, and the files to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    limit: LimitOptions,
    /// A file to write: `.csv` the outputs over time, `.html` a page that plays the run with diagrams of the outputs,
    /// `.svg` the diagrams, `.json` what `--json` prints with the outputs over time. Can be given several times.
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
}

/// Runs the model.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let files = formats(&options.output, &[Format::Csv, Format::Html, Format::Svg, Format::Json])?;
    let prepared = options.run.prepare(None, &options.limit)?;
    output::check(options.output.iter().map(PathBuf::as_path))?;
    let run = prepared.simulation.run()?;
    interrupt::at_once();
    let accuracy = run.accuracy()?;
    doubts::of_steps(accuracy.step_for(options.limit.largest()));
    let mut doubts = Vec::from_iter(options.limit.doubt(&run, &accuracy));
    if let Some(doubt) = doubts.first_mut()
        && let Some(divergence) =
            Divergence::of(&prepared.loaded, &prepared.simulation, &prepared.parameters, prepared.end, prepared.step)
    {
        // shorter steps do not help
        let error = doubt.split_once(": take ").map_or(doubt.as_str(), |(error, _)| error);
        *doubt = format!("{error}: {divergence}");
    }
    let mut doubts = undefined::explained(doubts, &prepared.loaded, &run, &accuracy.undefined_outputs);
    doubts.extend(prepared.doubts(&run));
    let mut growth = Growth::of(&run, false);
    if growth.is_some() {
        let problem = prepared.simulation.problem()?;
        let inputs = problem.inputs();
        let is_driven = (1..inputs.len()).any(|i| inputs.row(i) != inputs.row(0));
        growth = Growth::of(&run, is_driven);
    }
    let growth = growth.map(|growth| growth.to_string());
    let ranges = Range::of_outputs(&run);

    let mut text = prepared.described();
    text += &format!("{accuracy}\n");
    text += &ranges::table(&ranges);
    text += &assumed::line(run.assumed_units());
    let mut json = prepared.json();
    json["steps"] = run.trajectory().steps().into();
    json["accuracy"] = accuracy::json(&accuracy, options.limit.largest());
    json["outputs"] = json!(ranges);
    json["assumed_units"] = json!(run.assumed_units());
    json["doubt"] = json!(doubts.first());
    json["doubts"] = json!(doubts);
    json["growth"] = json!(growth);
    let written = Written::each(&files, |path, format| write_file(path, format, &prepared, &run, &json));
    Ok(written.answer(text, json).doubted(&doubts).doubted(growth.as_slice()))
}

/// Returns the table of the outputs of a run: least and largest values with their times, and the ends.
pub fn ranges_of(run: &Run) -> String {
    ranges::table(&Range::of_outputs(run))
}

fn write_file(path: &Path, format: Format, prepared: &Prepared, run: &Run, json: &Value) -> Result<(), CommandError> {
    match format {
        Format::Csv => Ok(Record::try_from(run)?.write_csv(path)?),
        Format::Html => {
            let text = prepared.loaded.compiled.model.documentation.as_str();
            Ok(run.animation().explained(text).write(path)?)
        }
        Format::Svg => {
            let figure = diagrams::of_outputs(run);
            if figure.is_empty() {
                return Err(prepared.nothing("outputs", "draw").into());
            }
            Ok(figure.write(path)?)
        }
        Format::Json => {
            let mut all = json.clone();
            all["time"] = json!(run.times());
            let names = run.trajectory().description().outputs;
            let series = names.iter().enumerate().map(|(k, output)| {
                let values: Vec<f64> = run.outputs().channel(k).into_iter().flatten().collect();
                (output.name.to_owned(), json!(values))
            });
            all["series"] = Value::Object(series.collect());
            write(path, &format!("{all}\n"))
        }
    }
}
