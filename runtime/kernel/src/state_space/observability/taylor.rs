//! Truncated Taylor series in time with dual coefficients: a function of the state that is evaluated with them gives
//! its Lie derivatives along the motion, and their derivatives in one direction.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use costate_numerics::scalar::{Dual, Scalar};

/// Number of coefficients.
pub(super) const TERMS: usize = 16;

/// sum_k c_k t^k, k < [`TERMS`].
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Taylor {
    pub coefficients: [Dual; TERMS],
}

const ZERO: Dual = Dual { value: 0.0, derivative: 0.0 };

impl Taylor {
    /// The constant `value`.
    pub fn dual(value: Dual) -> Self {
        let mut series = Self::default();
        series.coefficients[0] = value;
        series
    }

    /// t_0 + t.
    pub fn time(start: f64) -> Self {
        let mut series = Self::constant(start);
        series.coefficients[1] = Dual::constant(1.0);
        series
    }

    /// g(f) from g(f_0) and the series of g'(f), which may depend on the coefficients of g found so far.
    fn chain(self, start: Dual, mut slope: impl FnMut(&Self, usize) -> Dual) -> Self {
        let mut result = Self::dual(start);
        let mut slopes = [ZERO; TERMS];
        for k in 1..TERMS {
            slopes[k - 1] = slope(&result, k - 1);
            let mut sum = ZERO;
            for j in 1..=k {
                sum += self.coefficients[j] * slopes[k - j] * j as f64;
            }
            result.coefficients[k] = sum / k as f64;
        }
        result
    }

    /// The series of g(f) where that of g'(f) is known.
    fn integral(self, start: Dual, slope: Self) -> Self {
        self.chain(start, |_, k| slope.coefficients[k])
    }

    /// Sine and cosine, or with the sign 1 their hyperbolic counterparts.
    fn circular(self, start: (Dual, Dual), sign: f64) -> (Self, Self) {
        let (mut sine, mut cosine) = (Self::dual(start.0), Self::dual(start.1));
        for k in 1..TERMS {
            let (mut a, mut b) = (ZERO, ZERO);
            for j in 1..=k {
                let factor = self.coefficients[j] * j as f64;
                a += factor * cosine.coefficients[k - j];
                b += factor * sine.coefficients[k - j];
            }
            sine.coefficients[k] = a / k as f64;
            cosine.coefficients[k] = b * sign / k as f64;
        }
        (sine, cosine)
    }

    fn first(self) -> Dual {
        self.coefficients[0]
    }

    fn product(&self, other: &Self, k: usize) -> Dual {
        let mut sum = ZERO;
        for j in 0..=k {
            sum += self.coefficients[j] * other.coefficients[k - j];
        }
        sum
    }
}

impl Add for Taylor {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sub for Taylor {
    type Output = Self;
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl Mul for Taylor {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let mut result = Self::default();
        for k in 0..TERMS {
            result.coefficients[k] = self.product(&other, k);
        }
        result
    }
}

impl Div for Taylor {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let mut result = Self::default();
        for k in 0..TERMS {
            let mut sum = self.coefficients[k];
            for j in 0..k {
                sum -= result.coefficients[j] * other.coefficients[k - j];
            }
            result.coefficients[k] = sum / other.first();
        }
        result
    }
}

impl Neg for Taylor {
    type Output = Self;
    fn neg(mut self) -> Self {
        self.coefficients.iter_mut().for_each(|c| *c = -*c);
        self
    }
}

impl Add<f64> for Taylor {
    type Output = Self;
    fn add(mut self, other: f64) -> Self {
        self.coefficients[0] = self.coefficients[0] + other;
        self
    }
}

impl Sub<f64> for Taylor {
    type Output = Self;
    fn sub(mut self, other: f64) -> Self {
        self.coefficients[0] = self.coefficients[0] - other;
        self
    }
}

impl Mul<f64> for Taylor {
    type Output = Self;
    fn mul(mut self, other: f64) -> Self {
        self.coefficients.iter_mut().for_each(|c| *c = *c * other);
        self
    }
}

