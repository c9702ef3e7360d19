//! Types of values.

use std::fmt;

use crate::formats::input::Input;
use crate::formats::numbers::{NumberKind, bits};
use crate::formats::{ClockTime, FormatError};

/// A type of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Signed(u64),
    Unsigned(u64),
    Float(u64),
    Complex(u64),
    Bool,
    Time,
    Text,
    /// Values of so many bytes, which are no numbers here.
    Other(u64),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Other(_) => "numbers of extended precision or of a fixed point; write them in double precision",
            _ => "numbers",
        })
    }
}

impl Kind {
    pub fn of(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Other(0),
            1..=4 => Self::Signed(1 << (number - 1)),
            5..=8 => Self::Unsigned(1 << (number - 5)),
            9 | 0x19 => Self::Float(4),
            10 | 0x1a => Self::Float(8),
            11 | 0x1b | 0x4f => Self::Other(16),
            0x20 => Self::Text,
            0x21 => Self::Bool,
            0x44 => Self::Time,
            0x0008_000c => Self::Complex(8),
            0x0010_000d => Self::Complex(16),
            _ => return None,
        })
    }

    /// Type of a scaler of DAQmx.
    pub fn of_scaler(number: u32) -> Option<Self> {
        Some(match number {
            0 | 2 | 4 | 6 => Self::Unsigned(1 << (number / 2)),
            1 | 3 | 5 | 7 => Self::Signed(1 << (number / 2)),
            8 => Self::Float(4),
            9 => Self::Float(8),
            0xffff_ffff => Self::Time,
            _ => return None,
        })
    }

    /// Bytes of a value; 0 for text.
    pub fn size(self) -> u64 {
        match self {
            Self::Signed(size) | Self::Unsigned(size) | Self::Float(size) | Self::Complex(size) | Self::Other(size) => {
                size
            }
            Self::Bool => 1,
            Self::Time => 16,
            Self::Text => 0,
        }
    }

    pub fn is_number(self) -> bool {
        !matches!(self, Self::Text | Self::Other(_))
    }

    pub fn is_complex(self) -> bool {
        matches!(self, Self::Complex(_))
    }
}

/// A time: seconds since 1904 and fractions of 2^-64 s.
pub(super) fn time(bytes: &[u8], is_little_endian: bool) -> ClockTime {
    const EPOCHS: i64 = 2_082_844_800;
    let (first, second) = bytes.split_at_checked(8).unwrap_or_default();
    let (fraction, seconds) = if is_little_endian { (first, second) } else { (second, first) };
    let fraction = u128::from(bits(fraction, is_little_endian));
    let nanoseconds = (fraction * 1_000_000_000) >> 64;
    ClockTime::new((bits(seconds, is_little_endian) as i64).saturating_sub(EPOCHS), nanoseconds as u32, false)
}

/// A property of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Property {
    Number(f64),
    Text(String),
    Time(ClockTime),
    Other,
}

impl Property {
    /// Reads a property after its name.
    pub fn read(input: &mut Input, is_little_endian: bool) -> Result<Self, FormatError> {
        let number = word(input, is_little_endian)?;
        let Some(kind) = Kind::of(number) else {
            return Err(input.broken(format!("{number:#x} is no type of a property")));
        };
        if kind == Kind::Text {
            return text(input, is_little_endian).map(Self::Text);
        }
        let bytes = input.bytes(kind.size())?;
        let number = |number: NumberKind| Self::Number(number.value(&bytes, is_little_endian).0);
        Ok(match kind {
            Kind::Signed(_) => number(NumberKind::Signed),
            Kind::Unsigned(_) | Kind::Bool => number(NumberKind::Unsigned),
            Kind::Float(_) => number(NumberKind::Float),
            Kind::Time => Self::Time(time(&bytes, is_little_endian)),
            Kind::Complex(_) | Kind::Text | Kind::Other(_) => Self::Other,
        })
    }
}

pub(super) fn word(input: &mut Input, is_little_endian: bool) -> Result<u32, FormatError> {
    Ok(bits(&input.array::<4>()?, is_little_endian) as u32)
}

pub(super) fn long(input: &mut Input, is_little_endian: bool) -> Result<u64, FormatError> {
    Ok(bits(&input.array::<8>()?, is_little_endian))
}

/// A text with its length before it.
pub(super) fn text(input: &mut Input, is_little_endian: bool) -> Result<String, FormatError> {
    let length = word(input, is_little_endian)?;
    Ok(String::from_utf8_lossy(&input.bytes(u64::from(length))?).into_owned())
}
