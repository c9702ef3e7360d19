//! The lines of a CSV text.

use std::io::{self, Read};

use csv::{Reader, ReaderBuilder, StringRecord};

use super::source::Source;

/// Returns all lines of `text` that are neither blank nor comments (`#`), trimmed, with their numbers from 1.
///
/// The separator of cells is a tab, a semicolon or a comma: the first of these that the first line contains outside
/// of quoted cells.
///
/// # Errors
/// The reader's error for text that is not CSV.
pub fn csv_lines(text: &str) -> Result<Vec<(u64, StringRecord)>, csv::Error> {
    let mut lines = CsvLines::new(text.as_bytes())?;
    let mut all = Vec::new();
    while let Some((number, cells)) = lines.next_line()? {
        all.push((number, cells.clone()));
    }
    Ok(all)
}

/// The lines of a CSV text as in [`csv_lines`], one after the other, with only a line and a buffer of the text in
/// memory.
#[derive(Debug)]
pub struct CsvLines<R> {
    reader: Reader<Source<R>>,
    record: StringRecord,
}

/// The error of a quote that is not at the beginning of its cell.
#[derive(Debug, thiserror::Error)]
#[error(
    "line {line}: a blank stands in front of a quoted cell that holds a separator; write the quote right after the \
         separator"
)]
struct BlankBeforeQuote {
    line: u64,
}

impl<R: Read> CsvLines<R> {
    /// Reads up to the first line, which determines the separator.
    ///
    /// # Errors
    /// Errors of the system, and text that is not UTF-8.
    pub fn new(reader: R) -> Result<Self, csv::Error> {
        let (source, delimiter) = Source::new(reader)?;
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).flexible(true).comment(Some(b'#')).delimiter(delimiter);
        let reader = builder.buffer_capacity(1 << 16).from_reader(source);
        Ok(Self { reader, record: StringRecord::new() })
    }

    /// Returns the next line with its number; `None` at the end.
    ///
    /// # Errors
    /// The reader's error for text that is not CSV.
    pub fn next_line(&mut self) -> Result<Option<(u64, &StringRecord)>, csv::Error> {
        loop {
            if !self.reader.read_record(&mut self.record)? {
                return Ok(None);
            }
            let line = self.record.position().map_or(0, |position| {
                // The reader's positions do not include the blank lines and comments that it skips next.
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

    /// Removes the quotes of cells with leading blanks, which the reader takes for a part of the cell.
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

/// Returns the text after the blanks and the quote at the beginning of a cell; `None` for other cells.
fn quoted_behind_blank(cell: &str) -> Option<&str> {
    cell.strip_prefix([' ', '\t'])?.trim().strip_prefix('"')
}
