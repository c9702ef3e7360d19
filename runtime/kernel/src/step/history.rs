//! The force residual of the step before, which HHT weighs with alpha/(1 + alpha).

use costate_numerics::scalar::Scalar;
use costate_system::model::Functions;

use crate::evaluate;

use super::correction::Correction;
use super::entries::Remember;
use super::entrywise::entrywise;
use super::integrator::Integrator;
use super::mass::Mass;
use crate::step::StepConstants;

impl<M: Functions, S: Scalar> Integrator<M, S> {
    /// Computes G_i for the next step: with constant mass by the step's own equation, which saves an evaluation.
    #[inline(always)]
    pub(super) fn update_history(&mut self, constants: &StepConstants<M, S>, time: f64) {
        let ratio = constants.weights.previous;
        if ratio != 0.0 && !self.update_history_by_mass(ratio) {
            self.remember_force_residual(constants, time);
        }
    }

    /// Updates the history where the mass is constant; returns true if it is.
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

    /// Computes G_i by evaluation.
    #[inline(never)]
    pub(super) fn remember_force_residual(&mut self, constants: &StepConstants<M, S>, time: f64) {
        let Correction { residual, residual_rows, .. } = &mut self.correction;
        evaluate::residual(&self.state.point(time, &self.inputs, &constants.model), residual);
        let force_residual = residual_rows.force_residual.values(residual.as_ref());
        for (to, from) in self.history.as_mut().iter_mut().zip(force_residual) {
            *to = *from * constants.weights.previous;
        }
    }
}
