//! Four numbers as an array, for processors whose vectors are not used: the same numbers, one after the
//! other.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::scalar::forwarded::{assigning_operators, functions_of_lanes};
use crate::scalar::{Branching, LANES, LaneSet, Scalar};

/// Four numbers that take part in the same operations, one for each of four parameter sets.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lanes([f64; LANES]);

/// One truth value for each lane.
#[derive(Debug, Clone, Copy)]
pub struct LaneMask([bool; LANES]);

impl Lanes {
    /// Returns true if four parameter sets together cost less than one after the other: not with arrays.
    pub fn are_available() -> bool {
        false
    }

    /// Creates lanes with these numbers.
    #[inline(always)]
    pub fn of(values: [f64; LANES]) -> Self {
        Self(values)
    }

    /// Returns the numbers.
    #[inline(always)]
    pub fn array(self) -> [f64; LANES] {
        self.0
    }

    /// Returns a reference to the numbers.
    #[inline(always)]
    pub fn as_array(&self) -> &[f64; LANES] {
        &self.0
    }

    /// Returns the number of one lane.
    #[inline(always)]
    pub fn lane(self, lane: usize) -> f64 {
        self.0[lane]
    }

    /// Replaces the number of one lane.
    #[inline(always)]
    pub fn set_lane(&mut self, lane: usize, value: f64) {
        self.0[lane] = value;
    }

    /// Returns lanes with other numbers.
    #[inline(always)]
    pub fn with(self, values: [f64; LANES]) -> Self {
        Self(values)
    }

    /// Returns the mask that is true in the lanes of `set`.
    #[inline(always)]
    pub fn mask(self, set: LaneSet) -> LaneMask {
        LaneMask(std::array::from_fn(|lane| set.contains(lane)))
    }

    /// Transposes: number i of vector j becomes number j of vector i.
    #[inline(always)]
    pub fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        std::array::from_fn(|column| Self(rows.map(|row| row.0[column])))
    }

    /// Returns the larger number in every lane; NaN in `self` is ignored.
    #[inline(always)]
    pub fn larger(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    /// Returns the largest of the four numbers; NaN may be ignored.
    #[inline(always)]
    pub fn largest(self) -> f64 {
        self.0.into_iter().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Applies `function` to every lane.
    #[inline(always)]
    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        Self(self.0.map(function))
    }

    #[inline(always)]
    fn zip(self, other: Self, function: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|lane| function(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn compare(self, other: Self, function: impl Fn(&f64, &f64) -> bool) -> LaneMask {
        LaneMask(std::array::from_fn(|lane| function(&self.0[lane], &other.0[lane])))
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
        LaneSet::of(self.0)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, f64::$method)
            }
        }

        impl $trait<f64> for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: f64) -> Self {
                self.map(|value| f64::$method(value, other))
            }
        }
    )*};
}

operators!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(f64::neg)
    }
}

assigning_operators!(inline(always), Lanes);

impl Scalar for Lanes {
    type Mask = LaneMask;
    const COMPONENTS: usize = 1;

    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].plus_product(a.0[lane], b.0[lane])))
    }
    #[inline(always)]
    fn minus_product(self, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane].minus_product(a.0[lane], b.0[lane])))
    }
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self([value; LANES])
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = f64::sin_cos_each(self.0);
        (Self(sin), Self(cos))
    }
    functions_of_lanes!(
        sin,
        cos,
        tan,
        asin,
        acos,
        atan,
        sinh,
        cosh,
        tanh,
        sech_squared,
        exp,
        ln,
        log10,
        sqrt,
        abs,
        sign,
        recip
    );
    #[inline(always)]
    fn less(self, other: Self) -> LaneMask {
        self.compare(other, f64::lt)
    }
    #[inline(always)]
    fn less_equal(self, other: Self) -> LaneMask {
        self.compare(other, f64::le)
    }
    #[inline(always)]
    fn equal(self, other: Self) -> LaneMask {
        self.compare(other, f64::eq)
    }
    #[inline(always)]
    fn and(a: LaneMask, b: LaneMask) -> LaneMask {
        LaneMask(std::array::from_fn(|lane| a.0[lane] && b.0[lane]))
    }
    #[inline(always)]
    fn or(a: LaneMask, b: LaneMask) -> LaneMask {
        LaneMask(std::array::from_fn(|lane| a.0[lane] || b.0[lane]))
    }
    #[inline(always)]
    fn not(mask: LaneMask) -> LaneMask {
        LaneMask(mask.0.map(|value| !value))
    }
    #[inline(always)]
    fn select(mask: LaneMask, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|lane| if mask.0[lane] { yes.0[lane] } else { no.0[lane] }))
    }
}
