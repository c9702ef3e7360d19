//! Units as text: units of the language, and their spellings in headings of measured data.
//!
//! Besides `N*s/m^2`, data may have `N·s/m²`, `N s/m2`, `Nm`, `m s^-2`, `m/s**2`, `°/s`, `%`, `Ω`, `U/min`, `-` or
//! `sec`.

use super::names::{base, find, meant, remedy};
use super::{Dimension, Exponent, LARGEST_EXPONENT, Scale};

/// Spellings in data that the language does not have, and their meanings.
const SPELLINGS: [(&str, &str); 10] = [
    ("°", "deg"),
    ("º", "deg"),
    ("˚", "deg"),
    ("%", "percent"),
    ("Ω", "ohm"),
    ("\u{2126}", "ohm"),
    ("U", "rev"),
    ("Upm", "rpm"),
    ("RPM", "rpm"),
    ("Rpm", "rpm"),
];

/// Units that form a product with a name directly before them: `Nm`, `kWh`.
const BEHIND: [&str; 6] = ["mm", "cm", "m", "s", "h", "rad"];

/// A unit that was read, with the properties that a comparison of units needs besides dimension and scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    pub dimension: Dimension,
    /// Factor to SI base units; `g` is gram.
    pub scale: Scale,
    /// Exponent of the units of angles: `rad`, `deg`, `rev` and `rpm`.
    pub angles: i32,
    /// Exponent of `Hz`.
    pub cycles: i32,
    /// Exponent of `g`, without a prefix or with a prefix that is also used with gravity.
    pub grams: i32,
    /// True if the unit counts revolutions: `rev`, `rpm`.
    pub turns: bool,
    /// True if the unit contains `min`.
    pub minutes: bool,
}

impl Reading {
    const ONE: Reading = Reading {
        dimension: Dimension::NONE,
        scale: Scale::ONE,
        angles: 0,
        cycles: 0,
        grams: 0,
        turns: false,
        minutes: false,
    };

    fn named(name: &str) -> Option<Reading> {
        let (dimension, scale) = find(name)?;
        let base = base(name)?;
        let turns = matches!(base, "rev" | "rpm");
        Some(Reading {
            dimension,
            scale,
            angles: i32::from(turns || matches!(base, "rad" | "deg")),
            cycles: i32::from(base == "Hz"),
            grams: i32::from(matches!(name, "g" | "mg" | "ug" | "\u{b5}g" | "\u{3bc}g")),
            turns,
            minutes: name == "min",
        })
    }

    /// Returns `self * other^exponent`; `None` beyond the limits.
    fn times(self, other: Reading, exponent: i32) -> Option<Reading> {
        if exponent.abs() > LARGEST_EXPONENT {
            return None;
        }
        // The exponent is small, so that the cast does not truncate.
        let dimension = self.dimension.times(other.dimension.power(Exponent::whole(exponent as i16))?)?;
        let scale = self.scale.times(other.scale.power(exponent));
        let sum = |own: i32, other: i32| own.checked_add(other.checked_mul(exponent)?);
        let reading = Reading {
            dimension,
            scale,
            angles: sum(self.angles, other.angles)?,
            cycles: sum(self.cycles, other.cycles)?,
            grams: sum(self.grams, other.grams)?,
            turns: self.turns || other.turns,
            minutes: self.minutes || other.minutes,
        };
        (dimension.is_writable() && scale.is_valid()).then_some(reading)
    }
}

