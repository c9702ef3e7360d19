//! Programs: what the functions of a model compute, as data.
//!
//! A [`Program`] is plain data without a token of any language. `build` makes the program of a model, and `emit` writes
//! it as Rust. Another back end, which executes programs or writes them in another language, reads the same data, and
//! needs nothing else to compute.
//!
//! # Functions
//!
//! A [`Function`] is a list of [`Statement`]s, which compute numbers from entries of arrays ([`Array`]) and store
//! results in other arrays. It has no state: its results follow from what it reads.
//!
//! | function | reads | stores |
//! |---|---|---|
//! | `constants` | parameters, weights, tables | constants of the run |
//! | `geometry` | parameters, tables | `Out`: the numbers of the scene |
//! | `initial`, `initial_derivatives` | constants | `Out` |
//! | other groups | constants, tables, the point, groups ([`Statement::Evaluate`]) | `Out`; `adjoint` also factors |
//! | `newton_correction` | constants, tables, the point, history | correction, factors |
//! | `chord_correction` | constants, tables, the point, history, factors | correction |
//! | `solve`, `solve_transposed` | constants, factors, unknowns | unknowns |
//! | `adjoint_coefficients` | constants, tables, the point, derivatives of the cost | coefficients, factors |
//! | `adjoint_recurrence` | constants, factors, coefficients, what the step after passes on | updates, gradient |
//! | `adjoint_history` | constants, factors, coefficients, what the step after passes on | adds to `CarryRight` |
//! | `adjoint_step` | what the three before read and the point | updates, gradient, factors |
//!
//! [`Program::along_motion`] has two of the groups a second time, in fewer statements, for back ends whose functions
//! take any kind of number. With [`Program::adjoint_weights`], `adjoint` consists of sums of what `linearization`
//! stores, which a back end may leave to its runtime.
//!
//! Constants of a run, and the factors and coefficients that a step has computed, are therefore computed before. A
//! function that reads and stores the same array reads all that it needs first, or reads what it has stored itself.
//! [`Function::uses`] says which arrays and tables occur in a function. A group of which nothing is in `functions` has
//! no values, or zeros alone.
//!
//! # What a back end has to know
//!
//! - The lengths of the arrays are those of the model's vectors and groups ([`Groups`](crate::mechanics::Groups)), of
//!   [`Program::run_constants`], [`Program::factors`] and [`Program::adjoint_coefficients`]. Weights are in the order
//!   of [`Integrator::ALL`](crate::symbolic::Integrator::ALL).
//! - Variables are computed once, before they are used, and are visible to the end of the list of statements in which
//!   they are computed, and in the lists within. They need one register each.
//! - Every entry of a local array is stored before it is read; local arrays need not be cleared. A function fills its
//!   results, except entries that belong to parameters which are not selected ([`Statement::IfSelected`]), and entries
//!   of the gradient for parameters on which nothing depends.
//! - Loops are not nested. The repetition i of the loop around a place or a number decides which entry is meant
//!   ([`Index`]). A repetition may read what the repetitions before it have stored. `SinCosLoop` computes arguments of
//!   all repetitions before any sine.
//! - Conditions are operands of [`Expression::Select`] and of other conditions alone. A back end whose numbers have
//!   several lanes needs both values of a selection; one for single numbers may compute one of them.
//! - Powers with integers that are written as products are products already. Every number is computed by one chain of
//!   operations, so that all back ends compute the same numbers but for the rounding of elementary functions and of
//!   fused operations ([`Expression::PlusProduct`]).
//! - Numbers are finite. Names of variables and constants are names in Rust that differ from the words which `emit`
//!   uses itself; a back end without names ignores them.
//! - Tables are known by their positions in the declaration. Values of tables are asked for together with those
//!   derivatives that are needed at the same place, since one search in the knots suffices for all.

mod build;
mod expression;
mod function;
mod statement;
mod uses;

pub use build::Operations;
pub(crate) use build::{build, is_short_in_loops};
pub use expression::{Array, Expression, Index, Local, Place, Variable};
pub use function::{AlongMotion, Constant, Function, LocalArray, Program};
pub use statement::Statement;
pub use uses::Uses;

#[cfg(test)]
mod tests;