impl Div<f64> for Taylor {
    type Output = Self;
    fn div(mut self, other: f64) -> Self {
        self.coefficients.iter_mut().for_each(|c| *c = *c / other);
        self
    }
}

impl AddAssign for Taylor {
    fn add_assign(&mut self, other: Self) {
        self.coefficients.iter_mut().zip(other.coefficients).for_each(|(a, b)| *a += b);
    }
}

impl SubAssign for Taylor {
    fn sub_assign(&mut self, other: Self) {
        self.coefficients.iter_mut().zip(other.coefficients).for_each(|(a, b)| *a -= b);
    }
}

impl Scalar for Taylor {
    type Mask = bool;
    const COMPONENTS: usize = 2 * TERMS;

    fn constant(value: f64) -> Self {
        Self::dual(Dual::constant(value))
    }
    fn component(self, index: usize) -> f64 {
        self.coefficients[index / 2].component(index % 2)
    }
    fn set_component(&mut self, index: usize, value: f64) {
        self.coefficients[index / 2].set_component(index % 2, value);
    }
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    fn sin_cos(self) -> (Self, Self) {
        self.circular(self.first().sin_cos(), -1.0)
    }
    fn tan(self) -> Self {
        self.chain(self.first().tan(), |g, k| g.product(g, k) + f64::from(k == 0))
    }
    fn asin(self) -> Self {
        let slope = Self::constant(1.0) / (-(self * self) + 1.0).sqrt();
        self.integral(self.first().asin(), slope)
    }
    fn acos(self) -> Self {
        let slope = Self::constant(-1.0) / (-(self * self) + 1.0).sqrt();
        self.integral(self.first().acos(), slope)
    }
    fn atan(self) -> Self {
        self.integral(self.first().atan(), Self::constant(1.0) / (self * self + 1.0))
    }
    fn atan2(self, x: Self) -> Self {
        let square = x * x + self * self;
        let (of_y, of_x) = (self.integral(ZERO, x / square), x.integral(ZERO, -self / square));
        Self::dual(self.first().atan2(x.first())) + of_y + of_x
    }
    fn sinh(self) -> Self {
        self.circular((self.first().sinh(), self.first().cosh()), 1.0).0
    }
    fn cosh(self) -> Self {
        self.circular((self.first().sinh(), self.first().cosh()), 1.0).1
    }
    fn tanh(self) -> Self {
        // the slope is 1 - g^2, whose first coefficient would cancel
        let slope = self.first().sech_squared();
        self.chain(self.first().tanh(), |g, k| if k == 0 { slope } else { -g.product(g, k) })
    }
    fn sech_squared(self) -> Self {
        let tangent = self.tanh();
        let mut result = -(tangent * tangent);
        result.coefficients[0] = self.first().sech_squared();
        result
    }
    fn exp(self) -> Self {
        self.chain(self.first().exp(), |g, k| g.coefficients[k])
    }
    fn ln(self) -> Self {
        self.integral(self.first().ln(), Self::constant(1.0) / self)
    }
    fn log10(self) -> Self {
        self.ln() / std::f64::consts::LN_10
    }
    fn sqrt(self) -> Self {
        let mut result = Self::dual(self.first().sqrt());
        let twice = result.first() * 2.0;
        for k in 1..TERMS {
            let mut sum = self.coefficients[k];
            for j in 1..k {
                sum -= result.coefficients[j] * result.coefficients[k - j];
            }
            result.coefficients[k] = sum / twice;
        }
        result
    }
    fn abs(self) -> Self {
        if self.real() < 0.0 { -self } else { self }
    }
    fn sign(self) -> Self {
        Self::constant(self.real().sign())
    }
    fn powi(self, exponent: i32) -> Self {
        let mut result = Self::constant(1.0);
        for _ in 0..exponent.unsigned_abs() {
            result = result * self;
        }
        if exponent < 0 { Self::constant(1.0) / result } else { result }
    }
    fn powf(self, exponent: Self) -> Self {
        (self.ln() * exponent).exp()
    }
    fn less(self, other: Self) -> bool {
        self.real() < other.real()
    }
    fn less_equal(self, other: Self) -> bool {
        self.real() <= other.real()
    }
    fn equal(self, other: Self) -> bool {
        self.real() == other.real()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// 0.3 + 0.5 t, with the derivative 1 of the constant.
    fn x() -> Taylor {
        let mut x = Taylor::dual(Dual::variable(0.3));
        x.coefficients[1] = Dual::constant(0.5);
        x
    }

    /// Relative to the terms of the coefficients: the functions below have their nearest singularities at x = 0, the
    /// time -0.6, so that coefficient k grows like 0.6^-k, and its derivative by x(0) k + 1 times as fast.
    fn close(a: Taylor, b: Taylor) {
        const TOLERANCE: f64 = 2e-14;
        for k in 0..TERMS {
            let (a, b) = (a.coefficients[k], b.coefficients[k]);
            let size = 0.6_f64.powi(-(k as i32));
            let slope = (k + 1) as f64 * size / 0.3;
            let (value, derivative) = ((a.value - b.value).abs(), (a.derivative - b.derivative).abs());
            assert!(
                value < TOLERANCE * size && derivative < TOLERANCE * slope,
                "{k}: {a:?} {b:?}, {:e} {:e}",
                value / size,
                derivative / slope
            );
        }
    }

    #[test]
    fn functions_satisfy_their_identities() {
        let (x, one) = (x(), Taylor::constant(1.0));
        let (sin, cos) = x.sin_cos();
        close(sin * sin + cos * cos, one);
        close(x.tan(), sin / cos);
        close(sin.asin(), x);
        close(cos.acos(), x);
        close(x.tan().atan(), x);
        close(sin.atan2(cos), x);
        close(x.cosh() * x.cosh() - x.sinh() * x.sinh(), one);
        close(x.tanh(), x.sinh() / x.cosh());
        close(x.exp().ln(), x);
        close((x * x).sqrt(), x);
        close(x.powi(3) * x.powi(-2), x);
        close(x.powf(Taylor::constant(2.0)), x * x);
        close((-x).abs(), x);
        close((x * std::f64::consts::LN_10).exp().log10(), x);
    }

    /// 1 - tanh^2, by which the terms after the first are found, has no digits left at 30.
    #[test]
    fn tanh_is_exact_where_it_saturates() {
        let mut x = Taylor::dual(Dual::variable(30.0));
        x.coefficients[1] = Dual::constant(1.0);
        // tanh x = 1 - 2 e + 2 e^2 - .., e = exp(-2x)
        let decay = f64::exp(-60.0);
        let mut expected = -2.0 * decay;
        for k in 1..TERMS {
            expected *= -2.0 / k as f64;
            for (found, name) in [(x.tanh(), "tanh"), (x.sech_squared() * 0.5, "sech_squared")] {
                // sech^2 = 4 e - .. = 2 (1 - tanh x) in all digits
                let exact = if name == "tanh" { expected } else { -expected };
                let Dual { value, derivative } = found.coefficients[k];
                assert!((value - exact).abs() <= 1e-13 * exact.abs(), "{name} {k}: {value:e} {exact:e}");
                assert!((derivative + 2.0 * exact).abs() <= 1e-13 * exact.abs(), "{name} {k}: {derivative:e}");
            }
        }
    }

    #[test]
    fn coefficients_are_those_of_the_exponential() {
        let e = x().exp();
        let mut factorial = 1.0;
        for k in 0..TERMS {
            factorial *= (k as f64).max(1.0);
            let exact = 0.3_f64.exp() * 0.5_f64.powi(k as i32) / factorial;
            assert!((e.coefficients[k].value - exact).abs() < 1e-14);
            assert!((e.coefficients[k].derivative - exact).abs() < 1e-14);
        }
    }
}
