//! Dates and times of day in cells.

use std::fmt;

use jiff::civil::{Date, date};
use serde::Serialize;

use super::decimal::Exact;

/// Order of day and month in dates that begin with neither the year nor a day above 12.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum DateOrder {
    /// `31/12/2024`.
    DayFirst,
    /// `12/31/2024`.
    MonthFirst,
}

impl fmt::Display for DateOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DayFirst => "the day first",
            Self::MonthFirst => "the month first",
        })
    }
}

const DAY: i128 = 86_400;

/// A date, a time of day, or both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stamp {
    day: Option<Day>,
    /// Time of day in s, with the difference to UTC subtracted; zero for a date alone.
    time: Exact,
    has_time: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Day {
    Known(Date),
    /// A pair of numbers of which either may be the month, and a year.
    Unclear(i8, i8, i16),
}

impl Stamp {
    /// Reads a cell such as `2024-05-01T10:00:00.25Z`, `01.05.2024 10:00:00,25`, `5/1/2024 10:00:00 AM` or
    /// `10:00:00.25`; `None` for any other text.
    pub fn parse(cell: &[u8]) -> Option<Self> {
        if cell.len() < 6 || !cell.first()?.is_ascii_digit() {
            return None;
        }
        let text = std::str::from_utf8(cell).ok()?;
        let (first, rest) = match text.split_once(['T', 't']).or_else(|| text.split_once(char::is_whitespace)) {
            Some((first, rest)) => (first, rest.trim_start()),
            None => (text, ""),
        };
        if let Some(day) = Day::parse(first) {
            let (time, has_time) = match rest {
                "" => (Exact { digits: 0, places: 0 }, false),
                rest => (time_of_day(rest)?, true),
            };
            return Some(Self { day: Some(day), time, has_time });
        }
        let time = time_of_day(text)?;
        Some(Self { day: None, time, has_time: true })
    }

    /// Returns true if it has a date.
    pub fn has_date(&self) -> bool {
        self.day.is_some()
    }

    /// Returns true if it has a time of day.
    pub fn has_time(&self) -> bool {
        self.has_time
    }

    /// The order of day and month that its numbers show; `None` where both are possible, or it has no date.
    pub fn order(&self) -> Option<DateOrder> {
        match self.day? {
            Day::Unclear(first, second, _) if first > 12 && second <= 12 => Some(DateOrder::DayFirst),
            Day::Unclear(first, second, _) if second > 12 && first <= 12 => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    /// Returns true if the order of day and month must be known.
    pub fn needs_order(&self) -> bool {
        matches!(self.day, Some(Day::Unclear(..)))
    }

    /// Seconds since 1970-01-01 00:00 UTC, or since midnight without a date; `None` if there is no such day.
    pub fn seconds(&self, order: Option<DateOrder>) -> Option<Exact> {
        let days = match self.day {
            None => 0,
            Some(Day::Known(date)) => days(date)?,
            Some(Day::Unclear(first, second, year)) => {
                let (month, day) = match order? {
                    DateOrder::DayFirst => (second, first),
                    DateOrder::MonthFirst => (first, second),
                };
                days(Date::new(year, month, day).ok()?)?
            }
        };
        let unit = 10_i128.checked_pow(self.time.places)?;
        let digits = unit.checked_mul(days * DAY)?.checked_add(self.time.digits)?;
        Some(Exact { digits, places: self.time.places })
    }
}

fn days(day: Date) -> Option<i128> {
    Some(i128::from(day.since(date(1970, 1, 1)).ok()?.get_days()))
}

impl Day {
    fn parse(text: &str) -> Option<Self> {
        let sign = ['-', '.', '/'].into_iter().find(|sign| text.contains(*sign))?;
        let mut parts = text.split(sign);
        let parts = [parts.next()?, parts.next()?, parts.next()?, parts.next().map_or("", |_| "x")];
        let [first, second, third, ""] = parts else { return None };
        let [a, b, c] = [first, second, third].map(digits);
        match (first.len(), third.len()) {
            (4, 1..=2) => {
                Date::new(i16::try_from(a?).ok()?, i8::try_from(b?).ok()?, i8::try_from(c?).ok()?).ok().map(Self::Known)
            }
            (1..=2, 4) => {
                let (a, b, c) = (i8::try_from(a?).ok()?, i8::try_from(b?).ok()?, i16::try_from(c?).ok()?);
                match sign {
                    // the order of those who write points
                    '.' => Date::new(c, b, a).ok().map(Self::Known),
                    _ => ((1..=31).contains(&a) && (1..=31).contains(&b) && a.min(b) <= 12)
                        .then_some(Self::Unclear(a, b, c)),
                }
            }
            _ => None,
        }
    }
}

/// Reads a whole number of up to four digits.
fn digits(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// Reads `10:00:00.25`, with `AM` or `PM` or a difference to UTC after it.
fn time_of_day(text: &str) -> Option<Exact> {
    let (text, half) = match text.get(text.len().saturating_sub(2)..) {
        Some(half) if half.eq_ignore_ascii_case("am") => (text.get(..text.len() - 2)?, Some(0)),
        Some(half) if half.eq_ignore_ascii_case("pm") => (text.get(..text.len() - 2)?, Some(12)),
        _ => (text, None),
    };
    let text = text.trim();
    let (text, offset) = match text.strip_suffix(['Z', 'z']) {
        Some(text) => (text, 0),
        None => match text.rfind(['+', '-']) {
            Some(at) => (text.get(..at)?, offset(text.get(at..)?)?),
            None => (text, 0),
        },
    };
    let (hours, rest) = text.trim_end().split_once(':')?;
    let (minutes, seconds) = rest.split_once(':')?;
    let (mut hours, minutes) = (digits(hours)?, digits(minutes)?);
    let (whole, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let whole = digits(whole)?;
    if minutes > 59 || whole > 60 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match half {
        Some(half) if (1..=12).contains(&hours) => hours = hours % 12 + half,
        None if hours <= 24 => {}
        _ => return None,
    }
    let seconds = i128::from(hours * 3600 + minutes * 60 + whole) - offset;
    let places = u32::try_from(fraction.len()).ok().filter(|places| *places <= 18)?;
    let unit = 10_i128.checked_pow(places)?;
    let fraction = if fraction.is_empty() { 0 } else { fraction.parse::<i128>().ok()? };
    Some(Exact { digits: seconds * unit + fraction, places })
}

/// Reads the difference to UTC in s: `+02:00`, `-0330` or `+02`.
fn offset(text: &str) -> Option<i128> {
    let (sign, rest) = match text.split_at_checked(1)? {
        ("-", rest) => (-1, rest),
        (_, rest) => (1, rest),
    };
    let (hours, minutes) = match rest.split_once(':') {
        Some(parts) => parts,
        None if rest.len() == 4 => rest.split_at_checked(2)?,
        None => (rest, "0"),
    };
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    (hours <= 18 && minutes <= 59).then(|| sign * i128::from(hours * 3600 + minutes * 60))
}
