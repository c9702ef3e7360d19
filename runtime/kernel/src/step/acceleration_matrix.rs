//! The matrix of accelerations and multipliers at a state.

use costate_numerics::linalg::SparseLu;
use costate_numerics::linalg::block::find;
use costate_system::model::{Argument, Block, Description, Function};

use super::matrix::order_of_library;

/// The matrix [M, C_q^T; C_q, 0] of accelerations and multipliers. A coordinate with neither mass nor constraint has no
/// acceleration of its own: its row is that of a unit matrix.
pub struct AccelerationMatrix {
    mass: &'static Block,
    jacobian: &'static Block,
    values: Vec<f64>,
    /// Coordinates without constraint, the place of their diagonal entry, and whether they lack mass as well.
    unconstrained: Vec<(usize, usize, bool)>,
    factors: SparseLu,
    /// Factors of the same matrix that were found elsewhere, and are used in place of its own.
    given: Option<SparseLu>,
}

impl AccelerationMatrix {
    /// Creates the matrix of a model, without factors.
    pub fn new(model: &Description) -> Self {
        let (n, m) = (model.coordinates.len(), model.constraints.len());
        let groups = model.groups.linearization;
        let mass = find(groups, Function::Inertia, Some(Argument::Accelerations));
        let jacobian = find(groups, Function::Constraint, Some(Argument::Coordinates));
        let mut pattern = mass.entries.to_vec();
        pattern.extend(jacobian.entries.iter().map(|&(row, column)| (n as u32 + row, column)));
        pattern.extend(jacobian.entries.iter().map(|&(row, column)| (column, n as u32 + row)));
        let mut unconstrained = Vec::new();
        for j in 0..n as u32 {
            if jacobian.entries.iter().any(|&(_, column)| column == j) {
                continue;
            }
            let place = mass.entries.iter().position(|&entry| entry == (j, j)).unwrap_or(pattern.len());
            if place == pattern.len() {
                pattern.push((j, j));
            }
            unconstrained.push((j as usize, place, false));
        }
        let (values, factors) = (vec![0.0; pattern.len()], SparseLu::new(&pattern, n + m));
        Self { mass, jacobian, values, unconstrained, factors, given: None }
    }

    /// Uses the model's compiled order of pivots where it works. New scales for it are allocated.
    pub fn in_order(self, model: &Description) -> Self {
        let (pattern, size) = (self.factors.pattern(), model.coordinates.len() + model.constraints.len());
        let factors = SparseLu::with_order(pattern, size, order_of_library(model));
        Self { factors, ..self }
    }

    /// Factorises the matrix with the values of the `linearization` array; returns false if it is singular.
    pub fn factor(&mut self, group: &[f64]) -> bool {
        let (mass, jacobian) = (self.mass.values(group), self.jacobian.values(group));
        let (first, rest) = self.values.split_at_mut(mass.len());
        let (lower, rest) = rest.split_at_mut(jacobian.len());
        let (upper, rest) = rest.split_at_mut(jacobian.len());
        first.copy_from_slice(mass);
        lower.copy_from_slice(jacobian);
        upper.copy_from_slice(jacobian);
        rest.fill(0.0);
        self.find_free(group);
        for &(_, place, is_free) in &self.unconstrained {
            if is_free {
                self.values[place] = 1.0;
            }
        }
        self.given = None;
        self.factors.factor(&self.values).is_ok()
    }

    /// Takes `factors` of the matrix with the values of the `linearization` array, whose rows of free coordinates are
    /// those of a unit matrix.
    pub fn take(&mut self, group: &[f64], factors: &SparseLu) {
        self.find_free(group);
        self.given = Some(factors.clone());
    }

    /// Finds the coordinates with neither mass nor constraint.
    fn find_free(&mut self, group: &[f64]) {
        for (j, _, is_free) in &mut self.unconstrained {
            *is_free = self.mass.iter(group).all(|(row, _, value)| row != *j || value == 0.0);
        }
    }

    /// Returns the coordinates without acceleration of their own.
    pub fn free(&self) -> impl Iterator<Item = usize> + '_ {
        self.unconstrained.iter().filter(|(_, _, is_free)| *is_free).map(|&(j, _, _)| j)
    }

    /// Solves for a and lambda; the accelerations of free coordinates become zero.
    pub fn solve(&self, x: &mut [f64]) {
        self.free().for_each(|j| x[j] = 0.0);
        self.given.as_ref().unwrap_or(&self.factors).solve(x);
    }
}
