//! Symbolically compiled multibody models: simulation, exact adjoint gradients, parameter identification.

mod block;
mod identifiers;
mod model;
mod scalar;
mod series;

pub use costate_macros::model;

pub use identifiers::{Constraint, Coordinate, Input, Output, Parameter, UnknownName};
pub use model::{Argument, Block, Description, Function, Groups, Model, Point, Quantity, Weights};
pub use scalar::{Scalar, Vector};
pub use series::Series;
