//! `costate defaults`: the text of a model with other numbers for the defaults of its parameters, such as those of a
//! fit.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::answer::Answer;
use crate::error::CommandError;
use crate::output::{not_an_input, replace};
use crate::selection::Selection;
use crate::values;

/// The model to change, the new values, and the file to write.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    selection: Selection,
    /// The values by their names, in a file that ends with `json` or `csv`
    ///
    /// JSON is `{"c": 125.0}` or `{"parameters": {"c": {"found": 125.0}}}`, as examples write their fits; CSV has lines
    /// `c,125.0` under the heading `name,value`. Values of parameters are in the units of their declarations, initial
    /// values, `x` and `dot(x)`, in SI units.
    #[arg(long, value_name = "FILE")]
    values: PathBuf,
    /// The file to write; without it, the file of the model itself.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the text, once it has been checked.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let Selection { file, model, .. } = &options.selection;
    let (old, values) = (options.selection.read()?, values::read(&options.values)?);
    let new = old.with_defaults(model.as_deref(), &options.selection.arguments(), &values)?;
    let output = options.output.as_ref().unwrap_or(file);
    // An unchanged file is not written, so that it keeps the time of its last change.
    // the model is replaced in place; the file of values, or a table, is not
    if !costate::command::files::are_same(output, file) {
        not_an_input(output)?;
    }
    let is_written = costate::command::files::read_text(output).is_ok_and(|text| text == new.text());
    if !is_written {
        replace(output, new.text())?;
    }
    let what = if values.len() == 1 { "1 default".to_owned() } else { format!("{} defaults", values.len()) };
    let text = format!("`{}` has {what} of `{}`\n", output.display(), options.values.display());
    let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    Ok(Answer::new(text, json!({ "file": output, "changed": names })))
}
