//! Four numbers side by side, for processors with vectors of four.
//!
//! The vectors are those of `pulp`, whose operations need a proof that the processor has them; the proof is
//! stored with the numbers. Arrays of numbers would not need it, but compilers vectorise large functions of
//! arrays badly.

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use pulp::x86::V3;
use pulp::{Simd, WithSimd, cast, f64x4, m64x4};

use super::functions;
use crate::scalar::collect::map_lanes;
use crate::scalar::forwarded::{assigning_operators, functions_of_lanes};
use crate::scalar::width::FUSES;
use crate::scalar::{Branching, LANES, LaneSet, Scalar, Work};

/// Four numbers that take part in the same operations, one for each of four parameter sets.
///
/// No value exists where [`are_available`](Self::are_available) is false.
#[derive(Clone, Copy)]
// whole vectors at their own alignment: otherwise every second one would cross a line of the cache
#[repr(C, align(32))]
pub struct Lanes {
    values: f64x4,
    /// Proof that the processor has the instructions.
    simd: V3,
}

/// One truth value for each lane.
#[derive(Clone, Copy)]
pub struct LaneMask {
    lanes: m64x4,
    simd: V3,
}

impl fmt::Debug for LaneMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LaneMask").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}

impl Lanes {
    /// Checks whether this processor has the instructions.
    pub fn are_available() -> bool {
        V3::is_available()
    }

    /// Creates lanes with these numbers.
    #[inline(always)]
    pub fn of(values: [f64; LANES]) -> Self {
        Self { values: cast(values), ..Self::default() }
    }

    #[inline(always)]
    fn new(simd: V3, values: [f64; LANES]) -> Self {
        Self { values: cast(values), simd }
    }

    /// Returns the numbers.
    #[inline(always)]
    pub fn array(self) -> [f64; LANES] {
        cast(self.values)
    }

    /// Returns a reference to the numbers.
    #[inline(always)]
    pub fn as_array(&self) -> &[f64; LANES] {
        pulp::bytemuck::cast_ref(&self.values)
    }

    /// Returns the number of one lane.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> f64 {
        self.array()[lane]
    }

    /// Replaces the number of one lane.
    #[inline(always)]
    pub fn set_lane(&mut self, lane: usize, value: f64) {
        let mut array = self.array();
        array[lane] = value;
        self.values = cast(array);
    }

    /// Returns lanes with other numbers, without another check of the processor.
    #[inline(always)]
    pub fn with(self, values: [f64; LANES]) -> Self {
        Self::new(self.simd, values)
    }

    /// Returns the mask that is true in the lanes of `set`.
    #[inline(always)]
    pub fn mask(self, set: LaneSet) -> LaneMask {
        self.with(set.ones()).equal(self.with([1.0; LANES]))
    }

    /// Transposes: number i of vector j becomes number j of vector i.
    #[inline(always)]
    pub fn transpose([a, b, c, d]: [Self; LANES]) -> [Self; LANES] {
        let simd = a.simd;
        let (a, b, c, d) = (cast(a.values), cast(b.values), cast(c.values), cast(d.values));
        let (even_ab, odd_ab) = (simd.avx._mm256_unpacklo_pd(a, b), simd.avx._mm256_unpackhi_pd(a, b));
        let (even_cd, odd_cd) = (simd.avx._mm256_unpacklo_pd(c, d), simd.avx._mm256_unpackhi_pd(c, d));
        let first = simd.avx._mm256_permute2f128_pd::<0x20>(even_ab, even_cd);
        let second = simd.avx._mm256_permute2f128_pd::<0x20>(odd_ab, odd_cd);
        let third = simd.avx._mm256_permute2f128_pd::<0x31>(even_ab, even_cd);
        let fourth = simd.avx._mm256_permute2f128_pd::<0x31>(odd_ab, odd_cd);
        [
            Self { values: cast(first), simd },
            Self { values: cast(second), simd },
            Self { values: cast(third), simd },
            Self { values: cast(fourth), simd },
        ]
    }

    /// Returns the larger number in every lane; NaN in `self` is ignored.
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        let values = self.simd.avx._mm256_max_pd(cast(self.values), cast(other.values));
        Self { values: cast(values), simd: self.simd }
    }

    /// Returns the largest of the four numbers; NaN may be ignored.
    #[inline(always)]
    pub fn largest(self) -> f64 {
        let V3 { sse2, avx, .. } = self.simd;
        let values = cast(self.values);
        // two halves, then their halves: comparisons one by one become branches
        let two = sse2._mm_max_pd(avx._mm256_castpd256_pd128(values), avx._mm256_extractf128_pd::<1>(values));
        sse2._mm_cvtsd_f64(sse2._mm_max_sd(two, sse2._mm_unpackhi_pd(two, two)))
    }

    /// Applies `function` to every lane.
    #[inline(always)]
    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Self::new(self.simd, map_lanes(self.array(), function))
    }

    #[inline(always)]
    fn zip(self, other: Self, function: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.array(), other.array());
        Self::new(self.simd, [function(a, e), function(b, f), function(c, g), function(d, h)])
    }
}

impl LaneMask {
    /// Returns the mask that is true in these lanes.
    #[inline(always)]
    pub fn of(set: LaneSet) -> Self {
        Lanes::default().mask(set)
    }

