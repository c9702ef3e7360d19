//! The constraints at a state, and which of them are violated there.

use nalgebra::{DMatrix, DVector};

use costate_numerics::linalg::SparseMatrix;
use costate_numerics::scalar::Scalar;
use costate_system::model::{Argument, Function, Group};
use costate_system::system::StateVectors;

use super::level::Level;
use super::system::StartSystem;
use crate::rounding::ROUNDINGS;

/// A violated constraint: its index, its value, and the largest value that rounding explains.
#[derive(Debug, Clone, Copy)]
pub(super) struct Violation {
    pub constraint: usize,
    pub value: f64,
    pub limit: f64,
}

impl Violation {
    /// Returns the value in units of the limit.
    pub fn excess(&self) -> f64 {
        self.value.abs() / self.limit
    }
}

/// The constraints at a state.
#[derive(Debug)]
pub(super) struct Constraints<S> {
    /// c (m).
    pub values: Vec<S>,
    /// C_q.
    pub jacobian: SparseMatrix,
    /// The size of the terms of c (m).
    terms: DVector<f64>,
    /// The rounding of the terms of c (m).
    pub rounding: DVector<f64>,
}

impl<S: Scalar> Constraints<S> {
    /// Evaluates the constraints of a level at a state.
    pub fn new(system: &StartSystem<'_, S>, level: Level, state: &StateVectors<S>) -> Self {
        Self::of_values(level.constraint(system, state), system, level, state)
    }

    /// Evaluates the Jacobian and the rounding that belong to values of the constraints of a level at a state.
    pub fn of_values(values: Vec<S>, system: &StartSystem<'_, S>, level: Level, state: &StateVectors<S>) -> Self {
        let jacobian = system.matrices(Group::Linearization, state).matrix(Function::Constraint, Argument::Coordinates);
        let (terms, rounding) = terms(&jacobian, level, 0, state);
        Self { values, jacobian, terms, rounding }
    }

    /// Becomes the constraints at a state with the same real parts.
    pub fn with_derivatives(self, system: &StartSystem<'_, S>, level: Level, state: &StateVectors<S>) -> Self {
        Self { values: level.constraint(system, state), ..self }
    }

    /// Returns the constraint with the largest violation, if one exceeds `tolerance` times the size of its terms by
    /// more than rounding.
    pub fn violation(&self, tolerance: f64) -> Option<Violation> {
        self.violated(tolerance).max_by(|a, b| a.excess().total_cmp(&b.excess()))
    }

    /// Returns all violated constraints.
    pub fn violations(&self, tolerance: f64) -> Vec<Violation> {
        self.violated(tolerance).collect()
    }

    fn violated(&self, tolerance: f64) -> impl Iterator<Item = Violation> {
        let limits = self.terms.iter().zip(&self.rounding);
        let limits = limits.map(move |(terms, rounding)| tolerance * terms + rounding);
        let rows = self.values.iter().zip(limits).enumerate();
        rows.map(|(constraint, (value, limit))| Violation { constraint, value: value.real(), limit })
            .filter(|Violation { value, limit, .. }| value.abs() > *limit || value.is_nan())
    }
}

/// Computes the size of the constraints' terms, sum |C_q| |x| of one component (m), and their rounding, for
/// which every coordinate counts as much as the largest: coordinates that happen to be near zero still have
/// larger terms.
pub(super) fn terms<S: Scalar>(
    jacobian: &SparseMatrix,
    level: Level,
    component: usize,
    state: &StateVectors<S>,
) -> (DVector<f64>, DVector<f64>) {
    let unknowns = level.values(state);
    let x = DMatrix::from_fn(unknowns.len(), 1, |row, _| unknowns[row].component(component));
    let (terms, largest) = jacobian.terms(&x);
    (terms.column(0).into_owned(), largest.column(0) * (ROUNDINGS * f64::EPSILON))
}
