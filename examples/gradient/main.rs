//! A cost, its gradient by the discrete adjoint, and the gradient's check against dual numbers.

mod cases;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use costate::identify::ParameterSet;
use costate::verify::GradientReport;
use costate_examples::{say, write_json};
use serde::Serialize;

/// Computes a cost and its gradient for one of the published models, and checks the gradient against dual numbers.
#[derive(Debug, Parser)]
struct Options {
    /// Model and cost
    #[arg(long, value_enum)]
    model: Model,
    /// Changes a parameter of the model run; may be repeated. Measurements keep the true parameters
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
    /// Number of time steps of the published size; for the oscillator, of its published interval 6 pi s
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,
    /// Writes cost, gradient and largest relative difference to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Model {
    /// Forced oscillator: the integral of its squared position
    Oscillator,
    /// Hydraulic engine mount: its acceleration against one that was measured with the true parameters
    Mount,
    /// Cart with three rods: the spectrum of the first one's angle around the first bending mode against one that was
    /// measured with the true parameters
    Pendulum,
    /// Four-cylinder engine at 3000 rpm: order 6 of its twist against one that was measured with the true damper
    Engine,
}

/// The JSON file.
#[derive(Serialize)]
struct Summary<'a> {
    #[serde(rename = "J")]
    cost: f64,
    gradient: BTreeMap<&'a str, f64>,
    check: f64,
}

fn main() -> Result<()> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<()> {
    let mut changes = ParameterSet::default();
    options.set.iter().for_each(|(name, value)| changes.set(name, *value));
    let steps = options.steps.map(|steps| steps as usize);
    let report = match options.model {
        Model::Oscillator => cases::oscillator(steps)?.check(&changes)?,
        Model::Mount => cases::mount(steps)?.check(&changes)?,
        Model::Pendulum => cases::pendulum(steps)?.check(&changes)?,
        Model::Engine => cases::engine(steps)?.check(&changes)?,
    };
    say(format_args!("{report}largest relative difference {:.1e}", report.worst()));
    if let Some(file) = &options.json {
        write_json(file, &summary(&report))?;
    }
    Ok(())
}

fn summary(report: &GradientReport) -> Summary<'_> {
    let gradient = report.entries.iter().map(|entry| (entry.parameter.as_str(), entry.adjoint)).collect();
    Summary { cost: report.cost, gradient, check: report.worst() }
}

/// `name=value`
fn assignment(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as c_e1=80e3")?;
    let value = value.trim();
    let number = value.parse().map_err(|_| format!("`{value}` is not a number"))?;
    Ok((name.trim().to_owned(), number))
}
