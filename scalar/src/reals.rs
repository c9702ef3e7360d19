//! Real numbers that decisions are made with: one, or one per lane.

use super::Scalar;
use super::{LANES, LaneMask, Lanes};

/// One real number or several side by side, each with a decision of its own.
pub trait Reals: Scalar {
    /// Whether there is one only.
    const IS_ONE: bool;

    /// The larger number; what is no number in `self` is passed over.
    fn larger(self, other: Self) -> Self;
    /// The smaller number; what is no number in `self` is passed over.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        -(-self).larger(-other)
    }
    /// Neither infinite nor no number.
    fn is_finite(self) -> Self::Mask;
    /// The constant `value`, on the same processor: what proves that lanes are available goes along with numbers.
    fn same(self, value: f64) -> Self;
    /// One decision for all.
    fn decide(self, value: bool) -> Self::Mask;
    /// Whether any is decided so.
    fn any(mask: Self::Mask) -> bool;

    /// `a` but for those in `b`.
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
