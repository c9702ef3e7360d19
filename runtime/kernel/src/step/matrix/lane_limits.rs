//! The limits of emitted factors of four matrices at once.

use super::limits::Limits;
use costate_numerics::scalar::{LaneSet, Lanes, Reals, Scalar};

/// The largest absolute value of every factor, in every lane.
#[derive(Debug)]
pub struct LaneLimits {
    largest: Vec<Lanes>,
    are_known: LaneSet,
}

impl LaneLimits {
    /// Creates lanes without limits.
    pub fn new() -> Self {
        Self { largest: Vec::new(), are_known: LaneSet::NONE }
    }

    /// Sets the limits of one lane.
    pub fn set(&mut self, lane: usize, limits: Option<&Limits>) {
        match limits {
            Some(limits) if limits.are_known => self.are_known.insert(lane),
            _ => self.are_known.remove(lane),
        }
        let largest = limits.map_or(&[][..], |limits| &limits.largest);
        self.largest.resize(self.largest.len().max(largest.len()), Lanes::default());
        for (limit, largest) in self.largest.iter_mut().zip(largest) {
            limit.set_lane(lane, *largest);
        }
    }

    /// Returns the lanes in which no factor exceeds its limit or is NaN.
    #[inline(always)]
    pub fn hold(&self, factors: &[Lanes]) -> LaneSet {
        let Some(some) = factors.first() else { return self.are_known };
        // two chains that need not wait for each other
        let all = some.same(0.0);
        let mut hold = [all.equal(all); 2];
        let (pairs, last) = factors[..self.largest.len().min(factors.len())].as_chunks();
        let (limits, last_limit) = self.largest.as_chunks();
        for ([a, b], [limit_a, limit_b]) in pairs.iter().zip(limits) {
            hold[0] = Lanes::and(hold[0], a.abs().less_equal(*limit_a));
            hold[1] = Lanes::and(hold[1], b.abs().less_equal(*limit_b));
        }
        for (factor, limit) in last.iter().zip(last_limit) {
            hold[0] = Lanes::and(hold[0], factor.abs().less_equal(*limit));
        }
        Lanes::and(hold[0], hold[1]).set() & self.are_known
    }
}