    /// Returns the lanes where the mask is true.
    #[inline(always)]
    pub fn set(self) -> LaneSet {
        // one bit for the sign of each lane
        LaneSet::of_bits(self.simd.avx._mm256_movemask_pd(cast(self.lanes)) as u8)
    }
}

impl Default for Lanes {
    #[inline(always)]
    fn default() -> Self {
        Self::constant(0.0)
    }
}

impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.array().fmt(f)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $operation:ident),*) => {$(
        impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self { values: self.simd.$operation(self.values, other.values), simd: self.simd }
            }
        }

        impl $trait<f64> for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: f64) -> Self {
                let other = self.simd.splat_f64s(other);
                Self { values: self.simd.$operation(self.values, other), simd: self.simd }
            }
        }
    )*};
}

operators!(Add add add_f64s, Sub sub sub_f64s, Mul mul mul_f64s, Div div div_f64s);

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { values: self.simd.neg_f64s(self.values), simd: self.simd }
    }
}

assigning_operators!(inline(always), Lanes);

struct InLanes<W>(W);

impl<W: Work> WithSimd for InLanes<W> {
    type Output = W::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> W::Output {
        self.0.run()
    }
}

impl Scalar for Lanes {
    type Mask = LaneMask;
    const COMPONENTS: usize = 1;

    #[inline(always)]
    fn dispatch<W: Work>(work: W) -> W::Output {
        Simd::vectorize(Self::default().simd, InLanes(work))
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        if !FUSES {
            return self + a * b;
        }
        Self { values: self.simd.mul_add_f64s(a.values, b.values, self.values), simd: self.simd }
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        if FUSES { self.plus_product(-a, b) } else { self - a * b }
    }
    #[inline(always)]
    fn constant(value: f64) -> Self {
        match V3::try_new() {
            Some(simd) => Self { values: simd.splat_f64s(value), simd },
            // Cannot happen: only runs (`each`), sweeps (`gradient`) and filters (`fours`) create lanes, and
            // only after `are_available`. There is no other value to return, and an `Option` would cost every
            // constant a branch.
            None => unreachable!("lanes need a processor with vectors of four numbers"),
        }
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let simd = self.simd;
        let (sin, cos) = functions::sin_cos(simd, self.values);
        (Self { values: sin, simd }, Self { values: cos, simd })
    }
    #[inline(always)]
    fn sin_cos_each<const N: usize>(arguments: [Self; N]) -> ([Self; N], [Self; N]) {
        let (mut sin, mut cos) = (arguments, arguments);
        for i in 0..N {
            (sin[i], cos[i]) = arguments[i].sin_cos();
        }
        (sin, cos)
    }
    #[inline(always)]
    fn recip(self) -> Self {
        let one = self.simd.splat_f64s(1.0);
        Self { values: self.simd.div_f64s(one, self.values), simd: self.simd }
    }
    #[inline(always)]
    fn exp(self) -> Self {
        Self { values: functions::exp(self.simd, self.values), simd: self.simd }
    }
    // a loop, because a closure may not be compiled with the processor's vectors
    #[inline(always)]
    fn exp_each<const N: usize>(mut arguments: [Self; N]) -> [Self; N] {
        for argument in &mut arguments {
            *argument = argument.exp();
        }
        arguments
    }
    #[inline(always)]
    fn sin(self) -> Self {
        self.sin_cos().0
    }
    #[inline(always)]
    fn cos(self) -> Self {
        self.sin_cos().1
    }
    functions_of_lanes!(tan, asin, acos, atan, sinh, cosh, tanh, sech_squared, ln, log10, sign);
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self { values: self.simd.sqrt_f64s(self.values), simd: self.simd }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self { values: self.simd.abs_f64s(self.values), simd: self.simd }
    }
    #[inline(always)]
    fn less(self, other: Self) -> LaneMask {
        LaneMask { lanes: self.simd.less_than_f64s(self.values, other.values), simd: self.simd }
    }
    #[inline(always)]
    fn less_equal(self, other: Self) -> LaneMask {
        LaneMask { lanes: self.simd.less_than_or_equal_f64s(self.values, other.values), simd: self.simd }
    }
    #[inline(always)]
    fn equal(self, other: Self) -> LaneMask {
        LaneMask { lanes: self.simd.equal_f64s(self.values, other.values), simd: self.simd }
    }
    #[inline(always)]
    fn and(a: LaneMask, b: LaneMask) -> LaneMask {
        LaneMask { lanes: a.simd.and_m64s(a.lanes, b.lanes), simd: a.simd }
    }
    #[inline(always)]
    fn or(a: LaneMask, b: LaneMask) -> LaneMask {
        LaneMask { lanes: a.simd.or_m64s(a.lanes, b.lanes), simd: a.simd }
    }
    #[inline(always)]
    fn not(mask: LaneMask) -> LaneMask {
        LaneMask { lanes: mask.simd.not_m64s(mask.lanes), simd: mask.simd }
    }
    #[inline(always)]
    fn select(mask: LaneMask, yes: Self, no: Self) -> Self {
        Self { values: yes.simd.select_f64s(mask.lanes, yes.values, no.values), simd: yes.simd }
    }
}
