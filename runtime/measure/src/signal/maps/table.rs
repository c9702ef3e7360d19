//! Maps as tables.

use std::fmt::Write;
use std::path::Path;

use super::SpectralMap;
use crate::signal::SignalError;

impl SpectralMap {
    /// Writes a table with commas: the first line has the values of `x`, every other one a value of `y` and the values
    /// there, empty where there is none. The first cell names both axes, the quantity and its unit.
    ///
    /// # Errors
    /// [`SignalError::Write`].
    pub fn write_csv(&self, path: impl AsRef<Path>) -> Result<(), SignalError> {
        let path = path.as_ref();
        costate_contract::files::write(path, self.table())
            .map_err(|source| SignalError::Write { file: path.display().to_string(), source })
    }

    fn table(&self) -> String {
        let unit = self.unit.as_deref().map_or_else(String::new, |unit| format!(" [{unit}]"));
        let first = format!("{}{unit} by {} over {}", self.quantity.name(), self.y.heading(), self.x.heading());
        let mut text = match first.contains(['"', ',', '\n', '\r']) {
            true => format!("\"{}\"", first.replace('"', "\"\"")),
            false => first,
        };
        // writing to a text does not fail
        for x in &self.x.values {
            let _ = write!(text, ",{x:?}");
        }
        text.push('\n');
        for (row, y) in self.y.values.iter().enumerate() {
            let _ = write!(text, "{y:?}");
            for value in self.row(row) {
                let _ = if value.is_finite() { write!(text, ",{value:?}") } else { write!(text, ",") };
            }
            text.push('\n');
        }
        text
    }
}
