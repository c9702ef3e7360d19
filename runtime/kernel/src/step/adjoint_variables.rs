//! The adjoint variables between two steps, and the part of a step's adjoint that belongs to the scheme alone.

use costate_numerics::scalar::{Scalar, Vector};
use costate_system::model::{AdjointCarry, AdjointUpdate, Functions, Weights};

/// The adjoint variables of a step of the discrete adjoint (DA 9), multipliers of the scheme's equations.
#[derive(Debug, Clone)]
pub struct AdjointVariables<M: Functions, S: Scalar> {
    /// Adjoint variables of the formula for q (n).
    pub y: M::Coordinates<S>,
    /// Adjoint variables of the formula for v (n).
    pub z: M::Coordinates<S>,
    /// Adjoint variables of the formula for the auxiliary acceleration (n).
    pub auxiliary: M::Coordinates<S>,
    /// Adjoint variables of the equations of motion (n).
    pub w: M::Coordinates<S>,
    /// Adjoint variables of the constraints, divided by w_q (m).
    pub mu: M::Multipliers<S>,
}

impl<M: Functions, S: Scalar> AdjointVariables<M, S> {
    /// Returns the adjoint variables after the last step, all zero.
    pub fn zeros(program: M::Program) -> Self {
        let lengths = M::lengths(program);
        Self {
            y: Vector::zeros(lengths.coordinates),
            z: Vector::zeros(lengths.coordinates),
            auxiliary: Vector::zeros(lengths.coordinates),
            w: Vector::zeros(lengths.coordinates),
            mu: Vector::zeros(lengths.multipliers),
        }
    }

    /// Writes the contributions of these variables, those of the step after, to a step with the given
    /// weights.
    #[inline(always)]
    pub fn pass_on(&self, weights: &Weights, passed: &mut AdjointCarry<M, S>) {
        let (y, z, auxiliary) = (self.y.as_ref(), self.z.as_ref(), self.auxiliary.as_ref());
        let (motion, constraints) = passed.right.as_mut().split_at_mut(y.len());
        for (j, right) in motion.iter_mut().enumerate() {
            *right = y[j] * weights.carried_coordinates
                + z[j] * weights.carried_velocities
                + auxiliary[j] * weights.carried_auxiliaries;
        }
        constraints.fill(S::constant(0.0));
        passed.has_history = weights.previous != 0.0;
        if passed.has_history {
            for (carried, w) in passed.carried.as_mut().iter_mut().zip(self.w.as_ref()) {
                *carried = *w * weights.previous;
            }
        }
    }

    /// Takes the adjoint variables of the step before `later`, from the results of the emitted adjoint of
    /// that step.
    #[inline(always)]
    pub fn follow(&mut self, later: &Self, weights: &Weights, found: &AdjointUpdate<M, S>) {
        let (y, z, auxiliary) = (later.y.as_ref(), later.z.as_ref(), later.auxiliary.as_ref());
        for (j, new) in self.auxiliary.as_mut().iter_mut().enumerate() {
            *new = y[j] * weights.coordinates_of_auxiliary
                + z[j] * weights.velocities_of_auxiliary
                + auxiliary[j] * weights.auxiliary_of_auxiliary;
        }
        for ((new, found), (y, z)) in self.z.as_mut().iter_mut().zip(found.velocities.as_ref()).zip(y.iter().zip(z)) {
            *new = *y * weights.step + *z + *found;
        }
        for ((new, found), y) in self.y.as_mut().iter_mut().zip(found.coordinates.as_ref()).zip(y) {
            *new = *y + *found;
        }
        let (w, mu) = found.unknowns.as_ref().split_at(self.w.as_ref().len());
        self.w.as_mut().copy_from_slice(w);
        self.mu.as_mut().copy_from_slice(mu);
    }
}
