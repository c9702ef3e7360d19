//! `costate animate`: a mechanism in motion, as a page, as glTF or as a still.

mod error;
mod recorded;

use std::path::{Path, PathBuf};

use clap::Args;
use costate::animate::Animation;
use serde_json::json;

use crate::answer::Answer;
use crate::error::CommandError;
use crate::interrupt;
use crate::options::{LimitOptions, RunOptions, positive};
use crate::output;
use crate::selection::Selection;

/// The run to show and the file to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    motion: RunOptions,
    /// The file to write: `.html` a page, `.gltf` or `.glb` for Blender and slides, `.svg` a still.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// A run of yours in CSV: a column `time` in s and one for every coordinate of the bodies, `rod[1].x`, or for an
    /// output that is one; other outputs become plots. Without it, the model is run, up to 5 s or `--until`, and
    /// without `--step` or `--tolerance` with adaptive steps.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["until", "step", "tolerance", "scheme", "input",
        "parameter"])]
    run: Option<PathBuf>,
    /// The largest estimated error, relative to the range of a coordinate or output, with which the picture is not
    /// doubtful; without this, errors are not estimated.
    #[arg(long, value_name = "ERROR", value_parser = positive, conflicts_with = "run")]
    error_limit: Option<f64>,
    /// Time in s of a still.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    at: f64,
}

/// Writes the picture.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let (animation, doubt) = match &options.run {
        Some(path) => (recorded(&options.motion.selection, path)?, None),
        None => computed(options)?,
    };
    interrupt::at_once();
    // the file of a recorded run is not replaced
    output::not_an_input(&options.output)?;
    if options.output.extension().is_some_and(|ending| ending == "svg") {
        animation.write_still(&options.output, options.at)?;
    } else {
        animation.write(&options.output)?;
    }
    let text = format!("`{}` is written\n", options.output.display());
    let json = json!({ "file": options.output, "doubt": doubt });
    Ok(Answer::new(text, json).doubted(doubt.as_slice()))
}

/// Returns the picture of a run from a file.
fn recorded(selection: &Selection, path: &Path) -> Result<Animation, CommandError> {
    let compiled = selection.read()?.compile(selection.model.as_deref(), &selection.arguments())?;
    let motion = recorded::read(&compiled, path)?;
    let model = &compiled.model;
    Ok(Animation::new(model.name.to_string(), model.documentation.clone(), motion))
}

/// Runs the model, and says why the run is doubtful where a limit is given. A picture shows errors that a reader of
/// numbers would not accept, so that they are not judged without it.
fn computed(options: &Options) -> Result<(Animation, Option<String>), CommandError> {
    let limit = LimitOptions { error_limit: options.error_limit, judge: Vec::new() };
    let prepared = options.motion.for_pictures(None).prepare(None, &limit)?;
    output::check([options.output.as_path()])?;
    let text = prepared.loaded.compiled.model.documentation.as_str();
    let run = prepared.simulation.run()?;
    let doubt = match limit.error_limit {
        Some(_) => limit.doubt(&run, &run.accuracy()?),
        None => None,
    };
    Ok((run.animation().explained(text), doubt))
}
