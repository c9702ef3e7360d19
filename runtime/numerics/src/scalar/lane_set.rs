//! Sets of the four lanes.

use std::ops::BitAnd;

use super::width::LANES;

/// Some of the lanes: bits of one byte, so that branches do not wait for memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneSet(u8);

impl LaneSet {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Returns the lanes whose value is true.
    #[inline(always)]
    pub fn of(values: [bool; LANES]) -> Self {
        let mut set = Self::NONE;
        for (lane, value) in values.into_iter().enumerate() {
            set.0 |= u8::from(value) << lane;
        }
        set
    }

    /// Returns the lanes whose bit is set.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn of_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// Checks whether `lane` is in the set.
    #[inline(always)]
    pub fn contains(self, lane: usize) -> bool {
        self.0 >> lane & 1 != 0
    }

    /// Adds `lane`.
    #[inline(always)]
    pub fn insert(&mut self, lane: usize) {
        self.0 |= 1 << lane;
    }

    /// Removes `lane`.
    #[inline(always)]
    pub fn remove(&mut self, lane: usize) {
        self.0 &= !(1 << lane);
    }

    /// Returns the lanes that are not in `other`.
    #[inline(always)]
    pub fn but(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Checks whether the set is empty.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns ones in the lanes of the set, zeros in the others: read from a table, which is faster than bit
    /// by bit.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn ones(self) -> [f64; LANES] {
        const SETS: usize = 1 << LANES;
        const ONES: [[f64; LANES]; SETS] = {
            let mut ones = [[0.0; LANES]; SETS];
            let mut i = 0;
            while i < LANES * SETS {
                let (set, lane) = (i / LANES, i % LANES);
                ones[set][lane] = (set >> lane & 1) as f64;
                i += 1;
            }
            ones
        };
        ONES[usize::from(self.0) % SETS]
    }

    /// Checks whether the set has all lanes.
    #[inline(always)]
    pub fn is_all(self) -> bool {
        self.0 == (1 << LANES) - 1
    }

    /// Returns the lanes in order.
    #[inline(always)]
    pub fn lanes(self) -> impl Iterator<Item = usize> {
        (0..LANES).filter(move |&lane| self.contains(lane))
    }
}

impl BitAnd for LaneSet {
    type Output = Self;

    /// Returns the lanes that are in both sets.
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_come_and_go() {
        let mut set = LaneSet::of([true, false, false, true]);
        assert_eq!(set.lanes().collect::<Vec<_>>(), [0, 3]);
        set.insert(2);
        set.remove(0);
        assert_eq!(set, LaneSet::of([false, false, true, true]));
        assert_eq!(set & LaneSet::of([true, true, true, false]), LaneSet::of([false, false, true, false]));
        set.remove(2);
        set.remove(3);
        assert!(set.is_empty());
    }
}
