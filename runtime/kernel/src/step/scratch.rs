//! The arguments and results of an emitted step of the adjoint.

use costate_numerics::scalar::{Scalar, Vector};
use costate_system::model::{AdjointCarry, AdjointUpdate, Functions};

/// Arguments and results of [`Functions::adjoint_step`] that no later step needs.
pub struct Scratch<M: Functions, S: Scalar> {
    /// dJ/ds of the step.
    pub output_gradient: M::Outputs<S>,
    /// The contributions of the step after.
    pub passed: AdjointCarry<M, S>,
    /// The results.
    pub found: AdjointUpdate<M, S>,
}

impl<M: Functions, S: Scalar> Scratch<M, S> {
    /// Returns what [`keep`](Self::keep) kept, or zeros: always zeros for a compiled model, whose arrays are local
    /// variables, which small models keep in registers.
    #[inline(always)]
    pub fn take(kept: &mut Option<Self>, program: M::Program) -> Self {
        match M::COMPILED {
            Some(_) => Self::zeros(program),
            None => kept.take().unwrap_or_else(|| Self::zeros(program)),
        }
    }

    /// Keeps the vectors of a loaded model, so that the next step allocates nothing.
    #[inline(always)]
    pub fn keep(self, kept: &mut Option<Self>) {
        if M::COMPILED.is_none() {
            *kept = Some(self);
        }
    }

    #[inline(always)]
    fn zeros(program: M::Program) -> Self {
        Self {
            output_gradient: Vector::zeros(M::lengths(program).outputs),
            passed: AdjointCarry::zeros(program),
            found: AdjointUpdate::zeros(program),
        }
    }
}
