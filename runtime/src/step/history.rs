//! The force residual of the step before, which HHT weighs with alpha/(1 + alpha).

use crate::evaluate;
use crate::model::{Model, Weights};
use crate::scalar::{LANES, Lanes};
use crate::scalar::{Scalar, Vector};

use super::entries::Remember;
use super::entrywise::entrywise;
use super::integrator::Integrator;
use super::moment::StepConstants;
use super::rows::Rows;

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

impl<M: Model> Mass<M, Lanes> {
    /// Those of four runs of one model side by side.
    pub fn in_lanes(masses: [&Mass<M, f64>; LANES]) -> Self {
        let diagonals = masses.map(|mass| match mass {
            Mass::Diagonal(diagonal) => Some(diagonal.as_ref()),
            _ => None,
        });
        if let [Some(a), Some(b), Some(c), Some(d)] = diagonals {
            let mut diagonal = M::Coordinates::<Lanes>::zeros();
            for (j, entry) in diagonal.as_mut().iter_mut().enumerate() {
                *entry = Lanes::of([a[j], b[j], c[j], d[j]]);
            }
            return Mass::Diagonal(diagonal);
        }
        let [Mass::Full(a), Mass::Full(b), Mass::Full(c), Mass::Full(d)] = masses else {
            return Mass::Varying;
        };
        let entries = a.iter().zip(b).zip(c.iter().zip(d));
        let side_by_side = |((a, b), (c, d)): ((&Entry, &Entry), (&Entry, &Entry))| {
            (a.0, a.1, Lanes::of([a.2, b.2, c.2, d.2]))
        };
        Mass::Full(entries.map(side_by_side).collect())
    }
}

type Entry = (usize, usize, f64);

impl<M: Model, S: Scalar> Integrator<M, S> {
    /// G_i for the next step: with constant mass by the step's own equation, which saves an evaluation.
    #[inline(always)]
    pub(super) fn update_history(&mut self, constants: &StepConstants<M, S>, time: f64) {
        let ratio = constants.weights.previous;
        if ratio != 0.0 && !self.update_history_by_mass(ratio) {
            self.remember_force_residual(constants, time);
        }
    }

    /// Updates the history where the mass is constant; whether it is.
    #[inline(always)]
    pub(super) fn update_history_by_mass(&mut self, ratio: f64) -> bool {
        let (history, a) = (self.history.as_mut(), self.state.accelerations.as_ref());
        match &self.mass {
            Mass::Varying => return false,
            Mass::Diagonal(mass) => {
                entrywise(self.fours, [mass.as_ref(), a], [history], Remember { ratio });
            }
            Mass::Full(entries) => {
                for entry in history.iter_mut() {
                    *entry = *entry * ratio;
                }
                for &(row, column, value) in entries {
                    history[row] -= value * a[column];
                }
            }
        }
        true
    }

    /// G_i by evaluation.
    #[inline(never)]
    pub(super) fn remember_force_residual(&mut self, constants: &StepConstants<M, S>, time: f64) {
        let mut residual = M::Residual::<S>::zeros();
        evaluate::residual(&self.state.point(time, &self.inputs, &constants.model), &mut residual);
        let force_residual =
            Rows::of(M::DESCRIPTION.groups.residual).force_residual.values(residual.as_ref());
        for (to, from) in self.history.as_mut().iter_mut().zip(force_residual) {
            *to = *from * constants.weights.previous;
        }
    }
}
