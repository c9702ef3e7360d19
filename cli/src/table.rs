//! Tables on a terminal.

use std::fmt::Write;

/// Returns a table with the names of its columns; those in `left` are set to the left, the others to the right.
pub fn table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    left: impl AsRef<[usize]>,
) -> String {
    aligned(&std::iter::once(head.map(str::to_owned)).chain(rows).collect::<Vec<_>>(), left)
}

/// Returns lines of aligned columns; those in `left` are set to the left, the others to the right.
pub fn aligned<const N: usize>(rows: &[[String; N]], left: impl AsRef<[usize]>) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            if left.as_ref().contains(&column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let line = cells.collect::<Vec<String>>().join("  ");
        // writing to a string does not fail
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}
