//! Numbers with derivatives of any order: nested dual numbers whose depth is chosen at run time.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number with nilpotent parts e_1, e_2 ..., each with e_i^2 = 0: 2^k coefficients for k parts, those with e_k
/// in the second half; further parts are zero. The coefficient of e_1 e_2 is a mixed second derivative, and so on.
#[derive(Debug, Clone, PartialEq)]
pub struct Jet(Vec<f64>);

/// A function of one number, with its derivative.
pub struct Smooth {
    value: fn(f64) -> f64,
    slope: fn(&Jet) -> Jet,
}

impl Jet {
    /// Makes a number without derivatives.
    pub fn constant(value: f64) -> Jet {
        Jet(vec![value])
    }

    /// Joins `value + derivative e`, where e is the part after the first `order` ones, which both numbers consist of.
    pub fn joined(value: &Jet, derivative: &Jet, order: usize) -> Jet {
        if derivative.0.iter().all(|part| *part == 0.0) {
            return value.clone();
        }
        let mut coefficients = vec![0.0; 2 << order];
        coefficients[..value.0.len()].copy_from_slice(&value.0);
        coefficients[1 << order..][..derivative.0.len()].copy_from_slice(&derivative.0);
        Jet(coefficients)
    }

    /// Returns the derivative with respect to the part after the first `order` ones, which must be the last one.
    pub fn part(&self, order: usize) -> Jet {
        if self.0.len() == 2 << order { self.high() } else { Jet::constant(0.0) }
    }

    /// Returns the number without derivatives.
    pub fn value(&self) -> f64 {
        self.0[0]
    }

    fn is_constant(&self) -> bool {
        self.0[1..].iter().all(|part| *part == 0.0)
    }

    /// Returns the number of parts.
    fn order(&self) -> usize {
        self.0.len().ilog2() as usize
    }

    /// Returns the number without the last part.
    fn low(&self) -> Jet {
        Jet(self.0[..self.0.len() / 2].to_vec())
    }

    /// Returns the derivative with respect to the last part.
    fn high(&self) -> Jet {
        Jet(self.0[self.0.len() / 2..].to_vec())
    }

    /// Returns the number without, and its derivative with respect to, the last part that this or the other number has.
    fn split(&self, other: &Jet) -> (Jet, Jet) {
        if self.0.len() < other.0.len() { (self.clone(), Jet::constant(0.0)) } else { (self.low(), self.high()) }
    }

    /// Evaluates f(self) by the chain rule. A last part of zero stays zero, even where the slope is infinite.
    fn chain(&self, value: &dyn Fn(&Jet) -> Jet, slope: &dyn Fn(&Jet) -> Jet) -> Jet {
        let (low, high) = (self.low(), self.high());
        if high.0.iter().all(|part| *part == 0.0) {
            return value(&low);
        }
        Jet::joined(&value(&low), &(&slope(&low) * &high), low.order())
    }

    /// Evaluates a smooth function of this number.
    pub fn apply(&self, function: &Smooth) -> Jet {
        match self.0[..] {
            [value] => Jet(vec![(function.value)(value)]),
            _ => self.chain(&|low| low.apply(function), &function.slope),
        }
    }

    /// Evaluates a whole power, of any base.
    pub fn whole_power(&self, exponent: i32) -> Jet {
        match self.0[..] {
            [value] => Jet(vec![value.powi(exponent)]),
            _ if exponent == 0 => Jet::constant(1.0),
            _ => {
                let slope = |low: &Jet| &low.whole_power(exponent - 1) * &Jet::constant(f64::from(exponent));
                self.chain(&|low| low.whole_power(exponent), &slope)
            }
        }
    }

