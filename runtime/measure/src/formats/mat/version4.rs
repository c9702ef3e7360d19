//! Version 4: one matrix after the other, without a header of the file.

use super::layout::{Kind, Layout, Numbers};
use super::{Path, add};
use crate::formats::input::Input;
use crate::formats::numbers::{NumberKind, bits};
use crate::formats::stream::{Part, Stream};
use crate::formats::{FormatError, Recording};

pub(super) fn read(input: &mut Input, recording: &mut Recording) -> Result<(), FormatError> {
    if input.length() < 20 {
        return Err(input.broken("it is too short for a variable of any version"));
    }
    while input.left() > 0 {
        matrix(input, recording)?;
    }
    Ok(())
}

fn matrix(input: &mut Input, recording: &mut Recording) -> Result<(), FormatError> {
    let header: [u8; 20] = input.array()?;
    let word = |index: usize, is_little_endian: bool| {
        bits(header.get(4 * index..4 * index + 4).unwrap_or_default(), is_little_endian) as u32
    };
    let is_little_endian = word(0, true) < 5000;
    let code = word(0, is_little_endian);
    let (machine, digits) = (code / 1000, [code / 100 % 10, code / 10 % 10, code % 10]);
    let (number, size) = match digits[1] {
        0 => (NumberKind::Float, 8),
        1 => (NumberKind::Float, 4),
        2 => (NumberKind::Signed, 4),
        3 => (NumberKind::Signed, 2),
        4 => (NumberKind::Unsigned, 2),
        5 => (NumberKind::Unsigned, 1),
        other => {
            return Err(input.broken(format!("the type {other} of numbers does not exist; is it a MAT file?")));
        }
    };
    let kind = Kind { number, size };
    if digits[0] != 0 || digits[2] > 2 || code >= 5000 {
        return Err(input.broken(format!("`{code}` is no type of a matrix; is it a MAT file?")));
    }
    if machine > 1 || (machine == 1) == is_little_endian {
        return Err(input.unsupported(format!("a matrix of the machine {machine}"), "save it in version 7"));
    }
    let [rows, columns, imaginary, length] = [1, 2, 3, 4].map(|index| u64::from(word(index, is_little_endian)));
    if imaginary > 1 || length == 0 || length > 4096 {
        return Err(input.broken("it has no valid header of a matrix; is it a MAT file?"));
    }
    let name = input.bytes(length)?;
    let name: String = name.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
    let bytes = rows.saturating_mul(columns).saturating_mul(kind.size).saturating_mul(1 + imaginary);
    if bytes > input.left() {
        return Err(input.broken(format!(
            "`{name}` is announced with {rows} times {columns} numbers, for which the file is too short"
        )));
    }
    let layout = Layout::of(&[rows, columns]);
    match (digits[2], layout) {
        (0, Some(layout)) if layout.values() > 0 => {
            let mut lost_digits = false;
            let mut part = Part { left: bytes, input };
            let mut stream = Stream::new(&mut part, bytes, is_little_endian);
            let read = stream.array(layout, kind, &mut lost_digits).and_then(|real| {
                let imaginary = if imaginary == 1 { stream.array(layout, kind, &mut lost_digits)? } else { Vec::new() };
                Ok(Numbers { layout, real, imaginary, lost_digits })
            });
            let numbers = read.map_err(|fault| fault.in_file(input))?;
            add(recording, &Path::variable(name), numbers);
        }
        (1, _) => {
            let mut part = Part { left: bytes, input };
            let mut lost_digits = false;
            let one = Layout::Vector { length: rows.saturating_mul(columns) };
            let codes = Stream::new(&mut part, bytes, is_little_endian).array(one, kind, &mut lost_digits);
            let codes = codes.map_err(|fault| fault.in_file(input))?;
            let all: Vec<char> =
                codes.into_iter().flatten().map(|code| char::from_u32(code as u32).unwrap_or('\u{fffd}')).collect();
            let row = |row: usize| {
                all.iter().skip(row).step_by(rows.max(1) as usize).collect::<String>().trim_end().to_owned()
            };
            let lines: Vec<String> = (0..rows.min(all.len() as u64) as usize).map(row).collect();
            recording.texts.push((name, lines.join("\n")));
        }
        (2, _) => {
            recording.leave_out(name, "it is a sparse matrix; save it as a full one");
            input.skip(bytes)?;
        }
        _ => {
            recording
                .leave_out(name, format!("it is an array of {rows} times {columns} numbers, which are no signals"));
            input.skip(bytes)?;
        }
    }
    Ok(())
}
