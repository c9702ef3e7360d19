//! Single steps, each from a state of its own: filters advance one point after the other.
//!
//! Earlier steps have no influence, so that the result of a point does not depend on the other points; only
//! the chosen pivots, and how long they are used, are common to all points. Nothing is evaluated for a
//! following step.

use costate_numerics::scalar::{Scalar, Vector, Work, lift_into};
use costate_system::model::{Functions, Weights};

use crate::evaluate;

use super::correction::Correction;
use super::integrator::Integrator;
use super::matrix::StepMatrix;
use crate::step::NewtonSettings;
use crate::step::State;
use crate::step::StepError;
use crate::step::{Moment, StepConstants};

/// The initial values of a single step.
pub struct Before<'a, S> {
    /// x_{i-1} (3n + m).
    pub state: &'a [S],
    /// s_{i-1} (n).
    pub auxiliary: &'a [S],
    /// t_{i-1} and u_{i-1}.
    pub at: Moment<'a>,
}

impl<M: Functions, S: Scalar> Integrator<M, S> {
    /// Creates an integrator for [steps by themselves](Self::step_from), whose pivots are chosen ahead, so
    /// that nothing is allocated later on.
    pub fn of_single_steps(program: M::Program, newton: &NewtonSettings, weights: &Weights) -> Self {
        let auxiliary = Vector::zeros(M::lengths(program).coordinates);
        let mut integrator = Self::at(program, newton, weights, (State::zeros_of(program), auxiliary));
        integrator.correction.matrix = StepMatrix::new(program, M::description(program).groups.newton).prepared();
        integrator
    }

    /// Returns the factorised matrix of the last step.
    pub fn matrix(&self) -> &StepMatrix<M> {
        &self.correction.matrix
    }

    /// Advances from any x_{i-1} to x_i.
    #[inline(never)]
    pub fn step_from(
        &mut self,
        constants: &StepConstants<M, S>,
        before: &Before<'_, S>,
        at: Moment<'_>,
    ) -> Result<(), StepError> {
        S::dispatch(SingleStep { integrator: self, constants, before, at })
    }

    /// Loads the initial values of a step, except the history term.
    #[inline(always)]
    pub(super) fn take(&mut self, before: &Before<'_, S>) {
        self.state.load(before.state);
        self.auxiliary.as_mut().copy_from_slice(before.auxiliary);
        self.previous.accelerations.clone_from(&self.state.accelerations);
        self.previous.multipliers.clone_from(&self.state.multipliers);
        self.earlier.clone_from(&self.previous);
        lift_into(before.at.inputs, self.inputs.as_mut());
        (self.taken, self.is_current) = (0, true);
    }

    /// Computes the history term from the residual that was evaluated at the loaded state.
    #[inline(always)]
    pub(super) fn take_history(&mut self, weights: &Weights) {
        let Correction { residual, residual_rows, .. } = &self.correction;
        let force_residual = residual_rows.force_residual.values(residual.as_ref());
        for (to, from) in self.history.as_mut().iter_mut().zip(force_residual) {
            *to = *from * weights.previous;
        }
    }
}

/// A step as a piece of work.
struct SingleStep<'s, M: Functions, S: Scalar> {
    integrator: &'s mut Integrator<M, S>,
    constants: &'s StepConstants<M, S>,
    before: &'s Before<'s, S>,
    at: Moment<'s>,
}

impl<M: Functions, S: Scalar> Work for SingleStep<'_, M, S> {
    type Output = Result<(), StepError>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { integrator, constants, before, at } = self;
        integrator.take(before);
        if constants.weights.previous != 0.0 {
            let Integrator { state, inputs, correction, .. } = &mut *integrator;
            let point = state.point(before.at.time, inputs, &constants.model);
            evaluate::residual(&point, &mut correction.residual);
            integrator.take_history(&constants.weights);
        }
        integrator.measure_state();
        integrator.control.forget();
        integrator.control.start(Integrator::<M, S>::measured(integrator.sizes, &integrator.derivative_sizes));
        let mut correction = std::mem::replace(&mut integrator.unknowns, Vector::zeros(0));
        let found = integrator.find(constants, at, &mut correction);
        (integrator.unknowns, integrator.taken) = (correction, 1);
        found
    }
}
