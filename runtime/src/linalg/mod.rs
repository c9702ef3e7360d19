//! Linear algebra: a sparse factorisation with fixed pivots for time loops, dense solutions for initial states.

mod dense;
mod equilibrate;
mod kkt;
mod normal_equations;
mod pivots;
mod sparse_lu;

pub(crate) use dense::{DenseLu, dense, dependent_rows, solve_least_norm};
pub(crate) use equilibrate::equilibrate;
pub(crate) use kkt::Kkt;
pub(crate) use normal_equations::{NormalEquations, triangular_factor};
pub(crate) use sparse_lu::{Singular, SparseLu};
