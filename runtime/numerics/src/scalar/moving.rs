//! Numbers along a motion.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::forwarded::assigning_operators;
use crate::scalar::Scalar;

/// A number with its first and second derivative with respect to time.
///
/// Functions evaluated with such numbers give rates and accelerations of their values along the motion of their
/// arguments, to rounding. They must not branch on their arguments ([`Scalar::branching`]) where `S` has lanes.
///
/// ```
/// use costate_numerics::scalar::{Moving, Scalar};
/// let x = Moving { value: 2.0, rate: 3.0, acceleration: 1.0 };
/// // (x^2)' = 2 x x', (x^2)'' = 2 x x'' + 2 x'^2
/// assert_eq!(x * x, Moving { value: 4.0, rate: 12.0, acceleration: 22.0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moving<S> {
    /// The value.
    pub value: S,
    /// The first derivative.
    pub rate: S,
    /// The second derivative.
    pub acceleration: S,
}

impl<S: Scalar> From<S> for Moving<S> {
    /// A number that does not change.
    #[inline]
    fn from(value: S) -> Self {
        Self { value, rate: S::constant(0.0), acceleration: S::constant(0.0) }
    }
}

impl<S: Scalar> Moving<S> {
    /// f(self) by the chain rule, from f, f' and f'' at the value.
    #[inline]
    fn chain(self, value: S, slope: S, curvature: S) -> Self {
        let acceleration = slope * self.acceleration + curvature * self.rate * self.rate;
        Self { value, rate: slope * self.rate, acceleration }
    }

    /// Joins the results of an operation on each part.
    #[inline]
    fn each(self, operation: impl Fn(S) -> S) -> Self {
        Self { value: operation(self.value), rate: operation(self.rate), acceleration: operation(self.acceleration) }
    }

    /// Joins the results of an operation on parts that correspond.
    #[inline]
    fn both(self, other: Self, operation: impl Fn(S, S) -> S) -> Self {
        Self {
            value: operation(self.value, other.value),
            rate: operation(self.rate, other.rate),
            acceleration: operation(self.acceleration, other.acceleration),
        }
    }
}

impl<S: Scalar> Add for Moving<S> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.both(other, |a, b| a + b)
    }
}

impl<S: Scalar> Sub for Moving<S> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.both(other, |a, b| a - b)
    }
}

impl<S: Scalar> Mul for Moving<S> {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let rate = self.rate * other.value + self.value * other.rate;
        let product = self.rate * other.rate;
        let acceleration = self.acceleration * other.value + (product + product) + self.value * other.acceleration;
        Self { value: self.value * other.value, rate, acceleration }
    }
}

impl<S: Scalar> Div for Moving<S> {
    type Output = Self;
    #[inline]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let rate = (self.rate - value * other.rate) / other.value;
        let product = rate * other.rate;
        let acceleration = (self.acceleration - (product + product) - value * other.acceleration) / other.value;
        Self { value, rate, acceleration }
    }
}

impl<S: Scalar> Neg for Moving<S> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.each(|part| -part)
    }
}

impl<S: Scalar> Add<f64> for Moving<S> {
    type Output = Self;
    #[inline]
    fn add(self, other: f64) -> Self {
        Self { value: self.value + other, ..self }
    }
}

impl<S: Scalar> Sub<f64> for Moving<S> {
    type Output = Self;
    #[inline]
    fn sub(self, other: f64) -> Self {
        Self { value: self.value - other, ..self }
    }
}

impl<S: Scalar> Mul<f64> for Moving<S> {
    type Output = Self;
    #[inline]
    fn mul(self, other: f64) -> Self {
        self.each(|part| part * other)
    }
}

impl<S: Scalar> Div<f64> for Moving<S> {
    type Output = Self;
    #[inline]
    fn div(self, other: f64) -> Self {
        self.each(|part| part / other)
    }
}

assigning_operators!(inline, Moving<S>, S);

impl<S: Scalar> Scalar for Moving<S> {
    type Mask = S::Mask;
    const COMPONENTS: usize = 3 * S::COMPONENTS;

