//! What a compiled model is: the trait [`Model`] that `model!` implements, the names of its parts, and its numbers.
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
//! Functions of a model are generic over [`Scalar`]: `f64`, [`Dual`], or lanes of numbers. Its quantities are arrays of such
//! numbers, [`Vector`]s: [`Model::Parameters`], [`Model::Inputs`], [`Model::Outputs`] and the others.

pub(crate) mod compiled;
pub(crate) mod lookups;
mod other_model;
pub(crate) mod point;
pub(crate) mod selected;
mod unknown_name;
pub(crate) mod weights;

pub use crate::identifiers::{Constraint, Coordinate, Dynamic, Input, Output, Parameter};
pub use crate::scalar::Dual;
pub use crate::scalar::{Scalar, Vector};
pub use crate::system::{Differentiable, SecondOrder, System};
pub use compiled::Model;
pub use costate_contract::Quantity;
pub use other_model::OtherModel;
pub use unknown_name::UnknownName;

pub(crate) use costate_contract::{
    Argument, Block, Description, Elimination, Factor, Function, Group, Groups, TableDescription,
};
pub(crate) use point::{Found, Passed, Point};
pub(crate) use selected::{SelectedParameters, SelectionError};
pub(crate) use weights::Weights;
