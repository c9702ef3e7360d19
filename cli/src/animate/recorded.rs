//! A recorded run from a file: coordinates of bodies and outputs over time.

use std::path::Path;

use costate::animate::{Motion, Plot};
use costate::command::tables::{CsvLines, name_and_unit};
use costate::command::units;
use costate::command::units::Scale;
use costate_compiler::Compiled;
use costate_compiler::symbolic::{Node, Symbol};
use csv::StringRecord;

use super::error::RecordedError;
use crate::mechanism::Start;

/// Number of missing columns that a message names.
const MAX_MISSING_SHOWN: usize = 6;

/// A column, converted to the unit of the model.
struct Column {
    name: String,
    values: Vec<f64>,
}

/// Reads the run in a file.
pub fn read(compiled: &Compiled, path: &Path) -> Result<Motion, RecordedError> {
    let model = &compiled.model;
    let (times, columns) = columns(compiled, path)?;
    let of_coordinate = |i: usize| {
        let quantity = &model.coordinates[i];
        let symbol = compiled.graph.find(Node::Symbol(Symbol::Coordinate(i)));
        let output = model.output.iter().position(|id| Some(*id) == symbol);
        let names = [Some(&quantity.name), output.map(|output| &model.outputs[output].name)];
        columns.iter().position(|column| names.contains(&Some(&column.name)))
    };
    let bodies = model.scene.bodies.iter();
    let needed = bodies.flat_map(|body| {
        let first = body.first as usize;
        first..first + if body.spatial { 7 } else { 3 }
    });
    let needed: Vec<usize> = needed.collect();
    let found: Vec<Option<usize>> = needed.iter().map(|i| of_coordinate(*i)).collect();
    let missing = needed.iter().zip(&found).filter(|(_, found)| found.is_none());
    let missing: Vec<String> =
        missing.map(|(i, _)| model.coordinates[*i].name.clone()).take(MAX_MISSING_SHOWN).collect();
    if !missing.is_empty() {
        return Err(RecordedError::Missing { path: path.to_owned(), missing });
    }
    let (first, last) = (times[0], times[times.len() - 1]);
    let interval = (last - first) / (times.len() - 1) as f64;
    let coordinates = |sample: usize| {
        let time = first + interval * sample as f64;
        let mut all = vec![0.0; model.coordinates.len()];
        for (i, column) in needed.iter().zip(found.iter().flatten()) {
            all[*i] = at(&times, &columns[*column].values, time);
        }
        all
    };
    let plots = model.outputs.iter().filter_map(|output| {
        let column = columns.iter().find(|column| column.name == output.name)?;
        Some(Plot {
            name: output.name.clone(),
            unit: output.unit.clone(),
            documentation: output.documentation.clone(),
            points: times.iter().map(|time| time - first).zip(column.values.iter().copied()).collect(),
        })
    });
    Ok(Motion::new(Start::of(compiled).mechanism(), interval, times.len(), coordinates, plots.collect()))
}

/// A column of the file that is to be read.
struct Wanted {
    /// Position of the column in a line.
    at: usize,
    scale: Option<Scale>,
    is_time: bool,
    column: Column,
}

/// Reads the times in s, and the columns of coordinates and outputs.
fn columns(compiled: &Compiled, path: &Path) -> Result<(Vec<f64>, Vec<Column>), RecordedError> {
    let own = || path.to_owned();
    let file = costate::command::files::open(path);
    let file = file.map_err(|source| RecordedError::File { path: own(), source: source.into() })?;
    let no_csv = |source| RecordedError::Csv { path: own(), source };
    let mut lines = CsvLines::new(file).map_err(no_csv)?;
    let none = || RecordedError::Times { path: own(), count: 0 };
    let (_, headings) = lines.next_line().map_err(no_csv)?.ok_or_else(none)?;
    let mut wanted = wanted(compiled, headings, path)?;
    while let Some((line, row)) = lines.next_line().map_err(no_csv)? {
        for Wanted { at, scale, column: Column { name, values }, .. } in &mut wanted {
            let cell = row.get(*at).unwrap_or_default();
            let value = cell.parse::<f64>().ok().filter(|value| value.is_finite());
            let Some(value) = value else {
                let (column, cell) = (name.clone(), cell.to_owned());
                return Err(RecordedError::Number { path: own(), line, column, cell });
            };
            values.push(scale.as_ref().map_or(value, |scale| scale.apply(value)));
        }
    }
    let at = wanted.iter().position(|wanted| wanted.is_time).ok_or_else(none)?;
    let times = wanted.swap_remove(at).column.values;
    if times.len() < 2 || times.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(RecordedError::Times { path: own(), count: times.len() });
    }
    Ok((times, wanted.into_iter().map(|wanted| wanted.column).collect()))
}

/// Selects the columns that are times, coordinates or outputs.
fn wanted(compiled: &Compiled, headings: &StringRecord, path: &Path) -> Result<Vec<Wanted>, RecordedError> {
    let model = &compiled.model;
    let unit_of = |name: &str| {
        let quantities = model.coordinates.iter().chain(&model.outputs);
        quantities.into_iter().find(|quantity| quantity.name == name).map(|quantity| quantity.unit.clone())
    };
    let mut found: Vec<Wanted> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let (name, unit) = name_and_unit(heading);
        let is_time = matches!(name, "time" | "t") && !found.iter().any(|wanted| wanted.is_time);
        let Some(own) = (if is_time { Some("s".to_owned()) } else { unit_of(name) }) else { continue };
        let scale = unit.map(|unit| units::conversion(unit, &own)).transpose();
        let scale =
            scale.map_err(|fault| RecordedError::Unit { path: path.to_owned(), column: name.to_owned(), fault })?;
        let column = Column { name: name.to_owned(), values: Vec::new() };
        found.push(Wanted { at, scale, is_time, column });
    }
    Ok(found)
}

/// Returns the value at a time by linear interpolation between two samples.
fn at(times: &[f64], values: &[f64], time: f64) -> f64 {
    let next = times.partition_point(|other| *other <= time).clamp(1, times.len() - 1);
    let (before, after) = (times[next - 1], times[next]);
    let share = ((time - before) / (after - before)).clamp(0.0, 1.0);
    values[next - 1] + share * (values[next] - values[next - 1])
}
