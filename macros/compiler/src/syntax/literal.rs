//! Numbers, with or without a unit.

use proc_macro2::{Delimiter, Literal};

use super::ast::{Expr, ExprKind};
use crate::diagnostic::{Diagnostic, Place};
use crate::tokens::{Parsed, Tokens, place_of_group};
use crate::units::{self, Unit};

/// The number that `literal` writes and the unit in brackets after it.
pub fn number(literal: &Literal, tokens: &mut Tokens) -> Parsed<Expr> {
    let place = Place::from(literal.span());
    let error = |message| Diagnostic { message, place };
    let text = literal.to_string();
    let (value, integer) = value(&text).map_err(error)?;
    let Some(group) = tokens.take_group(Delimiter::Bracket) else {
        return Ok(Expr { kind: ExprKind::Number { value, integer, unit: None }, place });
    };
    let mut inner = tokens.inside(&group);
    let unit = Unit::parse(&mut inner)?;
    if !inner.is_empty() {
        return Err(inner.error(format!("expected `]` after the unit, found {}", inner.found())));
    }
    let place = place.to(place_of_group(&group));
    Ok(Expr { kind: ExprKind::Number { value, integer, unit: Some(unit) }, place })
}

/// The value of a literal, and the integer if it is written as one.
fn value(text: &str) -> Result<(f64, Option<i64>), String> {
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(not_a_number(text));
    }
    if let Some(radix) = radix(text) {
        let digits: String = text.chars().skip(2).filter(|c| *c != '_').collect();
        let decimal = i64::from_str_radix(&digits, radix).map(|value| format!(" `{value}`")).unwrap_or_default();
        return Err(format!("`{text}` is not a decimal number; write it in decimal{decimal}"));
    }
    let (number, suffix) = text.split_at(length_of_number(text));
    if !suffix.is_empty() {
        return Err(wrong_suffix(text, number.trim_end_matches('_'), suffix));
    }
    let digits = number.replace('_', "");
    match digits.parse::<f64>() {
        Ok(value) if value.abs() < f64::MIN_POSITIVE && has_digits(&digits) => Err(format!(
            "`{text}` is too small for a number of double precision, whose digits end at 2.2e-308; write 0, or a \
                 larger unit"
        )),
        Ok(value) if value.is_finite() => Ok((value, digits.parse().ok())),
        _ => Err(format!("`{text}` is too large for a number of double precision; write a smaller one")),
    }
}

/// Checks whether a number is written that is not 0.
fn has_digits(number: &str) -> bool {
    let before_exponent = number.split(['e', 'E']).next().unwrap_or_default();
    before_exponent.contains(|digit: char| ('1'..='9').contains(&digit))
}

fn not_a_number(text: &str) -> String {
    let kind = match text.trim_start_matches(['b', 'c', 'r', '#']).chars().next() {
        Some('"') => "a string",
        Some('\'') => "a character",
        _ => return format!("expected a number, found `{text}`; put parentheses around a negative number"),
    };
    format!("expected a number, found {kind}; write it without quotes")
}

fn radix(text: &str) -> Option<u32> {
    match text.get(..2)? {
        "0x" => Some(16),
        "0o" => Some(8),
        "0b" => Some(2),
        _ => None,
    }
}

/// The length of the digits, the point and the exponent at the start of `text`; the rest is a suffix.
fn length_of_number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |start: usize| {
        let count = bytes.iter().skip(start).take_while(|b| b.is_ascii_digit() || **b == b'_').count();
        start + count
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        let written = bytes.get(end + 1 + sign..exponent).unwrap_or_default();
        if written.iter().any(u8::is_ascii_digit) {
            end = exponent;
        }
    }
    end
}

fn wrong_suffix(text: &str, number: &str, suffix: &str) -> String {
    const TYPES: [&str; 14] =
        ["f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];
    if TYPES.contains(&suffix) {
        format!("a number in a model has no Rust type; write `{number}` instead of `{text}`")
    } else if suffix == "t" {
        // time or tonne
        format!("`{text}` is not a number; write `{number}*t` for a multiple of the time, or `{number}[t]` for tonnes")
    } else if units::is_known(suffix) {
        format!("a unit stands in brackets; write `{number}[{suffix}]` instead of `{text}`")
    } else {
        format!("`{text}` is not a number; write `{number}*{suffix}` for a product")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        assert_eq!(value("20"), Ok((20.0, Some(20))));
        assert_eq!(value("1_000"), Ok((1000.0, Some(1000))));
        assert_eq!(value("1."), Ok((1.0, None)));
        assert_eq!(value("0.5"), Ok((0.5, None)));
        assert_eq!(value("123e3"), Ok((123e3, None)));
        assert_eq!(value("2.5E-9"), Ok((2.5e-9, None)));
        assert_eq!(value("1e+_3"), Ok((1e3, None)));
        assert_eq!(value("0.00e-400"), Ok((0.0, None)));
        assert_eq!(value("2.3e-308"), Ok((2.3e-308, None)));
        assert_eq!(value("99999999999999999999"), Ok((1e20, None)));
    }

    #[test]
    fn remedies() {
        let remedy = |text| value(text).unwrap_err();
        assert_eq!(remedy("1f64"), "a number in a model has no Rust type; write `1` instead of `1f64`");
        assert_eq!(remedy("1_u8"), "a number in a model has no Rust type; write `1` instead of `1_u8`");
        assert_eq!(remedy("0.5mm"), "a unit stands in brackets; write `0.5[mm]` instead of `0.5mm`");
        assert_eq!(remedy("2t"), "`2t` is not a number; write `2*t` for a multiple of the time, or `2[t]` for tonnes");
        assert_eq!(remedy("2x"), "`2x` is not a number; write `2*x` for a product");
        assert_eq!(remedy("0xff"), "`0xff` is not a decimal number; write it in decimal `255`");
        assert_eq!(remedy("0b1_0"), "`0b1_0` is not a decimal number; write it in decimal `2`");
        assert_eq!(remedy("0o9u8"), "`0o9u8` is not a decimal number; write it in decimal");
        assert_eq!(remedy("\"2\""), "expected a number, found a string; write it without quotes");
        assert_eq!(remedy("br#\"2\"#"), "expected a number, found a string; write it without quotes");
        assert_eq!(remedy("'2'"), "expected a number, found a character; write it without quotes");
        assert_eq!(remedy("-2.5"), "expected a number, found `-2.5`; put parentheses around a negative number");
        assert!(remedy("1e999").contains("too large"));
        for small in ["1e-400", "0.000_1E-305", "4.9e-324", "2e-308"] {
            assert!(remedy(small).contains("too small"), "{small}");
        }
    }
}
