//! The elimination of the Newton matrix that was laid out when the model was compiled.

/// The order of pivots in which the Newton matrix [N, C_q^T; C_q, 0] is eliminated, and which of its factors are watched
/// because they change during a run. One element of the array of factors may be several of them, up to the sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elimination {
    /// Rows of constraints, n + i, that are added to equations of motion before the elimination begins, times their own
    /// entry there and a moment of inertia.
    pub sums: &'static [u32],
    /// (row, column) of every pivot, in order; n + i stands for constraint i and its multiplier.
    pub pivots: &'static [(u32, u32)],
    /// The reciprocals of pivots that vary.
    pub reciprocals: &'static [Factor],
    /// The entries of L that vary. Those of U beside the pivots, which are not divided out, are not watched.
    pub lower: &'static [Factor],
}

/// A varying factor of the Newton matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor {
    /// Its row in the Newton matrix.
    pub row: u32,
    /// Its column.
    pub column: u32,
    /// Its place in the array of factors.
    pub index: u32,
}

impl Factor {
    /// Factors in these rows and columns, with their places in the array of factors.
    pub const fn all<const COUNT: usize>(
        rows: [u32; COUNT],
        columns: [u32; COUNT],
        indices: [u32; COUNT],
    ) -> [Self; COUNT] {
        let mut factors = [Self { row: 0, column: 0, index: 0 }; COUNT];
        let mut i = 0;
        while i < COUNT {
            factors[i] = Self { row: rows[i], column: columns[i], index: indices[i] };
            i += 1;
        }
        factors
    }
}
