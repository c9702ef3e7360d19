//! Meaning of the numbers of a column: whole numbers, decimal ones, times, durations.
//!
//! Files of today say it by a logical type, older ones by a converted type alone. Arrow stores durations as plain
//! numbers, and says so in the metadata of the file.

use ::parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use ::parquet::schema::types::ColumnDescriptor;

use crate::formats::ClockTime;
use crate::formats::numbers::MAX_EXACT;

/// Step of a time: so many seconds for so many ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tick {
    seconds: i64,
    ticks: i64,
}

impl Tick {
    const DAY: Self = Self { seconds: 86_400, ticks: 1 };
    pub const SECOND: Self = Self { seconds: 1, ticks: 1 };
    pub const MILLI: Self = Self { seconds: 1, ticks: 1_000 };
    pub const MICRO: Self = Self { seconds: 1, ticks: 1_000_000 };
    pub const NANO: Self = Self { seconds: 1, ticks: 1_000_000_000 };

    fn of(unit: &TimeUnit) -> Self {
        match unit {
            TimeUnit::MILLIS => Self::MILLI,
            TimeUnit::MICROS => Self::MICRO,
            TimeUnit::NANOS => Self::NANO,
        }
    }

    /// So many ticks in s.
    pub fn seconds(self, ticks: i128) -> f64 {
        ticks as f64 * self.seconds as f64 / self.ticks as f64
    }

    /// The clock time so many ticks after 1970.
    pub fn clock(self, ticks: i128, is_local: bool) -> ClockTime {
        let nanoseconds = ticks * i128::from(self.seconds) * i128::from(1_000_000_000 / self.ticks);
        let seconds = nanoseconds.div_euclid(1_000_000_000);
        let seconds = i64::try_from(seconds).unwrap_or(if seconds < 0 { i64::MIN } else { i64::MAX });
        ClockTime::new(seconds, nanoseconds.rem_euclid(1_000_000_000) as u32, is_local)
    }
}

/// Meaning of the numbers of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// Numbers as they stand.
    Plain,
    Unsigned,
    /// Whole numbers over 10 to this power.
    Decimal(i32),
    /// Floating-point numbers of 16 bits.
    Half,
    /// Times of the clock, which become distances from the first one; the mark is that of a time of the place.
    Stamp(Tick, bool),
    /// Durations and times of the day.
    Span(Tick),
}

impl Meaning {
    /// The meaning of a column; `duration` is what Arrow says of it. An error is the reason why its values are not
    /// read.
    pub fn of(column: &ColumnDescriptor, duration: Option<Tick>) -> Result<Self, String> {
        /// Largest number of digits of a decimal number, which has 16 bytes.
        const MAX_DIGITS: i32 = 38;
        if column.max_rep_level() > 0 {
            return Err("its values are lists".to_owned());
        }
        let said = match column.logical_type_ref() {
            Some(logical) => of_logical(logical, column)?,
            None => of_converted(column)?,
        };
        let meaning = match (said, duration) {
            (None | Some(Self::Plain), Some(tick)) => Self::Span(tick),
            (Some(meaning), _) => meaning,
            (None, None) => Self::Plain,
        };
        let (physical, length) = (column.physical_type(), column.type_length());
        let fits = match (meaning, physical) {
            // times without a type of their own are such numbers everywhere
            (Self::Plain, Type::INT96) => return Ok(Self::Stamp(Tick::NANO, false)),
            (Self::Half, Type::FIXED_LEN_BYTE_ARRAY) => length == 2,
            (Self::Half, _) => false,
            (Self::Decimal(_), _) if column.type_precision() > MAX_DIGITS || length > 16 => {
                return Err(format!("its decimal numbers have more than {MAX_DIGITS} digits"));
            }
            (Self::Decimal(_), Type::FIXED_LEN_BYTE_ARRAY) => length > 0,
            (Self::Decimal(_), physical) => matches!(physical, Type::INT32 | Type::INT64 | Type::BYTE_ARRAY),
            (Self::Plain, Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY) => {
                return Err("its values are bytes, and no numbers".to_owned());
            }
            (Self::Plain, _) => true,
            (_, physical) => matches!(physical, Type::INT32 | Type::INT64),
        };
        match fits {
            true => Ok(meaning),
            false => Err(format!("its type does not fit the numbers of the type {physical} that it has")),
        }
    }

    /// Marks times and durations, which are in s.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Stamp(..) | Self::Span(_))
    }
}

