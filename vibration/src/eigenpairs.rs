//! Eigenvalues with their right and left vectors, of s^2 M + s D + K in independent coordinates.

use costate_equilibrium::{EquilibriumError, Minimal};
use nalgebra::{Complex, DMatrix};

use crate::contract::Description;
use crate::sparse::{Vector, dot};

/// Eigenvalues whose distance is below this part of their size are taken for one.
const SAME: f64 = 1e-6;
/// The largest residual of a vector, relative to the terms of the equations, with which it is one of an eigenvalue.
const RESIDUAL: f64 = 1e-6;

/// An eigenvalue with its vectors in independent coordinates.
#[derive(Debug, Clone)]
pub struct Eigenpair {
    pub value: Complex<f64>,
    /// (s^2 M + s D + K) x = 0.
    pub right: Vector,
    /// y^T (s^2 M + s D + K) = 0.
    pub left: Vector,
    /// Index of the group of equal eigenvalues.
    pub group: usize,
}

/// Computes the eigenvalues in 1/s, every complex pair once, by its member with a positive imaginary part.
pub fn eigenvalues(minimal: &Minimal, model: &Description) -> Result<Vec<Complex<f64>>, EquilibriumError> {
    let mut all = minimal.eigenvalues(model)?;
    for value in all.iter_mut().filter(|value| value.im.abs() <= 1e-12 * value.norm()) {
        value.im = 0.0;
    }
    all.retain(|value| value.im >= 0.0);
    let key = |value: &Complex<f64>| (value.im == 0.0 && value.re != 0.0, value.norm());
    all.sort_by(|one, other| {
        let (one, other) = (key(one), key(other));
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
    });
    Ok(all)
}

/// Computes all eigenvalues with their vectors. Of a rigid body motion, a double zero, there is one vector, and one pair.
pub fn eigenpairs(minimal: &Minimal, model: &Description) -> Result<Vec<Eigenpair>, EquilibriumError> {
    let values = eigenvalues(minimal, model)?;
    let size = values.iter().map(|value| value.norm()).fold(0.0, f64::max);
    let mut pairs: Vec<Eigenpair> = Vec::with_capacity(values.len());
    let mut group = 0;
    let mut first = 0;
    while let Some(&value) = values.get(first) {
        let is_same = |other: &&Complex<f64>| (**other - value).norm() <= SAME * value.norm();
        let count = values[first..].iter().take_while(is_same).count().max(1);
        let place = pairs.len();
        for k in 0..count {
            if let Some(pair) = eigenpair(minimal, values[first + k], &pairs[place..], size) {
                pairs.push(Eigenpair { group, ..pair });
            }
        }
        // equal eigenvalues may have fewer vectors; a single one without its vector would be a mode that is lost
        if pairs.len() == place {
            return Err(EquilibriumError::NoEigenvalues);
        }
        group += 1;
        first += count;
    }
    Ok(pairs)
}

/// Finds the vectors of an eigenvalue by inverse iteration, beside those that are `known` of the same eigenvalue.
fn eigenpair(minimal: &Minimal, value: Complex<f64>, known: &[Eigenpair], size: f64) -> Option<Eigenpair> {
    let near = |value: Complex<f64>| {
        // beside the eigenvalue itself, where the matrix is singular
        let shift = if value.norm() > 0.0 { value.norm() } else { size.max(f64::MIN_POSITIVE) };
        value + Complex::new(shift * 1e-9, shift * 0.7e-9)
    };
    let matrix = minimal.dynamic_stiffness(near(value));
    let scale = scales(minimal, if value.norm() > 0.0 { value.norm() } else { size });
    let scaled = |matrix: &DMatrix<Complex<f64>>| {
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |row, column| {
            matrix[(row, column)] * (scale[row] * scale[column])
        })
    };
    let rights: Vec<Vector> = known.iter().map(|pair| unscaled(&pair.right, &scale)).collect();
    let lefts: Vec<Vector> = known.iter().map(|pair| unscaled(&pair.left, &scale)).collect();
    let at_value = scaled(&minimal.dynamic_stiffness(value));
    let beside = scaled(&matrix);
    let right = inverse_iteration((&beside, &at_value), &rights, known.len())?;
    let left = inverse_iteration((&beside.transpose(), &at_value.transpose()), &lefts, known.len())?;
    let applied = |vector: Vector| Vector::from_fn(vector.len(), |k, _| vector[k] * scale[k]);
    let mut pair = Eigenpair { value, right: applied(right), left: applied(left), group: 0 };
    if known.is_empty() {
        improve(minimal, &mut pair);
    }
    Some(pair)
}

