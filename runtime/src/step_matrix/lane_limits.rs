//! The limits of emitted factors of four matrices at once.

use super::limits::Limits;
use crate::scalar::{LANES, LaneMask, Lanes, Scalar};

/// The largest absolute value of every factor, in every lane.
#[derive(Debug)]
pub(crate) struct LaneLimits {
    largest: Vec<Lanes>,
    are_known: [bool; LANES],
}

impl LaneLimits {
    /// No limits are known.
    pub fn new() -> Self {
        Self { largest: Vec::new(), are_known: [false; LANES] }
    }

    /// Takes those of one lane.
    pub fn set(&mut self, lane: usize, limits: Option<&Limits>) {
        self.are_known[lane] = limits.is_some_and(|limits| limits.are_known);
        let largest = limits.map_or(&[][..], |limits| &limits.largest);
        self.largest.resize(self.largest.len().max(largest.len()), Lanes::default());
        for (limit, largest) in self.largest.iter_mut().zip(largest) {
            limit.set_component(lane, *largest);
        }
    }

    /// In which lanes no factor exceeds its limit or is no number.
    #[inline(always)]
    pub fn hold(&self, factors: &[Lanes]) -> LaneMask {
        let mut hold = LaneMask::of(self.are_known);
        for (factor, limit) in factors.iter().zip(&self.largest) {
            hold = Lanes::and(hold, factor.abs().less_equal(*limit));
        }
        hold
    }
}
