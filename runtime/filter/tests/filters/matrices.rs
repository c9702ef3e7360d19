//! Matrices and vectors by their entries.

/// A matrix, row by row.
macro_rules! dmatrix {
    ($($($x:expr),+);+) => {{
        let rows = [$(vec![$(f64::from($x)),+]),+];
        nalgebra::DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
    }};
}

/// A vector.
macro_rules! dvector {
    ($($x:expr),+) => { nalgebra::DVector::from_vec(vec![$(f64::from($x)),+]) };
}
