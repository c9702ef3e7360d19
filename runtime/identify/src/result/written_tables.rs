//! Tables that were found, carried back into a model: as files, as a declaration, as formulas.

use std::fmt::Write;

use super::summary::FittedTable;
use crate::thresholds::MIN_SHARE_OF_DATA;
use costate_system::table::formula::{FittedFormula, Formula, FormulaError, formulas};

/// Words that a table means where none is written.
const DEFAULTS: [&str; 2] = ["spline", "clamped"];

impl FittedTable {
    /// The table as the text of a file that `tables` of a model and
    /// [`Curve::read_csv`](costate_system::table::Curve::read_csv) or
    /// [`Surface::read_csv`](costate_system::table::Surface::read_csv) read, with units, and every number with the
    /// fewest digits that give the same bits.
    pub fn csv(&self) -> String {
        let heading = |k: usize| self.arguments.get(k).map_or(("", ""), |argument| *argument);
        let ((x, of_x), (y, of_y)) = (heading(0), heading(1));
        let mut text = String::new();
        match &self.knots[..] {
            [rows, columns] => {
                // writing to a string cannot fail
                let _ = write!(text, "{x} [{of_x}] \\ {y} [{of_y}] \\ {} [{}]", self.table, self.unit);
                columns.iter().for_each(|column| text += &format!(",{column}"));
                for (row, values) in rows.iter().zip(self.values.chunks(columns.len().max(1))) {
                    let _ = write!(text, "\n{row}");
                    values.iter().for_each(|value| text += &format!(",{value}"));
                }
                text += "\n";
            }
            knots => {
                let _ = writeln!(text, "{x} [{of_x}],{} [{}]", self.table, self.unit);
                for (knot, value) in knots.iter().flatten().zip(&self.values) {
                    let _ = writeln!(text, "{knot},{value}");
                }
            }
        }
        text
    }

    /// The uncertainty of the values, as comma separated text: the arguments, value and standard deviation, and which
    /// part of the information that is from the data.
    pub fn bands_csv(&self) -> String {
        let mut text = String::new();
        for (name, unit) in &self.arguments {
            text += &format!("{name} [{unit}],");
        }
        text += &format!("{} [{}],standard deviation [{}],told by data [1]\n", self.table, self.unit, self.unit);
        let places: Vec<String> = match &self.knots[..] {
            [rows, columns] => {
                rows.iter().flat_map(|row| columns.iter().map(move |column| format!("{row},{column}"))).collect()
            }
            knots => knots.iter().flatten().map(f64::to_string).collect(),
        };
        let sure = self.standard_deviations.iter().zip(&self.told_by_data);
        for ((place, value), (deviation, told)) in places.iter().zip(&self.values).zip(sure) {
            text += &format!("{place},{value},{deviation},{told}\n");
        }
        text
    }

    /// The table's line in the block `tables` of a model, with the path of a file that has the [text](Self::csv):
    /// `damper(linear speed: m/s): N = "data/damper.csv",`.
    pub fn declaration(&self, path: &str) -> String {
        let words = self.interpolations.iter().zip(&self.extensions);
        let arguments: Vec<String> = self
            .arguments
            .iter()
            .zip(words)
            .map(|((name, unit), (between, beyond))| {
                let words = [*between, *beyond].into_iter().filter(|word| !DEFAULTS.contains(word));
                format!("{}{name}: {unit}", words.map(|word| format!("{word} ")).collect::<String>())
            })
            .collect();
        let path = path.replace('\\', "/").replace('"', "\\\"");
        format!("{}({}): {} = \"{path}\",", self.table, arguments.join(", "), self.unit)
    }

    /// The `candidates` with the coefficients that come closest to a curve where the data tell it, the most probable
    /// one first; [`FittedFormula::text`] writes them for a model.
    ///
    /// # Errors
    /// [`FormulaError`]: for a table of two arguments, or of which the data tell too few values.
    pub fn formulas(&self, candidates: &[Formula]) -> Result<Vec<FittedFormula>, FormulaError> {
        let [knots] = &self.knots[..] else { return Err(FormulaError::Surface { table: self.table }) };
        let (mut x, mut values, mut deviations) = (Vec::new(), Vec::new(), Vec::new());
        for (k, knot) in knots.iter().enumerate() {
            let (deviation, told) = (self.standard_deviations[k], self.told_by_data[k]);
            // a value that is fixed by its shape, as 0 at the origin, has no deviation
            if told >= MIN_SHARE_OF_DATA && deviation.is_finite() && deviation > 0.0 {
                x.push(*knot);
                values.push(self.values[k]);
                deviations.push(deviation);
            }
        }
        formulas(&x, &values, Some(&deviations), candidates)
    }
}
