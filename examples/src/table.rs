//! Tables of text.

use std::fmt::{self, Display};

/// A table whose first column is aligned to the left, the others to the right.
#[derive(Debug, Clone)]
pub struct Table(Vec<Vec<String>>);

impl Table {
    /// Creates a table with these headings of columns.
    pub fn new<T: Display>(headings: impl IntoIterator<Item = T>) -> Self {
        Self(Vec::new()).row(headings)
    }

    /// Adds a row.
    #[must_use]
    pub fn row<T: Display>(mut self, cells: impl IntoIterator<Item = T>) -> Self {
        self.0.push(cells.into_iter().map(|cell| cell.to_string()).collect());
        self
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let length = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| cell.chars().count());
        let width = |column: usize| self.0.iter().map(|row| length(row, column)).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.0 {
            let cells = row.iter().zip(&widths).enumerate();
            let line: String = cells
                .map(|(column, (cell, width))| match column {
                    0 => format!("{cell:<width$}"),
                    _ => format!("   {cell:>width$}"),
                })
                .collect();
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let table = Table::new(["µ", "error"]).row(["first", "1.5"]).row(["b", "-"]).row(["c"]);
        assert_eq!(table.to_string(), "µ       error\nfirst     1.5\nb           -\nc\n");
    }
}
