//! Dual numbers.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::forwarded::{assigning_operators, masks_of_one};
use crate::scalar::Scalar;

/// A number with its derivative with respect to one variable: `value + derivative * epsilon`, `epsilon^2 = 0`.
///
/// Emitted functions evaluated with dual numbers give exact directional derivatives, to rounding.
///
/// ```
/// use costate_numerics::scalar::{Dual, Scalar};
/// let x = Dual::variable(2.0);
/// assert_eq!(x * x + 1.0, Dual { value: 5.0, derivative: 4.0 });
/// assert_eq!(x.powi(3).derivative, 12.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// The derivative.
    pub derivative: f64,
}

impl Dual {
    /// The variable itself: derivative 1.
    pub const fn variable(value: f64) -> Self {
        Self { value, derivative: 1.0 }
    }

    /// f(self) by the chain rule, from f and f' at the value. Where the argument does not vary neither does the
    /// result, also where f' is infinite.
    #[inline]
    fn chain(self, value: f64, slope: f64) -> Self {
        let derivative = if self.derivative == 0.0 { 0.0 } else { slope * self.derivative };
        Self { value, derivative }
    }
}

impl Add for Dual {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, derivative: self.derivative + other.derivative }
    }
}

impl Sub for Dual {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, derivative: self.derivative - other.derivative }
    }
}

impl Mul for Dual {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let derivative = self.derivative * other.value + self.value * other.derivative;
        Self { value: self.value * other.value, derivative }
    }
}

impl Div for Dual {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, derivative: (self.derivative - value * other.derivative) / other.value }
    }
}

impl Neg for Dual {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { value: -self.value, derivative: -self.derivative }
    }
}

impl Add<f64> for Dual {
    type Output = Self;
    #[inline]
    fn add(self, other: f64) -> Self {
        Self { value: self.value + other, ..self }
    }
}

impl Sub<f64> for Dual {
    type Output = Self;
    #[inline]
    fn sub(self, other: f64) -> Self {
        Self { value: self.value - other, ..self }
    }
}

impl Mul<f64> for Dual {
    type Output = Self;
    #[inline]
    fn mul(self, other: f64) -> Self {
        Self { value: self.value * other, derivative: self.derivative * other }
    }
}

impl Div<f64> for Dual {
    type Output = Self;
    #[inline]
    fn div(self, other: f64) -> Self {
        Self { value: self.value / other, derivative: self.derivative / other }
    }
}

assigning_operators!(inline, Dual);

impl Scalar for Dual {
    type Mask = bool;
    const COMPONENTS: usize = 2;

    // values are those of plain numbers to the bit, fused or not
    #[inline]
    fn plus_product(self, a: Self, b: Self) -> Self {
        Self { value: self.value.plus_product(a.value, b.value), ..self + a * b }
    }
    #[inline]
    fn minus_product(self, a: Self, b: Self) -> Self {
        Self { value: self.value.minus_product(a.value, b.value), ..self - a * b }
    }
    #[inline]
    fn constant(value: f64) -> Self {
        Self { value, derivative: 0.0 }
    }
    #[inline]
    fn component(self, index: usize) -> f64 {
        if index == 0 { self.value } else { self.derivative }
    }
    #[inline]
    fn set_component(&mut self, index: usize, value: f64) {
        if index == 0 {
            self.value = value;
        } else {
            self.derivative = value;
        }
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.value.sin_cos();
        (self.chain(sine, cosine), self.chain(cosine, -sine))
    }
    fn tan(self) -> Self {
        let tangent = self.value.tan();
        self.chain(tangent, 1.0 + tangent * tangent)
    }
    fn asin(self) -> Self {
        self.chain(self.value.asin(), 1.0 / ((1.0 - self.value) * (1.0 + self.value)).sqrt())
    }
    fn acos(self) -> Self {
        self.chain(self.value.acos(), -1.0 / ((1.0 - self.value) * (1.0 + self.value)).sqrt())
    }
    fn atan(self) -> Self {
        self.chain(self.value.atan(), 1.0 / (1.0 + self.value * self.value))
    }
    fn atan2(self, x: Self) -> Self {
        let value = self.value.atan2(x.value);
        if self.derivative == 0.0 && x.derivative == 0.0 {
            return Self::constant(value);
        }
        // (x y' - y x')/r^2, divided by r twice so that r^2 can neither overflow nor vanish
        let radius = self.value.hypot(x.value);
        let (sine, cosine) = (self.value / radius, x.value / radius);
        Self { value, derivative: (cosine * self.derivative - sine * x.derivative) / radius }
    }
    fn sinh(self) -> Self {
        self.chain(self.value.sinh(), self.value.cosh())
    }
    fn cosh(self) -> Self {
        self.chain(self.value.cosh(), self.value.sinh())
    }
    fn tanh(self) -> Self {
        self.chain(self.value.tanh(), self.value.sech_squared())
    }
    fn sech_squared(self) -> Self {
        let value = self.value.sech_squared();
        self.chain(value, -2.0 * self.value.tanh() * value)
    }
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, value)
    }
    fn ln(self) -> Self {
        self.chain(self.value.ln(), 1.0 / self.value)
    }
    fn log10(self) -> Self {
        self.chain(self.value.log10(), std::f64::consts::LOG10_E / self.value)
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }
    #[inline]
    fn abs(self) -> Self {
        self.chain(self.value.abs(), Scalar::sign(self.value))
    }
    #[inline]
    fn sign(self) -> Self {
        Self::constant(Scalar::sign(self.value))
    }
    fn powi(self, exponent: i32) -> Self {
        if exponent == 0 {
            return Self::constant(1.0);
        }
        // the exponent below i32::MIN does not exist, hence the real power there
        let lower = exponent
            .checked_sub(1)
            .map_or_else(|| self.value.powf(f64::from(exponent) - 1.0), |lower| self.value.powi(lower));
        self.chain(self.value.powi(exponent), f64::from(exponent) * lower)
    }
    fn powf(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        let slope = if exponent.value == 0.0 { 0.0 } else { exponent.value * self.value.powf(exponent.value - 1.0) };
        let mut power = self.chain(value, slope);
        // x^y ln x tends to 0 with x for y > 0, although ln x does not exist at 0
        if exponent.derivative != 0.0 && !(self.value == 0.0 && exponent.value > 0.0) {
            power.derivative += value * self.value.ln() * exponent.derivative;
        }
        power
    }
    #[inline]
    fn less(self, other: Self) -> bool {
        self.value < other.value
    }
    #[inline]
    fn less_equal(self, other: Self) -> bool {
        self.value <= other.value
    }
    #[inline]
    fn equal(self, other: Self) -> bool {
        self.value == other.value
    }
    masks_of_one!();
}

#[cfg(test)]
mod tests;