    /// Evaluates self^exponent for a positive base; with whole exponents the base may be any number.
    pub fn power(&self, exponent: &Jet) -> Jet {
        let number = exponent.value();
        if exponent.is_constant() && number.fract() == 0.0 && number.abs() <= 64.0 {
            return self.whole_power(number as i32);
        }
        match self.0[..] {
            [base] if exponent.is_constant() => Jet::constant(base.powf(number)),
            _ if exponent.is_constant() => {
                let less = |low: &Jet| low.power(&Jet::constant(number - 1.0));
                self.chain(&|low| low.power(&Jet::constant(number)), &|low| &less(low) * &Jet::constant(number))
            }
            _ => (&self.apply(&LN) * exponent).apply(&EXP),
        }
    }

    /// Evaluates the angle of the point (x, self).
    pub fn atan2(&self, x: &Jet) -> Jet {
        match (&self.0[..], &x.0[..]) {
            ([y], [x]) => Jet(vec![y.atan2(*x)]),
            _ => {
                let ((low_y, high_y), (low_x, high_x)) = (self.split(x), x.split(self));
                let square = &(&low_y * &low_y) + &(&low_x * &low_x);
                let change = &(&low_x * &high_y) - &(&low_y * &high_x);
                Jet::joined(&low_y.atan2(&low_x), &(&change / &square), self.order().max(x.order()) - 1)
            }
        }
    }

    /// Evaluates a function of two numbers that is given by its partial derivatives of any order.
    pub fn partial(values: &dyn Fn([usize; 2], [f64; 2]) -> f64, orders: [usize; 2], x: [&Jet; 2]) -> Jet {
        if let ([x], [y]) = (&x[0].0[..], &x[1].0[..]) {
            return Jet(vec![values(orders, [*x, *y])]);
        }
        let order = x[0].order().max(x[1].order()) - 1;
        let [(low_x, high_x), (low_y, high_y)] = [x[0].split(x[1]), x[1].split(x[0])];
        let at = |orders| Jet::partial(values, orders, [&low_x, &low_y]);
        let [along_x, along_y] = [[orders[0] + 1, orders[1]], [orders[0], orders[1] + 1]].map(at);
        let change = &(&along_x * &high_x) + &(&along_y * &high_y);
        Jet::joined(&at(orders), &change, order)
    }
}

/// Returns the smooth function called `name` in the language.
pub fn smooth(name: &str) -> Option<&'static Smooth> {
    Some(match name {
        "sin" => &SIN,
        "cos" => &COS,
        "tan" => &TAN,
        "asin" => &ASIN,
        "acos" => &ACOS,
        "atan" => &ATAN,
        "sinh" => &SINH,
        "cosh" => &COSH,
        "tanh" => &TANH,
        "exp" => &EXP,
        "ln" => &LN,
        "log10" => &LOG10,
        "sqrt" => &SQRT,
        "abs" => &ABS,
        "sign" => &SIGN,
        _ => return None,
    })
}

const SIN: Smooth = Smooth { value: f64::sin, slope: |x| x.apply(&COS) };
const COS: Smooth = Smooth { value: f64::cos, slope: |x| -&x.apply(&SIN) };
const TAN: Smooth = Smooth { value: f64::tan, slope: |x| x.apply(&COS).whole_power(-2) };
const ASIN: Smooth = Smooth { value: f64::asin, slope: one_over_root };
const ACOS: Smooth = Smooth { value: f64::acos, slope: |x| -&one_over_root(x) };
const ATAN: Smooth = Smooth { value: f64::atan, slope: |x| (&Jet::constant(1.0) + &(x * x)).whole_power(-1) };
const SINH: Smooth = Smooth { value: f64::sinh, slope: |x| x.apply(&COSH) };
const COSH: Smooth = Smooth { value: f64::cosh, slope: |x| x.apply(&SINH) };
const TANH: Smooth = Smooth { value: f64::tanh, slope: |x| x.apply(&COSH).whole_power(-2) };
const EXP: Smooth = Smooth { value: f64::exp, slope: |x| x.apply(&EXP) };
const LN: Smooth = Smooth { value: f64::ln, slope: |x| x.whole_power(-1) };
const LOG10: Smooth =
    Smooth { value: f64::log10, slope: |x| &Jet::constant(std::f64::consts::LOG10_E) * &x.whole_power(-1) };
