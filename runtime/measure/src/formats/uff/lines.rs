//! Lines of a file of which parts are binary.

use std::borrow::Cow;

use crate::formats::{Format, FormatError};

/// The bytes of a file, and a position in them.
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    file: &'a str,
    /// Beginning of the next line.
    pub at: usize,
    /// Beginning of the line read last.
    last: usize,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8], file: &'a str) -> Self {
        Self { bytes, file, at: 0, last: 0 }
    }

    /// Error in the line read last.
    pub fn broken(&self, reason: impl Into<String>) -> FormatError {
        FormatError::broken(self.file, Format::Uff, self.last as u64, reason)
    }

    pub fn unsupported(&self, what: impl Into<String>, instead: impl Into<String>) -> FormatError {
        FormatError::unsupported(self.file, Format::Uff, what, instead)
    }

    /// The bytes after the line read last.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next line as it stands, without its end.
    pub fn next_raw(&mut self) -> Option<Cow<'a, str>> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        self.last = self.at;
        let end = rest.iter().position(|byte| *byte == b'\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(match std::str::from_utf8(line) {
            Ok(text) => Cow::Borrowed(text),
            // Latin-1, in which every byte is the character of its number
            Err(_) => Cow::Owned(line.iter().map(|byte| char::from(*byte)).collect()),
        })
    }

    /// The next line without blanks around it.
    pub fn next(&mut self) -> Option<Cow<'a, str>> {
        self.next_raw().map(|line| match line {
            Cow::Borrowed(text) => Cow::Borrowed(trimmed(text)),
            Cow::Owned(text) => Cow::Owned(trimmed(&text).to_owned()),
        })
    }

    /// Goes to the end of a data set in text.
    pub fn skip_set(&mut self) -> Result<(), FormatError> {
        let begin = self.last;
        while let Some(line) = self.next() {
            if line == "-1" {
                return Ok(());
            }
        }
        self.last = begin;
        Err(self.broken("the data set has no end, a line of `-1`"))
    }
}

/// The text without blanks and zero bytes around it.
pub(super) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\r', '\0'])
}

/// The columns of a line, counted in characters, from `from` on; blanks where the line is shorter.
pub(super) fn column(line: &str, from: usize, width: usize) -> &str {
    let mut starts = line.char_indices().map(|(start, _)| start).chain([line.len()]);
    let Some(start) = starts.nth(from) else { return "" };
    let end = match width {
        0 => start,
        _ => starts.nth(width - 1).unwrap_or(line.len()),
    };
    line.get(start..end).unwrap_or_default()
}

/// A number as Fortran writes it: also with `D` before the exponent, or with no letter there.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = trimmed(text);
    if let Ok(value) = text.parse::<f64>() {
        // words such as `inf` are no numbers of this format, `NaN` is a missing one
        return (value.is_finite() || value.is_nan()).then_some(value);
    }
    if !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'D' | b'd' | b'E' | b'e')) {
        return None;
    }
    let with_letter = text.replace(['D', 'd'], "E");
    if let Ok(value) = with_letter.parse::<f64>() {
        return value.is_finite().then_some(value);
    }
    let sign = text.char_indices().skip(1).find(|(_, c)| matches!(c, '+' | '-'))?.0;
    let (digits, exponent) = text.split_at_checked(sign)?;
    let is_plain = digits.bytes().all(|byte| !byte.is_ascii_alphabetic()) && digits.contains('.');
    format!("{digits}E{exponent}").parse::<f64>().ok().filter(|value| is_plain && value.is_finite())
}
