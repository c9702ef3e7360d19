//! The time of a step: forward runs and gradients of the published models and of mechanisms, in turn, with their ratio.

mod cases;
mod interpreted;
#[cfg(feature = "mechanisms")]
mod mechanisms;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use costate_examples::{say, write_json};
use costate_speed::Figures;

/// The file of figures.
#[derive(Debug, serde::Serialize)]
struct Written {
    #[serde(flatten)]
    compiled: BTreeMap<&'static str, Figures>,
    /// Strict run and gradient of interpreted models, as multiples of those of compiled models.
    interpreted_over_compiled: BTreeMap<&'static str, [f64; 2]>,
}

/// Times forward runs and discrete adjoint gradients of the published models and of mechanisms.
#[derive(Debug, Parser)]
struct Options {
    /// Runs of each; the medians count
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = runs)]
    runs: usize,
    /// Writes the figures to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn runs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(runs @ 1..=1000) => Ok(runs),
        _ => Err("choose a number from 1 to 1000".to_owned()),
    }
}

fn main() -> Result<()> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<()> {
    say(format!(
        "{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>17} {:>15} {:>9} {:>9}\n{:<16} {:>9} {:>9} {:>9} {:>9} {:>9} {:>17} \
             {:>15} {:>9} {:>9}",
        "model",
        "forward",
        "strict",
        "checked",
        "gradient",
        "gradient",
        "iterations",
        "factorisations",
        "pivoted",
        "bytes",
        "",
        "us/step",
        "us/step",
        "us/step",
        "us/step",
        "/strict",
        "per step, strict",
        "per step",
        "%",
        "per step",
    ));
    let mut all: BTreeMap<&'static str, Figures> = BTreeMap::new();
    let mut tell = |name, figures: Figures| {
        say(line(name, &figures));
        all.insert(name, figures);
    };
    let (mount, pendulum, engine) = (cases::mount(), cases::pendulum(), cases::engine());
    tell(mount.name, mount.measure(options.runs)?);
    tell(pendulum.name, pendulum.measure(options.runs)?);
    tell(engine.name, engine.measure(options.runs)?);
    #[cfg(feature = "mechanisms")]
    mechanisms::measure(options.runs, &mut tell)?;
    interpreted::heading();
    #[allow(unused_mut, reason = "the mechanisms follow with their feature")]
    let mut ratios = BTreeMap::from([
        (mount.name, mount.measure_interpreted(options.runs)?),
        (pendulum.name, pendulum.measure_interpreted(options.runs)?),
        (engine.name, engine.measure_interpreted(options.runs)?),
    ]);
    #[cfg(feature = "mechanisms")]
    ratios.extend(mechanisms::measure_interpreted(options.runs)?);
    if let Some(file) = &options.json {
        write_json(file, &Written { compiled: all, interpreted_over_compiled: ratios })?;
    }
    Ok(())
}

fn line(name: &str, figures: &Figures) -> String {
    let iterations = format!("{:.2}, {:.2}", figures.iterations[0], figures.iterations[1]);
    format!(
        "{name:<16} {:>9.3} {:>9.3} {:>9.3} {:>9.3} {:>9.2} {iterations:>17} {:>15.2} {:>9.2} {:>9.0}",
        figures.forward_us,
        figures.forward_strict_us,
        figures.checked_us,
        figures.gradient_us,
        figures.ratio,
        figures.factorizations,
        100.0 * figures.pivoted,
        figures.bytes_per_step
    )
}
