//! The layout of a filter's state.

use std::ops::Range;

use crate::model::Model;
use crate::scalar::Vector;
use crate::step::{Scheme, State};

/// q, v, a, lambda, then s where the scheme has an auxiliary acceleration of its own, then estimated parameters.
#[derive(Debug, Clone, Copy)]
pub(in crate::state_space) struct Layout {
    coordinates: usize,
    state: usize,
    auxiliaries: usize,
}

impl Layout {
    pub fn of<M: Model>(scheme: Scheme) -> Self {
        let coordinates = <M::Coordinates<f64> as Vector<f64>>::LENGTH;
        let auxiliaries = if scheme.has_auxiliary() { coordinates } else { 0 };
        Self { coordinates, state: State::<M, f64>::STRIDE, auxiliaries }
    }

    /// Numbers of q, v, a, lambda.
    pub fn state(self) -> usize {
        self.state
    }

    /// Numbers before the parameters.
    pub fn fixed(self) -> usize {
        self.state + self.auxiliaries
    }

    /// a.
    pub fn accelerations(self) -> Range<usize> {
        2 * self.coordinates..3 * self.coordinates
    }

    /// s, or nothing.
    pub fn auxiliaries(self) -> Range<usize> {
        self.state..self.fixed()
    }

    /// s, or a, which it is then.
    pub fn auxiliary_accelerations(self) -> Range<usize> {
        if self.auxiliaries > 0 { self.auxiliaries() } else { self.accelerations() }
    }
}
