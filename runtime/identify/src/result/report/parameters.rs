//! The unknowns: values, intervals, correlations.

use costate_cost::residuals::student_quantile;
use costate_view::Page;
use costate_view::plot::{Axis, Bars, Figure, Line, Matrix, Panel, color};

use super::MAX_PICTURED_UNKNOWNS;
use super::{HALF, add, in_print};
use crate::definition::digits::significant;
use crate::result::summary::{FitSummary, FittedParameter};
use crate::result::written::FitFileError;

pub fn write(page: &mut Page, summary: &FitSummary) -> Result<(), FitFileError> {
    let named: Vec<usize> =
        (0..summary.parameters.len()).filter(|&k| summary.parameters[k].part_of.is_none()).collect();
    if named.is_empty() {
        return Ok(());
    }
    page.heading("Parameters");
    let quantile = student_quantile(0.975, summary.degrees_of_freedom);
    let row = |one: &FittedParameter| row(one, quantile);
    let rows: Vec<_> = summary.parameters.iter().filter(|one| one.part_of.is_none()).map(row).collect();
    let head = [
        "parameter",
        "unit",
        "start",
        "found",
        "std. deviation",
        "relative std. deviation",
        "step-size shift",
        "95 % confidence interval",
        "bounds",
    ];
    page.table(&head, &rows);
    if !summary.deviations_valid {
        page.note(
            "The fit does not explain the data, for a reason that the verdict names: deviations and intervals \
             mean nothing here.",
        );
    }
    page.paragraph(
        "Confidence intervals are computed from the standard deviations. They are valid where the model is nearly \
             linear within them, which profiles show, and where the residuals are white noise, which the tests below \
             check.",
    );
    if named.len() > MAX_PICTURED_UNKNOWNS || named.len() < 2 {
        return Ok(());
    }
    let names: Vec<&str> = named.iter().map(|&k| summary.parameters[k].name.as_str()).collect();
    let entry = |row: usize, column: usize| summary.correlation.get(row).and_then(|row| row.get(column));
    let entries: Vec<Vec<f64>> = named
        .iter()
        .map(|&row| named.iter().map(|&column| entry(row, column).copied().unwrap_or(f64::NAN)).collect())
        .collect();
    let strong = strong(&names, &entries);
    let side = (160 + 46 * named.len() as u32).clamp(HALF.1, 1000);
    let matrix = Panel::of_matrix("Correlation of the found values", Matrix::correlation(names, entries));
    let figure = Figure::new(2, (side.max(HALF.0), side)).panel(matrix).panel(changes(summary, &named));
    let caption = match strong.is_empty() {
        true => "No two unknowns are correlated by more than 0.9.".to_owned(),
        false => {
            format!("Strongly correlated, so that these data hardly distinguish them: {}.", strong.join("; "))
        }
    };
    add(page, &figure, &caption)
}

fn row(one: &FittedParameter, quantile: f64) -> Vec<String> {
    let half = quantile * one.standard_deviation;
    let interval = match half.is_finite() {
        true => format!("{} to {}", significant(one.found - half, 5), significant(one.found + half, 5)),
        false => "not determined".to_owned(),
    };
    let bounds = match (one.lower.is_finite(), one.upper.is_finite()) {
        (false, false) => String::new(),
        (true, false) => format!("from {}", significant(one.lower, 4)),
        (false, true) => format!("up to {}", significant(one.upper, 4)),
        (true, true) => format!("{} to {}", significant(one.lower, 4), significant(one.upper, 4)),
    };
    vec![
        one.name.clone(),
        in_print(one.unit),
        significant(one.start, 5),
        significant(one.found, 6),
        significant(one.standard_deviation, 2),
        match one.relative_deviation.is_finite() {
            true => format!("{} %", significant(100.0 * one.relative_deviation, 2)),
            false => String::new(),
        },
        one.step_shift.map_or(String::new(), |shift| significant(shift, 2)),
        interval,
        if one.at_bound { format!("{bounds}, reached") } else { bounds },
    ]
}

/// The pairs that are strongly correlated, in words.
fn strong(names: &[&str], entries: &[Vec<f64>]) -> Vec<String> {
    /// Correlations above this are named.
    const MIN_NAMED_CORRELATION: f64 = 0.9;
    let mut strong = Vec::new();
    for (row, (name, of_row)) in names.iter().zip(entries).enumerate() {
        for (other, correlation) in names.iter().zip(of_row).take(row) {
            if correlation.abs() > MIN_NAMED_CORRELATION {
                strong.push(format!("{other} and {name} ({correlation:+.3})"));
            }
        }
    }
    strong
}

/// The relative standard deviation of every unknown.
fn changes(summary: &FitSummary, named: &[usize]) -> Panel {
    let parameters = || named.iter().map(|&k| &summary.parameters[k]);
    let names: Vec<&str> = parameters().map(|one| one.name.as_str()).collect();
    let placed = || parameters().enumerate().map(|(i, one)| (i as f64, 100.0 * one.relative_deviation));
    let deviations = placed().filter(|(_, percent)| percent.is_finite() && *percent > 0.0);
    let deviations: Vec<_> = deviations.collect();
    let axis = Axis::new("relative standard deviation").unit("%");
    let panel = |axis| Panel::new("Uncertainty", Axis::new("").named(names.clone()), axis);
    let values = || deviations.iter().map(|one| one.1);
    match values().reduce(f64::max).zip(values().reduce(f64::min)) {
        // bars have no foot on a logarithmic axis
        Some((largest, least)) if largest > 30.0 * least => {
            panel(axis.logarithmic()).line(Line::new("", color::BLUE, deviations).width(6.0).scattered())
        }
        _ => panel(axis).bars(Bars::new("", color::BLUE, deviations).width(0.6)),
    }
}
