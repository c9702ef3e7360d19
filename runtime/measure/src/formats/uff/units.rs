//! Units of functions whose labels are empty: those of the data type in the units of the data set 164.

use super::header::Quantity;
use super::lines::{Lines, column, trimmed};
use crate::formats::FormatError;

/// Units of a file.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// Marks lengths in m and forces in N, as the data set 164 says.
    is_si: bool,
}

impl Units {
    /// Reads the data set 164 after its number, and its end.
    pub fn read(lines: &mut Lines) -> Result<Self, FormatError> {
        let code = lines.next_raw().map(|line| trimmed(column(&line, 0, 10)).to_owned());
        lines.skip_set()?;
        Ok(Self { is_si: code.as_deref() == Some("1") })
    }

    /// Unit of a quantity: its label, or what follows from its type.
    pub fn of(&self, quantity: &Quantity, direction: i8) -> Option<String> {
        if !quantity.unit.is_empty() {
            return Some(quantity.unit.clone());
        }
        let is_rotation = direction.unsigned_abs() > 3;
        let unit = match (quantity.kind, is_rotation) {
            (3, _) => "1",
            _ if !self.is_si => return None,
            (2, false) | (15, _) => "N/m^2",
            (8, false) => "m",
            (8, true) => "rad",
            (9 | 13, false) => "N",
            (9 | 13, true) => "N m",
            (11, false) => "m/s",
            (11, true) => "rad/s",
            (12, false) => "m/s^2",
            (12, true) => "rad/s^2",
            (16, _) => "kg",
            (17, _) => "s",
            (18, _) => "Hz",
            (19, _) => "1/min",
            _ => return None,
        };
        Some(unit.to_owned())
    }
}
