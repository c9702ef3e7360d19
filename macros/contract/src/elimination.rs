//! The elimination of the Newton matrix that was planned when the model was compiled.

/// The pivot order in which the Newton matrix [N, C_q^T; C_q, 0] is eliminated, and the factors that are monitored
/// because they change during a run. One element of the array of factors may represent several factors, up to the
/// sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elimination {
    /// Rows of constraints, n + i, that are added to equations of motion before the elimination begins. The
    /// multiplier of the row for equation j is the row's entry in column j times a moment of inertia.
    pub sums: &'static [u32],
    /// (row, column) of every pivot, in order; n + i stands for constraint i and its multiplier.
    pub pivots: &'static [(u32, u32)],
    /// The reciprocals of pivots that vary.
    pub reciprocals: &'static [Factor],
    /// The entries of L that vary. The entries of U next to the pivots, which are not divided by these, are not
    /// monitored.
    pub lower: &'static [Factor],
}

/// A varying factor of the Newton matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Factor {
    /// Row in the Newton matrix.
    pub row: u32,
    /// Column in the Newton matrix.
    pub column: u32,
    /// Position in the array of factors.
    pub index: u32,
}

impl Factor {
    /// Creates factors in these rows and columns, with their positions in the array of factors.
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
