//! Bytes of a file as text: finds out the encoding while it reads, and refuses what is no text where it begins.

use std::fmt;
use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, UTF_16BE, UTF_16LE, WINDOWS_1252};
use serde::Serialize;

/// Encoding of the characters of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8, of which plain ASCII is a part; with or without a mark at the beginning.
    Utf8,
    /// UTF-16, the lower byte first, as Excel writes "Unicode text".
    Utf16Le,
    /// UTF-16, the upper byte first.
    Utf16Be,
    /// Windows-1252, of which the letters of Latin-1 are a part.
    Windows1252,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16Le => "UTF-16 (lower byte first)",
            Self::Utf16Be => "UTF-16 (upper byte first)",
            Self::Windows1252 => "Windows-1252 (Latin-1)",
        })
    }
}

/// Fault of bytes that are no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "byte {at} is {byte:#04x}, which is no text in {encoding}; set the option `encoding`, or save the file as text in \
         UTF-8"
)]
#[non_exhaustive]
pub struct NotText {
    /// Position of the first wrong byte, from 0.
    pub at: u64,
    /// The byte.
    pub byte: u8,
    /// Encoding in which the text was read.
    pub encoding: Encoding,
}

fn no_text(at: u64, byte: u8, encoding: Encoding) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, NotText { at, byte, encoding })
}

enum State {
    /// No byte has been read.
    Start,
    /// All bytes so far are ASCII.
    Ascii,
    Utf8,
    Other(Encoding, Box<Decoder>),
}

/// Text of a file, decoded piece by piece.
pub struct Text<R> {
    reader: R,
    state: State,
    /// The encoding that was set.
    given: Option<Encoding>,
    /// Bytes of a character that is not complete yet.
    begun: Vec<u8>,
    raw: Vec<u8>,
    /// Number of bytes before those in `begun`.
    done: u64,
    marked: bool,
}

impl<R: Read> Text<R> {
    pub fn new(reader: R, given: Option<Encoding>) -> Self {
        let (begun, raw) = (Vec::new(), Vec::new());
        Self { reader, state: State::Start, given, begun, raw, done: 0, marked: false }
    }

    /// Returns the encoding of what has been read.
    pub fn encoding(&self) -> Encoding {
        match self.state {
            State::Start | State::Ascii | State::Utf8 => Encoding::Utf8,
            State::Other(encoding, _) => encoding,
        }
    }

    /// Appends more text in UTF-8; returns false at the end.
    pub fn fill(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        /// Number of bytes that are read at once.
        const READ_BYTES: usize = 1 << 16;
        let mut raw = std::mem::take(&mut self.raw);
        raw.clear();
        raw.append(&mut self.begun);
        let begun = raw.len();
        let read = self.reader.by_ref().take(READ_BYTES as u64).read_to_end(&mut raw);
        let result = read.and_then(|read| self.decode(&raw, read == 0 && raw.len() == begun, text));
        self.raw = raw;
        result
    }

    fn decode(&mut self, raw: &[u8], is_end: bool, text: &mut Vec<u8>) -> io::Result<bool> {
        let mut bytes = raw;
        if matches!(self.state, State::Start) {
            let (encoding, mark) = self.begin(raw);
            self.marked = mark > 0;
            bytes = &raw[mark..];
            self.done += mark as u64;
            self.state = match encoding {
                None => State::Ascii,
                Some(Encoding::Utf8) => State::Utf8,
                Some(other) => decoder(other),
            };
        }
        if matches!(self.state, State::Ascii) {
            match bytes.iter().position(|byte| !byte.is_ascii()) {
                None => return self.plain(bytes, text, is_end),
                Some(at) => {
                    let valid = match std::str::from_utf8(&bytes[at..]) {
                        Ok(_) => true,
                        // what begins as UTF-8 is UTF-8, and a character may go on in the next piece
                        Err(error) => error.valid_up_to() > 0 || error.error_len().is_none() && !is_end,
                    };
                    self.state = if valid { State::Utf8 } else { decoder(Encoding::Windows1252) };
                }
            }
        }
        if matches!(self.state, State::Utf8) {
            return self.plain(bytes, text, is_end);
        }
        self.other(bytes, text, is_end)
    }

