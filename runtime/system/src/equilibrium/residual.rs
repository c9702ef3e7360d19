//! The residual of a steady motion and its derivatives.

use nalgebra::{DMatrix, DVector};

use costate_contract::{Description, Function, Group};
use costate_numerics::linalg::block::find;
use costate_numerics::linalg::{LuFactors, SparseMatrix, equilibrate};

use crate::equilibrium::matrices::{Linearized, MotionMatrices, product};
use crate::equilibrium::minimal::Minimal;
use crate::equilibrium::rounding::Rounding;
use crate::equilibrium::steady::SteadyMotion;
use crate::system::{Equations, Instant, StateVectors};

/// The equations of a steady motion: M a + C_q^T lambda - f = 0 and C = 0, with v and a of the motion; unknown are the
/// coordinates that are not held, and lambda.
pub struct Residual<'a> {
    equations: &'a dyn Equations<f64>,
    motion: &'a SteadyMotion,
    inputs: &'a [f64],
    /// The coordinates that are not held.
    pub open: Vec<usize>,
    held: &'a [usize],
    time: f64,
    /// The size of forces where the search begins.
    pub force_at_start: f64,
}

impl<'a> Residual<'a> {
    pub fn new(
        equations: &'a dyn Equations<f64>,
        motion: &'a SteadyMotion,
        inputs: &'a [f64],
        held: &'a [usize],
    ) -> Self {
        let n = equations.description().coordinates.len();
        let open = (0..n).filter(|index| !held.contains(index)).collect();
        Self { equations, motion, inputs, open, held, time: 0.0, force_at_start: 0.0 }
    }

    /// Returns the equations at another time.
    pub fn at_time(&self, time: f64) -> Self {
        Self { open: self.open.clone(), time, ..*self }
    }

    /// Returns the equations with these coordinates held.
    pub fn with_held<'b>(&'b self, held: &'b [usize]) -> Residual<'b> {
        let open = (0..self.n()).filter(|index| !held.contains(index)).collect();
        Residual { open, held, ..*self }
    }

