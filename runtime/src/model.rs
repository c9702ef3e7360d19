//! Compiled models: the trait [`Model`] that `model!` implements, the names of a model's parts, and its
//! numbers.
//!
//! `model!` declares a constant for everything that has a name, so that a misspelt one is an error of your own program;
//! names that come from a file are looked up:
//!
//! ```
//! costate::model! {
//!     pub Mount {
//!         parameters { m: kg = 20, c: N/m = 100e3 }
//!         coordinates { x: m }
//!         mass { x: m }
//!         forces { x: -c*x }
//!     }
//! }
//!
//! use costate::{Model, Parameter};
//!
//! let stiffness = Parameter::<Mount>::named("c")?;
//! assert_eq!(stiffness, Mount::C);
//! assert_eq!(stiffness.quantity().unit, "N/m");
//! assert_eq!(Mount::default().parameters()[stiffness.index()], 100e3);
//! # Ok::<(), costate::model::UnknownName>(())
//! ```
//!
//! Functions of a model are generic over [`Scalar`]: `f64`, [`Dual`], or lanes of numbers. The quantities of
//! a model are arrays of such numbers, [`Vector`]s: [`Model::Parameters`], [`Model::Inputs`],
//! [`Model::Outputs`] and the others.

pub use costate_system::identifiers::{Constraint, Coordinate, Dynamic, Input, Output, Parameter};
pub use costate_system::model::{Model, OtherModel, Quantity, UnknownName};
pub use costate_system::system::{Differentiable, SecondOrder, System};

pub use crate::scalar::{Dual, Scalar, Vector};
pub(crate) use costate_contract::{Argument, Block, Function, Group};
