//! Reads a file of columns: finds out how it is written, then reads it line by line.
//!
//! The reader asks how much memory the machine has left before it makes room for more lines.

use std::cell::Cell;
use std::io::Read;

use sha2::{Digest, Sha256};

use super::lines::{Cells, LineFault, Lines};
use super::options::CsvReader;
use super::sniff::{Dialect, dialect};
use super::table::Table;
use super::text::{NotText, Text};
use super::{Record, RecordError};

/// Number of bytes of a file that are looked at first, and the largest number.
const HEAD: usize = 1 << 16;
const LONGEST_HEAD: usize = 1 << 24;

/// A reader that computes the SHA-256 of the bytes it reads.
struct Hashed<'d, R> {
    reader: R,
    hash: Sha256,
    /// Number of bytes read.
    done: &'d Cell<u64>,
}

impl<R> Hashed<'_, R> {
    /// Returns the hash in hexadecimal digits.
    fn text(self) -> String {
        self.hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl<R: Read> Read for Hashed<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let read = self.reader.read(bytes)?;
        self.hash.update(bytes.get(..read).unwrap_or_default());
        self.done.set(self.done.get() + read as u64);
        Ok(read)
    }
}

/// Reads text whose length in bytes may be known.
pub fn read(
    options: &CsvReader,
    reader: impl Read,
    name: &str,
    length: Option<u64>,
) -> Result<Record, RecordError> {
    check(options)?;
    let failed = |fault: LineFault| match fault {
        LineFault::System(source) => match source.get_ref().and_then(|inner| inner.downcast_ref::<NotText>())
        {
            Some(fault) => RecordError::NotText { file: name.to_owned(), fault: *fault },
            None => RecordError::File { file: name.to_owned(), source },
        },
        LineFault::Open(line) => RecordError::OpenQuote { file: name.to_owned(), line },
    };
    let done = Cell::new(0);
    let mut hashed = Hashed { reader, hash: Sha256::new(), done: &done };
    let mut lines = Lines::new(Text::new(&mut hashed, options.encoding));
    let dialect = beginning(options, &mut lines, name, failed)?;
    lines.separated_by(dialect.separator);
    let mut table = Table::new(&dialect, options, name)?;
    let mut cells = Cells::default();
    while let Some((number, line)) = lines.next_line().map_err(failed)? {
        if number < dialect.first {
            continue;
        }
        cells.split(line, dialect.separator);
        table
            .make_room(done.get(), length)
            .map_err(|source| RecordError::Memory { file: name.to_owned(), source })?;
        table.read_row(&cells, line, number)?;
    }
    let encoding = lines.encoding();
    drop(lines);
    let record = table.record(&dialect, encoding)?;
    Ok(Record { sha256: Some(hashed.text()), ..record })
}

/// Looks at the beginning of a text.
fn beginning<R: Read>(
    options: &CsvReader,
    lines: &mut Lines<R>,
    name: &str,
    failed: impl Fn(LineFault) -> RecordError,
) -> Result<Dialect, RecordError> {
    let mut wanted = HEAD;
    loop {
        let (head, is_all) = lines.head(wanted).map_err(&failed)?;
        // without a line of numbers in so many bytes there is none
        let is_all = is_all || wanted >= LONGEST_HEAD;
        if let Some(found) = dialect(head, is_all, options, name)? {
            return Ok(found);
        }
        wanted *= 4;
    }
}

/// Checks the options by themselves.
fn check(options: &CsvReader) -> Result<(), RecordError> {
    if let Some(rate) = options.rate.filter(|rate| !(*rate > 0.0 && rate.is_finite())) {
        let limit = "a positive number of samples per second".to_owned();
        return Err(RecordError::Option { option: "rate", value: rate.to_string(), limit });
    }
    Ok(())
}
