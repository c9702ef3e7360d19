//! Tables of a model.

use std::path::PathBuf;

use costate_contract::tables::{CurveGrid, Interpolation, SurfaceGrid};

use super::quantity::Quantity;

/// A table of one or two arguments.
#[derive(Debug, Clone)]
pub struct Table {
    /// Name of the table, and unit of its values.
    pub quantity: Quantity,
    /// Names and units of the arguments.
    pub arguments: Vec<Quantity>,
    /// Data from a file; `None` if they are given to a run.
    pub values: Option<TableValues>,
    /// The file; `None` without one.
    pub file: Option<PathBuf>,
    /// Columns of the file without a unit, which are taken to be in the declared unit: file, column, unit.
    pub without_units: Vec<[String; 3]>,
}

/// Data of a table, in its own units.
#[derive(Debug, Clone)]
pub enum TableValues {
    /// Data of a table of one argument.
    Curve(CurveGrid),
    /// Data of a table of two arguments.
    Surface(SurfaceGrid),
}

impl Table {
    /// Returns true if its data are straight lines along an argument.
    pub(crate) fn is_bent(&self) -> bool {
        match &self.values {
            Some(TableValues::Curve(grid)) => grid.interpolation == Interpolation::Straight,
            Some(TableValues::Surface(grid)) => grid.interpolations.contains(&Interpolation::Straight),
            None => false,
        }
    }

    /// Writes the use of the table, `pressure(speed, angle)`.
    pub fn signature(&self) -> String {
        let arguments: Vec<&str> = self.arguments.iter().map(|argument| argument.name.as_str()).collect();
        format!("{}({})", self.quantity.name, arguments.join(", "))
    }
}
