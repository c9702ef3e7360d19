//! Compiled models: the trait [`Model`] that `model!` implements, the names of a model's parts, and its
//! number types.
//!
//! `model!` declares a constant for every name, so a misspelt name is a compile error of your program. Names from a
//! file are looked up:
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
//! The functions of a model are generic over [`Scalar`]: `f64`, [`Dual`], or lanes of numbers. The quantities of
//! a model are arrays of scalars, [`Vector`]s: [`Functions::Parameters`], [`Functions::Inputs`],
//! [`Functions::Outputs`] and the others.

pub use costate_numerics::scalar::{Dual, Scalar};
pub use costate_system::identifiers::{Constraint, Coordinate, Input, Output, Parameter};
pub use costate_system::model::Model;
pub use costate_system::system::{Differentiable, System};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_numerics::scalar::Vector;
#[doc(no_inline)]
pub use costate_system::body_inertia::BodyInertia;
#[doc(no_inline)]
pub use costate_system::identifiers::Dynamic;
#[doc(no_inline)]
pub use costate_system::model::{CompiledModel, Functions, NameOf, OtherModel, Quantity, UnknownName};
#[doc(no_inline)]
pub use costate_system::system::{DualEquations, SecondOrder};
