//! The linear systems of the adjoint equations at one step.

use std::collections::BTreeMap;

use costate_numerics::linalg::SparseLu;
use costate_system::model::{Block, Description};
use costate_system::problem::SimulationError;

use super::matrices::{Matrices, MotionBlocks};

/// One term of the adjoint's matrix.
#[derive(Clone, Copy, PartialEq)]
enum Term {
    /// alpha_0^2 M
    Mass,
    /// h^2 (M a)_q^T or h^2 (C_q^T lambda)_q^T
    Stiffness,
    /// -h^2 f_q^T
    Force,
    /// -alpha_0 h f_v^T
    Damping,
    /// C_q and C_q^T; the unknown is h^2 mu.
    Constraint,
}

/// The system [alpha_0^2 M + h^2 A - alpha_0 h B, C_q^T; C_q, 0] for (w, h^2 mu) (OB 3.52), sparse.
pub(super) struct AdjointStep {
    values: Vec<f64>,
    factors: SparseLu,
    /// Position in the group's array, position in `values`, kind.
    scatter: Vec<(usize, usize, Term)>,
}

impl AdjointStep {
    pub fn new(model: &Description) -> Self {
        let (blocks, n) = (MotionBlocks::of(model), model.coordinates.len());
        let mut positions: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        let mut scatter = Vec::new();
        let mut add = |block: &Block, term: Term, place: &dyn Fn(u32, u32) -> (u32, u32)| {
            for (k, &(row, column)) in block.entries.iter().enumerate() {
                let next = positions.len();
                let position = *positions.entry(place(row, column)).or_insert(next);
                scatter.push((block.offset + k, position, term));
            }
        };
        let transposed = |row, column| (column, row);
        add(blocks.mass, Term::Mass, &|row, column| (row, column));
        add(blocks.inertia_q, Term::Stiffness, &transposed);
        add(blocks.constraint_force_q, Term::Stiffness, &transposed);
        add(blocks.force_q, Term::Force, &transposed);
        add(blocks.force_v, Term::Damping, &transposed);
        add(blocks.constraint_q, Term::Constraint, &|row, column| (n as u32 + row, column));
        add(blocks.constraint_q, Term::Constraint, &|row, column| (column, n as u32 + row));
        let mut pattern = vec![(0, 0); positions.len()];
        for (entry, position) in positions {
            pattern[position] = entry;
        }
        let size = n + model.constraints.len();
        Self { values: vec![0.0; pattern.len()], factors: SparseLu::new(&pattern, size), scatter }
    }

    /// Solves for w and h^2 mu at step i; `right` is the right-hand side before.
    pub fn solve(
        &mut self,
        matrices: &Matrices<'_>,
        i: usize,
        (alpha, h): (f64, f64),
        right: &mut [f64],
    ) -> Result<(), SimulationError> {
        self.assemble(matrices.linearization(), |term| match term {
            Term::Mass => alpha * alpha,
            Term::Stiffness => h * h,
            Term::Force => -h * h,
            Term::Damping => -alpha * h,
            Term::Constraint => 1.0,
        });
        self.factors.factor(&self.values).map_err(|singular| matrices.singular(i, singular))?;
        self.factors.solve(right);
        Ok(())
    }

    /// Solves [M, C_q^T; C_q, 0] (w, xi) = right at the end of the run (OB 3.43).
    pub fn solve_end(&mut self, matrices: &Matrices<'_>, i: usize, right: &mut [f64]) -> Result<(), SimulationError> {
        self.assemble(
            matrices.linearization(),
            |term| {
                if matches!(term, Term::Mass | Term::Constraint) { 1.0 } else { 0.0 }
            },
        );
        self.factors.factor(&self.values).map_err(|singular| matrices.singular(i, singular))?;
        self.factors.solve(right);
        Ok(())
    }

    fn assemble(&mut self, group: &[f64], weight: impl Fn(Term) -> f64) {
        self.values.fill(0.0);
        for &(from, to, term) in &self.scatter {
            self.values[to] += weight(term) * group[from];
        }
    }
}
