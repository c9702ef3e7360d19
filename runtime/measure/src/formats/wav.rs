//! WAV: PCM and floating-point samples.
//!
//! Samples of integers are parts of the full scale: 32768 of 16 bits is 1. The unit is therefore none, and what a
//! sample of 1 means (volts, or the quantity of the sensor) stands in no field of the format.

use std::io::{Read, Seek};

use crate::formats::input::Input;
use crate::formats::numbers::{NumberKind, bits as number};
use crate::formats::{Axis, Channel, Format, FormatError, Group, Recording};

/// Samples of a file.
struct Coding {
    kind: NumberKind,
    channels: u16,
    rate: u32,
    /// Bytes of a sample.
    size: u64,
}

pub(crate) fn read<S: Read + Seek>(source: &mut S, name: &str) -> Result<Recording, FormatError> {
    let mut input = Input::new(source, name, Format::Wav)?;
    let is_little_endian = match &input.array::<4>()? {
        b"RIFX" => false,
        b"RIFF" | b"RF64" => true,
        _ => return Err(input.broken("it does not begin with `RIFF`, `RIFX` or `RF64`")),
    };
    input.skip(8)?;
    let (mut coding, mut long_data, mut recording) = (None, None, Recording::new(Format::Wav));
    // what is not whole is no chunk; some writers end files in such a way
    while input.left() >= 8 {
        let id = input.array::<4>()?;
        let size = number(&input.array::<4>()?, is_little_endian);
        // a file that was made longer than it is, which may be very long
        if id == [0; 4] && size == 0 {
            return Err(input.broken("zeros stand where a chunk should begin, and no chunk `data` before them"));
        }
        match &id {
            b"ds64" => {
                let bytes = input.bytes(size)?;
                let length = bytes.get(8..16).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
                long_data = Some(length.ok_or_else(|| input.broken("the chunk `ds64` is too short"))?);
            }
            b"fmt " => {
                let bytes = input.bytes(size)?;
                coding = Some(Coding::of(&bytes, is_little_endian, &input)?);
            }
            b"data" => {
                let Some(coding) = &coding else {
                    return Err(input.broken("data stand before the chunk `fmt `"));
                };
                let size = match (size, long_data) {
                    (0xffff_ffff, Some(length)) => length,
                    _ => size,
                };
                samples(&mut input, coding, size, is_little_endian, &mut recording)?;
                return Ok(recording);
            }
            _ => {
                // chunks begin at even positions
                let size = size + size % 2;
                if size > input.left() {
                    return Err(
                        input.broken(format!("the chunk `{}` is longer than the file", String::from_utf8_lossy(&id)))
                    );
                }
                input.skip(size)?;
            }
        }
    }
    Err(input.broken("it has no chunk `data`"))
}

impl Coding {
    fn of(bytes: &[u8], is_little_endian: bool, input: &Input) -> Result<Self, FormatError> {
        let short = |at: usize| {
            let pair = bytes.get(at..at + 2).ok_or_else(|| input.broken("the chunk `fmt ` is too short"))?;
            Ok::<_, FormatError>(number(pair, is_little_endian) as u16)
        };
        let (mut code, channels, block, bits) = (short(0)?, short(2)?, short(12)?, short(14)?);
        let halves = [short(4)?, short(6)?];
        let [low, high] = if is_little_endian { halves } else { [halves[1], halves[0]] };
        let rate = u32::from(high) << 16 | u32::from(low);
        if code == 0xfffe {
            // the first four bytes of an identifier are one number
            code = short(if is_little_endian { 24 } else { 26 })?;
            let valid = short(18)?;
            if valid != bits && valid != 0 && valid > bits {
                return Err(input.broken(format!("{valid} bits of {bits} are announced as valid")));
            }
        }
        if channels == 0 || rate == 0 {
            return Err(input.broken(format!("{channels} channels at {rate} Hz")));
        }
        let kind = match code {
            1 if bits <= 8 => NumberKind::Unsigned,
            1 => NumberKind::Signed,
            3 => NumberKind::Float,
            other => {
                return Err(input
                    .unsupported(format!("the coding {other:#06x}"), "export it with PCM or floating-point samples"));
            }
        };
        let size = u64::from(bits).div_ceil(8);
        let is_known = match kind {
            NumberKind::Unsigned | NumberKind::Signed => (1..=8).contains(&size),
            NumberKind::Float => bits == 32 || bits == 64,
        };
        if !is_known {
            return Err(input.unsupported(
                format!("samples of {bits} bits"),
                "export it with 8 to 64 bits of PCM, or 32 or 64 of floating-point numbers",
            ));
        }
        if u64::from(block) != size * u64::from(channels) {
            return Err(input.broken(format!("{channels} samples of {bits} bits are said to take {block} bytes")));
        }
        Ok(Self { kind, channels, rate, size })
    }

    /// Full scale of integers.
    fn scale(&self) -> f64 {
        2_f64.powi(self.size as i32 * 8 - 1)
    }

    fn value(&self, bytes: &[u8], is_little_endian: bool) -> f64 {
        let (value, _) = self.kind.value(bytes, is_little_endian);
        match self.kind {
            // one byte has no sign
            NumberKind::Unsigned => (value - 128.0) / 128.0,
            NumberKind::Signed => value / self.scale(),
            NumberKind::Float => value,
        }
    }
}

fn samples(
    input: &mut Input,
    coding: &Coding,
    announced: u64,
    is_little_endian: bool,
    recording: &mut Recording,
) -> Result<(), FormatError> {
    /// Bytes that are read at once, a multiple of every size of a sample.
    const READ_BYTES: u64 = 3 << 14;
    let block = coding.size * u64::from(coding.channels);
    // a recorder that was switched off leaves 0 or the largest number
    let size = match announced {
        0 | 0xffff_ffff if input.left() > 0 => {
            recording.notes.push(
                "the length of the data is not written, as if the recorder had been switched off; \
                 all that is there is read"
                    .to_owned(),
            );
            input.left() / block * block
        }
        _ if announced > input.left() => {
            return Err(
                input.broken(format!("{announced} bytes of samples are announced, and {} are there", input.left()))
            );
        }
        _ => announced,
    };
    if !size.is_multiple_of(block) {
        return Err(input.broken(format!(
            "{size} bytes of samples are no multiple of the {block} bytes of {} channels",
            coding.channels
        )));
    }
    let count = size / block;
    let mut channels: Vec<Vec<f64>> = Vec::new();
    for _ in 0..coding.channels {
        channels.push(input.room(count, coding.size)?);
    }
    let mut left = size;
    let piece = READ_BYTES / block.min(READ_BYTES) * block;
    while left > 0 {
        let bytes = input.bytes(left.min(piece))?;
        left -= bytes.len() as u64;
        for frame in bytes.chunks_exact(block as usize) {
            for (sample, values) in frame.chunks_exact(coding.size as usize).zip(&mut channels) {
                values.push(coding.value(sample, is_little_endian));
            }
        }
    }
    let mut group = Group::new("samples");
    let axis = Axis::Even { start: 0.0, step: 1.0 / f64::from(coding.rate) };
    let last_step = 1.0 / coding.scale();
    let full_scale = (coding.kind != NumberKind::Float).then_some((-1.0, 1.0 - last_step));
    for (index, values) in channels.into_iter().enumerate() {
        let axis = axis.clone();
        group.channels.push(Channel { axis, full_scale, ..Channel::new(format!("channel {}", index + 1), values) });
    }
    recording.groups.push(group);
    Ok(())
}
