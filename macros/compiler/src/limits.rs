//! Limits on the size of a model. They count the parts of the model, never time: a model that compiles on one machine
//! compiles on all. The limits are far above the largest mechanisms, and are checked while the compiler works.

use std::fmt;

/// Most coordinates, constraints, parameters, inputs or outputs.
pub const MAX_QUANTITIES: usize = 5000;

/// Most components in use: a few that contain each other several times are quickly too many.
pub const MAX_COMPONENTS: usize = 20_000;

/// Most operations in all functions of a model together, those on the way to them included.
pub const MAX_OPERATIONS: usize = 2_500_000;

/// Most entries of a matrix that are not zero.
pub const MAX_MATRIX_ENTRIES: usize = 40_000;

/// A limit that has been passed while expressions were built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// [`MAX_OPERATIONS`].
    Operations,
    /// [`MAX_MATRIX_ENTRIES`].
    Entries,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Operations => write!(f, "{MAX_OPERATIONS} operations"),
            Limit::Entries => write!(f, "{MAX_MATRIX_ENTRIES} entries of a matrix"),
        }
    }
}
