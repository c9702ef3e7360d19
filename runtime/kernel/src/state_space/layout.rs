//! The layout of a filter's state.

use std::ops::Range;

use costate_system::model::Functions;

use crate::step::Scheme;

/// q, v, a, lambda, then s where the scheme has an auxiliary acceleration of its own, then estimated parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    coordinates: usize,
    state: usize,
    auxiliaries: usize,
}

impl Layout {
    pub fn of<M: Functions>(program: M::Program, scheme: Scheme) -> Self {
        let coordinates = M::lengths(program).coordinates;
        let auxiliaries = if scheme.has_auxiliary() { coordinates } else { 0 };
        Self { coordinates, state: M::lengths(program).state(), auxiliaries }
    }

    /// Numbers of q, v, a, lambda.
    pub fn state(self) -> usize {
        self.state
    }

    /// Returns n.
    pub fn coordinates(self) -> usize {
        self.coordinates
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
