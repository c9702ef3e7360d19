//! Numbers that an emitted function reads where they are.

use super::{LANES, Lanes};
use super::{Scalar, Vector};

/// Numbers by their places: an array of them, or one lane of an array of lanes.
pub trait Numbers<S: Scalar>: Copy {
    /// The number at place `i`, which is one of the array's.
    fn at(self, i: usize) -> S;

    /// All of them.
    fn entries(&self) -> Entries<'_, S>;
}

/// Numbers where they are.
#[derive(Debug)]
pub enum Entries<'a, S> {
    /// An array of them.
    Array(&'a [S]),
    /// One lane, below [`LANES`], of an array of lanes; the numbers are plain.
    Lane(&'a [Lanes], usize),
}

impl<S> Entries<'_, S> {
    /// Returns how many there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            Self::Array(array) => array.len(),
            Self::Lane(lanes, _) => lanes.len(),
        }
    }

    /// Checks whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<S> Clone for Entries<'_, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Entries<'_, S> {}

impl<S> Default for Entries<'_, S> {
    fn default() -> Self {
        Self::Array(&[])
    }
}

impl<'a, S> From<&'a [S]> for Entries<'a, S> {
    #[inline(always)]
    fn from(array: &'a [S]) -> Self {
        Self::Array(array)
    }
}

impl<S: Scalar, V: Vector<S>> Numbers<S> for &V {
    #[inline(always)]
    fn at(self, i: usize) -> S {
        self.as_ref()[i]
    }

    #[inline(always)]
    fn entries(&self) -> Entries<'_, S> {
        Entries::Array(self.as_ref())
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

    #[inline(always)]
    fn entries(&self) -> Entries<'_, f64> {
        Entries::Lane(self.values.as_ref(), self.lane % LANES)
    }
}
