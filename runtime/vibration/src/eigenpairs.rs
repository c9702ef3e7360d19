//! Eigenvalues with their right and left vectors, of s^2 M + s D + K in independent coordinates.

use costate_system::equilibrium::{EquilibriumError, Minimal, Rounding, Spectrum};
use nalgebra::{Complex, DMatrix};

use costate_contract::Description;

use crate::sparse::{Vector, dot};

/// Eigenvalues whose distance is below this part of their size are taken for one.
const SAME_EIGENVALUE_DISTANCE: f64 = 1e-6;

/// An eigenvalue with its vectors in independent coordinates.
#[derive(Debug, Clone)]
pub struct Eigenpair {
    pub value: Complex<f64>,
    /// Bound of the rounding of the eigenvalue in 1/s; 0 where it is in no doubt.
    pub rounding: f64,
    /// Bound of the rounding of its real part in 1/s, beside the terms of the equations.
    pub damping_rounding: f64,
    /// (s^2 M + s D + K) x = 0.
    pub right: Vector,
    /// y^T (s^2 M + s D + K) = 0.
    pub left: Vector,
    /// Index of the group of equal eigenvalues.
    pub group: usize,
}

/// Eigenvalues of which every complex pair stands once, by its member with a positive imaginary part.
#[derive(Debug)]
pub struct Eigenvalues {
    /// The eigenvalues in 1/s with bounds of their rounding: oscillations by frequency, then aperiodic motions by rate.
    pub values: Vec<(Complex<f64>, f64)>,
    /// The account of what rounding leaves open.
    pub spectrum: Spectrum,
}

