//! The equations of motion in independent coordinates.

use nalgebra::{Complex, DMatrix};

use crate::EquilibriumError;
use crate::linalg::SparseMatrix;
use crate::matrices::MotionMatrices;
use crate::steady::SteadyMotion;

/// The smallest pivot of the constraint Jacobian, relative to the largest one, that determines a coordinate.
const RANK_LIMIT: f64 = 1e-10;

/// M y'' + D y' + K y = Z^T B u: the equations of motion about a steady motion in f independent coordinates y, which are deviations of
/// coordinates of the model; all coordinates deviate by Z y.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimal {
    /// The independent coordinates among those of the model.
    pub independent: Vec<usize>,
    /// Z (n x f), the motions that the constraints allow.
    pub motions: DMatrix<f64>,
    /// Mass matrix (f x f).
    pub mass: DMatrix<f64>,
    /// Damping matrix with the gyroscopic terms of a steady motion (f x f).
    pub damping: DMatrix<f64>,
    /// Stiffness matrix with the centrifugal terms of a steady motion (f x f).
    pub stiffness: DMatrix<f64>,
    /// True if no constraint depends on others, so that the multipliers are determined.
    pub constraints_are_independent: bool,
}

impl Minimal {
    /// Chooses independent coordinates by the largest pivots, and condenses the matrices.
    pub fn of(matrices: &MotionMatrices, motion: &SteadyMotion) -> Self {
        let n = matrices.mass.columns();
        let (independent, motions, rank) = allowed_motions(&matrices.jacobian);
        // what deviates in the moving frame moves with it: dv = Z y' + G Z y, da = Z y'' + 2 G Z y' + G^2 Z y
        let generator = motion.generator(n);
        let turned = generator.product(&motions);
        let twice = generator.product(&turned);
        let condensed = |full: DMatrix<f64>| motions.tr_mul(&full);
        let (mass, damping, stiffness) = (&matrices.mass, &matrices.damping, &matrices.stiffness);
        Self {
            mass: condensed(mass.product(&motions)),
            damping: condensed(damping.product(&motions) + mass.product(&turned) * 2.0),
            stiffness: condensed(
                stiffness.product(&motions) + damping.product(&turned) + mass.product(&twice),
            ),
            constraints_are_independent: rank == matrices.jacobian.rows(),
            independent,
            motions,
        }
    }

    /// Returns the number of independent coordinates f.
    pub fn degrees_of_freedom(&self) -> usize {
        self.independent.len()
    }

    /// Evaluates s^2 M + s D + K.
    pub fn dynamic_stiffness(&self, s: Complex<f64>) -> DMatrix<Complex<f64>> {
        DMatrix::from_fn(self.mass.nrows(), self.mass.ncols(), |row, column| {
            let at = (row, column);
            (s * self.mass[at] + self.damping[at]) * s + self.stiffness[at]
        })
    }
}

/// Returns independent coordinates, the motions Z of all coordinates with C_q Z = 0 that belong to them, and the rank of C_q.
fn allowed_motions(jacobian: &SparseMatrix) -> (Vec<usize>, DMatrix<f64>, usize) {
    let (m, n) = (jacobian.rows(), jacobian.columns());
    if m == 0 {
        return ((0..n).collect(), DMatrix::identity(n, n), 0);
    }
    let mut scaled = jacobian.clone();
    let scale = |norm: &f64| if *norm > 0.0 && norm.is_finite() { 1.0 / norm } else { 1.0 };
    scaled.scale_rows(&scaled.row_norms().iter().map(scale).collect::<Vec<_>>());
    let decomposed = scaled.dense().col_piv_qr();
    let triangle = decomposed.r();
    let mut order = DMatrix::from_fn(1, n, |_, column| column);
    decomposed.p().permute_columns(&mut order);
    let largest = if triangle.is_empty() { 0.0 } else { triangle[(0, 0)].abs() };
    let pivots = triangle.nrows().min(n);
    let rank = (0..pivots).take_while(|&k| triangle[(k, k)].abs() > RANK_LIMIT * largest).count();
    let dependent = triangle.view((0, 0), (rank, rank));
    let mut coefficients = -triangle.view((0, rank), (rank, n - rank)).into_owned();
    // the pivots of the leading block are not zero
    dependent.solve_upper_triangular_mut(&mut coefficients);
    let mut free: Vec<(usize, usize)> = (rank..n).map(|column| (order[column], column - rank)).collect();
    free.sort_unstable();
    let mut motions = DMatrix::zeros(n, n - rank);
    for (place, &(coordinate, column)) in free.iter().enumerate() {
        motions[(coordinate, place)] = 1.0;
        for row in 0..rank {
            motions[(order[row], place)] = coefficients[(row, column)];
        }
    }
    (free.into_iter().map(|(coordinate, _)| coordinate).collect(), motions, rank)
}

/// Computes the eigenvalues of a square matrix.
///
/// # Errors
/// [`EquilibriumError::NoEigenvalues`].
pub(crate) fn eigenvalues(matrix: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, EquilibriumError> {
    const MOST_ITERATIONS: usize = 100_000;
    if matrix.is_empty() {
        return Ok(Vec::new());
    }
    if !matrix.iter().all(|entry| entry.is_finite()) {
        return Err(EquilibriumError::NoEigenvalues);
    }
    let mut balanced = matrix.clone();
    nalgebra::linalg::balancing::balance_parlett_reinsch(&mut balanced);
    let schur = nalgebra::Schur::try_new(balanced, f64::EPSILON, MOST_ITERATIONS);
    Ok(schur.ok_or(EquilibriumError::NoEigenvalues)?.complex_eigenvalues().iter().copied().collect())
}
