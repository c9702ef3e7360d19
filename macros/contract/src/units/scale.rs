//! The factor between a unit and SI base units.

/// A factor as a quotient, so that `0.5[mm]` is `0.5/1000`, rounded once, and not `0.5` times a rounded `0.001`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The factor by which a number is multiplied.
    pub numerator: f64,
    /// The divisor of the product.
    pub denominator: f64,
}

impl Scale {
    /// Scale of SI base units.
    pub const ONE: Scale = Scale { numerator: 1.0, denominator: 1.0 };

    /// Creates the quotient; common factors of whole numbers are cancelled.
    pub fn new(numerator: f64, denominator: f64) -> Scale {
        /// Integers up to here are exact in double precision.
        const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
        let whole = |value: f64| value.fract() == 0.0 && value.abs() <= MAX_EXACT;
        let (mut divisor, mut rest) = (numerator, denominator);
        if numerator == denominator && numerator != 0.0 {
            return Scale::ONE;
        }
        if !whole(divisor) || !whole(rest) {
            return Scale { numerator, denominator };
        }
        while rest != 0.0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        if divisor == 0.0 {
            return Scale { numerator, denominator };
        }
        Scale { numerator: numerator / divisor, denominator: denominator / divisor }
    }

    /// Converts `value` to SI base units.
    pub fn apply(self, value: f64) -> f64 {
        let multiplied = if self.numerator == 1.0 { value } else { value * self.numerator };
        if self.denominator == 1.0 { multiplied } else { multiplied / self.denominator }
    }

    /// Checks whether the scale leaves numbers unchanged.
    pub fn is_one(self) -> bool {
        self == Scale::ONE
    }

    /// Returns the scale of a product of units.
    pub fn times(self, other: Scale) -> Scale {
        Scale::new(self.numerator * other.numerator, self.denominator * other.denominator)
    }

    /// Returns the scale of the reciprocal of a unit.
    pub fn inverse(self) -> Scale {
        Scale { numerator: self.denominator, denominator: self.numerator }
    }

    /// Returns the scale of a power of a unit.
    pub fn power(self, exponent: i32) -> Scale {
        let base = if exponent < 0 { self.inverse() } else { self };
        (0..exponent.unsigned_abs()).fold(Scale::ONE, |product, _| product.times(base))
    }

    /// Checks that neither factor has overflowed or underflowed.
    pub fn is_valid(self) -> bool {
        [self.numerator, self.denominator].iter().all(|factor| factor.is_normal())
    }
}
