//! The lines of a CSV text.

use csv::{Position, ReaderBuilder, StringRecord, Trim};

/// All lines of `text` that are neither blank nor comments (`#`), trimmed, with their numbers from 1.
///
/// Cells are separated by tabs, semicolons or commas, whichever of them the first line has outside of quoted cells, in
/// this order.
///
/// # Errors
/// What the reader says of text that is not CSV.
pub fn csv_lines(text: &str) -> Result<Vec<(u64, StringRecord)>, csv::Error> {
    let text = text.trim_start_matches('\u{feff}');
    let first = outside_quotes(text);
    let delimiter = match first.trim() {
        line if line.contains('\t') => b'\t',
        line if line.contains(';') => b';',
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

/// The first line that is neither blank nor a comment, without what stands in quoted cells.
fn outside_quotes(text: &str) -> String {
    let is_skipped = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let skipped: usize = text.split_inclusive('\n').take_while(is_skipped).map(str::len).sum();
    let (mut line, mut quoted) = (String::new(), false);
    // A quote opens at the beginning of a cell, and right behind one that closes: quotes in quotes are doubled.
    let mut opens = true;
    for character in text[skipped..].chars() {
        match character {
            '"' if quoted => (quoted, opens) = (false, true),
            '"' if opens => quoted = true,
            _ if quoted => {}
            '\n' | '\r' => break,
            _ => {
                line.push(character);
                opens = matches!(character, '\t' | ';' | ',');
            }
        }
    }
    line
}

/// The reader's positions are those before the blank lines and comments that it skips.
fn line_number(text: &str, position: &Position) -> u64 {
    let rest = text.get(position.byte() as usize..).unwrap_or_default();
    let skipped = |line: &&str| line.trim().is_empty() || line.starts_with('#');
    position.line() + rest.lines().take_while(skipped).count() as u64
}
