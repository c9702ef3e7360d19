//! Measures how accurate runs and gradients are: errors of benchmarks of multibody dynamics over the step size,
//! and the orders of the schemes.

mod course;
mod figures;
mod models;
mod study;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use costate::Model;
use costate_examples::{create_folder_of, say, write_json};

use course::{Course, Parts};
use models::{andrews, flexible_crank, four_bars, governor, heavy_top, slider_crank};
use study::{Accuracy, Estimate, Kinds, Study};

/// Shows how the errors of coordinates, velocities, accelerations and multipliers at the end of a run, and those of a
/// gradient, fall with the step size.
#[derive(Debug, Parser)]
struct Options {
    /// Halves all steps this often before anything is compared, down to where rounding takes over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=3))]
    halve: u32,
    /// Folder for the figure
    #[arg(long, value_name = "FOLDER", default_value = "out/accuracy")]
    output: PathBuf,
    /// Writes errors and orders to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Writes no figure
    #[arg(long)]
    no_figures: bool,
}

/// Results by model and scheme.
type Table = BTreeMap<&'static str, BTreeMap<&'static str, Accuracy>>;

fn main() -> Result<()> {
    run(&Options::parse())
}

fn run(options: &Options) -> Result<()> {
    let mut table = Table::new();
    tell(&mut table, "andrews", &andrews::study(), options.halve)?;
    tell(&mut table, "governor", &governor::study(), options.halve)?;
    tell(&mut table, "heavy_top", &heavy_top::study(), options.halve)?;
    tell(&mut table, "slider_crank", &slider_crank::study(), options.halve)?;
    tell(&mut table, "four_bars", &four_bars::study(), options.halve)?;
    tell(&mut table, "flexible_crank", &flexible_crank::study(), options.halve)?;
    let courses = course::courses()?;
    courses.iter().for_each(|(name, course)| tell_course(name, course));
    if let Some(file) = &options.json {
        let mut all = serde_json::to_value(&table)?;
        for (name, course) in &courses {
            all[*name] = serde_json::json!({ "generalized_alpha": course });
        }
        write_json(file, &all)?;
    }
    if !options.no_figures {
        let file = options.output.join("accuracy.svg");
        create_folder_of(&file)?;
        figures::accuracy(&table).write(&file)?;
        say(format!("figure in `{}`", options.output.display()));
    }
    Ok(())
}

/// Runs a study, prints its errors and orders, and adds them to the table.
fn tell<M: Model>(table: &mut Table, name: &'static str, study: &Study<M>, halved: u32) -> Result<()> {
    let found = study.run(halved)?;
    say(format!("{name}, errors at {} s", study.end));
    for (scheme, accuracy) in &found {
        say(format!("{scheme:<18} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}", "h", "q", "v", "a", "lambda", "gradient"));
        for errors in &accuracy.error {
            say(line(&format!("{:>27.1e}", errors.h), &errors.of, |error| format!("{error:.1e}")));
        }
        say(line(&format!("{:>27}", "order"), &accuracy.order, |order| format!("{order:.3}")));
        let Estimate { coordinate, unit, estimated, found } = accuracy.estimate;
        say(format!(
            "{:>27} `{coordinate}` {estimated:.1e} {unit}, by its own estimate, {found:.1e} {unit} found",
            "largest error"
        ));
    }
    say("");
    table.insert(name, found.into_iter().collect());
    Ok(())
}

/// Prints the largest errors over whole runs.
fn tell_course(name: &str, course: &Course) {
    say(format!("{name}, largest errors over the run"));
    say(format!("{:>27} {:>8} {:>8} {:>8} {:>8} {:>16}", "steps", "q", "v", "a", "lambda", "estimate / error"));
    let numbers = |of: &Parts, number: fn(f64) -> String| {
        let lambda = of.lambda.map_or("-".to_owned(), number);
        format!("{:>8} {:>8} {:>8} {lambda:>8}", number(of.q), number(of.v), number(of.a))
    };
    for (errors, ratio) in course.error.iter().zip(&course.estimate_over_true) {
        say(format!("{:>27} {} {ratio:>16.2}", errors.steps, numbers(&errors.of, |error| format!("{error:.1e}"))));
    }
    say(format!("{:>27} {}\n", "order", numbers(&course.order, |order| format!("{order:.3}"))));
}

fn line(head: &str, values: &Kinds, number: impl Fn(f64) -> String) -> String {
    let Kinds { q, v, a, lambda, gradient } = *values;
    let lambda = lambda.map_or("-".to_owned(), &number);
    format!("{head} {:>8} {:>8} {:>8} {lambda:>8} {:>8}", number(q), number(v), number(a), number(gradient))
}