    /// Returns the encoding that the first bytes show, and the length of their mark.
    fn begin(&self, bytes: &[u8]) -> (Option<Encoding>, usize) {
        let marks: [(&[u8], Encoding); 3] =
            [(b"\xef\xbb\xbf", Encoding::Utf8), (b"\xff\xfe", Encoding::Utf16Le), (b"\xfe\xff", Encoding::Utf16Be)];
        let mark = marks.iter().find(|(mark, _)| bytes.starts_with(mark));
        match (self.given, mark) {
            (Some(given), Some((mark, of))) if *of == given => (Some(given), mark.len()),
            (Some(given), _) => (Some(given), 0),
            (None, Some((mark, of))) => (Some(*of), mark.len()),
            (None, None) => (utf16_without_mark(bytes), 0),
        }
    }

    /// Passes on text that is in UTF-8 already.
    fn plain(&mut self, bytes: &[u8], text: &mut Vec<u8>, is_end: bool) -> io::Result<bool> {
        let zero = memchr::memchr(0, bytes);
        let whole = match std::str::from_utf8(&bytes[..zero.unwrap_or(bytes.len())]) {
            Ok(whole) => whole.len(),
            Err(error) => {
                let at = error.valid_up_to();
                if error.error_len().is_some() || zero.is_some() || is_end {
                    let byte = bytes.get(at).copied().unwrap_or_default();
                    return Err(no_text(self.done + at as u64, byte, Encoding::Utf8));
                }
                at
            }
        };
        if let Some(at) = zero {
            return Err(no_text(self.done + at as u64, 0, Encoding::Utf8));
        }
        text.extend_from_slice(&bytes[..whole]);
        self.begun.extend_from_slice(&bytes[whole..]);
        self.done += whole as u64;
        Ok(!is_end)
    }

    /// Converts text of another encoding.
    fn other(&mut self, bytes: &[u8], text: &mut Vec<u8>, is_end: bool) -> io::Result<bool> {
        let State::Other(encoding, decoder) = &mut self.state else { return Ok(false) };
        let needed = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(4 * bytes.len() + 16);
        let begin = text.len();
        text.resize(begin + needed, 0);
        let (result, _, written) = decoder.decode_to_utf8_without_replacement(bytes, &mut text[begin..], is_end);
        text.truncate(begin + written);
        let decoded = text.get(begin..).unwrap_or_default();
        let zero = memchr::memchr(0, decoded);
        if zero.is_some() || matches!(result, DecoderResult::Malformed(..)) {
            let before = String::from_utf8_lossy(decoded.get(..zero.unwrap_or(written)).unwrap_or_default());
            let at: usize = match encoding {
                Encoding::Utf8 => before.len(),
                Encoding::Windows1252 => before.chars().count(),
                Encoding::Utf16Le | Encoding::Utf16Be => before.chars().map(|c| 2 * c.len_utf16()).sum(),
            };
            let byte = bytes.get(at).copied().unwrap_or_default();
            return Err(no_text(self.done + at as u64, byte, *encoding));
        }
        self.done += bytes.len() as u64;
        Ok(!is_end)
    }
}

fn decoder(encoding: Encoding) -> State {
    let of = match encoding {
        Encoding::Utf8 => return State::Utf8,
        Encoding::Utf16Le => UTF_16LE,
        Encoding::Utf16Be => UTF_16BE,
        Encoding::Windows1252 => WINDOWS_1252,
    };
    State::Other(encoding, Box::new(of.new_decoder_without_bom_handling()))
}

/// Recognises UTF-16 without a mark: text of such a file has a zero in nearly every pair of bytes, always in the same
/// place.
fn utf16_without_mark(bytes: &[u8]) -> Option<Encoding> {
    let pairs = bytes.get(..bytes.len().min(2048))?.chunks_exact(2);
    let all = pairs.len();
    let zeros = |place: usize| pairs.clone().filter(|pair| pair.get(place) == Some(&0)).count();
    match (zeros(0), zeros(1)) {
        (0, odd) if odd > 0 && 10 * odd >= 7 * all => Some(Encoding::Utf16Le),
        (even, 0) if even > 0 && 10 * even >= 7 * all => Some(Encoding::Utf16Be),
        _ => None,
    }
}
