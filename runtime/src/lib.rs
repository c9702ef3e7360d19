//! Symbolically compiled multibody models: simulation, exact adjoint gradients, parameter identification.

mod block;
mod dual;
mod identifiers;
mod input;
mod integrator;
mod interrupt;
mod linalg;
mod model;
mod problem;
mod scalar;
mod series;
mod simulation;
mod trajectory;

pub use costate_macros::model;

pub use dual::Dual;
pub use identifiers::{Constraint, Coordinate, Input, Output, Parameter, UnknownName};
pub use input::{InputError, InputSignal, Sampled};
pub use integrator::{InitialStateError, NewtonSettings, Settings, SettingsError, SimulationError, State, Statistics, Unknown};
pub use interrupt::Interrupt;
pub use model::{Argument, Block, Description, Function, Groups, Model, Point, Quantity, Weights};
pub use problem::{Memory, Problem};
pub use scalar::{Scalar, Vector};
pub use series::Series;
pub use simulation::{Run, Simulation};
pub use trajectory::Trajectory;
