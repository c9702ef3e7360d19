//! Reads a file of columns: finds out how it is written, then reads it line by line.
//!
//! The reader asks how much memory the machine has left before it makes room for more lines.

use std::cell::Cell;
use std::io::Read;

use costate_contract::machine::{Room, bytes};
use sha2::{Digest, Sha256};

use super::layout::{self, Rewritten};
use super::lines::{Cells, LineFault, Lines};
use super::options::CsvReader;
use super::sniff::{Dialect, dialect};
use super::table::Table;
use super::text::{Encoding, NotText, Text};
use super::{Record, RecordError};

/// Number of bytes of a file that are looked at first.
const FIRST_HEAD: usize = 1 << 16;

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
pub fn read(options: &CsvReader, reader: impl Read, name: &str, length: Option<u64>) -> Result<Record, RecordError> {
    check(options)?;
    let done = Cell::new(0);
    let mut hashed = Hashed { reader, hash: Sha256::new(), done: &done };
    let mut lines = Lines::new(Text::new(&mut hashed, options.encoding));
    let record = match rewritten(options, &mut lines, name, length)? {
        Some(Rewritten { anew: Some(line), .. }) => {
            return Err(RecordError::Anew { file: name.to_owned(), line });
        }
        Some(Rewritten { text, reader, samples, .. }) => {
            let (encoding, all, read) = (lines.encoding(), text.len() as u64, Cell::new(text.len() as u64));
            let mut lines = Lines::new(Text::new(text.as_bytes(), Some(Encoding::Utf8)));
            table(&reader, &mut lines, name, (&read, Some(all)), Some((encoding, samples)))?
        }
        None => table(options, &mut lines, name, (&done, length), None)?,
    };
    drop(lines);
    let record = Record { sha256: Some(hashed.text()), ..record };
    record.between(options.part)
}

/// Rewrites a text that is no table but of a known layout, unless the caller has said how it is written.
fn rewritten<R: Read>(
    options: &CsvReader,
    lines: &mut Lines<R>,
    name: &str,
    length: Option<u64>,
) -> Result<Option<Rewritten>, RecordError> {
    /// Bytes for each byte of a text that is rewritten: the text, its cells and the table.
    const LAYOUT_BYTES: usize = 32;
    let failed = |fault| failure(fault, name);
    let (head, _) = lines.head(FIRST_HEAD).map_err(failed)?;
    let is_told = options.no_heading || options.skip > 0 || options.names.is_some() || options.separator.is_some();
    let Some(rewrite) = layout::of(head).filter(|_| !is_told) else { return Ok(None) };
    let asked = Room {
        what: "a text",
        count: length.and_then(|length| usize::try_from(length).ok()).unwrap_or(FIRST_HEAD),
        counted: "bytes",
        remedy: "cut the file, or use a machine with more memory",
    };
    let source = |source| RecordError::Memory { file: name.to_owned(), source };
    asked.check(bytes(asked.count, LAYOUT_BYTES)).map_err(source)?;
    let (all, _) = lines.head(usize::MAX).map_err(failed)?;
    let text = String::from_utf8_lossy(all);
    let mut found = rewrite(&text, options.clone());
    // a text that ends within its last line stays one
    if let Some(found) = found.as_mut().filter(|_| !text.ends_with(['\n', '\r'])) {
        found.text.truncate(found.text.trim_end_matches(['\n', '\r']).len());
    }
    Ok(found)
}

/// Reads the lines of a table, of which so many bytes are read and there may be so many; of one that was rewritten, its
/// encoding and numbers of samples are known.
fn table<R: Read>(
    options: &CsvReader,
    lines: &mut Lines<R>,
    name: &str,
    (done, length): (&Cell<u64>, Option<u64>),
    rewritten: Option<(Encoding, Option<[usize; 2]>)>,
) -> Result<Record, RecordError> {
    let dialect = beginning(options, lines, name, |fault| failure(fault, name))?;
    lines.separated_by(dialect.separator);
    let mut table = Table::new(&dialect, options, name)?;
    let mut cells = Cells::default();
    while let Some((number, line)) = lines.next_line().map_err(|fault| failure(fault, name))? {
        if number < dialect.first {
            continue;
        }
        cells.split(line, dialect.separator);
        table.make_room(done.get(), length).map_err(|source| RecordError::Memory { file: name.to_owned(), source })?;
        let result = table.read_row(&cells, line, number);
        if result.is_err() || lines.is_cut() {
            table.end(result, number, lines.is_cut())?;
        }
    }
    let (encoding, samples) = rewritten.unwrap_or_else(|| (lines.encoding(), table.stated(&dialect)));
    table.record(&dialect, encoding, samples)
}

/// The error of a text that cannot be read on.
fn failure(fault: LineFault, name: &str) -> RecordError {
    match fault {
        LineFault::System(source) => match source.get_ref().and_then(|inner| inner.downcast_ref::<NotText>()) {
            Some(fault) => RecordError::NotText { file: name.to_owned(), fault: *fault },
            None => RecordError::File { file: name.to_owned(), source },
        },
        LineFault::Open(line) => RecordError::OpenQuote { file: name.to_owned(), line },
    }
}

/// Looks at the beginning of a text.
fn beginning<R: Read>(
    options: &CsvReader,
    lines: &mut Lines<R>,
    name: &str,
    failed: impl Fn(LineFault) -> RecordError,
) -> Result<Dialect, RecordError> {
    /// Largest number of bytes of a file that are looked at before it is read.
    const MAX_HEAD: usize = 1 << 24;
    let mut wanted = FIRST_HEAD;
    loop {
        let (head, is_all) = lines.head(wanted).map_err(&failed)?;
        // without a line of numbers in so many bytes there is no table
        let is_all = is_all || wanted >= MAX_HEAD;
        if let Some(found) = dialect(head, is_all, options, name)? {
            return Ok(found);
        }
        wanted *= 4;
    }
}

/// Checks the options by themselves.
fn check(options: &CsvReader) -> Result<(), RecordError> {
    let clocks = [
        ("rate", options.rate, "a positive number of samples per second"),
        ("every", options.every, "a positive number of seconds"),
    ];
    for (option, given, limit) in clocks {
        if let Some(value) = given.filter(|value| !(*value > 0.0 && value.is_finite())) {
            return Err(RecordError::Option { option, value: value.to_string(), limit: limit.to_owned() });
        }
    }
    Ok(())
}
