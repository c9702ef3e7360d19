//! The operations of numbers, and the arrays of numbers that models choose.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use super::dispatch::Work;
use super::repetitions::PartLoop;

/// A number that an emitted function can be evaluated with.
///
/// Every function of a compiled model is generic over this trait, so that the same code advances plain
/// numbers, carries derivatives ([`Dual`](crate::scalar::Dual)) or works on several parameter sets at once.
/// Comparisons return a [`Mask`](Scalar::Mask), because lanes of numbers may disagree; they compare real
/// parts.
pub trait Scalar:
    Copy
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + AddAssign
    + SubAssign
{
    /// Result of a comparison.
    type Mask: Copy + Send + Sync + 'static;

    /// Number of real components: 1 for `f64` and for lanes of such numbers, 2 for a dual number.
    const COMPONENTS: usize;

    /// Returns the constant `value`.
    fn constant(value: f64) -> Self;
    /// Returns component `index < COMPONENTS`; component 0 is the real part.
    fn component(self, index: usize) -> f64;
    /// Replaces component `index < COMPONENTS`.
    fn set_component(&mut self, index: usize, value: f64);
    /// Returns the real part.
    fn real(self) -> f64 {
        self.component(0)
    }

    /// True for plain numbers, `f64`.
    #[doc(hidden)]
    const IS_PLAIN: bool = false;

    /// Returns the numbers themselves, if they are plain.
    #[inline(always)]
    fn plain(_numbers: &[Self]) -> Option<&[f64]> {
        None
    }
    /// Returns the numbers themselves to be written, if they are plain.
    #[inline(always)]
    fn plain_mut(_numbers: &mut [Self]) -> Option<&mut [f64]> {
        None
    }

    /// Does `work`, which is mostly operations on numbers of this type, with the instructions that suit it best.
    #[inline(always)]
    fn dispatch<W: Work>(work: W) -> W::Output {
        work.run()
    }

    /// Goes through the parts of a model, several at a time where numbers of this type can.
    #[doc(hidden)]
    #[inline(always)]
    fn in_parts<P: PartLoop<Self>>(parts: P) {
        parts.run::<Self>();
    }

    /// Evaluates a function that branches on its arguments; lanes of numbers are evaluated one by one.
    #[inline(always)]
    fn branching<F: Branching<A, N>, const A: usize, const N: usize>(function: &F, arguments: [Self; A]) -> [Self; N] {
        function.at(arguments)
    }

    /// `self + a b`; rounded once instead of twice in builds for processors that fuse both operations.
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self + a * b
    }
    /// `self - a b`; rounded like `plus_product`.
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        self - a * b
    }
    /// 1/x
    #[inline(always)]
    fn recip(self) -> Self {
        Self::constant(1.0) / self
    }
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Sine and cosine of the same argument.
    fn sin_cos(self) -> (Self, Self);
    /// Sines and cosines of several arguments, which cost less together than one by one.
    #[inline]
    fn sin_cos_each<const N: usize>(arguments: [Self; N]) -> ([Self; N], [Self; N]) {
        let pairs = arguments.map(Self::sin_cos);
        (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1))
    }
    /// Tangent.
    fn tan(self) -> Self;
    /// Inverse sine; the derivative is infinite at -1 and 1.
    fn asin(self) -> Self;
    /// Inverse cosine; the derivative is infinite at -1 and 1.
    fn acos(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Angle of the point `(x, self)`, in (-pi, pi]; no derivative at the origin.
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// 1/cosh^2, the derivative of tanh, to its last digits for arguments of any size.
    #[inline]
    fn sech_squared(self) -> Self {
        // 4 e/(1 + e)^2 with e = exp(-2|x|), which neither cancels nor overflows
        let magnitude = Self::select(self.less(Self::constant(0.0)), -self, self);
        let decay = (magnitude * -2.0).exp();
        let sum = decay + 1.0;
        decay * 4.0 / (sum * sum)
    }
    /// Exponential function.
    fn exp(self) -> Self;
    /// Exponential functions of several arguments, which cost less together than one by one.
    #[inline]
    fn exp_each<const N: usize>(arguments: [Self; N]) -> [Self; N] {
        arguments.map(Self::exp)
    }
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Logarithm to base 10.
    fn log10(self) -> Self;
    /// Square root; the derivative is infinite at 0.
    fn sqrt(self) -> Self;
    /// Absolute value; its derivative is [`sign`](Scalar::sign).
    fn abs(self) -> Self;
    /// -1, 0 or 1; 0 at 0, and its derivative is 0 everywhere.
    fn sign(self) -> Self;
    /// Integer power.
    fn powi(self, exponent: i32) -> Self;
    /// Real power of a positive number.
    fn powf(self, exponent: Self) -> Self;

    /// `self < other`.
    fn less(self, other: Self) -> Self::Mask;
    /// `self <= other`.
    fn less_equal(self, other: Self) -> Self::Mask;
    /// `self == other`.
    fn equal(self, other: Self) -> Self::Mask;
    /// True where both are.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// True where at least one is.
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// True where the mask is not.
    fn not(mask: Self::Mask) -> Self::Mask;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

/// A function of `A` numbers with `N` values that branches on the arguments' real parts, for example a search
/// in a table.
pub trait Branching<const A: usize, const N: usize> {
    /// Evaluates the function.
    fn at<S: Scalar>(&self, arguments: [S; A]) -> [S; N];
}

/// The storage of a vector of a model: an array `[S; N]` where the model is compiled, a `Vec` where it is loaded.
pub trait Vector<S: Scalar>: AsRef<[S]> + AsMut<[S]> + Clone + Debug + Send + Sync + 'static {
    /// Number of entries where it is known at compile time.
    const LENGTH: Option<usize>;
    /// Returns a vector of zeros; an array has its own length, whatever `length` is.
    fn zeros(length: usize) -> Self;
    /// Returns the first entries of `values`, of which there are enough, as a vector: an array in its place, a `Vec` by
    /// a copy in `copy`.
    fn first<'a>(values: &'a [S], copy: &'a mut Self) -> Option<&'a Self>;
}

impl<S: Scalar, const N: usize> Vector<S> for [S; N] {
    const LENGTH: Option<usize> = Some(N);

    #[inline(always)]
    fn zeros(_length: usize) -> Self {
        [S::default(); N]
    }

    #[inline(always)]
    fn first<'a>(values: &'a [S], _copy: &'a mut Self) -> Option<&'a Self> {
        values.first_chunk()
    }
}

impl<S: Scalar> Vector<S> for Vec<S> {
    const LENGTH: Option<usize> = None;

    fn zeros(length: usize) -> Self {
        vec![S::default(); length]
    }

    fn first<'a>(values: &'a [S], copy: &'a mut Self) -> Option<&'a Self> {
        let values = values.get(..copy.len())?;
        copy.copy_from_slice(values);
        Some(copy)
    }
}
