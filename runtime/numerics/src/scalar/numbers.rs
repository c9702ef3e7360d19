//! Numbers that an emitted function reads where they are.

use super::{LANES, Lanes};
use super::{Scalar, Vector};

/// Numbers by their places: an array of them, or one lane of an array of lanes.
pub trait Numbers<S: Scalar>: Copy {
    /// The number at place `i`, which is one of the array's.
    fn at(self, i: usize) -> S;
}

impl<S: Scalar, V: Vector<S>> Numbers<S> for &V {
    #[inline(always)]
    fn at(self, i: usize) -> S {
        self.as_ref()[i]
    }
}

/// The numbers of one lane.
#[derive(Debug)]
pub struct LaneOf<'a, V> {
    /// All numbers of all lanes.
    pub values: &'a V,
    /// Below [`LANES`].
    pub lane: usize,
}

impl<V> Clone for LaneOf<'_, V> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for LaneOf<'_, V> {}

impl<V: Vector<Lanes>> Numbers<f64> for LaneOf<'_, V> {
    #[inline(always)]
    fn at(self, i: usize) -> f64 {
        self.values.as_ref()[i].as_array()[self.lane % LANES]
    }
}
