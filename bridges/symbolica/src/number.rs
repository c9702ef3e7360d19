//! Numbers: decimal fractions on the way to Symbolica, doubles on the way back.

use symbolica::coefficient::{Coefficient, CoefficientView};
use symbolica::domains::integer::Integer;
use symbolica::domains::rational::Rational;
use symbolica::prelude::RealLike;

/// Returns the shortest decimal fraction that is read as `value`, as models write it; `None` if `value` is not
/// finite.
pub fn decimal(value: f64) -> Option<Rational> {
    if !value.is_finite() {
        return None;
    }
    // `-1.25e-3`
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i64 = format!("{whole}{fraction}").parse().ok()?;
    let exponent = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()?;
    let power = Integer::from(10i64).pow(exponent.unsigned_abs());
    let digits = Integer::from(digits);
    Some(if exponent < 0 {
        Rational::from((digits, power))
    } else {
        Rational::from((digits * power, Integer::from(1i64)))
    })
}

/// The text of a number without its sign: a single one, or a numerator and a denominator. `None` if the number is not
/// real, or too large or too small for a double.
pub fn text(number: CoefficientView<'_>) -> Option<(String, Option<String>)> {
    let value = double(number)?.abs();
    if let Coefficient::Complex(exact) = number.to_owned()
        && decimal(value).is_none_or(|decimal| decimal != exact.re.abs())
    {
        let (above, below) = (exact.re.abs().numerator().to_string(), exact.re.denominator().to_string());
        // a quotient of two exact doubles is rounded once
        if [&above, &below].iter().all(|digits| digits.len() <= EXACT_DIGITS) {
            return Some((above, Some(below)));
        }
    }
    Some((written(value), None))
}

/// Every whole number with so many digits is a double.
const EXACT_DIGITS: usize = 15;

/// Writes a number as the language does.
fn written(value: f64) -> String {
    if value == 0.0 || (1e-4..1e15).contains(&value) { format!("{value}") } else { format!("{value:e}") }
}

/// Returns the nearest double; `None` in the same cases as [`text`].
fn double(number: CoefficientView<'_>) -> Option<f64> {
    if !number.is_real() {
        return None;
    }
    let value = number.to_float(PRECISION_BITS).ok()?.re.to_f64();
    (value.is_finite() && number.is_zero() == (value == 0.0)).then_some(value)
}

/// Bits of precision with which numbers are evaluated before they are rounded to doubles.
const PRECISION_BITS: u32 = 200;

/// Checks whether a number is negative.
pub fn is_negative(number: CoefficientView<'_>) -> bool {
    number.to_owned().is_negative()
}