/// Reads a unit.
///
/// # Errors
/// Proposal of what to write instead.
pub(super) fn read(text: &str) -> Result<Reading, String> {
    /// Largest number of characters of a unit.
    const MAX_CHARACTERS: usize = 100;
    let text = text.trim();
    if text.chars().count() > MAX_CHARACTERS {
        return Err("it is too long; write SI units, e.g. `N*s/m`".to_owned());
    }
    if text.is_empty() || matches!(text, "-" | "\u{2013}" | "\u{2212}" | "--") {
        return Ok(Reading::ONE);
    }
    if let Some(remedy) = refused(text) {
        return Err(remedy);
    }
    let characters: Vec<char> = text.replace("**", "^").chars().map(usual).collect();
    // A point is a product, except in a number.
    let decimal = |at: usize| characters.get(at + 1).is_some_and(|next| digit(*next).is_some());
    let point = |(at, c): (usize, &char)| if *c == '.' && !decimal(at) { '*' } else { *c };
    let characters: Vec<char> = characters.iter().enumerate().map(point).collect();
    let mut reader = Reader { characters: &characters, at: 0, depth: 0 };
    let reading = reader.product()?;
    match reader.peek() {
        None => Ok(reading),
        Some(other) => Err(format!("`{other}` has no place there; units are joined by `*`, `/` and `^`")),
    }
}

/// Returns the reason against units with a zero of their own, and against text that is not a unit of SI.
fn refused(text: &str) -> Option<String> {
    if text.to_ascii_lowercase().starts_with("db") {
        return Some(
            "decibels have no unit; convert them to amplitudes, 10^(dB/20) times the reference, and write the \
             reference's unit"
                .to_owned(),
        );
    }
    let bare: String = text.chars().filter(|c| !matches!(c, ' ' | '_' | '°' | 'º' | '˚')).collect();
    let bare = bare.strip_prefix("deg").unwrap_or(&bare);
    let marked = bare.len() < text.len() || matches!(text, "\u{2103}" | "\u{2109}");
    match bare {
        "C" | "\u{2103}" if marked => {
            Some("its zero is not that of `K`; add 273.15 to the values and write `K`".to_owned())
        }
        "F" | "\u{2109}" if marked => {
            Some("its zero is not that of `K`; convert the values to kelvin and write `K`".to_owned())
        }
        _ => None,
    }
}

/// Replaces characters that look alike by one of them.
fn usual(character: char) -> char {
    match character {
        '·' | '⋅' | '∙' | '•' | '×' => '*',
        '\u{2212}' | '\u{2013}' | '⁻' => '-',
        '÷' | '\u{2215}' | '\u{2044}' => '/',
        other if other.is_whitespace() => ' ',
        other => other,
    }
}

/// Returns the value of a digit, which may be raised.
fn digit(character: char) -> Option<i32> {
    let raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = character.to_digit(10).or_else(|| Some(raised.iter().position(|c| *c == character)? as u32));
    digit.and_then(|digit| i32::try_from(digit).ok())
}

