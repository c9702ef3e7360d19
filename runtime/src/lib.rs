//! Symbolically compiled multibody models: simulation, exact adjoint gradients, parameter identification.

mod block;
mod buffers;
mod conditions;
mod cost;
mod dual;
mod each;
mod evaluate;
pub mod experiment;
pub mod filter;
mod gradient;
mod identification;
mod identifiers;
mod input;
mod integrator;
mod interrupt;
mod linalg;
mod linearize;
mod machine;
mod memory;
mod model;
mod optimize;
mod problem;
mod record;
pub mod restoring_force;
mod scalar;
mod series;
mod simulation;
mod state_file;
mod step_matrix;
mod stored_run;
mod table;
mod trajectory;
mod verify;

#[cfg(feature = "macros")]
pub use costate_macros::model;

pub use conditions::{Difference, OtherProblem};
pub use cost::{
    AmplitudeSpectrum, BolzaCost, Cost, CostWeightError, FourierCoefficients, FourierLine, LeastSquares,
    MeasuredChannel, MeasurementError, OrderLine, Quadrature, Residuals, RunUp, SpectralValue, SpectrumCost,
    SpectrumError, SpectrumForm, SumCost, Window, fourier_coefficients, order_coefficients,
};
pub use dual::Dual;
pub use each::{RunWithCost, gradient_each};
pub use gradient::{
    CostDerivativeError, GradientMethod, each_sensitivity, gradient, gradients, input_gradient, sensitivities,
};
pub use identification::{
    Fit, FitSummary, FittedCost, FittedParameter, FittedStart, Identification, IdentificationError,
    MeasuredOutput, Measurement, MultistartFit, ParameterSet, ParameterSetError, UnknownParameter,
};
pub use identifiers::{Constraint, Coordinate, Input, Output, Parameter, UnknownName};
pub use input::{InputError, InputSignal, Sampled};
pub use integrator::{
    InitialStateError, NewtonSettings, Settings, SettingsError, SimulationError, State, Statistics, Unknown,
};
pub use interrupt::Interrupt;
pub use linearize::{Linearization, ModesError};
pub use memory::{Checkpoints, Memory};
pub use model::{
    AdjointVariables, Argument, Block, Description, Elimination, Factor, FactorPart, Function, Groups, Model,
    Point, Quantity, SelectedParameters, SelectionError, TableDescription, Weights,
};
pub use optimize::{
    Failure, Iteration, LeastSquaresObjective, LinearResiduals, Member, Method, MethodError, MultistartError,
    MultistartProgress, Objective, OptimizeError, OptimizerSettings, OptimizerSettingsError, OptimizerState,
    Scaling, StartError, StepSize, Stop, Variable, VariableError, minimize, minimize_least_squares,
    multistart,
};
pub use problem::Problem;
pub use record::{Channel, Gap, Record, RecordError, SampleFault, Samples};
pub use scalar::{Branching, Numbers, Scalar, Vector, Work};
pub use series::Series;
pub use simulation::{Run, Simulation};
pub use state_file::StateFileError;
pub use stored_run::{RunStates, StoredRun};
pub use table::{Axis, Curve, Extension, GridError, MissingTable, Surface, Table, TableData, Tables};
pub use trajectory::Trajectory;
pub use verify::{
    CheckPoint, DerivativeReport, GradientEntry, GradientReport, Mismatch, check_derivatives, check_gradient,
    random_points,
};
