//! Programs: what the functions of a model compute, as data.
//!
//! A [`Program`] is plain data without a token of any language. `emit` writes the functions of a program as Rust; the interpreter executes
//! them. Another back end reads the same data.
//!
//! A [`Function`] is a list of [`Statement`]s, which compute numbers from the entries of arrays ([`Array`]) and store results in other
//! arrays. Every number is computed by one chain of operations, so that all back ends compute the same numbers but for the rounding of
//! elementary functions and of fused operations.

mod build;
mod expression;
mod function;
mod statement;
mod uses;

pub use build::Operations;
pub(crate) use build::{build, is_short_in_loops};
pub use expression::{Array, Expression, Index, Local, Place, Variable};
pub use function::{Constant, Function, LocalArray, Program};
pub use statement::Statement;
pub use uses::Uses;
