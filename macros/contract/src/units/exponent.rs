//! Exponents of units: whole numbers, and fractions under roots.

use std::fmt;

/// A fraction in lowest terms, with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Exponent {
    numerator: i16,
    denominator: i16,
}

impl Default for Exponent {
    fn default() -> Self {
        Exponent::ZERO
    }
}

impl Exponent {
    /// 0.
    pub const ZERO: Exponent = Exponent::whole(0);
    /// 1/2.
    pub const ONE_HALF: Exponent = Exponent { numerator: 1, denominator: 2 };

    /// Creates a whole number.
    pub const fn whole(numerator: i16) -> Exponent {
        Exponent { numerator, denominator: 1 }
    }

    /// Returns the fraction that is equal to `value` within double precision; `None` if there is no simple one.
    pub fn from_number(value: f64) -> Option<Exponent> {
        /// Largest denominator of a power that is written as a decimal number; with larger ones, the number is not
        /// meant as a fraction.
        const MAX_DENOMINATOR: i16 = 1000;
        (1..=MAX_DENOMINATOR).find_map(|denominator| {
            let numerator = value * f64::from(denominator);
            let whole = numerator.round();
            let near = (numerator - whole).abs() <= 4.0 * f64::EPSILON * whole.abs().max(1.0);
            let fits = near && whole.abs() <= f64::from(i16::MAX);
            // In range: a cast to an integer does not truncate.
            fits.then(|| Exponent::reduced(whole as i64, i64::from(denominator))).flatten()
        })
    }

    fn reduced(numerator: i64, denominator: i64) -> Option<Exponent> {
        let (mut divisor, mut rest) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let divisor = i64::try_from(divisor).ok()?.max(1);
        let numerator = i16::try_from(numerator / divisor).ok()?;
        let denominator = i16::try_from(denominator / divisor).ok()?;
        Some(Exponent { numerator, denominator })
    }

    /// Returns `self + factor other`; `None` if the result becomes too large.
    pub fn plus(self, other: Exponent, factor: Exponent) -> Option<Exponent> {
        let [a, b] = [self.numerator, self.denominator].map(i64::from);
        let numerator = i64::from(other.numerator) * i64::from(factor.numerator);
        let denominator = i64::from(other.denominator) * i64::from(factor.denominator);
        Exponent::reduced(a * denominator + numerator * b, b * denominator)
    }

    /// Returns the sign: 1, 0 or -1.
    pub fn signum(self) -> i16 {
        self.numerator.signum()
    }

    /// Returns the absolute value.
    pub fn abs(self) -> Exponent {
        Exponent { numerator: self.numerator.saturating_abs(), ..self }
    }

    /// Checks whether this is a whole number.
    pub fn is_whole(self) -> bool {
        self.denominator == 1
    }

    /// Returns the value as a number.
    pub fn value(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

/// Writes `2` or `(1/2)`.
impl fmt::Display for Exponent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(formatter, "{}", self.numerator),
            denominator => write!(formatter, "({}/{denominator})", self.numerator),
        }
    }
}
