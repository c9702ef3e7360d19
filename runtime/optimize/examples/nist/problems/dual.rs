//! Numbers that carry their derivative along one direction.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value and its derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// The derivative.
    pub slope: f64,
}

impl Dual {
    /// A number that does not depend on the parameters.
    pub fn constant(value: f64) -> Self {
        Self { value, slope: 0.0 }
    }

    /// f(self), with f and f' at its value.
    fn through(self, value: f64, derivative: f64) -> Self {
        Self { value, slope: derivative * self.slope }
    }

    /// The exponential.
    pub fn exp(self) -> Self {
        let value = self.value.exp();
        self.through(value, value)
    }

    /// The natural logarithm.
    pub fn ln(self) -> Self {
        self.through(self.value.ln(), self.value.recip())
    }

    /// The sine.
    pub fn sin(self) -> Self {
        self.through(self.value.sin(), self.value.cos())
    }

    /// The cosine.
    pub fn cos(self) -> Self {
        self.through(self.value.cos(), -self.value.sin())
    }

    /// The arc tangent.
    pub fn atan(self) -> Self {
        self.through(self.value.atan(), (1.0 + self.value * self.value).recip())
    }

    /// The square root.
    pub fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        self.through(value, 0.5 / value)
    }

    /// The power with an integer.
    pub fn powi(self, exponent: i32) -> Self {
        let derivative = if exponent == 0 { 0.0 } else { f64::from(exponent) * self.value.powi(exponent - 1) };
        self.through(self.value.powi(exponent), derivative)
    }

    /// The power with a number that depends on the parameters as well, of a positive base.
    pub fn powd(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        let relative = exponent.value * self.slope / self.value + exponent.slope * self.value.ln();
        Self { value, slope: value * relative }
    }
}

impl Neg for Dual {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, slope: -self.slope }
    }
}

impl Add for Dual {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, slope: self.slope + other.slope }
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, slope: self.slope - other.slope }
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let slope = self.slope * other.value + self.value * other.slope;
        Self { value: self.value * other.value, slope }
    }
}

impl Div for Dual {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, slope: (self.slope - value * other.slope) / other.value }
    }
}

/// The operators with a constant on either side.
macro_rules! with_constants {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator<f64> for Dual {
            type Output = Dual;

            fn $method(self, other: f64) -> Dual {
                self.$method(Dual::constant(other))
            }
        }

        impl $operator<Dual> for f64 {
            type Output = Dual;

            fn $method(self, other: Dual) -> Dual {
                Dual::constant(self).$method(other)
            }
        }
    )*};
}

with_constants!(Add add, Sub sub, Mul mul, Div div);
