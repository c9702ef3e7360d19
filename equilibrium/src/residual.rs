//! The residual of a steady motion and its derivatives.

use nalgebra::DMatrix;

use crate::contract::{Function, Group};
use crate::linalg::SparseMatrix;
use crate::linalg::block::find;
use crate::matrices::{Linearized, MotionMatrices, product};
use crate::minimal::Minimal;
use crate::steady::SteadyMotion;
use crate::system::{Equations, Instant, StateVectors};

/// The equations of a steady motion: M a + C_q^T lambda - f = 0 and C = 0, with v and a of the motion; unknown are the coordinates that
/// are not held, and lambda.
pub struct Residual<'a> {
    equations: &'a dyn Equations<f64>,
    motion: &'a SteadyMotion,
    inputs: &'a [f64],
    /// The coordinates that are not held.
    pub open: Vec<usize>,
    time: f64,
    /// The size of forces where the search begins.
    pub force_at_start: f64,
}

impl<'a> Residual<'a> {
    pub fn new(
        equations: &'a dyn Equations<f64>,
        motion: &'a SteadyMotion,
        inputs: &'a [f64],
        held: &[usize],
    ) -> Self {
        let n = equations.description().coordinates.len();
        let open = (0..n).filter(|index| !held.contains(index)).collect();
        Self { equations, motion, inputs, open, time: 0.0, force_at_start: 0.0 }
    }

    /// Returns the equations at another time.
    pub fn at_time(&self, time: f64) -> Self {
        Self { open: self.open.clone(), time, ..*self }
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
        find(layout, Function::Constraint, None)
            .iter(&group)
            .for_each(|(row, _, value)| rows[n + row] += value);
        rows
    }

    /// Returns the rows of [`all`](Self::all) that must vanish.
    pub fn wanted(&self, state: &StateVectors<f64>) -> DMatrix<f64> {
        let all = self.all(state);
        let rows: Vec<f64> =
            self.open.iter().map(|&row| all[row]).chain(all[self.n()..].iter().copied()).collect();
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
        let (damping, mass) = (
            product(&matrices.damping, &generator),
            product(&matrices.mass, &product(&generator, &generator)),
        );
        let entries = matrices.stiffness.iter().chain(damping.iter()).chain(mass.iter());
        SparseMatrix::new(self.n(), self.n(), entries.collect::<Vec<_>>())
    }

    /// Assembles the derivative of [`wanted`](Self::wanted) by open coordinates and multipliers, with `shift` times the mass matrix
    /// beside the stiffness.
    pub fn jacobian(&self, matrices: &MotionMatrices, shift: f64) -> SparseMatrix {
        let stiffness = self.stiffness(matrices).select(&self.open);
        let mass = matrices.mass.select(&self.open);
        let shifted = mass.iter().map(|(row, column, value)| (row, column, shift * value));
        matrices
            .jacobian
            .select_columns(&self.open)
            .saddle(stiffness.iter().chain(shifted).collect::<Vec<_>>())
    }

    /// Returns the largest force among the terms of the equations.
    pub fn force_size(&self, state: &StateVectors<f64>) -> f64 {
        let matrices = self.linearized(state);
        matrices.largest_force()
    }

    /// Returns the part of [`all`](Self::all) that no reaction can balance: forces along the motions that the constraints allow for
    /// open coordinates, at the place of their independent coordinate, and constraints.
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
