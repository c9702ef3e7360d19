//! Arrays of NumPy: `.npy` with one, `.npz` with several, of which each has a name.
//!
//! A vector is a channel. A table is one channel for each column, `name[:,1]`, or for each row, `name[1,:]`, where rows
//! are longer, counted from 0. The fields of a structured array are channels of a group. No array is known to be the
//! time, but for those of times and durations.

mod array;
mod kind;
mod literal;
mod zip;

use std::io::{BufReader, Read, Seek};

use flate2::CrcReader;
use flate2::read::DeflateDecoder;

use crate::formats::input::Input;
use crate::formats::stream::{Fault, Part, Stream};
use crate::formats::{Format, FormatError, Recording};

/// The mark of an array.
const ARRAY: &[u8] = b"\x93NUMPY";

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, Format::Npy)?;
    let mut recording = Recording::new(Format::Npy);
    let mut mark = [0; 6];
    let begins = input.length().min(6) as usize;
    input.fill(mark.get_mut(..begins).unwrap_or_default())?;
    input.go_to(0)?;
    if mark == ARRAY {
        let length = input.length();
        let stem = std::path::Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("values");
        let mut part = Part { left: length, input: &mut input };
        let read = Stream::new(&mut part, length, true).read_array(stem, &mut recording);
        read.map_err(|fault| fault.in_file(&input))?;
        return Ok(recording);
    }
    for member in zip::members(&mut input)? {
        let name = member.name.strip_suffix(".npy").unwrap_or(&member.name).to_owned();
        if name == member.name {
            if !name.ends_with('/') {
                recording.leave_out(name, "it is no array");
            }
            continue;
        }
        if member.is_encrypted || !matches!(member.method, 0 | 8) {
            recording.leave_out(name, "it is encrypted, or compressed by another method than deflate");
            continue;
        }
        member.go_to(&mut input)?;
        let expandable = input.expandable();
        let part = Part { left: member.packed, input: &mut input };
        let (read, left, checksum) = match member.method {
            0 => {
                let mut reader = CrcReader::new(part);
                let mut stream = Stream::new(&mut reader, member.packed, true);
                let read = stream.read_array(&name, &mut recording).and_then(|()| stream.skip(stream.left));
                (read, expandable, reader.crc().sum())
            }
            _ => {
                let inner = DeflateDecoder::new(BufReader::with_capacity(1 << 14, part));
                let mut reader = CrcReader::new(inner);
                let mut stream = Stream::new(&mut reader, member.size, true);
                stream.expandable = Some(expandable);
                let read = stream.read_array(&name, &mut recording).and_then(|()| stream.skip(stream.left));
                let left = stream.expandable.unwrap_or(expandable);
                (read, left, reader.crc().sum())
            }
        };
        let read = match read {
            Ok(()) if checksum != member.checksum => {
                Err(Fault::Broken(format!("the checksum of `{name}` is another one")))
            }
            read => read,
        };
        read.map_err(|fault| fault.in_file(&input))?;
        input.expand(expandable.saturating_sub(left))?;
    }
    Ok(recording)
}
