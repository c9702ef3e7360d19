//! The system of a filter: a process with measurements, its errors, and random vectors.
//!
//! A [`StateSpace`] with constraints is advanced only from states that satisfy them.

mod checks;
mod error;
mod failure;
mod gaussian;

use nalgebra::DMatrix;

#[doc(hidden)]
pub use checks::{
    check_covariance, check_finite, check_matrices, check_size, covariance_factor, entries, factor_covariance,
};
pub use error::{CovarianceFault, Divergence, DivergenceReason, FilterError};
pub use failure::ModelFailure;
pub use gaussian::Gaussian;

/// A step from sample i - 1 to sample i: its time, and the inputs at both ends.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// t_{i-1} in s.
    pub time: f64,
    /// t_i - t_{i-1} in s.
    pub interval: f64,
    /// u_{i-1}.
    pub inputs_before: &'a [f64],
    /// u_i.
    pub inputs: &'a [f64],
}

/// A sample: its time and its inputs.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// t_i in s.
    pub time: f64,
    /// u_i.
    pub inputs: &'a [f64],
}

/// A process with measurements, x_i = f(x_{i-1}, u_{i-1}, u_i) and y_i = h(x_i, u_i), without their noise.
///
/// The functions fill all entries of their results; matrices come with the right size. They take `&mut self`
/// for working memory: a filter calls them once per sample, and should not have to wait for allocations.
pub trait StateSpace {
    /// Returns the number of states n.
    fn states(&self) -> usize;
    /// Returns the number of inputs.
    fn inputs(&self) -> usize;
    /// Returns the number of measured signals.
    fn measurements(&self) -> usize;
    /// Returns the name of a state, for messages.
    fn state_name(&self, state: usize) -> String;

    /// Computes x_i from x_{i-1}.
    ///
    /// # Errors
    /// `ModelFailure` if the model has no solution there.
    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure>;
    /// Calls [`advance`](Self::advance) for several states, `x` and `next` holding one after the other: sigma
    /// points, or particles. Systems that advance several states at once at a lower cost override this
    /// method; the result for a state must not depend on the other states.
    ///
    /// # Errors
    /// The error of the first state without a next one.
    fn advance_each(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        let states = self.states().max(1);
        let mut pairs = x.chunks_exact(states).zip(next.chunks_exact_mut(states));
        pairs.try_for_each(|(x, next)| self.advance(step, x, next))
    }
    /// Computes F = dx_i/dx_{i-1} (n x n), where `next` is the result of [`advance`](Self::advance) for `x`.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    fn transition(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        next: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure>;
    /// Computes y_i from x_i.
    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]);
    /// Calls [`measure`](Self::measure) for several states, one after the other in `x`, with their
    /// measurements in `y`; systems may override it like [`advance_each`](Self::advance_each).
    fn measure_each(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        let (states, signals) = (self.states().max(1), self.measurements().max(1));
        for (x, y) in x.chunks_exact(states).zip(y.chunks_exact_mut(signals)) {
            self.measure(at, x, y);
        }
    }
    /// Computes H = dy_i/dx_i (measurements x n).
    fn measurement_matrix(&mut self, at: &Sample<'_>, x: &[f64], matrix: &mut DMatrix<f64>);
    /// Returns true if constraints tie the states together, which [`admit`](Self::admit) and
    /// [`admit_deviations`](Self::admit_deviations) satisfy.
    fn is_constrained(&self) -> bool {
        false
    }
    /// Projects a state `x`, which a correction or noise has made from the state `before`, onto the
    /// constraints.
    fn admit(&mut self, _at: &Sample<'_>, _before: &[f64], _x: &mut [f64]) {}
    /// Calls [`admit`](Self::admit) for several states in `x`, one after the other, that were all made from
    /// the state `before`; systems may override it like [`advance_each`](Self::advance_each).
    fn admit_each(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) {
        for x in x.chunks_exact_mut(before.len().max(1)) {
            self.admit(at, before, x);
        }
    }
    /// Projects the columns of `factor`, small deviations of the state `x`, onto directions in which the
    /// system can move.
    fn admit_deviations(&mut self, _at: &Sample<'_>, _x: &[f64], _factor: &mut DMatrix<f64>) {}
}

/// A system whose type is chosen while the program runs.
#[doc(hidden)]
impl<P: StateSpace + ?Sized> StateSpace for Box<P> {
    fn states(&self) -> usize {
        (**self).states()
    }

    fn inputs(&self) -> usize {
        (**self).inputs()
    }

    fn measurements(&self) -> usize {
        (**self).measurements()
    }

    fn state_name(&self, state: usize) -> String {
        (**self).state_name(state)
    }

    fn advance(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        (**self).advance(step, x, next)
    }

    fn advance_each(&mut self, step: &Step<'_>, x: &[f64], next: &mut [f64]) -> Result<(), ModelFailure> {
        (**self).advance_each(step, x, next)
    }

    fn transition(
        &mut self,
        step: &Step<'_>,
        x: &[f64],
        next: &[f64],
        matrix: &mut DMatrix<f64>,
    ) -> Result<(), ModelFailure> {
        (**self).transition(step, x, next, matrix)
    }

    fn measure(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        (**self).measure(at, x, y);
    }

    fn measure_each(&mut self, at: &Sample<'_>, x: &[f64], y: &mut [f64]) {
        (**self).measure_each(at, x, y);
    }

    fn measurement_matrix(&mut self, at: &Sample<'_>, x: &[f64], matrix: &mut DMatrix<f64>) {
        (**self).measurement_matrix(at, x, matrix);
    }

    fn is_constrained(&self) -> bool {
        (**self).is_constrained()
    }

    fn admit(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) {
        (**self).admit(at, before, x);
    }

    fn admit_each(&mut self, at: &Sample<'_>, before: &[f64], x: &mut [f64]) {
        (**self).admit_each(at, before, x);
    }

    fn admit_deviations(&mut self, at: &Sample<'_>, x: &[f64], factor: &mut DMatrix<f64>) {
        (**self).admit_deviations(at, x, factor);
    }
}
