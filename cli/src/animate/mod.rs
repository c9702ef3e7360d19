//! `costate animate`: a mechanism in motion, as a page, as glTF or as a still.

mod cache;
mod program;
mod recorded;

use std::path::PathBuf;

use clap::Args;
use costate_view::Animation;

use crate::error::CommandError;
use crate::expand::Selection;
use crate::output;

/// The run to show and the file to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    /// The file to write: `.html` a page, `.gltf` or `.glb` for Blender and slides, `.svg` a still.
    #[arg(short, long)]
    output: PathBuf,
    /// A run of yours in CSV: a column `time` in s and one for every coordinate of the bodies, `rod[1].x`, or for an output
    /// that is one; other outputs become plots. Without it, the model is run with its defaults, which needs `cargo`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["until", "step", "input"])]
    run: Option<PathBuf>,
    /// Time in s at which the run ends.
    #[arg(long, default_value_t = 5.0, value_parser = positive)]
    until: f64,
    /// Length of a step in s; without it, steps are as long as an error of 1e-4 of the motion's range allows.
    #[arg(long, value_parser = positive)]
    step: Option<f64>,
    /// The constant value of an input in its unit; inputs that are not named are 0.
    #[arg(long, value_name = "INPUT=VALUE", value_parser = assignment)]
    input: Vec<(String, f64)>,
    /// Time in s of a still.
    #[arg(long, default_value_t = 0.0)]
    at: f64,
}

/// Writes the picture.
pub fn run(options: &Options) -> Result<(), CommandError> {
    let model = &options.selection.model;
    let (file, arguments) = (options.selection.read()?, options.selection.arguments());
    match &options.run {
        None => program::run(&file, model.as_deref(), &arguments, options)?,
        Some(path) => {
            let compiled = file.compile(model.as_deref(), &arguments)?;
            let motion = recorded::read(&compiled, path)?;
            let model = &compiled.model;
            let animation = Animation::new(model.name.to_string(), model.documentation.clone(), motion);
            if options.output.extension().is_some_and(|ending| ending == "svg") {
                animation.write_still(&options.output, options.at)?;
            } else {
                animation.write(&options.output)?;
            }
        }
    }
    output::print(&format!("`{}` is written\n", options.output.display()))
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        _ => Err("write a time in s above 0, e.g. `2.5`".to_owned()),
    }
}

/// Parses `drive=40`.
fn assignment(text: &str) -> Result<(String, f64), String> {
    let value = text.split_once('=').and_then(|(name, value)| {
        let value: f64 = value.trim().parse().ok()?;
        Some((name.trim().to_owned(), value)).filter(|(_, value)| value.is_finite())
    });
    value.ok_or_else(|| "write the input, `=` and a number, e.g. `drive=40`".to_owned())
}
