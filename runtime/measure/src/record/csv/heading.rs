//! Headings of columns: names, units, and the names of times.

use costate_contract::tables::name_and_unit;
use costate_contract::units::is_unit;

/// A column's heading: `acceleration [m/s^2]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading<'a> {
    pub name: &'a str,
    pub unit: Option<&'a str>,
}

/// Place of a unit in a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapped {
    Nothing,
    Brackets,
    Parentheses,
}

impl<'a> Heading<'a> {
    /// Splits off a unit in brackets at the end; a name may consist of brackets alone, but may not be empty.
    pub fn in_brackets(cell: &'a str) -> Self {
        match name_and_unit(cell) {
            ("", _) => Self { name: cell.trim(), unit: None },
            (name, unit) => Self { name, unit },
        }
    }

    /// Splits off a unit in brackets, or in parentheses: `Force (N)`. What stands in parentheses and is no unit is a
    /// part of the name.
    pub fn parse(cell: &'a str) -> (Self, Wrapped) {
        let heading = Self::in_brackets(cell);
        if heading.unit.is_some() || heading.name.len() < cell.trim().len() {
            return (heading, Wrapped::Brackets);
        }
        let split = cell.trim().strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
        match split.map(|(name, unit)| (name.trim(), unit.trim())) {
            Some((name, unit)) if !name.is_empty() && !unit.contains('[') && is_unit(unit) => {
                (Self { name, unit: Some(unit) }, Wrapped::Parentheses)
            }
            _ => (heading, Wrapped::Nothing),
        }
    }

    /// Returns the text that is parsed to this heading. A name that ends in what may be a unit is followed by an empty
    /// unit.
    pub fn text(&self) -> String {
        match self.unit {
            Some(unit) => format!("{} [{unit}]", self.name),
            None if Self::parse(self.name).0 == *self => self.name.to_owned(),
            None => format!("{} []", self.name),
        }
    }
}

/// Checks whether a heading with this name and unit is parsed to the same unit.
pub fn keeps_unit(name: &str, unit: &str) -> bool {
    let heading = Heading { name, unit: Some(unit) };
    Heading::in_brackets(&heading.text()) == heading
}

/// Checks whether this is the name of the time column in files that are written here.
pub fn is_time(name: &str) -> bool {
    name.eq_ignore_ascii_case("time") || name == "t"
}

/// Names of times in other files, in small letters and without blanks or signs between the words.
const TIMES: [&str; 27] = [
    "xaxis",
    "timestamp",
    "timestamps",
    "timeofday",
    "zeit",
    "zeitstempel",
    "zeitpunkt",
    "messzeit",
    "uhrzeit",
    "xvalue",
    "elapsedtime",
    "relativetime",
    "reltime",
    "absolutetime",
    "abstime",
    "sampletime",
    "systemtime",
    "localtime",
    "utctime",
    "datetime",
    "dateandtime",
    "datumuhrzeit",
    "datumzeit",
    "temps",
    "tiempo",
    "epoch",
    "unixtime",
];

/// Checks whether this is a date next to a time of day.
pub fn is_date(name: &str) -> bool {
    ["date", "datum"].contains(&name.to_lowercase().as_str())
}

/// Splits the name of a time as others write it into a plain name and a unit: `time_ms`, `Zeit/s`, `Time (elapsed)`;
/// `None` for other names.
pub fn foreign_time(name: &str) -> Option<Option<&'static str>> {
    let name = name.to_lowercase();
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let is = |text: &str| matches!(text, "time" | "t") || TIMES.contains(&text);
    if is(&plain(&name)) {
        return Some(None);
    }
    // `Time  1 - default sample rate` of catman
    if let Some((front, behind)) = name.split_once(" - ")
        && is(plain(front).trim_end_matches(|c: char| c.is_ascii_digit()))
    {
        return Some(remarked_unit(behind));
    }
    if let Some((front, behind)) = name.rsplit_once(" in ").or_else(|| name.rsplit_once(['_', '/', ' ', '.']))
        && let Some(unit) = time_unit(behind).filter(|_| is(&plain(front)))
    {
        return Some(Some(unit));
    }
    let (front, behind) = name.split_once(['(', '['])?;
    is(&plain(front)).then(|| remarked_unit(behind))
}

/// Returns the unit with which a remark after the name of a time begins: `msec)`, `ms since start)`.
fn remarked_unit(remark: &str) -> Option<&'static str> {
    time_unit(remark.trim().split([' ', ',', ';', ')', ']']).next()?)
}

/// Returns the unit of time that this text means.
pub fn time_unit(text: &str) -> Option<&'static str> {
    Some(match text.trim().trim_end_matches('.').to_lowercase().as_str() {
        "s" | "sec" | "secs" | "second" | "seconds" | "sek" | "sekunde" | "sekunden" => "s",
        "ms" | "msec" | "msecs" | "msek" | "millis" | "millisec" | "millisecs" | "millisecond" | "milliseconds"
        | "millisekunde" | "millisekunden" => "ms",
        "us" | "\u{b5}s" | "\u{3bc}s" | "usec" | "usecs" | "usek" | "micros" | "microsec" | "microsecs"
        | "microsecond" | "microseconds" | "mikrosekunde" | "mikrosekunden" => "us",
        "ns" | "nsec" | "nsecs" | "nanos" | "nanosec" | "nanosecond" | "nanoseconds" | "nanosekunde"
        | "nanosekunden" => "ns",
        "min" | "mins" | "minute" | "minutes" | "minuten" => "min",
        "h" | "hr" | "hrs" | "hour" | "hours" | "std" | "stunde" | "stunden" => "h",
        "d" | "day" | "days" | "tag" | "tage" => "d",
        _ => return None,
    })
}

/// Checks whether a cell below a name is its unit.
pub fn is_bare_unit(cell: &str) -> bool {
    let is_plain = matches!(cell, "" | "-" | "1" | "[]" | "[-]") || is_unit(unwrapped(cell));
    is_plain || time_unit(cell).is_some() || is_time_pattern(cell)
}

/// Checks whether a cell shows how dates or times of day are written: `hh:mm:ss`, `dd.mm.yyyy`.
pub fn is_time_pattern(cell: &str) -> bool {
    const LETTERS: &str = "dhjmstyDHJMSTY";
    let cell = unwrapped(cell);
    let mut fields = cell.split([':', '.', '-', '/', ',', ' ']);
    let is_field = |text: &str| {
        let first = text.chars().next();
        first.is_some_and(|first| LETTERS.contains(first) && text.chars().all(|letter| letter == first))
    };
    cell.len() > 4 && fields.clone().count() > 1 && fields.all(is_field)
}

/// The symbol of a unit that is written as a word, as oscilloscopes do.
pub fn symbol(unit: &str) -> &str {
    match unit.to_lowercase().as_str() {
        "volt" | "volts" => "V",
        "ampere" | "amperes" | "amp" | "amps" => "A",
        "watt" | "watts" => "W",
        "newton" | "newtons" => "N",
        "hertz" => "Hz",
        _ => unit,
    }
}

/// Removes brackets or parentheses around a unit.
pub fn unwrapped(cell: &str) -> &str {
    let inside = |open, close| cell.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    inside('[', ']').or_else(|| inside('(', ')')).unwrap_or(cell).trim()
}
