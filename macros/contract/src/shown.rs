//! Text and numbers in messages and on pages: text without control characters, and numbers with few digits.

use std::borrow::Cow;
use std::fmt;

/// Character in place of one that is not shown.
const REPLACEMENT: char = '\u{fffd}';

/// Replaces control characters, except tabs and line breaks, and marks of writing direction by `\u{fffd}`: a terminal
/// then executes nothing, a page shows the text in its own order, and the text is valid in XML.
///
/// ```
/// assert_eq!(costate_contract::shown::plain("m\u{1b}[2J\u{202e}"), "m\u{fffd}[2J\u{fffd}");
/// ```
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| !is_hidden(character)) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_hidden(c) { REPLACEMENT } else { c }).collect())
}

fn is_hidden(character: char) -> bool {
    match character {
        '\t' | '\n' => false,
        // marks of direction, and characters that XML does not have
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => true,
        character => character.is_control(),
    }
}

/// A number shown with at most six digits, and with a power of ten if it is very large or small.
///
/// ```
/// use costate_contract::shown::Shown;
/// assert_eq!(Shown(0.1 + 0.2).to_string(), "0.3");
/// assert_eq!(Shown(1e300).to_string(), "1e300");
/// assert_eq!(Shown(-1234567.8).to_string(), "-1.23457e6");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown(pub f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        if value == 0.0 || !value.is_finite() {
            // no -0
            return write!(f, "{}", value + 0.0);
        }
        let text = format!("{value:.5e}");
        let Some((digits, power)) = text.split_once('e') else { return f.write_str(&text) };
        let power: i32 = power.parse().unwrap_or(0);
        if (-4..6).contains(&power) {
            let decimals = usize::try_from(5 - power).unwrap_or(0);
            let fixed = format!("{value:.decimals$}");
            return f.write_str(without_zeros(&fixed));
        }
        write!(f, "{}e{power}", without_zeros(digits))
    }
}

/// A number shown with the fewest digits that distinguish it from all others, and with a power of ten if it is very
/// large or small: for messages that compare numbers which may be close together.
///
/// ```
/// use costate_contract::shown::Exact;
/// assert_eq!(Exact(0.1 + 0.2).to_string(), "0.30000000000000004");
/// assert_eq!(Exact(2.0).to_string(), "2");
/// assert_eq!(Exact(1e300).to_string(), "1e300");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exact(pub f64);

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0 + 0.0;
        match value.abs() {
            size if size == 0.0 || (1e-4..1e6).contains(&size) || !value.is_finite() => write!(f, "{value}"),
            _ => write!(f, "{value:e}"),
        }
    }
}

/// Removes zeros at the end of decimals.
fn without_zeros(digits: &str) -> &str {
    match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_six_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-12.5, "-12.5"),
            (123_456.0, "123456"),
            (999_999.7, "1e6"),
            (1e-3, "0.001"),
            (0.000_123_456_78, "0.000123457"),
            (0.000_012_345_678, "1.23457e-5"),
            (5e-324, "4.94066e-324"),
            (f64::MAX, "1.79769e308"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "NaN"),
            (100_000.0, "100000"),
        ] {
            assert_eq!(Shown(value).to_string(), text);
        }
    }

    #[test]
    fn text_keeps_its_letters() {
        let text = "µ·m² שלום\n\ta";
        assert!(matches!(plain(text), Cow::Borrowed(same) if same == text));
        assert_eq!(plain("a\u{0}b\r\u{2066}c"), "a\u{fffd}b\u{fffd}\u{fffd}c");
    }
}
