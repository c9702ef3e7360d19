//! Models: the traits that `model!` implements, the points at which the functions of a model are evaluated, and
//! the names of a model's parts.
//!
//! # Rules
//!
//! - An emitted function fills its whole output. A matrix that a group leaves out has no structural nonzero, and
//!   neither has the result of a function for which the default of the trait stays.
//! - The kernel asks `Functions` for descriptions and lengths with the *program* of a model: `()` for a compiled model,
//!   whose arrays have their lengths and whose description is a constant; a reference for a loaded model. One
//!   integrator is used for both.

mod adjoint_terms;
mod along_motion;
pub mod functions;
pub mod lengths;
pub mod lookups;
mod other_model;
pub mod point;
mod runs;
pub mod selected;
pub mod typed;
mod unknown_name;
pub mod weights;

pub use crate::identifiers::{Constraint, Coordinate, Dynamic, Input, Output, Parameter};
pub use crate::system::{Differentiable, DualEquations, SecondOrder, System};
pub use adjoint_terms::AdjointTerms;
pub use along_motion::{Configuration, along_motion};
pub use costate_contract::Quantity;
pub use costate_numerics::scalar::{Scalar, Vector};
pub use functions::Functions;
pub use lengths::Lengths;
pub use other_model::OtherModel;
pub use typed::{CompiledModel, Model, NameOf};
pub use unknown_name::UnknownName;

pub use costate_contract::{
    Argument, Block, Description, Elimination, Factor, Function, Group, Groups, TableDescription,
};
pub use point::{AdjointCarry, AdjointUpdate, Point};
pub use runs::{put, take};
pub use selected::{SelectedParameters, SelectionError};
pub use weights::Weights;
