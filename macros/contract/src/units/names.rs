//! The names of units and prefixes.

use std::f64::consts::PI;

use super::{Dimension, Scale};
use crate::nearest::nearest;

/// A named unit.
struct Named {
    name: &'static str,
    /// Exponents of kg, m, s, A, K, mol, cd.
    exponents: [i8; 7],
    numerator: f64,
    denominator: f64,
    prefixes: Prefixes,
}

#[derive(PartialEq, Eq)]
enum Prefixes {
    All,
    MilliAndMicro,
    None,
}

/// Creates a coherent SI unit.
const fn si(name: &'static str, exponents: [i8; 7]) -> Named {
    Named { name, exponents, numerator: 1.0, denominator: 1.0, prefixes: Prefixes::All }
}

/// Creates a unit without prefixes.
const fn plain(name: &'static str, exponents: [i8; 7], numerator: f64, denominator: f64) -> Named {
    Named { name, exponents, numerator, denominator, prefixes: Prefixes::None }
}

const ONE: [i8; 7] = [0; 7];
const MASS: [i8; 7] = [1, 0, 0, 0, 0, 0, 0];
const TIME: [i8; 7] = [0, 0, 1, 0, 0, 0, 0];
const PRESSURE: [i8; 7] = [1, -1, -2, 0, 0, 0, 0];
const VOLUME: [i8; 7] = [0, 3, 0, 0, 0, 0, 0];
const LENGTH: [i8; 7] = [0, 1, 0, 0, 0, 0, 0];
const SPEED: [i8; 7] = [0, 1, -1, 0, 0, 0, 0];
const FORCE: [i8; 7] = [1, 1, -2, 0, 0, 0, 0];

static UNITS: [Named; 40] = [
    plain("kg", MASS, 1.0, 1.0),
    si("m", LENGTH),
    si("s", TIME),
    si("A", [0, 0, 0, 1, 0, 0, 0]),
    si("K", [0, 0, 0, 0, 1, 0, 0]),
    si("mol", [0, 0, 0, 0, 0, 1, 0]),
    si("cd", [0, 0, 0, 0, 0, 0, 1]),
    Named { name: "g", exponents: MASS, numerator: 1.0, denominator: 1000.0, prefixes: Prefixes::All },
    Named { name: "rad", exponents: ONE, numerator: 1.0, denominator: 1.0, prefixes: Prefixes::MilliAndMicro },
    plain("sr", ONE, 1.0, 1.0),
    si("Hz", [0, 0, -1, 0, 0, 0, 0]),
    si("N", FORCE),
    si("Pa", PRESSURE),
    si("J", [1, 2, -2, 0, 0, 0, 0]),
    si("W", [1, 2, -3, 0, 0, 0, 0]),
    si("V", [1, 2, -3, -1, 0, 0, 0]),
    si("C", [0, 0, 1, 1, 0, 0, 0]),
    si("F", [-1, -2, 4, 2, 0, 0, 0]),
    si("ohm", [1, 2, -3, -2, 0, 0, 0]),
    si("T", [1, 0, -2, -1, 0, 0, 0]),
    si("H", [1, 2, -2, -2, 0, 0, 0]),
    plain("min", TIME, 60.0, 1.0),
    plain("h", TIME, 3600.0, 1.0),
    plain("d", TIME, 86_400.0, 1.0),
    plain("deg", ONE, PI, 180.0),
    plain("rev", ONE, 2.0 * PI, 1.0),
    plain("rpm", [0, 0, -1, 0, 0, 0, 0], 2.0 * PI, 60.0),
    Named { name: "bar", exponents: PRESSURE, numerator: 1e5, denominator: 1.0, prefixes: Prefixes::MilliAndMicro },
    Named { name: "l", exponents: VOLUME, numerator: 1.0, denominator: 1000.0, prefixes: Prefixes::All },
    plain("t", MASS, 1000.0, 1.0),
    plain("percent", ONE, 1.0, 100.0),
    // exact by definition: 1 in is 25.4 mm, 1 lb is 0.45359237 kg, a force is that of a mass in 9.80665 m/s^2
    plain("in", LENGTH, 127.0, 5000.0),
    plain("ft", LENGTH, 381.0, 1250.0),
    plain("mph", SPEED, 1397.0, 3125.0),
    plain("lb", MASS, 45_359_237.0, 1e8),
    plain("lbf", FORCE, 8_896_443_230_521.0, 2e12),
    plain("kip", FORCE, 8_896_443_230_521.0, 2e9),
    plain("kgf", FORCE, 196_133.0, 20_000.0),
    plain("psi", PRESSURE, 8_896_443_230_521.0, 1_290_320_000.0),
    plain("ksi", PRESSURE, 8_896_443_230_521.0, 1_290_320.0),
];

