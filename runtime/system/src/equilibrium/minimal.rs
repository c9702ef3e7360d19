//! The equations of motion in independent coordinates.

use nalgebra::{Complex, DMatrix};

use costate_contract::{Argument, Function, Group};
use costate_numerics::linalg::SparseMatrix;
use costate_numerics::linalg::block::find;

use crate::equilibrium::matrices::MotionMatrices;
use crate::equilibrium::steady::SteadyMotion;
use crate::system::{Equations, Instant};

/// M y'' + D y' + K y = Z^T B u: the equations of motion about a state in f independent coordinates y, which are
/// deviations of coordinates of the model.
///
/// All coordinates deviate by dq = Z y, velocities by dv = Z y' + V y, accelerations by da = Z y'' + A_1 y' + A_0 y.
#[derive(Debug, Clone, PartialEq)]
pub struct Minimal {
    /// The independent coordinates among those of the model.
    pub independent: Vec<usize>,
    /// Z (n x f), the motions that the constraints allow.
    pub motions: DMatrix<f64>,
    /// V (n x f): zero at rest.
    pub velocities: DMatrix<f64>,
    /// A_0 and A_1 (n x f): zero at rest.
    pub accelerations: [DMatrix<f64>; 2],
    /// R (n x m), motions of dependent coordinates that change one constraint each: C_q R = 1; reactions are R^T times
    /// the forces that they balance.
    pub reactions: DMatrix<f64>,
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
    /// Chooses independent coordinates by the largest pivots, and condenses the matrices about a steady motion.
    ///
    /// Deviations turn with the motion: they are those that somebody sees who moves with it.
    pub fn of(matrices: &MotionMatrices, motion: &SteadyMotion) -> Self {
        let allowed = Allowed::of(&matrices.jacobian);
        // dv = Z y' + G Z y, da = Z y'' + 2 G Z y' + G^2 Z y
        let generator = motion.generator(matrices.mass.columns());
        let turned = generator.product(&allowed.motions);
        let twice = generator.product(&turned);
        let relative = &turned * 2.0;
        Self::condensed(matrices, allowed, turned, [twice, relative])
    }

    /// Chooses independent coordinates and condenses the matrices at any state, as if they were constant: `kinematics`
    /// are the derivatives of the constraints at this state.
    pub fn at(matrices: &MotionMatrices, kinematics: &ConstraintRates) -> Self {
        let allowed = Allowed::of(&matrices.jacobian);
        let dependent = |constraint: DMatrix<f64>| -(&allowed.reactions * constraint);
        let ConstraintRates { velocity_by_q, acceleration_by_q, acceleration_by_v } = kinematics;
        let velocities = dependent(velocity_by_q.product(&allowed.motions));
        let constant = dependent(acceleration_by_q.product(&allowed.motions) + acceleration_by_v.product(&velocities));
        let moving = dependent(acceleration_by_v.product(&allowed.motions));
        Self::condensed(matrices, allowed, velocities, [constant, moving])
    }

    fn condensed(
        matrices: &MotionMatrices,
        allowed: Allowed,
        velocities: DMatrix<f64>,
        accelerations: [DMatrix<f64>; 2],
    ) -> Self {
        let Allowed { independent, motions, reactions, rank } = allowed;
        let (mass, damping, stiffness) = (&matrices.mass, &matrices.damping, &matrices.stiffness);
        let [constant, moving] = &accelerations;
        let damping_terms = damping.product(&motions) + mass.product(moving);
        let stiffness_terms = stiffness.product(&motions) + damping.product(&velocities) + mass.product(constant);
        Self {
            mass: motions.tr_mul(&mass.product(&motions)),
            damping: motions.tr_mul(&damping_terms),
            stiffness: motions.tr_mul(&stiffness_terms),
            constraints_are_independent: rank == matrices.jacobian.rows(),
            independent,
            motions,
            velocities,
            accelerations,
            reactions,
        }
    }

    /// Returns the number of independent coordinates f.
    pub fn degrees_of_freedom(&self) -> usize {
        self.independent.len()
    }

    /// Returns the independent coordinate that moves most in a motion with a negative mass; `None` where all masses are
    /// positive or 0.
    pub fn negative_mass(&self) -> Option<usize> {
        const ROUNDING: f64 = 1e-9;
        let size = self.degrees_of_freedom();
        if size == 0 || !self.mass.iter().all(|entry| entry.is_finite()) {
            return None;
        }
        let scale = |k: usize| {
            let own = self.mass[(k, k)].abs();
            if own > 0.0 { 1.0 / own.sqrt() } else { 1.0 }
        };
        let scales: Vec<f64> = (0..size).map(scale).collect();
        let scaled =
            DMatrix::from_fn(size, size, |i, j| 0.5 * (self.mass[(i, j)] + self.mass[(j, i)]) * scales[i] * scales[j]);
        let decomposed = scaled.symmetric_eigen();
        let place = decomposed.eigenvalues.imin();
        let limit = -ROUNDING * decomposed.eigenvalues.amax();
        (decomposed.eigenvalues[place] < limit).then(|| decomposed.eigenvectors.column(place).iamax())
    }

