//! Level 5, of the versions 5 to 7, whose variables may be compressed.

use std::io::BufReader;

use flate2::read::ZlibDecoder;

use super::layout::{Layout, Numbers};
use super::{Path, add};
use crate::formats::input::Input;
use crate::formats::numbers::bits;
use crate::formats::stream::{Fault, Part, Stream};
use crate::formats::{FormatError, Recording};

const MATRIX: u32 = 14;

/// Largest number of bytes of a name; MATLAB permits 63.
const MAX_NAME: u64 = 4096;

/// Largest number of elements of a cell or structure array: no recorder has as many.
const MAX_ELEMENTS: u64 = 1 << 16;

pub(super) fn read(input: &mut Input, recording: &mut Recording) -> Result<(), FormatError> {
    const COMPRESSED: u32 = 15;
    let header: [u8; 128] = input.array()?;
    let is_little_endian = header.get(126) == Some(&b'I');
    let text: String = header.iter().take(116).map(|byte| char::from(*byte)).filter(|c| !c.is_control()).collect();
    recording.texts.push(("header".to_owned(), text.trim().to_owned()));
    while input.left() >= 8 {
        let tag = {
            let mut part = Part { left: input.left(), input };
            let left = part.left;
            Stream::new(&mut part, left, is_little_endian).tag()
        };
        let tag = tag.map_err(|fault| fault.in_file(input))?;
        if tag.bytes > input.left() {
            return Err(input.broken(format!("a variable of {} bytes where {} are left", tag.bytes, input.left())));
        }
        let end = input.position() + tag.bytes;
        let mut expandable = input.expandable();
        let mut part = Part { left: tag.bytes, input };
        let read = match tag.kind {
            MATRIX => variable(&mut Stream::new(&mut part, tag.bytes, is_little_endian), recording, None, 0),
            COMPRESSED => {
                let mut reader = ZlibDecoder::new(BufReader::with_capacity(1 << 14, part));
                let mut stream = Stream::new(&mut reader, u64::MAX, is_little_endian);
                stream.expandable = Some(expandable);
                stream.tag().and_then(|inner| match inner.kind {
                    MATRIX if inner.bytes > expandable => Err(Fault::TooMuch),
                    MATRIX => {
                        stream.left = inner.bytes;
                        variable(&mut stream, recording, None, 0)?;
                        expandable = stream.expandable.unwrap_or(expandable);
                        // the end of what is compressed has a checksum
                        stream.end()
                    }
                    other => Err(Fault::broken(format!("the type {other} where a variable should stand"))),
                })
            }
            other => Err(Fault::broken(format!("the type {other} where a variable should stand"))),
        };
        read.map_err(|fault| fault.in_file(input))?;
        input.expand(input.expandable().saturating_sub(expandable))?;
        input.go_to(end)?;
    }
    if input.left() > 0 {
        let note = format!("{} bytes after the last variable are no variable; the file may be cut", input.left());
        recording.notes.push(note);
    }
    Ok(())
}

/// Reads what a variable holds; `path` is `None` for one that has a name of its own.
fn variable(stream: &mut Stream, recording: &mut Recording, path: Option<Path>, depth: usize) -> Result<(), Fault> {
    if stream.left == 0 {
        return Ok(());
    }
    let flags = stream.words(8)?.first().copied().ok_or_else(|| Fault::broken("an array without flags"))?;
    let (class, is_complex) = (flags & 0xff, flags & 0x800 != 0);
    if class == 17 {
        let name = stream.text(MAX_NAME)?;
        let name = path.map_or_else(|| text(&name), |path| path.full());
        // what follows the name of the system of classes is stored elsewhere in the file
        recording.leave_out(name, "it is an object of a class; save its numbers as arrays");
        return stream.skip(stream.left);
    }
    let dimensions: Vec<u64> = stream.words(1024)?.into_iter().map(u64::from).collect();
    let name = text(&stream.text(MAX_NAME)?);
    if path.is_none() && name.is_empty() {
        recording.leave_out("data without a name", "they belong to functions and objects");
        return stream.skip(stream.left);
    }
    let path = path.unwrap_or_else(|| Path::variable(name));
    let Some(layout) = Layout::of(&dimensions) else {
        recording.leave_out(path.full(), format!("it is an array of {dimensions:?} numbers, which are no signals"));
        return stream.skip(stream.left);
    };
    match class {
        1 => cells(stream, recording, &path, layout.values(), depth),
        2 => fields(stream, recording, &path, layout.values(), depth),
        3 => {
            recording.leave_out(path.full(), "it is an object of a class; save its numbers as arrays");
            stream.skip(stream.left)
        }
        4 => characters(stream, recording, &path, &dimensions),
        5 => {
            recording.leave_out(path.full(), "it is a sparse matrix; save it as a full one");
            stream.skip(stream.left)
        }
        6..=15 => {
            let mut lost_digits = false;
            let real = stream.numbers(layout, &mut lost_digits)?;
            let imaginary = if is_complex { stream.numbers(layout, &mut lost_digits)? } else { Vec::new() };
            match layout.values() {
                0 => recording.leave_out(path.full(), "it is empty"),
                _ => add(recording, &path, Numbers { layout, real, imaginary, lost_digits }),
            }
            Ok(())
        }
        16 => {
            recording.leave_out(path.full(), "it is a function");
            stream.skip(stream.left)
        }
        other => Err(Fault::broken(format!("`{}` is of the class {other}, which does not exist", path.full()))),
    }
}

