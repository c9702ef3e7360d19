//! Plain numbers.

use super::dispatch::{Work, with_best_instructions};
use super::elementary;
use super::forwarded::masks_of_one;
use super::lanes::Lanes;
use super::number::Scalar;
use super::repetitions::{PartLoop, are_side_by_side};
use super::width::FUSES;

struct InLanes<P>(P);

impl<P: PartLoop<f64>> Work for InLanes<P> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.run::<Lanes>();
    }
}

/// Functions that `f64` has under the same names.
macro_rules! inherent_functions {
    ($($name:ident),*) => {$(
        #[inline]
        fn $name(self) -> Self {
            f64::$name(self)
        }
    )*};
}

impl Scalar for f64 {
    type Mask = bool;
    const COMPONENTS: usize = 1;

    const IS_PLAIN: bool = true;

    #[inline(always)]
    fn plain(numbers: &[f64]) -> Option<&[f64]> {
        Some(numbers)
    }
    #[inline(always)]
    fn plain_mut(numbers: &mut [f64]) -> Option<&mut [f64]> {
        Some(numbers)
    }
    #[inline]
    fn dispatch<W: Work>(work: W) -> W::Output {
        with_best_instructions(work)
    }
    #[inline(always)]
    fn in_parts<P: PartLoop<Self>>(parts: P) {
        if are_side_by_side() {
            Lanes::dispatch(InLanes(parts));
        } else {
            parts.run::<Self>();
        }
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        if FUSES { a.mul_add(b, self) } else { self + a * b }
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        if FUSES { (-a).mul_add(b, self) } else { self - a * b }
    }
    #[inline]
    fn constant(value: f64) -> Self {
        value
    }
    #[inline]
    fn component(self, _index: usize) -> f64 {
        self
    }
    #[inline]
    fn set_component(&mut self, _index: usize, value: f64) {
        *self = value;
    }
    inherent_functions!(sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, exp, ln, log10, sqrt, abs);
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        f64::sin_cos(self)
    }
    #[inline]
    fn sin_cos_each<const N: usize>(arguments: [Self; N]) -> ([Self; N], [Self; N]) {
        elementary::sin_cos(arguments)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    #[inline]
    fn exp_each<const N: usize>(arguments: [Self; N]) -> [Self; N] {
        elementary::exp(arguments)
    }
    #[inline]
    fn sign(self) -> Self {
        if self > 0.0 {
            1.0
        } else if self < 0.0 {
            -1.0
        } else {
            self
        }
    }
    #[inline]
    fn powi(self, exponent: i32) -> Self {
        f64::powi(self, exponent)
    }
    #[inline]
    fn powf(self, exponent: Self) -> Self {
        f64::powf(self, exponent)
    }
    #[inline]
    fn less(self, other: Self) -> bool {
        self < other
    }
    #[inline]
    fn less_equal(self, other: Self) -> bool {
        self <= other
    }
    #[inline]
    fn equal(self, other: Self) -> bool {
        self == other
    }
    masks_of_one!();
}