impl Eigenvalues {
    /// Computes the eigenvalues.
    pub fn of(minimal: &Minimal, rounding: &Rounding, model: &Description) -> Result<Self, EquilibriumError> {
        let spectrum = minimal.spectrum(rounding, model)?;
        let mut values: Vec<(Complex<f64>, f64)> =
            spectrum.values.iter().copied().zip(spectrum.rounding.iter().copied()).collect();
        for (value, _) in values.iter_mut().filter(|(value, _)| value.im.abs() <= 1e-12 * value.norm()) {
            value.im = 0.0;
        }
        values.retain(|(value, _)| value.im >= 0.0);
        let key = |value: &Complex<f64>| (value.im == 0.0 && value.re != 0.0, value.norm());
        values.sort_by(|(one, _), (other, _)| {
            let (one, other) = (key(one), key(other));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        Ok(Self { values, spectrum })
    }
}

/// Computes all eigenvalues with their vectors. Of a rigid body motion, a double zero, there is one vector, and one
/// pair.
pub fn eigenpairs(minimal: &Minimal, all: &Eigenvalues) -> Result<Vec<Eigenpair>, EquilibriumError> {
    let free = &all.spectrum.free;
    let of_free = |k: usize| Eigenpair {
        value: Complex::new(0.0, 0.0),
        rounding: all.spectrum.hidden,
        damping_rounding: 0.0,
        right: free.right.column(k).map(|entry| Complex::new(entry, 0.0)),
        left: free.left.column(k).map(|entry| Complex::new(entry, 0.0)),
        group: 0,
    };
    let values = &all.values;
    let zeros = values.iter().take_while(|(value, _)| value.norm() == 0.0).count();
    let mut pairs: Vec<Eigenpair> = (0..free.count().min(zeros)).map(of_free).collect();
    let mut group = 1;
    let mut first = zeros;
    while let Some(&(value, _)) = values.get(first) {
        let is_same =
            |other: &&(Complex<f64>, f64)| (other.0 - value).norm() <= SAME_EIGENVALUE_DISTANCE * value.norm();
        let count = values[first..].iter().take_while(is_same).count().max(1);
        let place = pairs.len();
        for k in 0..count {
            let (value, rounding) = values[first + k];
            if let Some(pair) = eigenpair(minimal, value, &pairs[place..]) {
                let damping_rounding = damping_rounding(minimal, &pair);
                pairs.push(Eigenpair { group, rounding, damping_rounding, ..pair });
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
fn eigenpair(minimal: &Minimal, value: Complex<f64>, known: &[Eigenpair]) -> Option<Eigenpair> {
    let size = value.norm();
    // near the eigenvalue itself, where the matrix is singular
    let matrix = minimal.dynamic_stiffness(value + Complex::new(size * 1e-9, size * 0.7e-9));
    let scale = scales(minimal, size);
    let scaled = |matrix: &DMatrix<Complex<f64>>| {
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |row, column| {
            matrix[(row, column)] * (scale[row] * scale[column])
        })
    };
    let rights: Vec<Vector> = known.iter().map(|pair| unscaled(&pair.right, &scale)).collect();
    let lefts: Vec<Vector> = known.iter().map(|pair| unscaled(&pair.left, &scale)).collect();
    let at_value = scaled(&minimal.dynamic_stiffness(value));
    let nearby = scaled(&matrix);
    let slope = scaled(&minimal.slope(value));
    let right = inverse_iteration([&nearby, &at_value, &slope], &rights, known.len())?;
    let transposed = [&nearby, &at_value, &slope].map(DMatrix::transpose);
    let left = inverse_iteration(transposed.each_ref(), &lefts, known.len())?;
    let applied = |vector: Vector| Vector::from_fn(vector.len(), |k, _| vector[k] * scale[k]);
    let (right, left) = (applied(right), applied(left));
    let mut pair = Eigenpair { value, rounding: 0.0, damping_rounding: 0.0, right, left, group: 0 };
    if known.is_empty() {
        improve(minimal, &mut pair);
    }
    Some(pair)
}

/// Returns a bound of the real part that rounding gives an eigenvalue: by that of the terms of all equations, and by
/// what the vectors leave of these, as far as it may count.
fn damping_rounding(minimal: &Minimal, pair: &Eigenpair) -> f64 {
    /// Damping ratio that is never taken for rounding: equal eigenvalues have vectors that bound nothing.
    const MAX_RATIO: f64 = 1e-10;
    let (s, size) = (pair.value, pair.value.norm());
    let count = minimal.degrees_of_freedom();
    let slope = dot(&pair.left, &(minimal.slope(s) * &pair.right)).norm();
    let terms = DMatrix::from_fn(count, count, |i, j| {
        let at = (i, j);
        size * (size * minimal.mass[at].abs() + minimal.damping[at].abs()) + minimal.stiffness[at].abs()
    });
    let [left, right] = [&pair.left, &pair.right].map(|vector| vector.map(|entry| entry.norm()));
    let of_terms = (2.0 + count as f64) * f64::EPSILON * left.dot(&(terms * right));
    let rest = minimal.dynamic_stiffness(s) * &pair.right;
    let of_vectors = left.dot(&rest.map(|entry| entry.norm()));
    let bound = (of_terms + of_vectors) / slope;
    if bound.is_nan() { MAX_RATIO * size } else { bound.min(MAX_RATIO * size) }
}

/// Improves a single eigenvalue by the quotient of its two vectors, whose error is the product of theirs.
fn improve(minimal: &Minimal, pair: &mut Eigenpair) {
    for _ in 0..2 {
        let s = pair.value;
        let slope = dot(&pair.left, &(minimal.slope(s) * &pair.right));
        let change = dot(&pair.left, &(minimal.dynamic_stiffness(s) * &pair.right)) / slope;
        if change.norm().is_nan() || change.norm() > SAME_EIGENVALUE_DISTANCE * s.norm() {
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

/// Solves with the matrix near the eigenvalue, which is nearly singular, and its derivative until its null vector is
/// left, orthogonal to those that are known; then turns it into that of the matrix at the eigenvalue. Without the
/// derivative, slow motions of stiff parts would be taken for null vectors as well.
fn inverse_iteration(
    [nearby, at_value, slope]: [&DMatrix<Complex<f64>>; 3],
    known: &[Vector],
    seed: usize,
) -> Option<Vector> {
    const ROUNDS: usize = 4;
    /// The largest residual of a vector, relative to the terms of the equations, with which it is one of an eigenvalue.
    const MAX_RESIDUAL: f64 = 1e-6;
    let factors = nearby.clone().lu();
    // any vector that no symmetry makes orthogonal to the wanted one
    let start = |k: usize| Complex::new(1.0 + (0.7 * (k + 3 * seed) as f64).sin(), 0.3 * (1.3 * k as f64).cos());
    let mut vector = Vector::from_fn(nearby.nrows(), |k, _| start(k));
    let basis = orthonormal(known);
    let beside_known = |mut vector: Vector| {
        for other in &basis {
            let share = other.dotc(&vector);
            vector -= other * share;
        }
        vector
    };
    for _ in 0..ROUNDS {
        vector = factors.solve(&(slope * beside_known(vector)))?;
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
    if left.is_nan() || left > MAX_RESIDUAL * vector.camax() {
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