/// Reads a variable within another.
fn inner(stream: &mut Stream, recording: &mut Recording, path: Path, depth: usize) -> Result<(), Fault> {
    /// Largest depth of structures and cells: more would fill the stack.
    const MAX_DEPTH: usize = 32;
    if depth >= MAX_DEPTH {
        return Err(Fault::broken(format!("`{}` is nested more than {MAX_DEPTH} deep", path.full())));
    }
    let tag = stream.tag()?;
    if tag.kind != MATRIX {
        return Err(Fault::broken(format!("the type {} where a part of `{}` should stand", tag.kind, path.full())));
    }
    let behind = stream
        .left
        .checked_sub(tag.bytes)
        .ok_or_else(|| Fault::broken(format!("`{}` is longer than what it is part of", path.full())))?;
    stream.left = tag.bytes;
    variable(stream, recording, Some(path), depth + 1)?;
    stream.skip(stream.left)?;
    stream.left = behind;
    Ok(())
}

fn cells(stream: &mut Stream, recording: &mut Recording, path: &Path, count: u64, depth: usize) -> Result<(), Fault> {
    if count > MAX_ELEMENTS {
        recording.leave_out(path.full(), format!("it has {count} cells, more than {MAX_ELEMENTS}"));
        return stream.skip(stream.left);
    }
    for index in 0..count as usize {
        inner(stream, recording, path.cell(index), depth)?;
    }
    Ok(())
}

fn fields(stream: &mut Stream, recording: &mut Recording, path: &Path, count: u64, depth: usize) -> Result<(), Fault> {
    let width = stream.words(8)?.first().copied().unwrap_or(0) as usize;
    if width == 0 || width > MAX_NAME as usize {
        return Err(Fault::broken(format!("`{}` has fields whose names take {width} bytes", path.full())));
    }
    let names = stream.text(1 << 20)?;
    let names: Vec<String> = names.chunks(width).map(text).collect();
    if count.saturating_mul(names.len() as u64) > MAX_ELEMENTS {
        recording.leave_out(
            path.full(),
            format!("it has {count} elements of {} fields, more than {MAX_ELEMENTS}", names.len()),
        );
        return stream.skip(stream.left);
    }
    for element in 0..count as usize {
        for name in &names {
            inner(stream, recording, path.field(name, (count > 1).then_some(element)), depth)?;
        }
    }
    Ok(())
}

/// Reads characters: a text for each row.
fn characters(stream: &mut Stream, recording: &mut Recording, path: &Path, dimensions: &[u64]) -> Result<(), Fault> {
    let rows = dimensions.first().copied().unwrap_or(1);
    let tag = stream.tag()?;
    if tag.bytes > 1 << 20 || tag.bytes > stream.left {
        recording.leave_out(path.full(), "it is a long text");
        return stream.skip(stream.left);
    }
    let bytes = stream.bytes(tag.bytes)?;
    let is_little_endian = stream.is_little_endian;
    let wide = |pair: &[u8]| bits(pair, is_little_endian) as u16;
    let all: Vec<char> = match tag.kind {
        4 | 17 => char::decode_utf16(bytes.chunks_exact(2).map(wide)).map(|c| c.unwrap_or('\u{fffd}')).collect(),
        16 => String::from_utf8_lossy(&bytes).chars().collect(),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    };
    let row = |row: usize| all.iter().skip(row).step_by(rows.max(1) as usize).collect::<String>().trim_end().to_owned();
    let lines: Vec<String> = (0..rows.min(all.len() as u64) as usize).map(row).collect();
    recording.texts.push((path.full(), lines.join("\n")));
    Ok(())
}

/// A name, which ends at the first zero.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}
