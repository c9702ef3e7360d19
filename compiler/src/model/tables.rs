//! Tables of a model.

use std::path::PathBuf;

use costate_contract::tables::{CurveGrid, SurfaceGrid};

use super::quantity::Quantity;

/// A table of one or two arguments.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name, and the unit of its values.
    pub quantity: Quantity,
    /// Names and units of the arguments.
    pub arguments: Vec<Quantity>,
    /// Its data, if a file has them; else they are given to a run.
    pub values: Option<TableValues>,
    /// The file.
    pub file: Option<PathBuf>,
    /// Columns of the file that have no unit and are taken in the declared ones: file, column, unit.
    pub without_units: Vec<[String; 3]>,
}

/// Data of a table, in its own units.
#[derive(Debug, Clone)]
pub enum TableValues {
    /// Of one argument.
    Curve(CurveGrid),
    /// Of two arguments.
    Surface(SurfaceGrid),
}

impl Table {
    /// How it is used, `pressure(speed, angle)`.
    pub fn signature(&self) -> String {
        let arguments: Vec<&str> = self.arguments.iter().map(|argument| argument.name.as_str()).collect();
        format!("{}({})", self.quantity.name, arguments.join(", "))
    }
}
