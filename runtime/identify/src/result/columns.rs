//! Columns of text, and directions of unknowns as text.

use std::fmt;

use crate::definition::digits::significant;

/// An unknown in a direction.
pub(crate) struct Changed<'a> {
    name: &'a str,
    unit: &'a str,
    /// The size of its values, for which changes are large or small.
    size: f64,
}

impl<'a> Changed<'a> {
    /// Creates an unknown with a value of this size; one of 0 has a size of 1.
    pub fn new(name: &'a str, unit: &'a str, size: f64) -> Self {
        Self { name, unit: if unit == "1" { "" } else { unit }, size: if size > 0.0 { size } else { 1.0 } }
    }
}

/// Writes a direction, such as `residuals stay as they are where c_1 changes by +1.00 N/m with c_2 by -1.00 N/m`;
/// changes that are very small for their unknown are left out.
pub(crate) fn write_combination(f: &mut fmt::Formatter<'_>, changes: &[f64], unknowns: &[Changed<'_>]) -> fmt::Result {
    /// Combinations of more unknowns than these are not written out.
    const MAX_NAMED: usize = 12;
    /// Smaller coefficients of a combination are shown as 0.
    const MIN_COEFFICIENT: f64 = 5e-4;
    let relative = |(change, unknown): &(&f64, &Changed<'_>)| (*change / unknown.size).abs();
    let largest = changes.iter().zip(unknowns).map(|one| relative(&one)).fold(0.0, f64::max);
    let involved = changes.iter().zip(unknowns).filter(|one| relative(one) >= MIN_COEFFICIENT * largest);
    let parts: Vec<String> = involved
        .map(|(change, Changed { name, unit, .. })| {
            let sign = if *change < 0.0 { "-" } else { "+" };
            format!("{name} by {sign}{} {unit}", significant(change.abs(), 4)).trim_end().to_owned()
        })
        .collect();
    match &parts[..] {
        many if many.len() > MAX_NAMED => write!(f, "a combination of {} unknowns", many.len()),
        [first, others @ ..] => {
            let first = first.replacen(" by ", " changes by ", 1);
            let with = if others.is_empty() { "" } else { " with " };
            write!(f, "residuals stay as they are where {first}{with}{}", others.join(" and "))
        }
        [] => Ok(()),
    }
}

/// Writes lines of cells, all but the last one right-aligned.
pub fn write_columns(f: &mut fmt::Formatter<'_>, lines: &[Vec<String>]) -> fmt::Result {
    let last = lines.first().map_or(0, |line| line.len().saturating_sub(1));
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..last).map(width).collect();
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            writeln!(f)?;
        }
        for (cell, width) in line.iter().zip(&widths) {
            write!(f, "  {cell:>width$}")?;
        }
        if let Some(cell) = line.get(last) {
            write!(f, "  {cell}")?;
        }
    }
    Ok(())
}
