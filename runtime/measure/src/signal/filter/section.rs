//! Second-order sections.

use std::ops::{AddAssign, Mul, Sub};

use costate_numerics::fourier::Complex;

/// A section `(b0 + b1 z^-1 + b2 z^-2)/(1 + a1 z^-1 + a2 z^-2)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Section {
    pub b: [f64; 3],
    pub a: [f64; 2],
}

impl Section {
    /// Evaluates the section at `z = exp(i turn)`.
    pub fn response(&self, turn: f64) -> Complex<f64> {
        let delay = Complex::from_polar(1.0, -turn);
        self.at(delay)
    }

    /// Evaluates the section at `z^-1 = delay`.
    pub fn at(&self, delay: Complex<f64>) -> Complex<f64> {
        let ([b0, b1, b2], [a1, a2]) = (self.b, self.a);
        (delay * (delay * b2 + b1) + b0) / (delay * (delay * a2 + a1) + 1.0)
    }

    /// Returns the two states in which a constant input of 1 has a constant output, and that output.
    pub fn steady(&self) -> ([f64; 2], f64) {
        let ([b0, b1, b2], [a1, a2]) = (self.b, self.a);
        let output = (b0 + b1 + b2) / (1.0 + a1 + a2);
        let second = b2 - a2 * output;
        ([b1 - a1 * output + second, second], output)
    }

    /// Runs over the values in place, from these states.
    pub fn run<'v, V: 'v + Linear>(&self, values: impl Iterator<Item = &'v mut V>, states: [V; 2]) {
        let ([b0, b1, b2], [a1, a2]) = (self.b, self.a);
        let [mut first, mut second] = states;
        for value in values {
            let input = *value;
            let mut output = input * b0;
            output += first;
            first = input * b1 - output * a1;
            first += second;
            second = input * b2 - output * a2;
            *value = output;
        }
    }
}

/// Numbers that a linear map takes: those of every kind that a run has.
pub trait Linear: Copy + Default + AddAssign + Sub<Output = Self> + Mul<f64, Output = Self> {}

impl<V: Copy + Default + AddAssign + Sub<Output = V> + Mul<f64, Output = V>> Linear for V {}