const SQRT: Smooth = Smooth { value: f64::sqrt, slope: |x| &Jet::constant(0.5) / &x.apply(&SQRT) };
const ABS: Smooth = Smooth { value: f64::abs, slope: |x| x.apply(&SIGN) };
const SIGN: Smooth = Smooth { value: sign, slope: |_| Jet::constant(0.0) };

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Evaluates 1/sqrt(1 - x^2).
fn one_over_root(x: &Jet) -> Jet {
    (&Jet::constant(1.0) - &(x * x)).apply(&SQRT).whole_power(-1)
}

impl Mul for &Jet {
    type Output = Jet;
    fn mul(self, other: &Jet) -> Jet {
        let (a, b) = if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut product = vec![0.0; a.0.len()];
        for (place, sum) in product.iter_mut().enumerate() {
            // all ways to distribute the parts over both factors
            let mut of_b = place & (b.0.len() - 1);
            loop {
                *sum += a.0[place ^ of_b] * b.0[of_b];
                if of_b == 0 {
                    break;
                }
                of_b = (of_b - 1) & place & (b.0.len() - 1);
            }
        }
        Jet(product)
    }
}

impl Div for &Jet {
    type Output = Jet;
    fn div(self, other: &Jet) -> Jet {
        if let [divisor] = other.0[..] {
            return Jet(self.0.iter().map(|a| a / divisor).collect());
        }
        let ((a, high_a), (b, high_b)) = (self.split(other), other.split(self));
        let quotient = &a / &b;
        let change = &(&high_a - &(&quotient * &high_b)) / &b;
        Jet::joined(&quotient, &change, self.order().max(other.order()) - 1)
    }
}

impl Add for &Jet {
    type Output = Jet;
    fn add(self, other: &Jet) -> Jet {
        let (a, b) = if self.0.len() < other.0.len() { (other, self) } else { (self, other) };
        let mut sum = a.clone();
        sum.0.iter_mut().zip(&b.0).for_each(|(sum, b)| *sum += b);
        sum
    }
}

impl Sub for &Jet {
    type Output = Jet;
    fn sub(self, other: &Jet) -> Jet {
        self + &-other
    }
}

impl Neg for &Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        Jet(self.0.iter().map(|a| -a).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the third derivative of x^3 sin(x) at 0.7 against the closed form.
    #[test]
    fn third_derivative() {
        let x = 0.7_f64;
        let mut jet = Jet(vec![x]);
        for order in 0..3 {
            jet = Jet::joined(&jet, &Jet::constant(1.0), order);
        }
        let found = (&jet.whole_power(3) * &jet.apply(&SIN)).high().high().high().value();
        let (sin, cos) = x.sin_cos();
        let expected = 6.0 * sin + 18.0 * x * cos - 9.0 * x * x * sin - x.powi(3) * cos;
        assert!((found - expected).abs() < 1e-14, "{found} {expected}");
    }

    #[test]
    fn slopes_against_differences() {
        for name in ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "ln", "log10"] {
            let function = smooth(name).unwrap();
            let (x, h) = (0.37, 1e-5);
            let exact = Jet(vec![x, 1.0]).apply(function).high().value();
            let difference = ((function.value)(x + h) - (function.value)(x - h)) / (2.0 * h);
            assert!((exact - difference).abs() < 1e-8, "{name}: {exact} {difference}");
        }
        let power = Jet(vec![1.3, 1.0]).power(&Jet(vec![0.4, 2.0])).high().value();
        let expected = 1.3_f64.powf(0.4) * (2.0 * 1.3_f64.ln() + 0.4 / 1.3);
        assert!((power - expected).abs() < 1e-14);
    }
}