    /// Evaluates s^2 M + s D + K.
    pub fn dynamic_stiffness(&self, s: Complex<f64>) -> DMatrix<Complex<f64>> {
        DMatrix::from_fn(self.mass.nrows(), self.mass.ncols(), |row, column| {
            let at = (row, column);
            (s * self.mass[at] + self.damping[at]) * s + self.stiffness[at]
        })
    }
}

/// Chooses the independent coordinates of a constraint Jacobian (m x n) by its largest pivots.
pub fn independent_coordinates(jacobian: &SparseMatrix) -> Vec<usize> {
    Allowed::of(jacobian).independent
}

/// The derivatives of the constraints at velocity level, nu, and acceleration level, gamma, at a state.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintRates {
    /// nu_q (m x n).
    pub velocity_by_q: SparseMatrix,
    /// gamma_q (m x n).
    pub acceleration_by_q: SparseMatrix,
    /// gamma_v (m x n).
    pub acceleration_by_v: SparseMatrix,
}

impl ConstraintRates {
    /// Evaluates the derivatives.
    pub fn at(equations: &dyn Equations<f64>, at: Instant<'_, f64>) -> Self {
        let (model, group) = (equations.description(), equations.group(Group::KinematicsDerivatives, at));
        let matrix = |function, argument| {
            let block = find(model.groups.kinematics_derivatives, function, Some(argument));
            SparseMatrix::of_block(block, &group, model.constraints.len(), model.coordinates.len())
        };
        Self {
            velocity_by_q: matrix(Function::ConstraintVelocity, Argument::Coordinates),
            acceleration_by_q: matrix(Function::ConstraintAcceleration, Argument::Coordinates),
            acceleration_by_v: matrix(Function::ConstraintAcceleration, Argument::Velocities),
        }
    }
}

/// The motions that constraints allow.
struct Allowed {
    independent: Vec<usize>,
    motions: DMatrix<f64>,
    reactions: DMatrix<f64>,
    rank: usize,
}

impl Allowed {
    fn of(jacobian: &SparseMatrix) -> Self {
        /// The smallest pivot of the constraint Jacobian, relative to the largest one, that determines a coordinate.
        const MIN_PIVOT_RATIO: f64 = 1e-10;
        let (m, n) = (jacobian.rows(), jacobian.columns());
        if m == 0 {
            let (motions, reactions) = (DMatrix::identity(n, n), DMatrix::zeros(n, 0));
            return Self { independent: (0..n).collect(), motions, reactions, rank: 0 };
        }
        let mut scaled = jacobian.clone();
        let scale = |norm: &f64| if *norm > 0.0 && norm.is_finite() { 1.0 / norm } else { 1.0 };
        let scales: Vec<f64> = scaled.row_norms().iter().map(scale).collect();
        scaled.scale_rows(&scales);
        let decomposed = scaled.dense().col_piv_qr();
        let triangle = decomposed.r();
        let mut order = DMatrix::from_fn(1, n, |_, column| column);
        decomposed.p().permute_columns(&mut order);
        let largest = if triangle.is_empty() { 0.0 } else { triangle[(0, 0)].abs() };
        let pivots = triangle.nrows().min(n);
        let rank = (0..pivots).take_while(|&k| triangle[(k, k)].abs() > MIN_PIVOT_RATIO * largest).count();
        // the pivots of the leading block are not zero
        let dependent = triangle.view((0, 0), (rank, rank));
        let mut coefficients = -triangle.view((0, rank), (rank, n - rank)).into_owned();
        dependent.solve_upper_triangular_mut(&mut coefficients);
        let mut of_constraints = decomposed.q().transpose().rows(0, rank).into_owned();
        dependent.solve_upper_triangular_mut(&mut of_constraints);
        let mut free: Vec<(usize, usize)> = (rank..n).map(|column| (order[column], column - rank)).collect();
        free.sort_unstable();
        let (mut motions, mut reactions) = (DMatrix::zeros(n, n - rank), DMatrix::zeros(n, m));
        for row in 0..rank {
            for (place, &(_, column)) in free.iter().enumerate() {
                motions[(order[row], place)] = coefficients[(row, column)];
            }
            for (constraint, scale) in scales.iter().enumerate() {
                reactions[(order[row], constraint)] = of_constraints[(row, constraint)] * scale;
            }
        }
        for (place, &(coordinate, _)) in free.iter().enumerate() {
            motions[(coordinate, place)] = 1.0;
        }
        Self { independent: free.into_iter().map(|(coordinate, _)| coordinate).collect(), motions, reactions, rank }
    }
}
