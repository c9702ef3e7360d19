//! Linear algebra: a sparse factorisation with fixed pivots for time loops, linear systems for initial states.

mod equilibrate;
mod kkt;
mod linear_system;
mod matrix_fault;
mod normal_equations;
mod pivots;
mod sparse_lu;
mod sparse_matrix;

pub(crate) use equilibrate::{Scales, equilibrate};
pub(crate) use kkt::Kkt;
pub(crate) use linear_system::{LeastNorm, LuFactors, dependent_rows};
pub use matrix_fault::MatrixFault;
pub(crate) use normal_equations::{NormalEquations, triangular_factor};
pub(crate) use sparse_lu::{Singular, SparseLu};
pub(crate) use sparse_matrix::SparseMatrix;
