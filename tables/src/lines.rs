//! The lines of a CSV text.

use csv::{Position, ReaderBuilder, StringRecord, Trim};

/// All lines of `text` that are neither blank nor comments (`#`), trimmed, with their numbers from 1.
///
/// Cells are separated by tabs, semicolons or commas, whichever of them the first line has, in this order.
///
/// # Errors
/// What the reader says of text that is not CSV.
pub fn csv_lines(text: &str) -> Result<Vec<(u64, StringRecord)>, csv::Error> {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let delimiter = match first {
        Some(line) if line.contains('\t') => b'\t',
        Some(line) if line.contains(';') => b';',
        _ => b',',
    };
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .comment(Some(b'#'))
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record?;
        let blank = record.len() <= 1 && record.iter().all(str::is_empty);
        let comment = record.get(0).is_some_and(|cell| cell.starts_with('#'));
        if !blank && !comment {
            lines.push((record.position().map_or(0, |position| line_number(text, position)), record));
        }
    }
    Ok(lines)
}

/// The reader's positions are those before the blank lines and comments that it skips.
fn line_number(text: &str, position: &Position) -> u64 {
    let rest = text.get(position.byte() as usize..).unwrap_or_default();
    let skipped = |line: &&str| line.trim().is_empty() || line.starts_with('#');
    position.line() + rest.lines().take_while(skipped).count() as u64
}
