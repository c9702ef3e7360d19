//! Lines of a text and their cells. A quoted cell may go on in the next line.

use std::fmt;
use std::io::{self, Read};

use ::csv::{ByteRecord, ReaderBuilder};
use memchr::{memchr, memchr_iter, memchr2};
use serde::Serialize;

use super::text::{Encoding, Text};

/// Character between the cells of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Separator {
    /// `,`.
    Comma,
    /// `;`.
    Semicolon,
    /// A tab.
    Tab,
    /// `|`.
    Pipe,
    /// Any number of blanks or tabs.
    Blanks,
}

impl Separator {
    /// All separators, in the order in which they are tried.
    pub(super) const ALL: [Self; 5] = [Self::Tab, Self::Semicolon, Self::Comma, Self::Pipe, Self::Blanks];

    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Pipe => b'|',
            Self::Blanks => b' ',
        }
    }
}

impl fmt::Display for Separator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Comma => "commas",
            Self::Semicolon => "semicolons",
            Self::Tab => "tabs",
            Self::Pipe => "`|`",
            Self::Blanks => "blanks",
        })
    }
}

/// Reason why there is no next line.
#[derive(Debug)]
pub enum LineFault {
    System(io::Error),
    /// A quote in this line is never closed.
    Open(u64),
}

impl From<io::Error> for LineFault {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Place of a line in a text.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// End of its content.
    pub end: usize,
    /// Begin of the next line.
    pub next: usize,
    /// Number of line ends in it, more than one if a quoted cell has some.
    pub ends: u64,
    /// True if a quote is open at the end.
    open: bool,
}

/// Finds the line that begins at `from`; `None` if its end is not in `bytes`.
///
/// Quotes open after this separator, after any if it is not known yet.
pub fn line_at(bytes: &[u8], from: usize, is_all: bool, separator: Option<Separator>) -> Option<Place> {
    /// Largest number of bytes of a line with those in its quotes: a quote that is never closed takes no more of the
    /// file.
    const MAX_LINE: usize = 1 << 20;
    let (mut end, mut next) = line_end(bytes, from, is_all)?;
    let mut ends = 1;
    let line = bytes.get(from..end)?;
    if is_comment(line) || memchr(b'"', line).is_none() {
        return Some(Place { end, next, ends, open: false });
    }
    let mut quotes = Quotes { separator, quoted: false, opens: true };
    quotes.pass(line);
    while quotes.quoted && next < bytes.len() && next - from <= MAX_LINE {
        quotes.pass(bytes.get(end..next)?);
        let begin = next;
        (end, next) = line_end(bytes, begin, is_all)?;
        ends += 1;
        quotes.pass(bytes.get(begin..end)?);
    }
    if quotes.quoted && !is_all && next - from <= MAX_LINE {
        return None;
    }
    Some(Place { end, next, ends, open: quotes.quoted })
}

/// Finds the end of the line that begins at `from`, and the begin of the next one.
fn line_end(bytes: &[u8], from: usize, is_all: bool) -> Option<(usize, usize)> {
    let Some(at) = memchr2(b'\n', b'\r', bytes.get(from..)?) else {
        return is_all.then_some((bytes.len(), bytes.len()));
    };
    let end = from + at;
    match (bytes.get(end)?, bytes.get(end + 1)) {
        (b'\r', Some(b'\n')) => Some((end, end + 2)),
        (b'\r', None) if !is_all => None,
        _ => Some((end, end + 1)),
    }
}

/// State of bytes so far, within quotes or not. A quote opens at the beginning of a cell, and right after a closing
/// quote, because quotes in quotes are doubled.
struct Quotes {
    separator: Option<Separator>,
    quoted: bool,
    opens: bool,
}

impl Quotes {
    fn pass(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.pass_one(byte));
    }

    fn pass_one(&mut self, byte: u8) {
        match byte {
            b'"' if self.quoted => (self.quoted, self.opens) = (false, true),
            b'"' if self.opens => self.quoted = true,
            _ if self.quoted => {}
            _ => {
                let begins = match self.separator {
                    None => matches!(byte, b'\t' | b';' | b',' | b'|'),
                    Some(separator) => byte == separator.byte(),
                };
                self.opens = begins || self.opens && matches!(byte, b' ' | b'\t');
            }
        }
    }
}

pub fn is_comment(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"#")
}

pub fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// The lines of a file, one after the other, with only a piece of it in memory.
pub struct Lines<R> {
    text: Text<R>,
    separator: Option<Separator>,
    buffer: Vec<u8>,
    at: usize,
    /// Number of the next line, from 1.
    number: u64,
    is_all: bool,
}

impl<R: Read> Lines<R> {
    pub fn new(text: Text<R>) -> Self {
        Self { text, separator: None, buffer: Vec::new(), at: 0, number: 1, is_all: false }
    }

    /// Sets the separator, after which quotes open.
    pub fn separated_by(&mut self, separator: Separator) {
        self.separator = Some(separator);
    }

