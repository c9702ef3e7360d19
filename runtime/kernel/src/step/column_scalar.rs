//! Columns of a matrix that go through steps side by side: one, or four in lanes.

use costate_numerics::scalar::{LANES, Lanes, Scalar};

/// A number of one column, or one of each of four columns.
pub trait ColumnScalar: Scalar {
    /// The number of columns.
    const COUNT: usize;

    /// Makes a number of those of the columns, of which only the first [`COUNT`](Self::COUNT) have an effect.
    fn of(numbers: [f64; LANES]) -> Self;
    /// The numbers of the columns; 0 after the first [`COUNT`](Self::COUNT).
    fn numbers(self) -> [f64; LANES];
}

impl ColumnScalar for f64 {
    const COUNT: usize = 1;

    #[inline(always)]
    fn of(numbers: [f64; LANES]) -> Self {
        numbers[0]
    }

    #[inline(always)]
    fn numbers(self) -> [f64; LANES] {
        let mut numbers = [0.0; LANES];
        numbers[0] = self;
        numbers
    }
}

impl ColumnScalar for Lanes {
    const COUNT: usize = LANES;

    #[inline(always)]
    fn of(numbers: [f64; LANES]) -> Self {
        Self::of(numbers)
    }

    #[inline(always)]
    fn numbers(self) -> [f64; LANES] {
        self.array()
    }
}