fn of_logical(logical: &LogicalType, column: &ColumnDescriptor) -> Result<Option<Meaning>, String> {
    Ok(Some(match logical {
        LogicalType::Date => Meaning::Stamp(Tick::DAY, true),
        LogicalType::Timestamp(stamp) => Meaning::Stamp(Tick::of(&stamp.unit), !stamp.is_adjusted_to_u_t_c),
        LogicalType::Time(time) => Meaning::Span(Tick::of(&time.unit)),
        LogicalType::Integer(integer) if integer.is_signed => Meaning::Plain,
        LogicalType::Integer(_) => Meaning::Unsigned,
        LogicalType::Decimal(decimal) => Meaning::Decimal(decimal.scale),
        LogicalType::Float16 => Meaning::Half,
        LogicalType::String | LogicalType::Enum | LogicalType::Json => return Err(texts()),
        // a type of the future; what older writers say in addition may help
        LogicalType::_Unknown { .. } => return of_converted(column),
        other => return Err(format!("its values are of the type {other:?}, and no numbers")),
    }))
}

fn texts() -> String {
    "its values are texts".to_owned()
}

fn of_converted(column: &ColumnDescriptor) -> Result<Option<Meaning>, String> {
    use ConvertedType as Old;
    Ok(Some(match column.converted_type() {
        Old::NONE => return Ok(None),
        Old::DECIMAL => Meaning::Decimal(column.type_scale()),
        Old::DATE => Meaning::Stamp(Tick::DAY, true),
        Old::TIME_MILLIS => Meaning::Span(Tick::MILLI),
        Old::TIME_MICROS => Meaning::Span(Tick::MICRO),
        Old::TIMESTAMP_MILLIS => Meaning::Stamp(Tick::MILLI, false),
        Old::TIMESTAMP_MICROS => Meaning::Stamp(Tick::MICRO, false),
        Old::UINT_8 | Old::UINT_16 | Old::UINT_32 | Old::UINT_64 => Meaning::Unsigned,
        Old::INT_8 | Old::INT_16 | Old::INT_32 | Old::INT_64 => Meaning::Plain,
        Old::UTF8 | Old::ENUM | Old::JSON => return Err(texts()),
        other => return Err(format!("its values are of the type {other}, and no numbers")),
    }))
}

/// The decimal number of these digits over 10 to the power of `scale`, rounded once.
pub(super) fn decimal(digits: i128, scale: i32) -> f64 {
    // both are exact up to here, so that one division is all the rounding
    match scale {
        0..=22 if digits.unsigned_abs() <= u128::from(MAX_EXACT) => digits as f64 / 10_f64.powi(scale),
        _ => format!("{digits}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN),
    }
}

/// The whole number in these bytes, the largest first, with its sign; `None` for one of more than 16 bytes.
pub(super) fn big_endian(bytes: &[u8]) -> Option<i128> {
    let sign = if bytes.first().is_some_and(|first| *first >= 0x80) { -1_i128 } else { 0 };
    let filled = bytes.iter().take_while(|byte| **byte == sign as u8).count().min(bytes.len().saturating_sub(16));
    let bytes = bytes.get(filled..).unwrap_or_default();
    // the byte after those that repeat the sign must not change it
    let keeps = bytes.first().is_none_or(|first| (*first >= 0x80) == (sign < 0));
    (bytes.len() <= 16 && keeps).then(|| bytes.iter().fold(sign, |number, byte| number << 8 | i128::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        for (digits, scale, value) in [
            (125, 2, 1.25),
            (-125, 2, -1.25),
            (1, -3, 1000.0),
            (123_456_789_012_345_678, 9, 123_456_789.012_345_678),
            (i128::MAX, 38, 1.701_411_834_604_692_3),
            (1, 30, 1e-30),
            (7, 0, 7.0),
        ] {
            assert_eq!(decimal(digits, scale), value, "{digits} {scale}");
        }
    }

    #[test]
    fn numbers_of_bytes() {
        for (bytes, number) in [
            (&[0x7d][..], Some(125)),
            (&[0xff, 0x83], Some(-125)),
            (&[0, 0x83], Some(131)),
            (&[], Some(0)),
            (&[[0xff; 20].as_slice(), &[0x83]].concat(), Some(-125)),
            (&[[0; 20].as_slice(), &[0x83]].concat(), Some(131)),
            (&[[0; 3].as_slice(), &[0x80; 16]].concat(), None),
            (&[1; 17], None),
        ] {
            assert_eq!(big_endian(bytes), number, "{bytes:?}");
        }
    }

    #[test]
    fn ticks_of_the_clock() {
        assert_eq!(Tick::MILLI.clock(-1, false).to_string(), "1969-12-31 23:59:59.999 UTC");
        assert_eq!(Tick::DAY.clock(1, true).to_string(), "1970-01-02 00:00:00 local time");
        assert_eq!(Tick::MICRO.seconds(1_250_000), 1.25);
    }
}
