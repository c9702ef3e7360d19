//! `costate rest`: the position in which a model rests, or a steady motion.

use clap::Args;
use costate::command::shown::Shown;
use costate::model::Parameter;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::error::CommandError;
use crate::options::EquilibriumOptions;
use crate::table::aligned;

/// The equilibrium, and the parameters by which it is differentiated.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    equilibrium: EquilibriumOptions,
    /// Parameters by which the coordinates are differentiated.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    by: Vec<String>,
}

/// Finds the equilibrium.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let resting = options.equilibrium.prepare()?;
    let rest = resting.find()?;
    let mut text = resting.described() + &format!("{rest}\n");
    let mut json = resting.json(&rest);
    let system = resting.loaded.system;
    let by = options.by.iter().map(|name| system.parameter(name.trim()));
    let by: Vec<Parameter> = by.collect::<Result<_, _>>()?;
    if !by.is_empty() {
        let derivatives = rest.derivatives(&by)?;
        let coordinates = rest.description().coordinates;
        for (column, parameter) in by.iter().enumerate() {
            text += &format!("\nderivatives by `{}` in {}\n", parameter.name(), parameter.quantity().unit);
            let rows = coordinates.iter().enumerate().map(|(row, coordinate)| {
                let unit = format!("{} per {}", coordinate.unit, parameter.quantity().unit);
                [format!("  {}", coordinate.name), Shown(derivatives[(row, column)]).to_string(), unit]
            });
            text += &aligned(&rows.collect::<Vec<_>>(), [0, 2]);
        }
        let of_parameter = |(column, parameter): (usize, &Parameter)| {
            let rows = coordinates.iter().enumerate();
            let entries = rows.map(|(row, coordinate)| (coordinate.name.to_owned(), json!(derivatives[(row, column)])));
            (parameter.name().to_owned(), Value::Object(entries.collect()))
        };
        json["derivatives"] = Value::Object(by.iter().enumerate().map(of_parameter).collect());
    }
    let doubts = resting.doubts(&rest);
    json["doubts"] = json!(doubts);
    Ok(Answer::new(text, json).doubted(&doubts))
}