/// Prefixes as quotients; both letters that look like a micro sign are accepted.
const PREFIXES: [(&str, f64, f64); 12] = [
    ("p", 1.0, 1e12),
    ("n", 1.0, 1e9),
    ("u", 1.0, 1e6),
    ("\u{b5}", 1.0, 1e6),
    ("\u{3bc}", 1.0, 1e6),
    ("m", 1.0, 1e3),
    ("c", 1.0, 1e2),
    ("d", 1.0, 1e1),
    ("h", 1e2, 1.0),
    ("k", 1e3, 1.0),
    ("M", 1e6, 1.0),
    ("G", 1e9, 1.0),
];

/// Names that are common elsewhere, and the units that they mean.
const HABITS: [(&str, &str); 20] = [
    ("Kg", "kg"),
    ("sec", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("hr", "h"),
    ("hour", "h"),
    ("meter", "m"),
    ("metre", "m"),
    ("micron", "um"),
    ("newton", "N"),
    ("degree", "deg"),
    ("degrees", "deg"),
    ("kmh", "km/h"),
    ("kph", "km/h"),
    ("radian", "rad"),
    ("inch", "in"),
    ("inches", "in"),
    ("feet", "ft"),
    ("lbs", "lb"),
    ("kp", "kgf"),
];

/// Returns dimension and scale of a unit's name, with or without prefix. A name without prefix takes precedence.
pub fn find(name: &str) -> Option<(Dimension, Scale)> {
    let (unit, scale) = look_up(name)?;
    Some((Dimension::new(unit.exponents), scale))
}

/// Returns the name of a unit without its prefix.
pub(super) fn base(name: &str) -> Option<&'static str> {
    look_up(name).map(|(unit, _)| unit.name)
}

fn look_up(name: &str) -> Option<(&'static Named, Scale)> {
    let scale = |unit: &Named| Scale::new(unit.numerator, unit.denominator);
    if let Some(unit) = UNITS.iter().find(|unit| unit.name == name) {
        return Some((unit, scale(unit)));
    }
    PREFIXES.iter().find_map(|(prefix, numerator, denominator)| {
        let rest = name.strip_prefix(prefix)?;
        let unit = UNITS.iter().find(|unit| unit.name == rest && takes(unit, prefix))?;
        Some((unit, scale(unit).times(Scale::new(*numerator, *denominator))))
    })
}

fn takes(unit: &Named, prefix: &str) -> bool {
    match unit.prefixes {
        Prefixes::All => true,
        Prefixes::MilliAndMicro => matches!(prefix, "m" | "u" | "\u{b5}" | "\u{3bc}"),
        Prefixes::None => false,
    }
}

/// Checks whether this is the name of a unit.
pub fn is_known(name: &str) -> bool {
    find(name).is_some()
}

/// Returns the unit that is meant by a name common elsewhere.
pub(super) fn meant(name: &str) -> Option<&'static str> {
    HABITS.iter().find(|(habit, _)| habit.eq_ignore_ascii_case(name)).map(|(_, meant)| *meant)
}

/// Proposes what to write instead of an unknown name.
pub fn remedy(name: &str) -> Option<String> {
    if let Some(meant) = meant(name) {
        return Some(format!("write `{meant}`"));
    }
    // `m2`, `Nm`: an operator is missing.
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if base.len() < name.len() && is_known(base) {
        return Some(format!("write `{base}^{}`", &name[base.len()..]));
    }
    let mut parts = name.char_indices().skip(1).map(|(i, _)| name.split_at(i));
    if let Some((left, right)) = parts.find(|(left, right)| are_factors(left, right)) {
        return Some(format!("write `{left}*{right}` for a product"));
    }
    let names = names();
    nearest(name, names.iter().map(String::as_str)).map(|known| format!("did you mean `{known}`?"))
}

/// Checks whether two names form a product: `Nm` is newton and metre, but `kgg` and `krad` are not products.
fn are_factors(left: &str, right: &str) -> bool {
    match (find(left), find(right)) {
        (Some((left, _)), Some((right, _))) => left != right && !left.is_none() && !right.is_none(),
        _ => false,
    }
}

/// Lists all names: first those without prefix, then those with a prefix.
fn names() -> Vec<String> {
    let plain = UNITS.iter().map(|unit| unit.name.to_owned());
    let prefixed = PREFIXES.iter().filter(|(prefix, ..)| prefix.is_ascii()).flat_map(|(prefix, ..)| {
        UNITS.iter().filter(|unit| takes(unit, prefix)).map(move |unit| format!("{prefix}{}", unit.name))
    });
    plain.chain(prefixed).collect()
}