    /// Returns the coordinates that are held.
    pub fn held(&self) -> &'a [usize] {
        self.held
    }

    /// Returns names and units of the model.
    pub fn model(&self) -> &'static Description {
        self.equations.description()
    }

    /// Returns the values of all inputs.
    pub fn inputs(&self) -> &[f64] {
        self.inputs
    }

    /// Returns the motion.
    pub fn motion(&self) -> &SteadyMotion {
        self.motion
    }

    pub fn n(&self) -> usize {
        self.equations.description().coordinates.len()
    }

    pub fn m(&self) -> usize {
        self.equations.description().constraints.len()
    }

    /// Returns the state of the motion at these coordinates and multipliers.
    pub fn state(&self, coordinates: &[f64], multipliers: &[f64]) -> StateVectors<f64> {
        let velocities = self.motion.velocities(coordinates);
        StateVectors {
            coordinates: coordinates.to_vec(),
            accelerations: self.motion.times_generator(&velocities),
            velocities,
            multipliers: multipliers.to_vec(),
        }
    }

    /// Evaluates M a + C_q^T lambda - f (n rows), and C (m rows).
    pub fn all(&self, state: &StateVectors<f64>) -> Vec<f64> {
        let group = self.equations.group(Group::Residual, self.instant(state));
        let layout = self.equations.description().groups.residual;
        let mut rows = vec![0.0; self.n() + self.m()];
        for function in [Function::Inertia, Function::ForceResidual] {
            find(layout, function, None).iter(&group).for_each(|(row, _, value)| rows[row] += value);
        }
        let n = self.n();
        find(layout, Function::Constraint, None).iter(&group).for_each(|(row, _, value)| rows[n + row] += value);
        rows
    }

    /// Returns the rows of [`all`](Self::all) that must vanish.
    pub fn wanted(&self, state: &StateVectors<f64>) -> DMatrix<f64> {
        let all = self.all(state);
        let rows: Vec<f64> = self.open.iter().map(|&row| all[row]).chain(all[self.n()..].iter().copied()).collect();
        DMatrix::from_vec(rows.len(), 1, rows)
    }

    pub fn linearized(&self, state: &StateVectors<f64>) -> Linearized<f64> {
        MotionMatrices::at(self.equations, self.instant(state))
    }

    fn instant<'s>(&'s self, state: &'s StateVectors<f64>) -> Instant<'s, f64> {
        Instant { time: self.time, state, inputs: self.inputs }
    }

    /// Returns K + D G + M G^2: the derivative of the forces along the motion by all coordinates.
    pub fn stiffness(&self, matrices: &MotionMatrices) -> SparseMatrix {
        let generator = self.motion.generator(self.n());
        let (damping, mass) =
            (product(&matrices.damping, &generator), product(&matrices.mass, &product(&generator, &generator)));
        let entries = matrices.stiffness.iter().chain(damping.iter()).chain(mass.iter());
        SparseMatrix::new(self.n(), self.n(), entries.collect::<Vec<_>>())
    }

    /// Assembles the derivative of [`wanted`](Self::wanted) by open coordinates and multipliers, with `shift` times the
    /// mass matrix beside the stiffness.
    pub fn jacobian(&self, matrices: &MotionMatrices, shift: f64) -> SparseMatrix {
        let stiffness = self.stiffness(matrices).select(&self.open);
        let mass = matrices.mass.select(&self.open);
        let shifted = mass.iter().map(|(row, column, value)| (row, column, shift * value));
        matrices.jacobian.select_columns(&self.open).saddle(stiffness.iter().chain(shifted).collect::<Vec<_>>())
    }

    /// Returns the equations in independent coordinates about a state, with their rounding; held coordinates stay.
    pub fn minimal(&self, state: &StateVectors<f64>, matrices: &MotionMatrices) -> (Minimal, Rounding) {
        let matrices = matrices.with_held(self.held);
        let minimal = Minimal::of(&matrices, self.motion);
        let rounding = Rounding::at(&minimal, &matrices, self.equations, self.held, self.instant(state));
        (minimal, rounding)
    }

    /// Returns the factors of the derivative of [`wanted`](Self::wanted); for a singular matrix, the unknowns of a null
    /// vector.
    ///
    /// A part that is much softer than another one is no motion without stiffness, as far as rounding lets them be
    /// distinguished.
    pub fn factors(&self, state: &StateVectors<f64>, matrices: &MotionMatrices) -> Result<LuFactors, Vec<usize>> {
        let jacobian = self.jacobian(matrices, 0.0);
        LuFactors::new(&jacobian).or_else(|involved| {
            let (minimal, rounding) = self.minimal(state, matrices);
            if !minimal.constraints_are_independent || minimal.free_motions(&rounding).count() > 0 {
                return Err(involved);
            }
            of_regular(&jacobian).ok_or(involved)
        })
    }

    /// Returns the largest force among the terms of the equations.
    pub fn force_size(&self, state: &StateVectors<f64>) -> f64 {
        let matrices = self.linearized(state);
        matrices.largest_force()
    }

    /// Returns the part of [`all`](Self::all) that no reaction can balance: forces along the motions that the
    /// constraints allow for open coordinates, at the place of their independent coordinate, and constraints.
    pub fn unbalanced(&self, state: &StateVectors<f64>) -> Vec<f64> {
        let mut rows = self.all(state);
        let minimal = Minimal::of(&self.linearized(state).component(0), self.motion);
        let forces = DMatrix::from_column_slice(self.n(), 1, &rows[..self.n()]);
        let along = minimal.motions.tr_mul(&forces);
        rows[..self.n()].fill(0.0);
        for (&index, force) in minimal.independent.iter().zip(along.iter()) {
            if self.open.contains(&index) {
                rows[index] = *force;
            }
        }
        rows
    }
}

/// Factorises a matrix whose rank is known to be full, however small its pivots are; `None` where one is zero.
fn of_regular(matrix: &SparseMatrix) -> Option<LuFactors> {
    let (size, mut scaled) = (matrix.rows(), matrix.dense());
    let entries: Vec<(u32, u32)> =
        (0..size).flat_map(|column| (0..size).map(move |row| (row as u32, column as u32))).collect();
    let (rows, columns) = equilibrate((size, size), &entries, scaled.as_slice());
    let (rows, columns) = (DVector::from_vec(rows), DVector::from_vec(columns));
    for (mut column, factor) in scaled.column_iter_mut().zip(columns.iter()) {
        column.component_mul_assign(&rows);
        column *= *factor;
    }
    let factors = Box::new(scaled.full_piv_lu());
    let is_regular = factors.u().diagonal().iter().all(|pivot| *pivot != 0.0 && pivot.is_finite());
    is_regular.then_some(LuFactors::Dense { rows, columns, factors })
}
