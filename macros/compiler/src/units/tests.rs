use std::f64::consts::PI;

use super::*;
use crate::syntax::tests::marked;
use crate::tokens::Tokens;

/// The unit, or the marked part of `text` and the message.
fn parse(text: &str) -> Result<Unit, (&str, String)> {
    let mut tokens = Tokens::new(text.parse().unwrap());
    Unit::parse(&mut tokens).map_err(|error| (marked(text, error.place), error.message))
}

fn unit(text: &str) -> Unit {
    parse(text).unwrap()
}

fn error(text: &str) -> (&str, String) {
    parse(text).unwrap_err()
}

fn base(text: &str) -> String {
    unit(text).dimension.map_or_else(String::new, |dimension| dimension.to_string())
}

#[test]
fn names_of_units() {
    for (name, dimension, numerator, denominator) in [
        ("kg", "kg", 1.0, 1.0),
        ("g", "kg", 1.0, 1000.0),
        ("mg", "kg", 1.0, 1e6),
        ("t", "kg", 1000.0, 1.0),
        ("m", "m", 1.0, 1.0),
        ("mm", "m", 1.0, 1000.0),
        ("cm", "m", 1.0, 100.0),
        ("dm", "m", 1.0, 10.0),
        ("hm", "m", 100.0, 1.0),
        ("um", "m", 1.0, 1e6),
        ("\u{b5}m", "m", 1.0, 1e6),
        ("km", "m", 1000.0, 1.0),
        ("s", "s", 1.0, 1.0),
        ("ms", "s", 1.0, 1000.0),
        ("min", "s", 60.0, 1.0),
        ("d", "s", 86_400.0, 1.0),
        ("h", "s", 3600.0, 1.0),
        ("mol", "mol", 1.0, 1.0),
        ("mmol", "mol", 1.0, 1000.0),
        ("cd", "cd", 1.0, 1.0),
        ("rad", "1", 1.0, 1.0),
        ("sr", "1", 1.0, 1.0),
        ("deg", "1", PI, 180.0),
        ("rev", "1", 2.0 * PI, 1.0),
        ("rpm", "1/s", 2.0 * PI, 60.0),
        ("percent", "1", 1.0, 100.0),
        ("Hz", "1/s", 1.0, 1.0),
        ("kHz", "1/s", 1000.0, 1.0),
        ("N", "kg*m/s^2", 1.0, 1.0),
        ("kN", "kg*m/s^2", 1000.0, 1.0),
        ("Pa", "kg/(m*s^2)", 1.0, 1.0),
        ("hPa", "kg/(m*s^2)", 100.0, 1.0),
        ("GPa", "kg/(m*s^2)", 1e9, 1.0),
        ("bar", "kg/(m*s^2)", 1e5, 1.0),
        ("mbar", "kg/(m*s^2)", 100.0, 1.0),
        ("J", "kg*m^2/s^2", 1.0, 1.0),
        ("W", "kg*m^2/s^3", 1.0, 1.0),
        ("V", "kg*m^2/(s^3*A)", 1.0, 1.0),
        ("C", "s*A", 1.0, 1.0),
        ("F", "s^4*A^2/(kg*m^2)", 1.0, 1.0),
        ("pF", "s^4*A^2/(kg*m^2)", 1.0, 1e12),
        ("ohm", "kg*m^2/(s^3*A^2)", 1.0, 1.0),
        ("T", "kg/(s^2*A)", 1.0, 1.0),
        ("H", "kg*m^2/(s^2*A^2)", 1.0, 1.0),
        ("l", "m^3", 1.0, 1000.0),
        ("K", "K", 1.0, 1.0),
        ("1", "1", 1.0, 1.0),
    ] {
        let unit = unit(name);
        assert_eq!(unit.dimension.map(|found| found.to_string()).as_deref(), Some(dimension), "{name}");
        assert_eq!(unit.scale, Scale { numerator, denominator }, "{name}");
    }
}

#[test]
fn derived_units_agree() {
    for (left, right) in [
        ("N", "kg*m/s^2"),
        ("Pa", "N/m^2"),
        ("J", "N*m"),
        ("W", "J/s"),
        ("V", "W/A"),
        ("C", "A*s"),
        ("F", "C/V"),
        ("ohm", "V/A"),
        ("T", "V*s/m^2"),
        ("H", "V*s/A"),
        ("Hz", "1/s"),
        ("N/(m*s)", "N/m/s"),
        ("(m/s)^2", "m^2/s^2"),
        ("m^-1", "1/m"),
        ("m^0", "1"),
        ("N*m*s/rad", "J*s"),
    ] {
        assert_eq!(unit(left).dimension, unit(right).dimension, "{left} = {right}");
    }
}

#[test]
fn dimensions_are_units_themselves() {
    for text in ["1", "1/s", "N", "H", "F", "mol*cd/K", "1/(m*K)"] {
        assert_eq!(base(&base(text)), base(text), "{text}");
    }
}

