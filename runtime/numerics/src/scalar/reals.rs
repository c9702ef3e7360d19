//! Real numbers on which decisions are based: one, or one per lane.

use super::Scalar;
use super::{LANES, LaneMask, Lanes};

/// One real number or several side by side, each with a decision of its own.
pub trait Reals: Scalar {
    /// True for a single number.
    const IS_ONE: bool;

    /// Returns the larger number; NaN in `self` is ignored.
    fn larger(self, other: Self) -> Self;
    /// Returns the smaller number; NaN in `self` is ignored.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        -(-self).larger(-other)
    }
    /// Checks that the number is neither infinite nor NaN.
    fn is_finite(self) -> Self::Mask;
    /// Returns the constant `value`, on the same processor: the proof that lanes are available is taken from
    /// `self`.
    fn same(self, value: f64) -> Self;
    /// Returns one decision for all numbers.
    fn decide(self, value: bool) -> Self::Mask;
    /// Returns true if any decision is true.
    fn any(mask: Self::Mask) -> bool;

    /// Returns the decisions that are true in `a` and not in `b`.
    #[inline(always)]
    fn but(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        Self::and(a, Self::not(b))
    }
}

impl Reals for f64 {
    const IS_ONE: bool = true;

    // one instruction
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
    #[inline(always)]
    fn same(self, value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn decide(self, value: bool) -> bool {
        value
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
}

impl Reals for Lanes {
    const IS_ONE: bool = false;

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Lanes::larger(self, other)
    }
    #[inline(always)]
    fn is_finite(self) -> LaneMask {
        (self * 0.0).equal(self.same(0.0))
    }
    #[inline(always)]
    fn same(self, value: f64) -> Self {
        self.with([value; LANES])
    }
    #[inline(always)]
    fn decide(self, value: bool) -> LaneMask {
        let zero = self.same(0.0);
        if value { zero.equal(zero) } else { zero.less(zero) }
    }
    #[inline(always)]
    fn any(mask: LaneMask) -> bool {
        !mask.set().is_empty()
    }
}
