//! Complex dual numbers, and linear algebra with them.

use std::ops::{Add, Div, Mul, Neg, Sub};

use costate_numerics::scalar::Dual;
use costate_vibration::Complex;

/// A complex number with its derivative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    pub value: Complex<f64>,
    pub change: Complex<f64>,
}

impl Number {
    pub const ZERO: Self = Self { value: Complex::new(0.0, 0.0), change: Complex::new(0.0, 0.0) };

    pub fn constant(value: Complex<f64>) -> Self {
        Self { value, ..Self::ZERO }
    }

    pub fn conjugate(self) -> Self {
        Self { value: self.value.conj(), change: self.change.conj() }
    }

    /// The root of a number that is real and positive.
    pub fn root(self) -> Self {
        let value = Complex::new(self.value.re.sqrt(), 0.0);
        Self { value, change: self.change / (value * 2.0) }
    }

    /// The size as a real number.
    pub fn size(self) -> Self {
        (self * self.conjugate()).root()
    }
}

impl From<Dual> for Number {
    fn from(dual: Dual) -> Self {
        Self { value: Complex::new(dual.value, 0.0), change: Complex::new(dual.derivative, 0.0) }
    }
}

impl Add for Number {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, change: self.change + other.change }
    }
}

impl Sub for Number {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, change: self.change - other.change }
    }
}

impl Mul for Number {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let change = self.change * other.value + self.value * other.change;
        Self { value: self.value * other.value, change }
    }
}

impl Div for Number {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, change: (self.change - value * other.change) / other.value }
    }
}

impl Neg for Number {
    type Output = Self;
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

/// A matrix by rows.
pub type Matrix = Vec<Vec<Number>>;

pub fn zeros(rows: usize, columns: usize) -> Matrix {
    vec![vec![Number::ZERO; columns]; rows]
}

pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = b.first().map_or(0, Vec::len);
    let entry = |row: &Vec<Number>, column: usize| {
        row.iter().zip(b).fold(Number::ZERO, |sum, (&one, other)| sum + one * other[column])
    };
    a.iter().map(|row| (0..columns).map(|column| entry(row, column)).collect()).collect()
}

pub fn sum(a: &Matrix, b: &Matrix) -> Matrix {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(&a, &b)| a + b).collect()).collect()
}

pub fn times(a: &Matrix, x: &[Number]) -> Vec<Number> {
    a.iter().map(|row| row.iter().zip(x).fold(Number::ZERO, |sum, (&a, &x)| sum + a * x)).collect()
}

/// Solves A x = b by Gaussian elimination, rows scaled and exchanged.
pub fn solve(mut a: Matrix, mut b: Vec<Number>) -> Vec<Number> {
    let size = b.len();
    for (row, right) in a.iter_mut().zip(&mut b) {
        let largest = row.iter().fold(0.0_f64, |most, entry| most.max(entry.value.norm()));
        let scale = Number::constant(Complex::new(1.0 / largest, 0.0));
        row.iter_mut().for_each(|entry| *entry = *entry * scale);
        *right = *right * scale;
    }
    for pivot in 0..size {
        let size_of = |row: usize| a[row][pivot].value.norm();
        let best = (pivot..size).max_by(|&one, &other| size_of(one).total_cmp(&size_of(other))).unwrap();
        a.swap(pivot, best);
        b.swap(pivot, best);
        let (own, right) = (a[pivot].clone(), b[pivot]);
        for row in pivot + 1..size {
            let factor = a[row][pivot] / own[pivot];
            (pivot..size).for_each(|column| a[row][column] = a[row][column] - factor * own[column]);
            b[row] = b[row] - factor * right;
        }
    }
    for row in (0..size).rev() {
        let known = (row + 1..size).fold(Number::ZERO, |sum, column| sum + a[row][column] * b[column]);
        b[row] = (b[row] - known) / a[row][row];
    }
    b
}
