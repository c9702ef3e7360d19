//! Short ways to collect, for code that is compiled again for every model.
//!
//! `Iterator::collect` and `std::array::from_fn` are made of a dozen functions each, which every closure gets again:
//! they were a quarter of all that was compiled for a small model. The functions here are a loop, or written out. The
//! numbers are the same.

use crate::scalar::width::LANES;

/// Collects an iterator by a loop.
pub trait CollectVec: Iterator + Sized {
    /// Collects all items.
    fn collect_vec(self) -> Vec<Self::Item> {
        let mut items = Vec::new();
        for item in self {
            items.push(item);
        }
        items
    }
}

impl<I: Iterator> CollectVec for I {}

/// Calls `function` with the number of every lane.
#[inline(always)]
pub fn each_lane<T>(mut function: impl FnMut(usize) -> T) -> [T; LANES] {
    [function(0), function(1), function(2), function(3)]
}

/// Calls `function` with the value of every lane.
#[inline(always)]
pub fn map_lanes<T, U>([a, b, c, d]: [T; LANES], mut function: impl FnMut(T) -> U) -> [U; LANES] {
    [function(a), function(b), function(c), function(d)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stay_in_their_order() {
        assert_eq!((3..9).rev().collect_vec(), [8, 7, 6, 5, 4, 3]);
        assert_eq!(each_lane(|lane| 2 * lane), [0, 2, 4, 6]);
        assert_eq!(map_lanes([5, 3, 8, 1], |value| value + 1), [6, 4, 9, 2]);
    }
}