/// Improves a single eigenvalue by the quotient of its two vectors, whose error is the product of theirs.
fn improve(minimal: &Minimal, pair: &mut Eigenpair) {
    if pair.value.norm() == 0.0 {
        return;
    }
    for _ in 0..2 {
        let s = pair.value;
        let slope = DMatrix::from_fn(minimal.mass.nrows(), minimal.mass.ncols(), |row, column| {
            s * 2.0 * minimal.mass[(row, column)] + minimal.damping[(row, column)]
        });
        let slope = dot(&pair.left, &(slope * &pair.right));
        let change = dot(&pair.left, &(minimal.dynamic_stiffness(s) * &pair.right)) / slope;
        if change.norm().is_nan() || change.norm() > SAME * s.norm() {
            return;
        }
        pair.value = s - change;
        if s.im == 0.0 {
            pair.value.im = 0.0;
        }
    }
}

/// Returns factors that bring the largest term of every row of s^2 M + s D + K near 1.
fn scales(minimal: &Minimal, s: f64) -> Vec<f64> {
    let size = minimal.degrees_of_freedom();
    let term = |row: usize, column: usize| {
        let at = (row, column);
        (s * s * minimal.mass[at].abs()).max(s * minimal.damping[at].abs()).max(minimal.stiffness[at].abs())
    };
    let factor = |row: usize| {
        let largest = (0..size).map(|column| term(row, column)).fold(0.0, f64::max);
        if largest > 0.0 && largest.is_finite() { 1.0 / largest.sqrt() } else { 1.0 }
    };
    (0..size).map(factor).collect()
}

fn unscaled(vector: &Vector, scale: &[f64]) -> Vector {
    Vector::from_fn(vector.len(), |k, _| vector[k] / scale[k])
}

/// Solves with the matrix beside the eigenvalue, which is nearly singular, until its null vector is left, orthogonal to those that are
/// known; then turns it into that of the matrix at the eigenvalue.
fn inverse_iteration(
    (beside, at_value): (&DMatrix<Complex<f64>>, &DMatrix<Complex<f64>>),
    known: &[Vector],
    seed: usize,
) -> Option<Vector> {
    const ROUNDS: usize = 4;
    let factors = beside.clone().lu();
    // any vector that no symmetry makes orthogonal to the wanted one
    let start =
        |k: usize| Complex::new(1.0 + (0.7 * (k + 3 * seed) as f64).sin(), 0.3 * (1.3 * k as f64).cos());
    let mut vector = Vector::from_fn(beside.nrows(), |k, _| start(k));
    let basis = orthonormal(known);
    let beside_known = |mut vector: Vector| {
        for other in &basis {
            let share = other.dotc(&vector);
            vector -= other * share;
        }
        vector
    };
    for _ in 0..ROUNDS {
        vector = factors.solve(&beside_known(vector))?;
        let norm = vector.norm();
        if !(norm > 0.0 && norm.is_finite()) {
            return None;
        }
        vector.unscale_mut(norm);
    }
    let vector = beside_known(vector);
    let norm = vector.norm();
    // what is left of a vector that is not another one is rounding
    if norm <= 1e-3 {
        return None;
    }
    // residual inverse iteration: each round multiplies the error by the relative distance from the eigenvalue
    let mut vector = vector.unscale(norm);
    // the largest term of every row is near 1
    let left = (at_value * &vector).camax();
    if left.is_nan() || left > RESIDUAL * vector.camax() {
        return None;
    }
    for _ in 0..2 {
        vector -= factors.solve(&(at_value * &vector))?;
    }
    Some(vector)
}

fn orthonormal(vectors: &[Vector]) -> Vec<Vector> {
    let mut basis: Vec<Vector> = Vec::new();
    for vector in vectors {
        let mut vector = vector.clone();
        for other in &basis {
            let share = other.dotc(&vector);
            vector -= other * share;
        }
        let norm = vector.norm();
        if norm > 0.0 {
            basis.push(vector.unscale(norm));
        }
    }
    basis
}
