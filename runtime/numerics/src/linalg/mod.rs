//! Linear algebra of multibody models: sparse factors with given or searched pivots for the loops over steps, systems
//! with constraints for initial states, factors of dense matrices, products with the sparse blocks of emitted
//! functions, triangular factors of covariances.
//!
//! What a matrix means in a model is not known here.

pub mod block;
pub mod dense;
mod equilibrate;
pub mod factor;
mod kkt;
mod linear_system;
mod matrix_fault;
mod normal_equations;
mod pivots;
pub mod small;
mod sparse_lu;
mod sparse_matrix;
mod transposed;

pub use equilibrate::{Scales, equilibrate};
pub use kkt::Kkt;
pub use linear_system::{LeastNorm, LuFactors, dependent_rows, nearly_dependent_rows, order_of_selected};
pub use matrix_fault::MatrixFault;
pub use normal_equations::{NormalEquations, triangular_factor};
pub use sparse_lu::{FourFactors, Patience, Singular, SparseLu};
pub use sparse_matrix::SparseMatrix;
pub use transposed::Transposed;
