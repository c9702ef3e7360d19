//! The report as tables.

use crate::measure::NistRow;
use crate::report::{Report, Totals};

/// Agreeing decimal digits, at most the 11 that are certified.
fn digits(error: f64) -> f64 {
    (-error.log10()).clamp(0.0, 11.0)
}

/// Aligns the cells of every column, the first to the left and the others to the right but the last.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |k: usize| rows.iter().filter_map(|row| row.get(k)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|k| width(k).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cell = |(k, (text, width)): (usize, (&String, &usize))| {
            if k == 0 || k + 1 == columns { format!("{text:<width$}") } else { format!("{text:>width$}") }
        };
        let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(cell).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

fn nist_row(row: &NistRow) -> Vec<String> {
    vec![
        row.problem.clone(),
        row.start.to_string(),
        row.effort.iterations.to_string(),
        row.effort.evaluations.to_string(),
        format!("{:.1}", digits(row.worst_relative_error)),
        format!("{:.1e}", row.worst_relative_error),
        format!("{:.1e}", row.worst_deviation_error),
        format!("{:+.1e}", row.cost_ratio - 1.0),
        format!("{:.2}", row.effort.seconds * 1e3),
        row.effort.stop.clone(),
    ]
}

fn nist_totals(totals: &Totals) -> String {
    let Totals { nist, within_1e_6, within_1e_4, deviations_within_1e_4, nist_iterations, nist_evaluations } =
        totals;
    format!(
        "of {nist}: {within_1e_6} within 1e-6, {within_1e_4} within 1e-4, \
         {deviations_within_1e_4} with standard deviations within 1e-4; \
         {nist_iterations} iterations, {nist_evaluations} evaluations\n"
    )
}

/// The report as text.
pub fn text(report: &Report) -> String {
    let heads = [
        "problem",
        "start",
        "iterations",
        "evaluations",
        "digits",
        "parameters",
        "deviations",
        "cost - 1",
        "ms",
        "stop",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(report.nist.iter().map(nist_row));
    format!("{}\n{}", aligned(&rows), nist_totals(&report.totals))
}