struct Reader<'a> {
    characters: &'a [char],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn skip_blanks(&mut self) -> bool {
        let start = self.at;
        while self.peek() == Some(' ') {
            self.at += 1;
        }
        self.at > start
    }

    fn product(&mut self) -> Result<Reading, String> {
        let mut product = self.power(Reading::ONE, 1)?;
        let mut divided = false;
        loop {
            let blank = self.skip_blanks();
            match self.peek() {
                Some('*') => {
                    self.at += 1;
                    product = self.power(product, 1)?;
                }
                Some('/') => {
                    self.at += 1;
                    divided = true;
                    product = self.power(product, -1)?;
                }
                Some(next) if blank && (starts_name(next) || next == '(') => {
                    if divided {
                        return Err("a blank after `/` has two meanings; write `*` and parentheses, as in \
                                    `N/(m*s)`"
                            .to_owned());
                    }
                    product = self.power(product, 1)?;
                }
                _ => return Ok(product),
            }
        }
    }

    /// Reads a power, and returns `product` times the power, or divided by it if `sign` is -1.
    fn power(&mut self, product: Reading, sign: i32) -> Result<Reading, String> {
        self.skip_blanks();
        let base = self.factor()?;
        let exponent = self.exponent()?;
        let product = product.times(base, sign * exponent);
        product.ok_or_else(|| format!("its exponents exceed {LARGEST_EXPONENT} or its factor is too large"))
    }

    fn factor(&mut self) -> Result<Reading, String> {
        /// Largest depth of nested parentheses.
        const MAX_DEPTH: usize = 8;
        match self.peek() {
            Some('(') => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err("it has too many parentheses in each other".to_owned());
                }
                self.at += 1;
                let inner = self.product()?;
                self.skip_blanks();
                if self.peek() != Some(')') {
                    return Err("a `)` is missing".to_owned());
                }
                self.at += 1;
                self.depth -= 1;
                Ok(inner)
            }
            Some('1') if self.characters.get(self.at + 1).is_none_or(|next| digit(*next).is_none()) => {
                self.at += 1;
                Ok(Reading::ONE)
            }
            Some(other) if digit(other).is_some() => {
                Err("a unit has no factors but 1; write the factor into the values".to_owned())
            }
            Some(other) if starts_name(other) => {
                let start = self.at;
                while self.peek().is_some_and(starts_name) {
                    self.at += 1;
                }
                let name: String = self.characters[start..self.at].iter().collect();
                named(&name)
            }
            Some(other) => Err(format!("`{other}` has no place there; write SI units, e.g. `N*s/m`")),
            None => Err("a unit is missing at its end".to_owned()),
        }
    }

    /// Reads `^2`, `^-2`, `^(-2)`, `²`, or `2` and `-2` right after a name; 1 if there is no exponent.
    fn exponent(&mut self) -> Result<i32, String> {
        let start = self.at;
        let raised = self.peek() == Some('^');
        self.at += usize::from(raised);
        let parentheses = raised && self.peek() == Some('(');
        self.at += usize::from(parentheses);
        let negative = self.peek() == Some('-');
        self.at += usize::from(negative || self.peek() == Some('+'));
        let mut digits: Option<i32> = None;
        while let Some(next) = self.peek().and_then(digit) {
            // Larger exponents are refused in any case, and the number must not overflow.
            digits = Some((digits.unwrap_or(0) * 10 + next).min(1000));
            self.at += 1;
        }
        let closed = !parentheses || self.peek() == Some(')');
        self.at += usize::from(parentheses && closed);
        match digits {
            Some(digits) if closed && (raised || digits != 0) => Ok(if negative { -digits } else { digits }),
            None if !raised && self.at == start => Ok(1),
            _ => Err("an exponent is no whole number; write e.g. `m^2`".to_owned()),
        }
    }
}

fn starts_name(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '°' | 'º' | '˚' | '%' | '_' | '\u{b5}')
}

/// Reads a name of the language, a name common elsewhere, or several names that are written as one.
fn named(name: &str) -> Result<Reading, String> {
    /// Largest number of characters of a product without operators.
    const MAX_GLUED_CHARACTERS: usize = 8;
    let spelt = SPELLINGS.iter().find(|(spelling, _)| *spelling == name).map(|(_, meant)| *meant);
    if let Some(reading) = Reading::named(spelt.unwrap_or(name)) {
        return Ok(reading);
    }
    if let Some(meant) = meant(name) {
        return read(meant);
    }
    if let Some(rest) = name.strip_suffix(['Ω', '\u{2126}'])
        && let Some(reading) = Reading::named(&format!("{rest}ohm"))
    {
        return Ok(reading);
    }
    if matches!(name.trim_start_matches(['°', 'º', '˚', '_']), "C" | "degC") {
        return Err("differences in degrees Celsius are those in kelvin; write `K`".to_owned());
    }
    let short = name.chars().count() <= MAX_GLUED_CHARACTERS;
    let remedy = || remedy(name).unwrap_or_else(|| "write SI units, e.g. `N*s/m`".to_owned());
    let product = if short { glued(name) } else { None };
    product.ok_or_else(|| format!("`{name}` is not known; {}", remedy()))
}

/// Reads products without an operator: `Nm`, `Nms`, `kWh`.
fn glued(name: &str) -> Option<Reading> {
    BEHIND.iter().find_map(|behind| {
        let front = name.strip_suffix(behind)?;
        let first = Reading::named(front).or_else(|| glued(front))?;
        let second = Reading::named(behind)?;
        let are_factors = !first.dimension.is_none() && first.dimension != second.dimension;
        if are_factors { first.times(second, 1) } else { None }
    })
}