    // values are those of the numbers to the bit, fused or not
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
        S::constant(value).into()
    }
    fn component(self, index: usize) -> f64 {
        let of = index % S::COMPONENTS;
        match index / S::COMPONENTS {
            0 => self.value.component(of),
            1 => self.rate.component(of),
            _ => self.acceleration.component(of),
        }
    }
    fn set_component(&mut self, index: usize, value: f64) {
        let of = index % S::COMPONENTS;
        match index / S::COMPONENTS {
            0 => self.value.set_component(of, value),
            1 => self.rate.set_component(of, value),
            _ => self.acceleration.set_component(of, value),
        }
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = self.value.sin_cos();
        (self.chain(sine, cosine, -sine), self.chain(cosine, -sine, -cosine))
    }
    fn tan(self) -> Self {
        let tangent = self.value.tan();
        let slope = tangent * tangent + 1.0;
        self.chain(tangent, slope, tangent * slope * 2.0)
    }
    fn asin(self) -> Self {
        let x = self.value;
        let slope = ((-x + 1.0) * (x + 1.0)).sqrt().recip();
        self.chain(x.asin(), slope, x * slope * slope * slope)
    }
    fn acos(self) -> Self {
        let asin = self.asin();
        Self { value: self.value.acos(), ..-asin }
    }
    fn atan(self) -> Self {
        let slope = (self.value * self.value + 1.0).recip();
        self.chain(self.value.atan(), slope, self.value * slope * slope * -2.0)
    }
    fn atan2(self, x: Self) -> Self {
        let y = self;
        let value = y.value.atan2(x.value);
        // (x y' - y x')/r^2, with sine and cosine so that r^2 can neither overflow nor vanish; r by the larger of both
        let [width, height] = [x.value.abs(), y.value.abs()];
        let larger = S::select(width.less(height), height, width);
        let [of_x, of_y] = [x.value / larger, y.value / larger];
        let radius = larger * (of_x * of_x + of_y * of_y).sqrt();
        let [cosine, sine] = [x.value / radius, y.value / radius];
        let rate = (cosine * y.rate - sine * x.rate) / radius;
        let growth = (cosine * x.rate + sine * y.rate) / radius;
        let turn = (cosine * y.acceleration - sine * x.acceleration) / radius;
        Self { value, rate, acceleration: turn - growth * rate * 2.0 }
    }
    fn sinh(self) -> Self {
        let (sine, cosine) = (self.value.sinh(), self.value.cosh());
        self.chain(sine, cosine, sine)
    }
    fn cosh(self) -> Self {
        let (sine, cosine) = (self.value.sinh(), self.value.cosh());
        self.chain(cosine, sine, cosine)
    }
    fn tanh(self) -> Self {
        let (value, slope) = (self.value.tanh(), self.value.sech_squared());
        self.chain(value, slope, value * slope * -2.0)
    }
    fn sech_squared(self) -> Self {
        let (value, tangent) = (self.value.sech_squared(), self.value.tanh());
        let slope = value * tangent * -2.0;
        self.chain(value, slope, value * value * -2.0 - tangent * slope * 2.0)
    }
    fn exp(self) -> Self {
        let value = self.value.exp();
        self.chain(value, value, value)
    }
    fn ln(self) -> Self {
        let slope = self.value.recip();
        self.chain(self.value.ln(), slope, -(slope * slope))
    }
    fn log10(self) -> Self {
        Self { value: self.value.log10(), ..self.ln() * std::f64::consts::LOG10_E }
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        let slope = S::constant(0.5) / root;
        self.chain(root, slope, -(slope / self.value * 0.5))
    }
    fn abs(self) -> Self {
        self.chain(self.value.abs(), self.value.sign(), S::constant(0.0))
    }
    fn sign(self) -> Self {
        self.value.sign().into()
    }
    fn powi(self, exponent: i32) -> Self {
        let n = f64::from(exponent);
        // no power where its factor is zero: it may be infinite. Exponents below those of `i32` do not exist, hence the
        // real power there
        let term = |factor: f64, less: i32| match exponent.checked_sub(less) {
            _ if factor == 0.0 => S::constant(0.0),
            Some(exponent) => self.value.powi(exponent) * factor,
            None => self.value.powf(S::constant(n - f64::from(less))) * factor,
        };
        self.chain(self.value.powi(exponent), term(n, 1), term(n * (n - 1.0), 2))
    }
    fn powf(self, exponent: Self) -> Self {
        let (x, y) = (self.value, exponent.value);
        let [zero, one] = [0.0, 1.0].map(S::constant);
        let is_zero = x.equal(zero);
        let value = x.powf(y);
        let power = |less: f64| x.powf(y - less);
        // x^y ln x tends to 0 with x for y > 0; a power of a negative number has an exponent that does not change
        let logarithm = S::select(zero.less(x), x.ln(), zero);
        let of_line = S::or(y.equal(zero), y.equal(one));
        let slope = S::select(S::and(is_zero, y.equal(zero)), zero, y * power(1.0));
        let curvature = S::select(S::and(is_zero, of_line), zero, y * (y - 1.0) * power(2.0));
        let mixed = S::select(is_zero, zero, power(1.0) * (y * logarithm + 1.0));
        let by_exponent = value * logarithm;
        let Self { rate, acceleration, .. } = self.chain(value, slope, curvature);
        let changes = by_exponent * exponent.acceleration
            + mixed * self.rate * exponent.rate * 2.0
            + by_exponent * logarithm * exponent.rate * exponent.rate;
        Self { value, rate: rate + by_exponent * exponent.rate, acceleration: acceleration + changes }
    }
    #[inline]
    fn less(self, other: Self) -> S::Mask {
        self.value.less(other.value)
    }
    #[inline]
    fn less_equal(self, other: Self) -> S::Mask {
        self.value.less_equal(other.value)
    }
    #[inline]
    fn equal(self, other: Self) -> S::Mask {
        self.value.equal(other.value)
    }
    #[inline]
    fn and(a: S::Mask, b: S::Mask) -> S::Mask {
        S::and(a, b)
    }
    #[inline]
    fn or(a: S::Mask, b: S::Mask) -> S::Mask {
        S::or(a, b)
    }
    #[inline]
    fn not(mask: S::Mask) -> S::Mask {
        S::not(mask)
    }
    #[inline]
    fn select(mask: S::Mask, yes: Self, no: Self) -> Self {
        yes.both(no, |yes, no| S::select(mask, yes, no))
    }
}

#[cfg(test)]
mod tests;
