//! Numbers with second derivatives: dual numbers of dual numbers, independent of everything that the library
//! differentiates.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use costate::model::{Dual, Scalar};

/// A number with its derivatives with respect to two variables and the mixed one: `value.derivative`,
/// `derivative.value`, `derivative.derivative`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HyperDual {
    /// The number and its derivative with respect to the first variable.
    pub value: Dual,
    /// The derivative of both with respect to the second variable.
    pub derivative: Dual,
}

impl HyperDual {
    /// The first variable.
    pub fn first(value: f64) -> Self {
        Self { value: Dual::variable(value), derivative: Dual::default() }
    }

    /// The second variable.
    pub fn second(value: f64) -> Self {
        Self { value: Dual::constant(value), derivative: Dual::constant(1.0) }
    }

    /// The mixed second derivative.
    pub fn mixed(self) -> f64 {
        self.derivative.derivative
    }

    fn chain(self, value: Dual, slope: Dual) -> Self {
        Self { value, derivative: slope * self.derivative }
    }
}

impl Add for HyperDual {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, derivative: self.derivative + other.derivative }
    }
}

impl Sub for HyperDual {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, derivative: self.derivative - other.derivative }
    }
}

impl Mul for HyperDual {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let derivative = self.derivative * other.value + self.value * other.derivative;
        Self { value: self.value * other.value, derivative }
    }
}

impl Div for HyperDual {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, derivative: (self.derivative - value * other.derivative) / other.value }
    }
}

impl Neg for HyperDual {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, derivative: -self.derivative }
    }
}

macro_rules! with_constants {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator<f64> for HyperDual {
            type Output = Self;
            fn $method(self, other: f64) -> Self {
                $operator::$method(self, Self::constant(other))
            }
        }
    )*};
}

with_constants!(Add add, Sub sub, Mul mul, Div div);

impl AddAssign for HyperDual {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for HyperDual {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for HyperDual {
    type Mask = bool;
    const COMPONENTS: usize = 4;

    fn constant(value: f64) -> Self {
        Self { value: Dual::constant(value), derivative: Dual::default() }
    }
    fn component(self, index: usize) -> f64 {
        if index < 2 { self.value.component(index) } else { self.derivative.component(index - 2) }
    }
    fn set_component(&mut self, index: usize, value: f64) {
        if index < 2 {
            self.value.set_component(index, value);
        } else {
            self.derivative.set_component(index - 2, value);
        }
    }
    fn sin(self) -> Self {
        self.chain(self.value.sin(), self.value.cos())
    }
    fn cos(self) -> Self {
        self.chain(self.value.cos(), -self.value.sin())
    }
    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }
    fn tan(self) -> Self {
        let tangent = self.value.tan();
        self.chain(tangent, tangent * tangent + 1.0)
    }
    fn asin(self) -> Self {
        self.chain(self.value.asin(), (-(self.value * self.value) + 1.0).sqrt().recip())
    }
    fn acos(self) -> Self {
        self.chain(self.value.acos(), -(-(self.value * self.value) + 1.0).sqrt().recip())
    }
    fn atan(self) -> Self {
        self.chain(self.value.atan(), (self.value * self.value + 1.0).recip())
    }
    fn atan2(self, x: Self) -> Self {
        let square = self.value * self.value + x.value * x.value;
        let change = x.value * self.derivative - self.value * x.derivative;
        Self { value: self.value.atan2(x.value), derivative: change / square }
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
        self.chain(value, self.value.tanh() * value * -2.0)
    }
    fn exp(self) -> Self {
        self.chain(self.value.exp(), self.value.exp())
    }
    fn ln(self) -> Self {
        self.chain(self.value.ln(), self.value.recip())
    }
    fn log10(self) -> Self {
        self.chain(self.value.log10(), self.value.recip() * std::f64::consts::LOG10_E)
    }
    fn sqrt(self) -> Self {
        self.chain(self.value.sqrt(), self.value.sqrt().recip() * 0.5)
    }
    fn abs(self) -> Self {
        self.chain(self.value.abs(), self.value.sign())
    }
    fn sign(self) -> Self {
        Self { value: self.value.sign(), derivative: Dual::default() }
    }
    fn powi(self, exponent: i32) -> Self {
        if exponent == 0 {
            return Self::constant(1.0);
        }
        self.chain(self.value.powi(exponent), self.value.powi(exponent - 1) * f64::from(exponent))
    }
    fn powf(self, exponent: Self) -> Self {
        (self.ln() * exponent).exp()
    }
    fn less(self, other: Self) -> bool {
        self.value.less(other.value)
    }
    fn less_equal(self, other: Self) -> bool {
        self.value.less_equal(other.value)
    }
    fn equal(self, other: Self) -> bool {
        self.value.equal(other.value)
    }
    fn and(a: bool, b: bool) -> bool {
        a && b
    }
    fn or(a: bool, b: bool) -> bool {
        a || b
    }
    fn not(mask: bool) -> bool {
        !mask
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
}
