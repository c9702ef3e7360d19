//! `costate gradient`: a cost of the outputs of a run, its gradient by the discrete adjoint, and the check of the
//! gradient by dual numbers.

mod cost;

use clap::Args;
use costate::command::check_gradient_of;
use costate::command::shown::Shown;
use costate::model::Parameter;
use serde::Serialize;
use serde_json::json;

use crate::answer::Answer;
use crate::error::CommandError;
use crate::options::{LimitOptions, OptionError, Prepared, RunOptions};
use cost::CostText;

/// The largest relative difference between the adjoint and dual numbers with which a gradient is not doubtful: far
/// above their rounding, far below any mistake.
const MAX_DIFFERENCE: f64 = 1e-6;

/// Difference of a derivative, as a change of the cost for a change of the whole parameter relative to the largest such
/// change and the cost, below which it does not matter: where a derivative is nearly zero, its sign may depend on
/// rounding.
const MAX_NEGLIGIBLE_CHANGE: f64 = 1e-8;

/// Relative differences below this are rounding, whose size differs from one machine to another.
const DIFFERENCE_ROUNDING: f64 = 1e-11;

/// The run, its cost, and the parameters of the gradient.
#[derive(Debug, Args)]
pub struct Options {
    #[command(flatten)]
    run: RunOptions,
    /// The cost: `end(EXPRESSION)` of the outputs at the end of the run, `integral(EXPRESSION)` over the run, or the
    /// name of an output, whose square is integrated. Expressions are those of models:
    /// `integral((position - 0.1[m])^2)`. The cost is in SI units.
    #[arg(long, value_name = "COST")]
    cost: CostText,
    #[command(flatten)]
    limit: LimitOptions,
    /// The parameters of the gradient; without this, all parameters of the model.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    by: Vec<String>,
}

/// Computes and checks the gradient.
pub fn run(options: &Options) -> Result<Answer, CommandError> {
    let prepared = options.run.prepare(None, &options.limit)?;
    let unknown = parameters(&prepared, &options.by)?;
    let problem = prepared.simulation.problem()?;
    let run = prepared.simulation.run()?;
    let mut doubts: Vec<String> = options.limit.doubt(&run, &run.accuracy()?).into_iter().collect();
    doubts.extend(prepared.doubts(&run));
    let cost = options.cost.of(&prepared.loaded, prepared.step, problem.samples())?;
    let positions: Vec<usize> = unknown.iter().map(|parameter| parameter.index()).collect();
    let second_order = prepared.loaded.second_order;
    let report = check_gradient_of(second_order, &problem, &prepared.parameters, &cost.cost, &positions)?;
    let mut entries: Vec<Entry> = unknown
        .iter()
        .zip(report.entries)
        .map(|(parameter, entry)| {
            let value = prepared.parameters.get(parameter.index()).copied().unwrap_or(f64::NAN);
            let relative = entry.adjoint * value / report.cost;
            Entry {
                parameter: entry.parameter,
                value,
                value_unit: parameter.quantity().unit,
                derivative: entry.adjoint,
                unit: per(&cost.unit, parameter.quantity().unit),
                relative: relative.is_finite().then_some(relative),
                dual: entry.dual,
                difference: entry.difference,
                is_negligible: false,
            }
        })
        .collect();
    let most = entries.iter().map(|entry| entry.change(entry.dual)).fold(report.cost.abs(), f64::max);
    for entry in &mut entries {
        let change = entry.change(entry.derivative - entry.dual);
        entry.is_negligible = entry.difference > MAX_DIFFERENCE && change <= MAX_NEGLIGIBLE_CHANGE * most;
    }
    let counted = entries.iter().filter(|entry| !entry.is_negligible);
    let worst = counted.map(|entry| entry.difference).fold(0.0, largest);
    let agrees = worst <= MAX_DIFFERENCE;

    let mut text = prepared.described();
    text += &format!("cost {}: {} {}\n", options.cost, Shown(report.cost), cost.unit);
    text += &table(&entries);
    let worst_text = format!("largest relative difference {}", shown(worst));
    for entry in entries.iter().filter(|entry| entry.is_negligible) {
        text += &format!(
            "the derivative by {} is uncertain, but so small that it does not matter: it makes {:.0e} of the cost at \
                 most\n",
            entry.parameter,
            entry.change(entry.derivative.abs().max(entry.dual.abs())) / most
        );
    }
    if agrees {
        text += &format!("the gradient agrees with dual numbers: {worst_text}\n");
    } else {
        doubts.push(format!("the gradient does not agree with dual numbers: {worst_text}"));
    }
    let mut json = prepared.json();
    json["cost"] = json!({ "text": options.cost.to_string(), "value": report.cost, "unit": cost.unit });
    json["gradient"] = json!(entries);
    json["largest_difference"] = json!(worst);
    json["agrees"] = agrees.into();
    json["doubts"] = json!(doubts);
    Ok(Answer::new(text, json).doubted(&doubts))
}

