//! Tables in CSV files.

use csv::StringRecord;

use crate::files::FileSource;

use super::error::{Axis, GridError};
use super::grid::{CurveGrid, Extension, SurfaceGrid};
use super::heading::{Column, FileTable, corner};
use super::lines::csv_lines;

/// Reads a table of one argument: two columns, the argument and the value, under a header or without one. The header
/// may have units in brackets, `travel [mm], force [kN]`.
///
/// `name` is what errors call the file. Columns are separated by commas, semicolons or tabs; blank lines and lines that
/// start with `#` are skipped.
///
/// # Errors
/// [`GridError`], naming the file and the line.
pub fn read_curve<'a>(
    source: impl Into<FileSource<'a>>,
    name: &str,
    extension: Extension,
) -> Result<FileTable<CurveGrid>, GridError> {
    let file = name.to_owned();
    let lines = read_lines(source.into(), &file)?;
    let (columns, rows) = match lines.split_first() {
        Some((first, rest)) if number(&first.cells, 0).is_err() => {
            (first.cells.iter().map(Column::parse).collect(), rest)
        }
        _ => (vec![Column::new("column 1", None), Column::new("column 2", None)], &*lines),
    };
    let line = lines.first().map_or(1, |first| first.number);
    let (mut x, mut values) = (Vec::new(), Vec::new());
    for line in rows {
        if line.cells.len() != 2 {
            return Err(line.fault(&file, GridError::CurveColumns { found: line.cells.len() }));
        }
        x.push(line.number(&file, 0, !x.is_empty())?);
        values.push(line.number(&file, 1, true)?);
    }
    let Some(first) = rows.first() else {
        return Err(GridError::Empty { file, expected: "lines of an argument and a value" });
    };
    let grid = CurveGrid::new(x, values, extension).map_err(|error| {
        let line = match error {
            GridError::NotIncreasing { index, .. }
            | GridError::KnotNotFinite { index, .. }
            | GridError::KnotTooLarge { index, .. }
            | GridError::TooClose { index, .. }
            | GridError::ValueTooLarge { index, .. }
            | GridError::ValueNotFinite { index, .. } => rows.get(index),
            GridError::NotPeriodic { .. } => rows.last(),
            _ => None,
        };
        line.unwrap_or(first).fault(&file, error)
    })?;
    Ok(FileTable { grid, file, line, columns })
}

/// Reads a table of two arguments: the knots of the second one in the first line, then lines of a knot of the first one
/// and the values there. The corner may have units: `speed [rad/s] \ angle [rad]`, also with the values' unit after
/// them, or `rpm\deg`.
///
/// `name` is what errors call the file. Columns are separated by commas, semicolons or tabs; blank lines and lines that
/// start with `#` are skipped.
///
/// # Errors
/// [`GridError`], naming the file and the line.
pub fn read_surface<'a>(
    source: impl Into<FileSource<'a>>,
    name: &str,
    extensions: [Extension; 2],
) -> Result<FileTable<SurfaceGrid>, GridError> {
    let file = name.to_owned();
    let lines = read_lines(source.into(), &file)?;
    let Some((header, rows)) = lines.split_first() else {
        let expected = "a line with the knots of the second argument, and lines of a knot and values";
        return Err(GridError::Empty { file, expected });
    };
    let text = header.cells.get(0).unwrap_or_default();
    let headings =
        corner(text).map_err(|found| header.fault(&file, GridError::Corner { text: text.to_owned(), found }))?;
    let columns = header.cells.len();
    let y: Vec<f64> = (1..columns).map(|i| header.number(&file, i, i > 1)).collect::<Result<_, _>>()?;
    let (mut x, mut values) = (Vec::new(), Vec::new());
    for line in rows {
        if line.cells.len() != columns {
            let fault = GridError::Columns { found: line.cells.len(), expected: columns };
            return Err(line.fault(&file, fault));
        }
        x.push(line.number(&file, 0, !y.is_empty())?);
        for i in 1..columns {
            values.push(line.number(&file, i, true)?);
        }
    }
    let grid = SurfaceGrid::new(x, y, values, extensions).map_err(|error| {
        let line = match error {
            GridError::NotIncreasing { axis: Axis::First, index, .. }
            | GridError::KnotNotFinite { axis: Axis::First, index, .. }
            | GridError::KnotTooLarge { axis: Axis::First, index, .. }
            | GridError::TooClose { axis: Axis::First, index, .. } => rows.get(index),
            GridError::ValueNotFinite { index, .. } | GridError::ValueTooLarge { index, .. } => {
                rows.get(index / columns.saturating_sub(1).max(1))
            }
            _ => None,
        };
        line.unwrap_or(header).fault(&file, error)
    })?;
    Ok(FileTable { grid, file, line: header.number, columns: headings })
}

/// A line that holds data.
struct Line {
    number: u64,
    cells: StringRecord,
}

impl Line {
    fn fault(&self, file: &str, fault: GridError) -> GridError {
        GridError::Line { file: file.to_owned(), line: self.number, fault: Box::new(fault) }
    }

    /// The number in a column. Where the file has had no number before (`is_table`), it may be anything, and the
    /// message does not show it.
    fn number(&self, file: &str, column: usize, is_table: bool) -> Result<f64, GridError> {
        number(&self.cells, column).map_err(|text| {
            let text = Some(text.to_owned()).filter(|_| is_table);
            self.fault(file, GridError::NotANumber { column: column + 1, text })
        })
    }
}

/// The number in a cell, or else what stands there.
fn number(cells: &StringRecord, column: usize) -> Result<f64, &str> {
    let text = cells.get(column).unwrap_or_default();
    text.parse().map_err(|_| text)
}

/// All lines of the file that hold data.
fn read_lines(source: FileSource<'_>, file: &str) -> Result<Vec<Line>, GridError> {
    let text = source.text().map_err(|fault| GridError::File { file: file.to_owned(), fault: fault.into() })?;
    let lines = csv_lines(&text).map_err(|fault| GridError::Csv { file: file.to_owned(), fault })?;
    Ok(lines.into_iter().map(|(number, cells)| Line { number, cells }).collect())
}
