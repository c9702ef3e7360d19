//! The report as tables.

use crate::counts::{Counts, cells, total};
use crate::measure::{MghRow, NistRow, Reached};
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

fn nist_row(row: &NistRow, counts: &Counts) -> Vec<String> {
    let [minpack, trf] = cells(&counts.nist, &row.problem, row.start as f64);
    vec![
        row.problem.clone(),
        row.start.to_string(),
        row.effort.iterations.to_string(),
        row.effort.evaluations.to_string(),
        minpack,
        trf,
        format!("{:.1}", digits(row.worst_relative_error)),
        format!("{:.1e}", row.worst_relative_error),
        format!("{:.1e}", row.worst_deviation_error),
        format!("{:+.1e}", row.cost_ratio - 1.0),
        format!("{:.2}", row.effort.seconds * 1e3),
        row.effort.stop.clone(),
    ]
}

fn nist_totals(totals: &Totals) -> String {
    let Totals { nist, within_1e_6, within_1e_4, deviations_within_1e_4, nist_iterations, nist_evaluations, .. } =
        totals;
    format!(
        "of {nist}: {within_1e_6} within 1e-6, {within_1e_4} within 1e-4, \
         {deviations_within_1e_4} with standard deviations within 1e-4; \
         {nist_iterations} iterations, {nist_evaluations} evaluations\n"
    )
}

fn mgh_row(row: &MghRow, counts: &Counts) -> Vec<String> {
    let [minpack, trf] = cells(&counts.mgh, &row.problem, row.start);
    vec![
        row.problem.clone(),
        row.start.to_string(),
        row.effort.iterations.to_string(),
        row.effort.evaluations.to_string(),
        minpack,
        trf,
        format!("{:.6e}", row.sum_of_squares),
        format!("{:.6e}", row.minimum),
        row.cost_ratio.map_or("-".to_owned(), |ratio| format!("{:+.1e}", ratio - 1.0)),
        match row.reached {
            Reached::Global => "global",
            Reached::Local => "local",
            Reached::None => "none",
        }
        .to_owned(),
        format!("{:.2}", row.effort.seconds * 1e3),
        row.effort.stop.clone(),
    ]
}

fn mgh_totals(totals: &Totals) -> String {
    let Totals { mgh, mgh_global, mgh_local, mgh_iterations, mgh_evaluations, .. } = totals;
    format!(
        "of {mgh}: {mgh_global} at the global minimum, {mgh_local} at another one; \
         {mgh_iterations} iterations, {mgh_evaluations} evaluations\n"
    )
}

const NIST: [&str; 12] = [
    "NIST",
    "start",
    "iterations",
    "evaluations",
    "MINPACK njev",
    "trf",
    "digits",
    "parameters",
    "deviations",
    "cost - 1",
    "ms",
    "stop",
];

const MGH: [&str; 12] = [
    "More, Garbow, Hillstrom",
    "start",
    "iterations",
    "evaluations",
    "MINPACK njev",
    "trf",
    "squares",
    "minimum",
    "cost - 1",
    "reached",
    "ms",
    "stop",
];

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head = head.iter().map(|&text| text.to_owned()).collect();
    aligned(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

/// The report as text, next to the counts of other methods.
pub fn text(report: &Report, counts: &Counts) -> String {
    let nist = table(&NIST, report.nist.iter().map(|row| nist_row(row, counts)));
    let mgh = table(&MGH, report.mgh.iter().map(|row| mgh_row(row, counts)));
    let totals = &report.totals;
    let (nist_others, mgh_others) = (total(&counts.nist), total(&counts.mgh));
    let (nist_totals, mgh_totals) = (nist_totals(totals), mgh_totals(totals));
    format!("{nist}\n{nist_totals}{nist_others}\n\n{mgh}\n{mgh_totals}{mgh_others}\n")
}
