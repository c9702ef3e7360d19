//! Measures how accurate runs and gradients are: errors of benchmarks of multibody dynamics over the step size,
//! and the orders of the schemes.

mod course;
mod figures;
mod models;
mod precision;
mod study;

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use costate::Model;
use costate_examples::{Outputs, Program, Table};

use course::Course;
use models::{andrews, flexible_crank, four_bars, governor, heavy_top, slider_crank};
use precision::{OfOrder, Reached};
use study::{Accuracy, Estimate, Kinds, Study};

/// Shows how the errors of coordinates, velocities, accelerations and multipliers at the end of a run, and those of a
/// gradient, fall with the step size.
#[derive(Debug, Parser)]
struct Options {
    /// Halves all steps this often before anything is compared, down to where rounding takes over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=3))]
    halve: u32,
    /// Compares processor time and errors of runs and gradients of the orders 2, 4 and 6 instead
    #[arg(long)]
    work_precision: bool,
    /// Doubles the number of steps this often for it, at most
    #[arg(long, value_name = "N", default_value_t = 3, requires = "work_precision",
        value_parser = clap::value_parser!(u32).range(1..=8))]
    doublings: u32,
    #[command(flatten)]
    outputs: Outputs,
}

/// Results by model and scheme.
type Results = BTreeMap<&'static str, BTreeMap<&'static str, Accuracy>>;

fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let mut program = options.outputs.begin(env!("CARGO_BIN_NAME"))?;
    if options.work_precision {
        return compare_orders(program, options.doublings);
    }
    let mut results = Results::new();
    add(&mut results, &mut program, "andrews", &andrews::study(), options.halve)?;
    add(&mut results, &mut program, "governor", &governor::study(), options.halve)?;
    add(&mut results, &mut program, "heavy_top", &heavy_top::study(), options.halve)?;
    add(&mut results, &mut program, "slider_crank", &slider_crank::study(), options.halve)?;
    add(&mut results, &mut program, "four_bars", &four_bars::study(), options.halve)?;
    add(&mut results, &mut program, "flexible_crank", &flexible_crank::study(), options.halve)?;
    let courses = course::courses()?;
    let mut numbers = serde_json::to_value(&results)?;
    for (name, course) in &courses {
        program.tell(report_course(name, course));
        numbers[*name] = serde_json::json!({ "generalized_alpha": course });
    }
    program.json(&numbers)?;
    program.figures(|folder| Ok(figures::accuracy(&results).write(folder.join("accuracy.svg"))?))?;
    program.end()
}

/// Compares processor time and errors of runs of several orders.
fn compare_orders(mut program: Program<'_>, doublings: u32) -> Result<ExitCode> {
    let results = BTreeMap::from([
        ("andrews", andrews::study().precision(doublings)?),
        ("governor", governor::study().precision(doublings)?),
        ("heavy_top", heavy_top::study().precision(doublings)?),
        ("slider_crank", slider_crank::study().precision(doublings)?),
        ("four_bars", four_bars::study().precision(doublings)?),
        ("flexible_crank", flexible_crank::study().precision(doublings)?),
    ]);
    let time = |time: f64| format!("{:.3} ms", 1e3 * time);
    let reached_in = |Reached { time: spent, share, is_expected }: &Reached| {
        format!("{}{} ({share:.2})", if *is_expected { "about " } else { "" }, time(*spent))
    };
    let mut reached = Table::new(["over order 2", "order", "q to 1e-6", "gradient to 1e-8"]);
    for (name, orders) in &results {
        let mut lines = Table::new([*name, "samples", "run", "with gradient", "q", "v", "a", "lambda", "gradient"]);
        for OfOrder { order, points, to_positions, to_gradients } in orders {
            for point in points {
                let head = [format!("order {order}"), point.samples.to_string()];
                let times = [point.run, point.gradient].map(time);
                let errors = cells(String::new(), &point.of, |error| format!("{error:.1e}"));
                lines = lines.row(head.into_iter().chain(times).chain(errors.into_iter().skip(2)));
            }
            let times = [to_positions, to_gradients].map(reached_in);
            reached = reached.row([name.to_string(), order.to_string()].into_iter().chain(times));
        }
        program.tell(lines);
    }
    program.tell(reached);
    program.json(&results)?;
    program.figures(|folder| Ok(figures::work_precision(&results).write(folder.join("work_precision.svg"))?))?;
    program.end()
}

/// Runs a study, prints its errors and orders, and adds them to the results.
fn add<M: Model>(
    results: &mut Results,
    program: &mut Program<'_>,
    name: &'static str,
    study: &Study<M>,
    halved: u32,
) -> Result<()> {
    let found = study.run(halved)?;
    for (scheme, accuracy) in &found {
        let title = format!("{name}, {scheme}, errors at {} s", study.end);
        let mut lines = Table::new([title.as_str(), "h", "q", "v", "a", "lambda", "gradient"]);
        for errors in &accuracy.error {
            lines = lines.row(cells(format!("{:.1e}", errors.h), &errors.of, |error| format!("{error:.1e}")));
        }
        let lines = lines.row(cells("order".to_owned(), &accuracy.order, |order| format!("{order:.3}")));
        let Estimate { coordinate, unit, estimated, found } = accuracy.estimate;
        program.tell(format!(
            "{lines}largest error: `{coordinate}` {estimated:.1e} {unit}, by its own estimate, {found:.1e} {unit} \
             found\n"
        ));
    }
    results.insert(name, found.into_iter().collect());
    Ok(())
}

/// Returns a row of a table: an empty cell, what the numbers are of, and the numbers.
fn cells(head: String, values: &Kinds, number: fn(f64) -> String) -> Vec<String> {
    let Kinds { q, v, a, lambda, gradient } = *values;
    let lambda = lambda.map_or("-".to_owned(), number);
    let mut cells = vec![String::new(), head, number(q), number(v), number(a), lambda];
    cells.extend(gradient.map(number));
    cells
}

/// Lists the largest errors over whole runs.
fn report_course(name: &str, course: &Course) -> Table {
    let title = format!("{name}, largest errors over the run");
    let mut table = Table::new([title.as_str(), "steps", "q", "v", "a", "lambda", "estimate / error"]);
    for (errors, ratio) in course.error.iter().zip(&course.estimate_over_true) {
        let cells = cells(errors.steps.to_string(), &errors.of, |error| format!("{error:.1e}"));
        table = table.row(cells.into_iter().chain([format!("{ratio:.2}")]));
    }
    table.row(cells("order".to_owned(), &course.order, |order| format!("{order:.3}")))
}
