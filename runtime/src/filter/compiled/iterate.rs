//! Newton's iteration of a step, of one point or of one in each lane.

use crate::block::find;
use crate::model::{Block, Function, Model, Weights};
use crate::scalar::{Scalar, Vector};
use crate::step::State;

/// Largest number of iterations.
pub(super) const MOST_ITERATIONS: usize = 20;
/// Change of the unknowns, relative to their size, with which the iteration ends: quadratic convergence makes the next
/// one smaller than rounding.
pub(super) const TOLERANCE: f64 = 1e-10;

/// Work space. Every component of S is a number of its own: plain numbers or lanes.
pub(super) struct Iterate<M: Model, S: Scalar> {
    pub residual: M::Residual<S>,
    force_residual: &'static Block,
    /// alpha/(1 + alpha) G_{i-1}.
    pub history: M::Coordinates<S>,
    /// q and v without the share of a_i.
    predicted: [M::Coordinates<S>; 2],
    pub correction: M::Unknowns<S>,
    /// Largest change of an acceleration in the last iteration.
    pub change: S,
}

impl<M: Model, S: Scalar> Iterate<M, S> {
    const N: usize = <M::Coordinates<S> as Vector<S>>::LENGTH;

    pub fn new() -> Self {
        Self {
            residual: Vector::zeros(),
            force_residual: find(M::DESCRIPTION.groups.residual, Function::ForceResidual, None),
            history: Vector::zeros(),
            predicted: std::array::from_fn(|_| Vector::zeros()),
            correction: Vector::zeros(),
            change: S::default(),
        }
    }

    /// From a state, whose residual has been evaluated, to the first iterate.
    #[inline(always)]
    pub fn begin(&mut self, weights: &Weights, state: &mut State<M, S>) {
        let force_residual = self.force_residual.values(self.residual.as_ref());
        let history = self.history.as_mut();
        if weights.previous != 0.0 {
            for (to, from) in history.iter_mut().zip(force_residual) {
                *to = *from * weights.previous;
            }
        }
        let [q, v] = &mut self.predicted;
        let (q, v) = (q.as_mut(), v.as_mut());
        for j in 0..Self::N {
            let a = state.accelerations.as_ref()[j];
            let velocity = state.velocities.as_ref()[j];
            q[j] = state.coordinates.as_ref()[j]
                + velocity * weights.step
                + a * weights.coordinates_of_auxiliary;
            v[j] = velocity + a * weights.velocities_of_auxiliary;
        }
        self.change = S::constant(f64::INFINITY);
        self.integrate(weights, state);
    }

    /// q and v from a.
    #[inline(always)]
    fn integrate(&self, weights: &Weights, state: &mut State<M, S>) {
        let [q, v] = &self.predicted;
        let a = state.accelerations.as_ref();
        let (coordinates, velocities) = (state.coordinates.as_mut(), state.velocities.as_mut());
        for j in 0..Self::N {
            coordinates[j] = q.as_ref()[j] + a[j] * weights.coordinates;
            velocities[j] = v.as_ref()[j] + a[j] * weights.velocities;
        }
    }

    /// Adds the correction where the iteration is `pending`; where it ends with that.
    #[inline(always)]
    pub fn apply(
        &mut self,
        weights: &Weights,
        iteration: usize,
        pending: S::Mask,
        state: &mut State<M, S>,
    ) -> S::Mask {
        let (motion, rest) = self.correction.as_ref().split_at(Self::N);
        let changes = [largest(motion), largest(rest)];
        add(pending, motion, state.accelerations.as_mut());
        add(pending, rest, state.multipliers.as_mut());
        self.integrate(weights, state);
        let sizes = [largest(state.accelerations.as_ref()), largest(state.multipliers.as_ref())];
        let motion_is_small = is_small(changes[0], sizes[0]);
        let mut ends = S::and(motion_is_small, is_small(changes[1], sizes[1]));
        if iteration > 3 {
            // Rounding: no change that matters to positions, and none that still decreases.
            let stalls = (self.change * 0.5).less_equal(changes[0]);
            ends = S::or(ends, S::and(stalls, changes[0].less_equal(sizes[0] * 1e-6)));
        }
        self.change = changes[0];
        ends
    }
}

#[inline(always)]
fn is_small<S: Scalar>(change: S, size: S) -> S::Mask {
    S::or(change.less_equal(size * TOLERANCE), change.equal(S::constant(0.0)))
}

#[inline(always)]
fn add<S: Scalar>(pending: S::Mask, change: &[S], to: &mut [S]) {
    for (to, change) in to.iter_mut().zip(change) {
        *to = S::select(pending, *to + *change, *to);
    }
}

/// The largest absolute value; what is no number is passed over.
#[inline(always)]
pub(super) fn largest<S: Scalar>(values: &[S]) -> S {
    let mut most = S::constant(0.0);
    for value in values {
        let size = value.abs();
        most = S::select(most.less(size), size, most);
    }
    most
}