/// Finds the parameters of the gradient.
fn parameters(prepared: &Prepared, names: &[String]) -> Result<Vec<Parameter>, CommandError> {
    let system = prepared.loaded.system;
    if names.is_empty() {
        let all: Vec<Parameter> = Parameter::each_of(system.description()).collect();
        return if all.is_empty() { Err(prepared.nothing("parameters", "differentiate by").into()) } else { Ok(all) };
    }
    let mut found: Vec<Parameter> = Vec::new();
    for name in names {
        let parameter = system.parameter(name.trim())?;
        if found.contains(&parameter) {
            return Err(OptionError::Repeated { option: "--by", name: name.clone() }.into());
        }
        found.push(parameter);
    }
    Ok(found)
}

/// One derivative.
#[derive(Serialize)]
struct Entry {
    parameter: String,
    value: f64,
    value_unit: &'static str,
    /// The derivative by the discrete adjoint.
    derivative: f64,
    unit: String,
    /// Relative change of the cost per relative change of the parameter; `None` where the cost is 0.
    relative: Option<f64>,
    /// The derivative by dual numbers.
    dual: f64,
    /// Their relative difference.
    difference: f64,
    /// True if the derivatives differ by so little that it does not matter to the cost.
    #[serde(rename = "negligible")]
    is_negligible: bool,
}

impl Entry {
    /// Returns the change of the cost for a change of the whole parameter with this derivative.
    fn change(&self, derivative: f64) -> f64 {
        (derivative * if self.value == 0.0 { 1.0 } else { self.value }).abs()
    }
}

fn table(entries: &[Entry]) -> String {
    let rows = entries.iter().map(|entry| {
        [
            entry.parameter.clone(),
            Shown(entry.value).to_string(),
            entry.value_unit.to_owned(),
            format!("{:.6e}", entry.derivative),
            entry.unit.clone(),
            entry.relative.map_or("-".to_owned(), |relative| Shown(relative).to_string()),
            shown(entry.difference),
        ]
    });
    let head = ["parameter", "value", "unit", "derivative", "unit", "% of cost per %", "check"];
    crate::table::table(head, rows, [0, 2, 4])
}

/// Writes a relative difference, unless it is rounding.
fn shown(difference: f64) -> String {
    if difference < DIFFERENCE_ROUNDING { format!("<{DIFFERENCE_ROUNDING:e}") } else { format!("{difference:.1e}") }
}

/// Writes the unit of a derivative.
fn per(unit: &str, parameter: &str) -> String {
    let simple = |unit: &str| unit.chars().all(char::is_alphanumeric);
    let bracketed = |unit: &str| if simple(unit) { unit.to_owned() } else { format!("({unit})") };
    match parameter {
        "1" => unit.to_owned(),
        _ => format!("{}/{}", bracketed(unit), bracketed(parameter)),
    }
}

/// The larger number; NaN counts as the largest.
fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a >= b { a } else { b }
}
