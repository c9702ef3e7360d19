//! The units of columns in the first line of a file.

use super::grid::{CurveGrid, SurfaceGrid};
use crate::units::{Purpose, Scale, UnitError, UnitFault, is_unit};

/// A table from a file, in the file's units.
#[derive(Debug, Clone, PartialEq)]
pub struct FileTable<G> {
    /// Knots and values.
    pub grid: G,
    /// Name of the file in errors.
    pub file: String,
    /// Line of the heading, or of the first data, from 1.
    pub line: u64,
    /// The arguments, and then the values.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Name in the heading; a substitute for a file without headings.
    pub name: String,
    /// Unit in brackets after the name; `None` if there is none.
    pub unit: Option<String>,
}

impl Column {
    /// Reads a heading such as `force [kN]`.
    pub(crate) fn parse(cell: &str) -> Self {
        let (name, unit) = name_and_unit(cell);
        Self::new(name, unit)
    }

    pub(crate) fn new(name: &str, unit: Option<&str>) -> Self {
        Self { name: name.to_owned(), unit: unit.map(str::to_owned) }
    }
}

/// Splits a heading into the name and the unit in brackets at its end, `acceleration [m/s^2]`. `x[2]` is the name of
/// an array's element without a unit, and `x[2] []` has no unit either.
pub fn name_and_unit(heading: &str) -> (&str, Option<&str>) {
    let heading = heading.trim();
    match heading.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((name, unit)) if name.ends_with(char::is_whitespace) || unit.parse::<u64>().is_err() => {
            (name.trim(), Some(unit.trim()).filter(|unit| !unit.is_empty()))
        }
        _ => (heading, None),
    }
}

impl FileTable<CurveGrid> {
    /// Converts the table to the units that are declared for its argument and its values, given with their names.
    ///
    /// # Errors
    /// [`UnitError`].
    pub fn in_units(&self, declared: [(&str, &str); 2]) -> Result<CurveGrid, Box<UnitError>> {
        let [x, values] = self.scales(declared)?;
        let grid = &self.grid;
        let scaled = CurveGrid::new(scaled(&grid.x, x), scaled(&grid.values, values), grid.extension);
        let scaled = scaled.map(|scaled| scaled.interpolated(grid.interpolation));
        scaled.map_err(|_| self.too_large(declared))
    }
}

impl FileTable<SurfaceGrid> {
    /// Converts the table to the units that are declared for its arguments and its values, given with their names.
    ///
    /// # Errors
    /// [`UnitError`].
    pub fn in_units(&self, declared: [(&str, &str); 3]) -> Result<SurfaceGrid, Box<UnitError>> {
        let [x, y, values] = self.scales(declared)?;
        let grid = &self.grid;
        let (rows, columns) = (scaled(&grid.x, x), scaled(&grid.y, y));
        let scaled = SurfaceGrid::new(rows, columns, scaled(&grid.values, values), grid.extensions);
        let scaled = scaled.map(|scaled| scaled.interpolated(grid.interpolations));
        scaled.map_err(|_| self.too_large(declared))
    }
}

impl<G> FileTable<G> {
    fn origin(&self) -> String {
        format!("the table `{}`, line {}", self.file, self.line)
    }

    fn scales<const N: usize>(&self, declared: [(&str, &str); N]) -> Result<[Scale; N], Box<UnitError>> {
        let mut scales = [Scale::ONE; N];
        for ((scale, (name, wanted)), column) in scales.iter_mut().zip(declared).zip(&self.columns) {
            let Some(unit) = &column.unit else { continue };
            let (origin, quantity) = (self.origin(), format!("`{name}`"));
            let purpose = Purpose { origin: &origin, column: &column.name, quantity: &quantity, wanted };
            *scale = purpose.conversion(unit)?;
        }
        Ok(scales)
    }

    /// Returns the error of a conversion. The grid was valid before the conversion, so that only overflow can make it
    /// invalid.
    fn too_large<const N: usize>(&self, declared: [(&str, &str); N]) -> Box<UnitError> {
        let (quantity, wanted) = declared.last().copied().unwrap_or_default();
        let remedy = "numbers of the table are beyond double precision in the declared units".to_owned();
        let unit = self.columns.iter().filter_map(|column| column.unit.as_deref()).next_back().unwrap_or_default();
        let (origin, quantity) = (self.origin(), format!("`{quantity}`"));
        Purpose { origin: &origin, column: "the values", quantity: &quantity, wanted }
            .error(unit, UnitFault::Unreadable { unit: unit.to_owned(), remedy })
    }
}

fn scaled(numbers: &[f64], scale: Scale) -> Vec<f64> {
    numbers.iter().map(|number| scale.apply(*number)).collect()
}

/// Reads the columns of a surface from its corner: `speed [rad/s] \ angle [rad]`, followed by the values'
/// `\ pressure [bar]` if their unit is to be known too, or `rpm\deg`. Names without units are ignored.
///
/// # Errors
/// The number of units in the corner, if it is neither two nor three.
pub(crate) fn corner(text: &str) -> Result<Vec<Column>, usize> {
    let parts: Vec<Column> = text.split('\\').map(Column::parse).collect();
    let named = parts.iter().filter(|column| column.unit.is_some()).count();
    let mut columns = match (named, &*parts) {
        (0, [x, y]) if is_unit(&x.name) && is_unit(&y.name) => {
            [x, y].map(|bare| Column::new(&bare.name, Some(&bare.name))).to_vec()
        }
        (0, _) => vec![Column::new("the first argument", None), Column::new("the second argument", None)],
        (2 | 3, [_, _] | [_, _, _]) if named == parts.len() => parts,
        _ => return Err(named),
    };
    if columns.len() < 3 {
        columns.push(Column::new("the values", None));
    }
    Ok(columns)
}
