//! `costate animate`: a mechanism in motion, as a page, as glTF or as a still.

mod recorded;

use std::path::{Path, PathBuf};

use clap::Args;
use costate_view::Animation;
use serde_json::json;

use crate::answer::Answer;
use crate::error::CommandError;
use crate::interrupt;
use crate::options::RunOptions;
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
    /// A run of yours in CSV: a column `time` in s and one for every coordinate of the bodies, `rod[1].x`, or for an output
    /// that is one; other outputs become plots. Without it, the model is run, up to 5 s or `--until`, and without `--step` or
    /// `--tolerance` with adaptive steps.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["until", "step", "tolerance", "scheme", "input", "parameter"])]
    run: Option<PathBuf>,
    /// Time in s of a still.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    at: f64,
}

/// Writes the picture.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let animation = match &options.run {
        Some(path) => recorded(&options.motion.selection, path)?,
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
    Ok(Answer::new(text, json!({ "file": options.output })))
}

/// Returns the picture of a run from a file.
fn recorded(selection: &Selection, path: &Path) -> Result<Animation, CommandError> {
    let compiled = selection.read()?.compile(selection.model.as_deref(), &selection.arguments())?;
    let motion = recorded::read(&compiled, path)?;
    let model = &compiled.model;
    Ok(Animation::new(model.name.to_string(), model.documentation.clone(), motion))
}

/// Runs the model. A picture shows errors that a reader of numbers would not accept, so that they do not refuse a run.
fn computed(options: &Options) -> Result<Animation, CommandError> {
    let prepared = options.motion.for_pictures(None).prepare(None)?;
    output::check([options.output.as_path()])?;
    let text = prepared.loaded.compiled.model.documentation.as_str();
    Ok(prepared.simulation.run()?.animation().explained(text))
}
