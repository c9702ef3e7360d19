//! The lines of a CSV text.

use std::io::{self, Read};

use csv::{Reader, ReaderBuilder, StringRecord};

use super::source::Source;

/// All lines of `text` that are neither blank nor comments (`#`), trimmed, with their numbers from 1.
///
/// Cells are separated by tabs, semicolons or commas, whichever of them the first line has outside of quoted cells, in
/// this order.
///
/// # Errors
/// What the reader says of text that is not CSV.
pub fn csv_lines(text: &str) -> Result<Vec<(u64, StringRecord)>, csv::Error> {
    let mut lines = CsvLines::new(text.as_bytes())?;
    let mut all = Vec::new();
    while let Some((number, cells)) = lines.next_line()? {
        all.push((number, cells.clone()));
    }
    Ok(all)
}

/// The lines of a CSV text as [`csv_lines`] has them, one after the other: of the text no more than a line and a buffer is kept.
#[derive(Debug)]
pub struct CsvLines<R> {
    reader: Reader<Source<R>>,
    record: StringRecord,
}

/// A quote that does not begin its cell.
#[derive(Debug, thiserror::Error)]
#[error(
    "line {line}: a blank stands in front of a quoted cell that holds a separator; write the quote right behind the separator"
)]
struct BlankBeforeQuote {
    line: u64,
}

impl<R: Read> CsvLines<R> {
    /// Reads as far as the first line, which tells the separator.
    ///
    /// # Errors
    /// What the system says, and text that is none.
    pub fn new(reader: R) -> Result<Self, csv::Error> {
        let (source, delimiter) = Source::new(reader)?;
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).flexible(true).comment(Some(b'#')).delimiter(delimiter);
        let reader = builder.buffer_capacity(1 << 16).from_reader(source);
        Ok(Self { reader, record: StringRecord::new() })
    }

    /// The next line with its number; `None` at the end.
    ///
    /// # Errors
    /// What the reader says of text that is not CSV.
    pub fn next_line(&mut self) -> Result<Option<(u64, &StringRecord)>, csv::Error> {
        loop {
            if !self.reader.read_record(&mut self.record)? {
                return Ok(None);
            }
            let line = self.record.position().map_or(0, |position| {
                // The reader's positions are those before the blank lines and comments that it skips.
                position.line() + self.reader.get_mut().skipped_lines(position.byte())
            });
            if self.record.iter().any(|cell| quoted_behind_blank(cell).is_some()) {
                self.unquote(line)?;
            }
            self.record.trim();
            let blank = self.record.len() <= 1 && self.record.iter().all(str::is_empty);
            let comment = self.record.get(0).is_some_and(|cell| cell.starts_with('#'));
            if !blank && !comment {
                return Ok(Some((line, &self.record)));
            }
        }
    }

    /// Takes the quotes off cells that have blanks in front of them, which the reader takes for a part of the cell.
    fn unquote(&mut self, line: u64) -> Result<(), csv::Error> {
        let mut record = StringRecord::new();
        for cell in &self.record {
            match quoted_behind_blank(cell).map(|text| text.strip_suffix('"')) {
                None => record.push_field(cell),
                Some(Some(inner)) => record.push_field(&inner.replace("\"\"", "\"")),
                Some(None) => return Err(io::Error::other(BlankBeforeQuote { line }).into()),
            }
        }
        self.record = record;
        Ok(())
    }
}

/// What stands behind the blanks and the quote that a cell begins with.
fn quoted_behind_blank(cell: &str) -> Option<&str> {
    cell.strip_prefix([' ', '\t'])?.trim().strip_prefix('"')
}
