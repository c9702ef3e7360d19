//! Symbolically compiled multibody models: simulation, exact adjoint gradients, parameter identification.

mod block;
mod cost;
mod dual;
mod gradient;
mod identification;
mod identifiers;
mod input;
mod integrator;
mod interrupt;
mod linalg;
mod linearize;
mod model;
mod optimize;
mod problem;
mod record;
mod scalar;
mod series;
mod simulation;
mod trajectory;
mod verify;

pub use costate_macros::model;

pub use cost::{Cost, LeastSquares, MeasuredChannel, MeasurementError, Quadrature};
pub use dual::Dual;
pub use gradient::{GradientMethod, gradient, sensitivities};
pub use identification::{
    Fit, FitSummary, FittedParameter, Identification, IdentificationError, MeasuredOutput, Measurement,
    ParameterSet, ParameterSetError, StateFileError, UnknownParameter,
};
pub use identifiers::{Constraint, Coordinate, Input, Output, Parameter, UnknownName};
pub use input::{InputError, InputSignal, Sampled};
pub use integrator::{
    InitialStateError, NewtonSettings, Settings, SettingsError, SimulationError, State, Statistics, Unknown,
};
pub use interrupt::Interrupt;
pub use linearize::{Linearization, ModesError};
pub use model::{Argument, Block, Description, Function, Groups, Model, Point, Quantity, Weights};
pub use optimize::{
    Failure, Iteration, Objective, OptimizeError, OptimizerSettings, OptimizerSettingsError, OptimizerState,
    Scaling, StartError, Stop, Variable, VariableError, minimize,
};
pub use problem::{Memory, Problem};
pub use record::{Channel, Record, RecordError, SampleFault};
pub use scalar::{Scalar, Vector};
pub use series::Series;
pub use simulation::{Run, Simulation};
pub use trajectory::Trajectory;
pub use verify::{
    CheckPoint, DerivativeReport, GradientEntry, GradientReport, Mismatch, check_derivatives, check_gradient,
    random_points,
};
