//! Identified tables and inputs.

use costate_view::Page;
use costate_view::plot::{Axis, Band, Figure, Line, Map, Panel, color};

use super::{HALF, WIDE, add, in_print};
use crate::result::summary::{FitSummary, FittedTable};
use crate::result::written::FitFileError;
use crate::thresholds::MIN_SHARE_OF_DATA;

pub fn write(page: &mut Page, summary: &FitSummary) -> Result<(), FitFileError> {
    if summary.tables.is_empty() && summary.inputs.is_empty() {
        return Ok(());
    }
    page.heading("Identified tables and inputs");
    let figure = summary.tables.iter().fold(Figure::new(2, HALF), |figure, found| match &found.knots[..] {
        [knots] => figure.panel(curve(found, knots)),
        [first, second] => figure.panel(surface(found, first, second)),
        _ => figure,
    });
    add(
        page,
        &figure,
        "Bands are ±2 standard deviations, bounds not considered. Grey: values of which less than half of the \
             information comes from the data, the rest from priors.",
    )?;
    let inputs = summary.inputs.iter().fold(Figure::new(1, WIDE), |figure, found| {
        let title = match &found.experiment {
            Some(experiment) => format!("{} of {experiment}", found.input),
            None => found.input.to_owned(),
        };
        let axes = (Axis::new("time").unit("s"), Axis::new(found.input).unit(in_print(found.unit)));
        let knots = || found.times.iter().zip(&found.values).zip(&found.standard_deviations);
        let band = knots().map(|((t, u), deviation)| (*t, u - 2.0 * deviation, u + 2.0 * deviation));
        let values = knots().map(|((t, u), _)| (*t, *u));
        let panel = Panel::new(title, axes.0, axes.1)
            .band(Band::new("±2 standard deviations", color::BLUE, band))
            .line(Line::new("found", color::BLUE, values));
        figure.panel(panel)
    });
    add(page, &inputs, "Identified inputs, without the known part of their signals.")
}

fn curve(found: &FittedTable, knots: &[f64]) -> Panel {
    let unit = in_print(found.unit);
    let panel = Panel::new(found.table, argument(found, 0), Axis::new(found.table).unit(unit));
    let all = || knots.iter().zip(&found.values).zip(&found.standard_deviations);
    let band = all().map(|((x, y), deviation)| (*x, y - 2.0 * deviation, y + 2.0 * deviation));
    let start = knots.iter().zip(&found.start).map(|(x, y)| (*x, *y));
    let values = all().map(|((x, y), _)| (*x, *y));
    let panel = hardly_determined(found, knots).into_iter().fold(panel, Panel::no_data);
    panel
        .band(Band::new("", color::BLUE, band))
        .line(Line::new("start", color::ORANGE, start))
        .line(Line::new("found", color::BLUE, values).marked())
}

/// The axis of an argument.
fn argument(found: &FittedTable, number: usize) -> Axis {
    match found.arguments.get(number) {
        Some((name, unit)) => Axis::new(*name).unit(in_print(unit)),
        None => Axis::new("argument"),
    }
}

/// The ranges of knots whose values the data hardly determine.
fn hardly_determined(found: &FittedTable, knots: &[f64]) -> Vec<(f64, f64)> {
    let between = |a: Option<&f64>, b: &f64| a.map_or(*b, |a| 0.5 * (a + b));
    let mut ranges: Vec<(f64, f64)> = Vec::new();
    for (k, (x, told)) in knots.iter().zip(&found.told_by_data).enumerate() {
        if *told >= MIN_SHARE_OF_DATA {
            continue;
        }
        let from = between(k.checked_sub(1).and_then(|k| knots.get(k)), x);
        let to = between(knots.get(k + 1), x);
        match ranges.last_mut() {
            Some(last) if last.1 >= from => last.1 = to,
            _ => ranges.push((from, to)),
        }
    }
    ranges
}

fn surface(found: &FittedTable, first: &[f64], second: &[f64]) -> Panel {
    // values of the first knot of the first argument come first
    let value = |i: usize, j: usize| found.values.get(i * second.len() + j).copied().unwrap_or(f64::NAN);
    let by_rows: Vec<f64> = (0..second.len()).flat_map(|j| (0..first.len()).map(move |i| value(i, j))).collect();
    let finite = || by_rows.iter().copied().filter(|value| value.is_finite());
    let range = finite().reduce(f64::max).zip(finite().reduce(f64::min)).map_or(0.0, |(hi, lo)| hi - lo);
    let name = format!("{} [{}]", found.table, in_print(found.unit));
    let map = Map::new(name, first.to_vec(), second.to_vec(), by_rows, range / 12.0);
    Panel::new(found.table, argument(found, 0), argument(found, 1)).map(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_without_data_are_joined() {
        let told = vec![0.1, 0.2, 0.9, 0.4];
        let table = FittedTable {
            table: "force",
            unit: "N",
            arguments: vec![("travel", "m")],
            extensions: vec!["linear"],
            interpolations: vec!["spline"],
            knots: vec![vec![0.0, 1.0, 2.0, 3.0]],
            start: vec![0.0; 4],
            values: vec![0.0; 4],
            standard_deviations: vec![1.0; 4],
            told_by_data: told,
            bend: None,
            bend_at_limit: false,
        };
        assert_eq!(hardly_determined(&table, &table.knots[0]), [(0.0, 1.5), (2.5, 3.0)]);
    }
}
