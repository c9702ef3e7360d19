//! Products of sparse real matrices with complex vectors.

use nalgebra::{Complex, DVector};

use costate_numerics::linalg::SparseMatrix;

/// A complex vector.
pub type Vector = DVector<Complex<f64>>;

/// Returns A x.
pub fn times(a: &SparseMatrix, x: &Vector) -> Vector {
    let mut product = Vector::zeros(a.rows());
    a.iter().for_each(|(row, column, value)| product[row] += x[column] * value);
    product
}

/// Returns A^T x.
pub fn transposed_times(a: &SparseMatrix, x: &Vector) -> Vector {
    let mut product = Vector::zeros(a.columns());
    a.iter().for_each(|(row, column, value)| product[column] += x[row] * value);
    product
}

/// Returns y^T x without conjugation.
pub fn dot(y: &Vector, x: &Vector) -> Complex<f64> {
    y.iter().zip(x.iter()).map(|(y, x)| y * x).sum()
}

/// Returns the complex form of a real matrix times a complex vector.
pub fn real_times(a: &nalgebra::DMatrix<f64>, x: &Vector) -> Vector {
    let (re, im) = (x.map(|x| x.re), x.map(|x| x.im));
    let (re, im) = (a * re, a * im);
    Vector::from_fn(a.nrows(), |k, _| Complex::new(re[k], im[k]))
}

/// Returns a real matrix's transpose times a complex vector.
pub fn real_transposed_times(a: &nalgebra::DMatrix<f64>, x: &Vector) -> Vector {
    let (re, im) = (x.map(|x| x.re), x.map(|x| x.im));
    let (re, im) = (a.tr_mul(&re), a.tr_mul(&im));
    Vector::from_fn(a.ncols(), |k, _| Complex::new(re[k], im[k]))
}

/// x^H A x, real part; 0 where it is the rounding of its terms.
pub fn form(matrix: &SparseMatrix, x: &Vector) -> f64 {
    const ROUNDING: f64 = 64.0 * f64::EPSILON;
    let (mut sum, mut terms) = (0.0, 0.0);
    for (row, column, value) in matrix.iter() {
        let term = x[row].conj() * x[column] * value;
        sum += term.re;
        terms += term.norm();
    }
    if f64::abs(sum) <= ROUNDING * terms { 0.0 } else { sum }
}
