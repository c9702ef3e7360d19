//! Numbers in cells: decimal points and commas, exact decimals, and cells without a number.

use std::fmt;

use serde::Serialize;

/// Character between the whole part of a number and its digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub enum Decimal {
    /// `1.5`.
    Point,
    /// `1,5`.
    Comma,
}

impl Decimal {
    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Point => b'.',
            Self::Comma => b',',
        }
    }

    /// The character that may group thousands next to this one.
    fn other(self) -> u8 {
        match self {
            Self::Point => b',',
            Self::Comma => b'.',
        }
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Point => "points",
            Self::Comma => "commas",
        })
    }
}

/// The minus of typesetting, which word processors and some programs write.
const MINUS: char = '\u{2212}';

/// Powers of ten that are doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Parses digits with at most one decimal sign, of which no digit is lost; `None` for any other text. The quotient of
/// two doubles that are exact is the double nearest to the decimal number.
#[inline]
pub fn plain(cell: &[u8], point: u8) -> Option<f64> {
    let (digits, negative) = match cell.split_first()? {
        (b'-', rest) => (rest, true),
        (b'+', rest) => (rest, false),
        _ => (cell, false),
    };
    if digits.len() > 17 {
        return None;
    }
    let (mut mantissa, mut places, mut seen) = (0_u64, usize::MAX, 0_usize);
    for (at, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            mantissa = 10 * mantissa + u64::from(digit);
            seen += 1;
        } else if byte == point && places == usize::MAX {
            places = digits.len() - 1 - at;
        } else {
            return None;
        }
    }
    if seen == 0 || mantissa > 1 << 53 {
        return None;
    }
    let places = if places == usize::MAX { 0 } else { places };
    let value = mantissa as f64 / POWERS.get(places)?;
    Some(if negative { -value } else { value })
}

/// Parses the finite number in a cell. Thousands may be grouped by the sign that does not separate decimals, in threes,
/// if there are decimals after them or `thousands` permits it.
pub fn number(cell: &[u8], decimal: Decimal, thousands: bool) -> Option<f64> {
    if let Some(value) = plain(cell, decimal.byte()) {
        return Some(value);
    }
    let text = std::str::from_utf8(cell).ok()?;
    if text.contains(MINUS) {
        return number(text.replace(MINUS, "-").as_bytes(), decimal, thousands);
    }
    // not the words that Rust takes for numbers
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let parsed = |text: &str| {
        let exponent = |text: &str| text.replace(['d', 'D'], "e").parse::<f64>().ok();
        text.parse::<f64>().ok().or_else(|| exponent(text)).filter(|value| value.is_finite())
    };
    if let Some(joined) = without_blanks(text, decimal) {
        return parsed(&joined);
    }
    if !text.as_bytes().contains(&decimal.other()) {
        return match decimal {
            Decimal::Point => parsed(text),
            Decimal::Comma => parsed(&text.replace(',', ".")),
        };
    }
    let (whole, rest) = match text.split_once(char::from(decimal.byte())) {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (text, None),
    };
    if !(thousands || rest.is_some()) || !is_grouped(whole, decimal.other()) {
        return None;
    }
    let whole: String = whole.chars().filter(|c| *c != char::from(decimal.other())).collect();
    parsed(&format!("{whole}.{}", rest.unwrap_or("0")))
}

/// Returns a number whose thousands are grouped by blanks, with a point and without blanks; `None` for any other text.
fn without_blanks(text: &str, decimal: Decimal) -> Option<String> {
    const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];
    let plain = text.replace(BLANKS, " ");
    let (whole, rest) = plain.split_once(char::from(decimal.byte())).unwrap_or((&plain, "0"));
    (is_grouped(whole, b' ') && !rest.contains(' ')).then(|| format!("{}.{rest}", whole.replace(' ', "")))
}

/// Checks whether this is a whole number with its thousands grouped, such as `-1.234.567`.
fn is_grouped(text: &str, group: u8) -> bool {
    let digits = text.trim_start_matches(['-', '+', MINUS]);
    let mut parts = digits.split(char::from(group));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next().unwrap_or_default();
    let begins = matches!(first.len(), 1..=3) && is_number(first) && !first.starts_with('0');
    let mut rest = parts.peekable();
    begins && rest.peek().is_some() && rest.all(|part| part.len() == 3 && is_number(part))
}

/// Evidence of the signs in a number about the decimals of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tells {
    /// No evidence: it has neither point nor comma.
    Nothing,
    /// The decimal sign.
    Decimal(Decimal),
    /// No clear evidence, since this sign may group thousands as well.
    Either(Decimal),
}

