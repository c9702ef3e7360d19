//! The force residual of the step before, which HHT weighs with alpha/(1 + alpha).

use super::Hht;
use crate::integrator::rows::Rows;
use crate::model::{Model, Weights};
use crate::scalar::{Scalar, Vector};

/// The mass matrix as the history term needs it, times alpha/(1+alpha)^2.
pub(super) enum Mass<M: Model, S: Scalar> {
    /// Depends on the coordinates.
    Varying,
    /// Constant, and zero beside the diagonal.
    Diagonal(M::Coordinates<S>),
    /// Constant: (row, column, value).
    Full(Vec<(usize, usize, S)>),
}

impl<M: Model, S: Scalar> Mass<M, S> {
    pub fn constant(entries: impl Iterator<Item = (usize, usize, S)>, weights: &Weights) -> Self {
        let scale = weights.previous * weights.accelerations;
        let entries: Vec<_> = entries.map(|(row, column, value)| (row, column, value * scale)).collect();
        if entries.iter().any(|&(row, column, _)| row != column) {
            return Mass::Full(entries);
        }
        let mut diagonal = M::Coordinates::zeros();
        entries.iter().for_each(|&(row, _, value)| diagonal.as_mut()[row] = value);
        Mass::Diagonal(diagonal)
    }
}

impl<M: Model, S: Scalar> Hht<'_, M, S> {
    /// G_i for the next step: with constant mass by the step's own equation, which saves an evaluation.
    #[inline(always)]
    pub(super) fn update_history(&mut self, i: usize) {
        let ratio = self.weights.previous;
        let (history, a) = (self.history.as_mut(), self.state.accelerations.as_ref());
        match &self.mass {
            Mass::Varying => self.remember_force_residual(i),
            Mass::Diagonal(mass) => {
                let mass = mass.as_ref();
                for j in 0..Self::N {
                    history[j] = history[j] * ratio - mass[j] * a[j];
                }
            }
            Mass::Full(entries) => {
                history.iter_mut().for_each(|entry| *entry = *entry * ratio);
                for &(row, column, value) in entries {
                    history[row] -= value * a[column];
                }
            }
        }
    }

    /// G_i by evaluation.
    #[inline(never)]
    pub(super) fn remember_force_residual(&mut self, i: usize) {
        let mut residual = M::Residual::<S>::zeros();
        M::residual(&self.state.point(self.time(i), &self.inputs, self.constants), &mut residual);
        let force_residual =
            Rows::of(M::DESCRIPTION.groups.residual).force_residual.values(residual.as_ref());
        for (to, from) in self.history.as_mut().iter_mut().zip(force_residual) {
            *to = *from * self.weights.previous;
        }
    }
}