    /// Returns at least this many bytes from the beginning of the text on, and whether they are all.
    pub fn head(&mut self, bytes: usize) -> Result<(&[u8], bool), LineFault> {
        while self.buffer.len() < bytes && !self.is_all {
            self.is_all = !self.text.fill(&mut self.buffer)?;
        }
        Ok((&self.buffer, self.is_all))
    }

    /// Returns true if the line that was read last is the end of the text, without an end of its own.
    pub fn is_cut(&self) -> bool {
        self.is_all && self.at >= self.buffer.len() && !matches!(self.buffer.last(), Some(b'\n' | b'\r'))
    }

    pub fn encoding(&self) -> Encoding {
        self.text.encoding()
    }

    /// Returns the next line that is neither blank nor a comment, with its number; `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<(u64, &[u8])>, LineFault> {
        let (number, range) = loop {
            if self.at >= self.buffer.len() && self.is_all {
                return Ok(None);
            }
            let Some(place) = line_at(&self.buffer, self.at, self.is_all, self.separator) else {
                self.buffer.drain(..self.at);
                self.at = 0;
                self.is_all = !self.text.fill(&mut self.buffer)?;
                continue;
            };
            let (number, range) = (self.number, self.at..place.end);
            if place.open {
                return Err(LineFault::Open(number));
            }
            self.at = place.next;
            self.number += place.ends;
            let line = self.buffer.get(range.clone()).unwrap_or_default();
            let first = line.first().copied().unwrap_or(b' ');
            if first > b'#' || !is_blank(line) && !is_comment(line) {
                break (number, range);
            }
        };
        Ok(Some((number, self.buffer.get(range).unwrap_or_default())))
    }
}

/// The cells of a line, trimmed.
#[derive(Debug, Default)]
pub struct Cells {
    ranges: Vec<(usize, usize)>,
    /// Content of a line with quotes, without them.
    unquoted: Vec<u8>,
    is_unquoted: bool,
}

impl Cells {
    /// Splits a line at the separators outside of quotes.
    pub fn split(&mut self, line: &[u8], separator: Separator) {
        self.ranges.clear();
        self.is_unquoted = memchr(b'"', line).is_some();
        if self.is_unquoted {
            return self.split_quoted(line, separator);
        }
        if separator == Separator::Blanks {
            let mut begin = None;
            for (at, byte) in line.iter().chain(b" ").enumerate() {
                match (byte.is_ascii_whitespace(), begin) {
                    (true, Some(from)) => {
                        // a unit belongs to the name before it
                        let is_unit = matches!(line.get(from), Some(b'[' | b'('));
                        match self.ranges.last_mut().filter(|_| is_unit) {
                            Some(name) => name.1 = at,
                            None => self.ranges.push((from, at)),
                        }
                        begin = None;
                    }
                    (false, None) => begin = Some(at),
                    _ => {}
                }
            }
            return;
        }
        let mut begin = 0;
        for end in memchr_iter(separator.byte(), line).chain([line.len()]) {
            self.ranges.push(trimmed(line, begin, end));
            begin = end + 1;
        }
    }

    fn split_quoted(&mut self, line: &[u8], separator: Separator) {
        // the reader takes quotes after blanks for a part of the cell
        let mut quotes = Quotes { separator: Some(separator), quoted: false, opens: true };
        let mut clean: Vec<u8> = Vec::with_capacity(line.len());
        for &byte in line {
            if byte == b'"' && quotes.opens && !quotes.quoted {
                let blank = |last: u8| matches!(last, b' ' | b'\t') && last != separator.byte();
                while clean.pop_if(|last| blank(*last)).is_some() {}
            }
            quotes.pass_one(byte);
            clean.push(byte);
        }
        let mut reader =
            ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator.byte()).from_reader(&*clean);
        let mut record = ByteRecord::new();
        // reading from memory does not fail
        let _ = reader.read_byte_record(&mut record);
        self.unquoted.clear();
        for cell in record.iter().filter(|cell| separator != Separator::Blanks || !is_blank(cell)) {
            let begin = self.unquoted.len();
            self.unquoted.extend_from_slice(cell);
            self.ranges.push(trimmed(&self.unquoted, begin, self.unquoted.len()));
        }
    }

    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns a cell of the line that was split; an empty one after the last.
    pub fn get<'a>(&'a self, cell: usize, line: &'a [u8]) -> &'a [u8] {
        let (begin, end) = self.ranges.get(cell).copied().unwrap_or_default();
        let text = if self.is_unquoted { &self.unquoted } else { line };
        text.get(begin..end).unwrap_or_default()
    }

    /// Returns all cells as text.
    pub fn texts(&self, line: &[u8]) -> Vec<String> {
        (0..self.len()).map(|cell| String::from_utf8_lossy(self.get(cell, line)).trim().to_owned()).collect()
    }
}

fn trimmed(text: &[u8], mut begin: usize, mut end: usize) -> (usize, usize) {
    let blank = |at: usize| text.get(at).is_some_and(u8::is_ascii_whitespace);
    while begin < end && blank(begin) {
        begin += 1;
    }
    while end > begin && blank(end - 1) {
        end -= 1;
    }
    (begin, end)
}