/// Tells what a cell says about decimals; `None` if it has no number in any reading.
pub fn tells(cell: &[u8]) -> Option<Tells> {
    let text = std::str::from_utf8(cell).ok()?;
    let has = |decimal: Decimal| cell.contains(&decimal.byte());
    let reads = |decimal: Decimal| number(cell, decimal, false).is_some();
    match (has(Decimal::Point), has(Decimal::Comma)) {
        (false, false) => reads(Decimal::Point).then_some(Tells::Nothing),
        (true, true) => [Decimal::Point, Decimal::Comma].into_iter().find(|d| reads(*d)).map(Tells::Decimal),
        (point, _) => {
            let sign = if point { Decimal::Point } else { Decimal::Comma };
            let grouped = is_grouped(text, sign.byte());
            match (reads(sign), grouped) {
                (true, true) => Some(Tells::Either(sign)),
                (true, false) => Some(Tells::Decimal(sign)),
                // several groups: only thousands, which the table refuses or reads by its option
                (false, true) => Some(Tells::Nothing),
                (false, false) => None,
            }
        }
    }
}

/// Texts of cells that say that a sample is missing, besides empty cells, `NaN` and `NA`; instruments write some of
/// them for values beyond their range.
const MARKERS: [&str; 40] = [
    "-",
    "--",
    "---",
    "----",
    "n/a",
    "#n/a",
    "#nv",
    "null",
    "none",
    "nil",
    "overflow",
    "over",
    "overload",
    "over range",
    "overrange",
    "ovld",
    "ovfl",
    "ol",
    "+ol",
    "-ol",
    "underflow",
    "#num!",
    "#wert!",
    "#value!",
    "#div/0!",
    "1.#qnan",
    "-1.#qnan",
    "1.#ind",
    "-1.#ind",
    "1.#inf",
    "-1.#inf",
    "inf",
    "+inf",
    "-inf",
    "infinity",
    "+infinity",
    "-infinity",
    "\u{221e}",
    "+\u{221e}",
    "-\u{221e}",
];

/// Numbers by which instruments say that there is no value, as SCPI defines them.
const NUMBERS: [&str; 6] = ["9.91E37", "9.91E+37", "9.9E37", "9.9E+37", "9.90000E+37", "9.91000E+37"];

/// A cell without a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// An empty cell, `NaN` or `NA`.
    Plain,
    /// Another text that says so.
    Marked,
}

/// Checks whether a cell says that its sample is missing.
pub fn missing(cell: &[u8], further: &[String]) -> Option<Missing> {
    let Some(first) = cell.first() else { return Some(Missing::Plain) };
    if cell.len() > 16 && further.is_empty() {
        return None;
    }
    if further.iter().any(|text| text.as_bytes() == cell) {
        return Some(Missing::Marked);
    }
    let is = |text: &str| cell.eq_ignore_ascii_case(text.as_bytes());
    if ["NA", "NaN", "+NaN", "-NaN"].into_iter().any(is) {
        return Some(Missing::Plain);
    }
    let number = matches!(first, b'9') && NUMBERS.iter().any(|text| text.as_bytes() == cell);
    (number || MARKERS.iter().any(|text| is(text))).then_some(Missing::Marked)
}

/// A decimal number without rounding: `digits` times ten to the power of minus `places`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exact {
    pub digits: i128,
    pub places: u32,
}

impl Exact {
    /// Reads digits with at most one decimal sign; `None` for others, and for numbers that are too long.
    pub fn parse(cell: &[u8], point: u8) -> Option<Self> {
        let (rest, negative) = match cell.split_first()? {
            (b'-', rest) => (rest, true),
            (b'+', rest) => (rest, false),
            _ => (cell, false),
        };
        let (mut digits, mut places, mut seen) = (0_i128, None, false);
        for &byte in rest {
            match byte {
                b'0'..=b'9' => {
                    digits = digits.checked_mul(10)?.checked_add(i128::from(byte - b'0'))?;
                    places = places.map(|places: u32| places + 1);
                    seen = true;
                }
                _ if byte == point && places.is_none() => places = Some(0),
                _ => return None,
            }
        }
        let digits = if negative { -digits } else { digits };
        seen.then_some(Self { digits, places: places.unwrap_or(0) })
    }

    /// The difference, rounded once; `None` where it has too many digits.
    pub fn minus(self, origin: Self) -> Option<f64> {
        let places = self.places.max(origin.places);
        let raised = |number: Self| {
            let factor = 10_i128.checked_pow(places - number.places)?;
            number.digits.checked_mul(factor)
        };
        let difference = raised(self)?.checked_sub(raised(origin)?)?;
        match POWERS.get(places as usize) {
            Some(power) if difference.unsigned_abs() <= 1 << 53 => Some(difference as f64 / power),
            _ => format!("{difference}e-{places}").parse().ok(),
        }
    }

    /// The number itself, rounded once.
    pub fn value(self) -> Option<f64> {
        self.minus(Self { digits: 0, places: 0 })
    }
}
