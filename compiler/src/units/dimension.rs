//! The dimension of a quantity: the exponents of the seven SI base units.

use std::fmt;

const BASE_UNITS: [&str; 7] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/// Larger exponents are slips of the pen.
pub const LARGEST_EXPONENT: i32 = 12;

/// Exponents of kg, m, s, A, K, mol, cd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dimension {
    exponents: [i8; 7],
}

impl Dimension {
    /// Of a pure number.
    pub const NONE: Dimension = Dimension { exponents: [0; 7] };

    pub const fn new(exponents: [i8; 7]) -> Dimension {
        Dimension { exponents }
    }

    pub fn is_none(self) -> bool {
        self == Dimension::NONE
    }

    /// Of a product; none if an exponent becomes too large.
    pub fn times(self, other: Dimension) -> Option<Dimension> {
        self.combined(other, 1)
    }

    /// Of a quotient; none if an exponent becomes too large.
    pub fn over(self, other: Dimension) -> Option<Dimension> {
        self.combined(other, -1)
    }

    /// Of a power; none if an exponent becomes too large.
    pub fn power(self, exponent: i32) -> Option<Dimension> {
        Dimension::NONE.combined(self, exponent)
    }

    /// `self * other^exponent`.
    fn combined(self, other: Dimension, exponent: i32) -> Option<Dimension> {
        let mut exponents = self.exponents;
        for (sum, summand) in exponents.iter_mut().zip(other.exponents) {
            let exact = i64::from(*sum) + i64::from(summand) * i64::from(exponent);
            *sum = i8::try_from(exact).ok().filter(|sum| i32::from(*sum).abs() <= LARGEST_EXPONENT)?;
        }
        Some(Dimension { exponents })
    }
}

/// In base units, e.g. `kg*m/s^2`; the text is a unit of the language itself.
impl fmt::Display for Dimension {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors = |sign: i8| -> Vec<String> {
            BASE_UNITS
                .iter()
                .zip(self.exponents)
                .filter(|(_, exponent)| exponent.signum() == sign)
                .map(|(unit, exponent)| match exponent.unsigned_abs() {
                    1 => (*unit).to_owned(),
                    exponent => format!("{unit}^{exponent}"),
                })
                .collect()
        };
        let (above, below) = (factors(1), factors(-1));
        formatter.write_str(&if above.is_empty() { "1".to_owned() } else { above.join("*") })?;
        match below.as_slice() {
            [] => Ok(()),
            [single] => write!(formatter, "/{single}"),
            several => write!(formatter, "/({})", several.join("*")),
        }
    }
}
