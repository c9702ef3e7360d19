//! The dimension of a quantity: the exponents of the seven SI base units.

use std::fmt;

use super::exponent::Exponent;

const BASE_UNITS: [&str; 7] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/// Largest exponent of a unit; larger ones are typing errors.
pub const LARGEST_EXPONENT: i32 = 12;

/// Exponents of kg, m, s, A, K, mol, cd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dimension {
    exponents: [Exponent; 7],
}

impl Dimension {
    /// Dimension of a pure number.
    pub const NONE: Dimension = Dimension { exponents: [Exponent::ZERO; 7] };
    /// Dimension of a length.
    pub const LENGTH: Dimension = Dimension::new([0, 1, 0, 0, 0, 0, 0]);
    /// Dimension of an acceleration.
    pub const ACCELERATION: Dimension = Dimension::new([0, 1, -2, 0, 0, 0, 0]);
    /// Dimension of a mass.
    pub const MASS: Dimension = Dimension::new([1, 0, 0, 0, 0, 0, 0]);
    /// Dimension of a time.
    pub const TIME: Dimension = Dimension::new([0, 0, 1, 0, 0, 0, 0]);
    /// Dimension of a frequency.
    pub const FREQUENCY: Dimension = Dimension::new([0, 0, -1, 0, 0, 0, 0]);
    /// Dimension of an angular acceleration.
    pub const FREQUENCY_SQUARED: Dimension = Dimension::new([0, 0, -2, 0, 0, 0, 0]);
    /// Dimension of an energy.
    pub const ENERGY: Dimension = Dimension::new([1, 2, -2, 0, 0, 0, 0]);

    /// Creates a dimension with whole exponents of kg, m, s, A, K, mol, cd.
    pub const fn new(exponents: [i8; 7]) -> Dimension {
        let [kg, m, s, a, k, mol, cd] = exponents;
        let exponents = [
            Exponent::whole(kg as i16),
            Exponent::whole(m as i16),
            Exponent::whole(s as i16),
            Exponent::whole(a as i16),
            Exponent::whole(k as i16),
            Exponent::whole(mol as i16),
            Exponent::whole(cd as i16),
        ];
        Dimension { exponents }
    }

    /// Checks whether this is the dimension of a pure number.
    pub fn is_none(self) -> bool {
        self == Dimension::NONE
    }

    /// Returns the exponents of kg, m, s, A, K, mol, cd.
    pub fn exponents(self) -> [Exponent; 7] {
        self.exponents
    }

    /// Checks whether all exponents are allowed in a unit.
    pub fn is_writable(self) -> bool {
        let largest = f64::from(LARGEST_EXPONENT);
        self.exponents.iter().all(|exponent| exponent.is_whole() && exponent.value().abs() <= largest)
    }

    /// Returns the dimension of a product; `None` if an exponent becomes too large.
    pub fn times(self, other: Dimension) -> Option<Dimension> {
        self.combined(other, Exponent::whole(1))
    }

    /// Returns the dimension of a quotient; `None` if an exponent becomes too large.
    pub fn over(self, other: Dimension) -> Option<Dimension> {
        self.combined(other, Exponent::whole(-1))
    }

    /// Returns the dimension of a power; `None` if an exponent becomes too large.
    pub fn power(self, exponent: Exponent) -> Option<Dimension> {
        Dimension::NONE.combined(self, exponent)
    }

    /// Returns the dimension of `self * other^exponent`.
    fn combined(self, other: Dimension, exponent: Exponent) -> Option<Dimension> {
        let mut exponents = self.exponents;
        for (sum, summand) in exponents.iter_mut().zip(other.exponents) {
            *sum = sum.plus(summand, exponent)?;
        }
        Some(Dimension { exponents })
    }

    /// Lists the factors in base units whose exponents have this sign; with whole exponents, the text is a unit of
    /// the language.
    fn factors(self, sign: i16) -> Vec<String> {
        BASE_UNITS
            .iter()
            .zip(self.exponents)
            .filter(|(_, exponent)| exponent.signum() == sign)
            .map(|(unit, exponent)| factor(unit, exponent.abs()))
            .collect()
    }
}

/// Writes `m` or `m^2`.
pub(super) fn factor(unit: &str, exponent: Exponent) -> String {
    if exponent == Exponent::whole(1) { unit.to_owned() } else { format!("{unit}^{exponent}") }
}

/// Writes `above/below` in the form of a unit.
pub(super) fn quotient(above: &[String], below: &[String]) -> String {
    let above = if above.is_empty() { "1".to_owned() } else { above.join("*") };
    match below {
        [] => above,
        [single] => format!("{above}/{single}"),
        several => format!("{above}/({})", several.join("*")),
    }
}

/// Writes the dimension in base units, e.g. `kg*m/s^2`.
impl fmt::Display for Dimension {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&quotient(&self.factors(1), &self.factors(-1)))
    }
}
