//! The bytes of a CSV text before they reach the reader: determines the separator of the first line, and the line
//! numbers of cells.

use std::io::{self, Read};

use crate::files::ReadError;

/// Number of bytes that are read at once, and about the number that are kept.
const READ_BYTES: usize = 1 << 16;

/// The byte order mark that some programs write at the beginning of text in UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A text of which the bytes since the last query for a line are kept.
#[derive(Debug)]
pub struct Source<R> {
    rest: R,
    /// Bytes that were read to find the first line, and the number of those that have been passed on.
    head: Vec<u8>,
    given: usize,
    /// Bytes that the reader may still ask about, and the number of bytes before them.
    kept: Vec<u8>,
    before: u64,
    text: Text,
}

/// State of the check that the bytes are text.
#[derive(Debug, Default)]
struct Text {
    /// The first bytes of a character that is not complete.
    begun: Vec<u8>,
    checked: u64,
}

impl Text {
    /// Refuses zeros and bytes that are not text in UTF-8.
    fn check(&mut self, piece: &[u8]) -> Result<(), ReadError> {
        let (begun, checked) = (self.begun.len() as u64, self.checked);
        let wrong =
            |at: usize, byte: u8| Err(ReadError::NoText { at: (checked + at as u64).saturating_sub(begun), byte });
        self.checked += piece.len() as u64;
        let joined;
        let bytes = match self.begun.is_empty() {
            true => piece,
            false => {
                joined = [&self.begun, piece].concat();
                &joined[..]
            }
        };
        let zero = bytes.iter().position(|&byte| byte == 0);
        let begun = match std::str::from_utf8(&bytes[..zero.unwrap_or(bytes.len())]) {
            Ok(_) => Vec::new(),
            Err(error) => {
                let at = error.valid_up_to();
                if error.error_len().is_some() || zero.is_some() {
                    return wrong(at, bytes[at]);
                }
                bytes[at..].to_vec()
            }
        };
        if let Some(at) = zero {
            return wrong(at, 0);
        }
        self.begun = begun;
        Ok(())
    }

    /// Refuses an incomplete character at the end of the text.
    fn end(&self) -> Result<(), ReadError> {
        match self.begun.first() {
            Some(&byte) => Err(ReadError::NoText { at: self.checked - self.begun.len() as u64, byte }),
            None => Ok(()),
        }
    }
}

impl<R: Read> Source<R> {
    /// Reads up to the first line, and returns the separator of its cells.
    pub fn new(mut rest: R) -> io::Result<(Self, u8)> {
        let (mut head, mut text) = (Vec::new(), Text::default());
        let mut wanted = READ_BYTES;
        let delimiter = loop {
            let before = head.len();
            let read = rest.by_ref().take((wanted - before) as u64).read_to_end(&mut head)?;
            text.check(&head[before..])?;
            let is_all = read < wanted - before;
            let first = outside_quotes(&head);
            if first.is_whole || is_all {
                break first.delimiter();
            }
            wanted = 2 * head.len();
        };
        let mut given = 0;
        while head[given..].starts_with(MARK) {
            given += MARK.len();
        }
        Ok((Self { rest, head, given, kept: Vec::new(), before: 0, text }, delimiter))
    }

    /// Counts the blank lines and comments that follow after this many bytes. Later queries concern later bytes only.
    pub fn skipped_lines(&mut self, behind: u64) -> u64 {
        let mut at = usize::try_from(behind.saturating_sub(self.before)).unwrap_or(usize::MAX).min(self.kept.len());
        if at > 2 * READ_BYTES {
            self.kept.drain(..at);
            self.before += at as u64;
            at = 0;
        }
        let mut rest = &self.kept[at..];
        let mut skipped = 0;
        while let Some(length) = skipped_line(rest) {
            rest = &rest[length..];
            skipped += 1;
        }
        skipped
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = match self.head.len() - self.given {
            0 => {
                self.head = Vec::new();
                self.given = 0;
                let read = self.rest.read(bytes)?;
                self.text.check(&bytes[..read])?;
                if read == 0 && !bytes.is_empty() {
                    self.text.end()?;
                }
                read
            }
            left => {
                let read = left.min(bytes.len());
                bytes[..read].copy_from_slice(&self.head[self.given..self.given + read]);
                self.given += read;
                read
            }
        };
        self.kept.extend_from_slice(&bytes[..read]);
        Ok(read)
    }
}

/// Returns the length of the first line with its end, if the line is blank or a comment.
fn skipped_line(text: &[u8]) -> Option<usize> {
    let end = |from: usize| text[from..].iter().position(|&byte| byte == b'\n').map(|at| from + at + 1);
    match text.iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r')) {
        Some(at) if text[at] == b'\n' => Some(at + 1),
        _ if text.first() == Some(&b'#') => end(0),
        _ => None,
    }
}

/// A line without the content of quoted cells; `is_whole` is true if its end was found.
struct Line {
    bytes: Vec<u8>,
    is_whole: bool,
}

impl Line {
    /// Returns the separator of the cells.
    fn delimiter(&self) -> u8 {
        let line = String::from_utf8_lossy(&self.bytes);
        match line.trim() {
            line if line.contains('\t') => b'\t',
            line if line.contains(';') => b';',
            _ => b',',
        }
    }
}

/// Returns the first line that is neither blank nor a comment, without the content of quoted cells.
fn outside_quotes(text: &[u8]) -> Line {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    let is_skipped = |line: &&[u8]| line.trim_ascii().is_empty() || line.trim_ascii_start().starts_with(b"#");
    let skipped: usize = text.split_inclusive(|&byte| byte == b'\n').take_while(is_skipped).map(<[u8]>::len).sum();
    let (mut line, mut quoted) = (Vec::new(), false);
    // A quote opens at the beginning of a cell, and right after a closing quote, because quotes in quotes are
    // doubled.
    let mut opens = true;
    for &byte in &text[skipped..] {
        match byte {
            b'"' if quoted => (quoted, opens) = (false, true),
            b'"' if opens => quoted = true,
            _ if quoted => {}
            b'\n' | b'\r' => return Line { bytes: line, is_whole: true },
            _ => {
                line.push(byte);
                opens = matches!(byte, b'\t' | b';' | b',') || opens && byte == b' ';
            }
        }
    }
    Line { bytes: line, is_whole: false }
}