#[test]
fn scales_are_rounded_once() {
    assert_eq!(unit("mm").scale.apply(0.7), 0.7 / 1000.0);
    assert_eq!(unit("mbar").scale.apply(0.3), 0.3 * 100.0);
    assert_eq!(unit("km/h").scale, Scale { numerator: 5.0, denominator: 18.0 });
    assert_eq!(unit("deg").scale.apply(180.0), PI);
    assert_eq!(unit("N/mm").scale, Scale { numerator: 1000.0, denominator: 1.0 });
    assert_eq!(unit("mm^2").scale, Scale { numerator: 1.0, denominator: 1e6 });
    assert_eq!(unit("1/mm^2").scale, Scale { numerator: 1e6, denominator: 1.0 });
    assert_eq!(unit("mm^-2").scale, Scale { numerator: 1e6, denominator: 1.0 });
    assert!(unit("g*km/(kg*m)").scale.is_one());
    assert!(unit("N*s/m").scale.is_one());
    assert_eq!(Scale::ONE.apply(0.1), 0.1);
}

#[test]
fn text_has_no_spaces() {
    assert_eq!(unit("N * s ^ 3 / m ^ 3").text, "N*s^3/m^3");
    assert_eq!(unit("N/( m * s )").text, "N/(m*s)");
    assert_eq!(unit("m^-1").text, "m^-1");
}

#[test]
fn units_end_where_the_entry_goes_on() {
    for (text, rest) in [("N*s/m = 5", "`=`"), ("m, y", "`,`"), ("m y: m", "`y`"), ("m; x", "`;`")] {
        let mut tokens = Tokens::new(text.parse().unwrap());
        Unit::parse(&mut tokens).unwrap();
        assert_eq!(tokens.found(), rest, "{text}");
    }
}

#[test]
fn errors_at_the_offending_token() {
    for (text, marked, message) in [
        ("N*Kg", "Kg", "unknown unit `Kg`; write `kg`"),
        ("Ns/m", "Ns", "unknown unit `Ns`; write `N*s` for a product"),
        ("m/s2", "s2", "unknown unit `s2`; write `s^2`"),
        ("m/sec", "sec", "unknown unit `sec`; write `s`"),
        ("kmh", "kmh", "unknown unit `kmh`; write `km/h`"),
        ("krad", "krad", "unknown unit `krad`; did you mean `rad`?"),
        ("dam", "dam", "unknown unit `dam`; did you mean `dm`?"),
        ("furlong", "furlong", "unknown unit `furlong`; write SI units, e.g. `N*s/m`"),
        ("m/ /s", "/", "expected a unit, found `/`; a single `/` divides"),
        ("kg^", "^", "expected an exponent before the end of the model; write a whole number, e.g. `m^2`"),
        ("kg*", "*", "expected a unit before the end of the model; write `1` if there is none"),
        ("kg m", "m", "expected an operator before `m`; write `kg*...` for a product of units"),
        ("kg m = 3", "m", "expected an operator before `m`; write `kg*...` for a product of units"),
        ("kg 2", "2", "expected an operator before `2`; write `kg*...` for a product of units"),
        ("m^2.5", "2.5", "the exponent `2.5` is not a whole number; write e.g. `m^2`"),
        ("m^x", "x", "expected an exponent before `x`; write a whole number, e.g. `m^2`"),
        ("m^13", "13", "the exponent 13 exceeds 12; check the unit"),
        ("m^-99999999999", "99999999999", "the exponent -2147483647 exceeds 12; check the unit"),
        ("(m s)", "s", "expected `)` or an operator before `s`; units are joined by `*`"),
        ("()", ")", "expected a unit before `)`; write `1` if there is none"),
    ] {
        let (at, said) = error(text);
        assert_eq!(said, message, "{text}");
        assert_eq!(at, marked, "{text}");
    }
}

#[test]
fn exponents_and_factors_have_bounds() {
    assert_eq!(error("m^9*m^9").1, "the exponents of `m^9*m^9` exceed 12; check the unit");
    let many = ["Gm^12/m^12"; 4].join("*");
    assert!(error(&many).1.contains("beyond double precision"), "{many}");
}

#[test]
fn exponents_are_fractions() {
    for (value, text) in [(2.0, "2"), (-1.0, "-1"), (0.5, "(1/2)"), (1.0 / 3.0, "(1/3)"), (-1.7, "(-17/10)")] {
        assert_eq!(Exponent::from_number(value).map(|found| found.to_string()).as_deref(), Some(text), "{value}");
    }
    for value in [PI, f64::NAN, f64::INFINITY, 1e300, 0.123_456_7] {
        assert_eq!(Exponent::from_number(value), None, "{value}");
    }
}

#[test]
fn readable_units() {
    for (text, readable) in [
        ("kg/s^2", "N/m"),
        ("kg/s", "N*s/m"),
        ("kg*m^2/s", "N*m*s"),
        ("kg*m^2/s^2", "N*m"),
        ("kg*m^2/s^3", "W"),
        ("bar", "Pa"),
        ("Pa*s", "Pa*s"),
        ("N*s^3/mm^3", "N*s^3/m^3"),
        ("m/N", "m/N"),
        ("N^3/mm^3", "N^3/m^3"),
        ("rpm", "1/s"),
        ("kg*m^2", "kg*m^2"),
        ("deg", "1"),
        ("kV", "V"),
        ("W/(m*K)", "kg*m/(s^3*K)"),
    ] {
        let dimension = unit(text).dimension.expect("a unit");
        assert_eq!(dimension.readable(), readable, "{text}");
        // It is a unit of the language itself.
        assert_eq!(unit(readable).dimension, Some(dimension), "{text}");
    }
}
