//! The boundary between models and everything else: the operations of a model whose type is not known.
//!
//! A [`Problem`], its runs and its tables do not have the type of a model. The names that users write do
//! ([`Parameter`], [`Output`]), and functions for runs in other numbers than `f64` are given the type (`run_in` of
//! `costate-kernel`).
//!
//! Whole runs, sweeps and evaluations go through the object-safe traits [`System`] and [`Differentiable`];
//! only the loops over steps, which implement these traits, are compiled for every model.

mod differentiable;
mod dual_equations;
mod equations;
mod model_value;
mod second_order;

use nalgebra::DMatrix;

use costate_numerics::scalar::LANES;

use crate::gradient::{Differences, Own};
use crate::identifiers::{Constraint, Coordinate, Dynamic, Input, Output, Parameter};
use crate::model::{Description, UnknownName};
use crate::problem::{InitialStateError, Problem, SimulationError, StepPlan};
use crate::run::{Scales, StoredRun, Trajectory};
use crate::series::Series;
use crate::table::{Curve, Surface, Table, Tables};

pub use differentiable::{Differentiable, EachSample};
pub use dual_equations::DualEquations;
pub use equations::{Equations, Instant, StateVectors};
pub use model_value::{ModelValue, SystemValue};
pub use second_order::SecondOrder;

/// A compiled model whose type is erased, with the operations that a simulation needs.
///
/// Slices have the lengths that the [description](System::description) gives; the caller has checked them.
pub trait System: Send + Sync {
    /// Returns names, units, patterns and sizes.
    fn description(&self) -> &'static Description;

    /// Returns the parameter of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn parameter(&self, name: &str) -> Result<Parameter, UnknownName> {
        Parameter::find(self.description(), name)
    }

    /// Returns the input of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn input(&self, name: &str) -> Result<Input, UnknownName> {
        Input::find(self.description(), name)
    }

    /// Returns the output of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn output(&self, name: &str) -> Result<Output, UnknownName> {
        Output::find(self.description(), name)
    }

    /// Returns the coordinate of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn coordinate(&self, name: &str) -> Result<Coordinate, UnknownName> {
        Coordinate::find(self.description(), name)
    }

    /// Returns the constraint of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn constraint(&self, name: &str) -> Result<Constraint, UnknownName> {
        Constraint::find(self.description(), name)
    }

    /// Returns the table of one argument of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn curve(&self, name: &str) -> Result<Table<Dynamic, Curve>, UnknownName> {
        Table::find(self.description(), name)
    }

    /// Returns the table of two arguments of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn surface(&self, name: &str) -> Result<Table<Dynamic, Surface>, UnknownName> {
        Table::find(self.description(), name)
    }

    /// Returns the data of the tables that are part of the model.
    fn tables(&self) -> Tables;

    /// Evaluates the numbers of the scene: the positions of joints, elements and points in their bodies, and
    /// the sizes of shapes.
    fn geometry(&self, parameters: &[f64], tables: &Tables) -> Vec<f64>;

    /// Returns the bytes of a checkpoint of a run in plain numbers.
    fn snapshot_bytes(&self) -> u64;

    /// Runs the model and keeps the data for a gradient.
    ///
    /// # Errors
    /// Those of [`Problem::run`].
    fn run(&self, problem: &Problem, parameters: &[f64]) -> Result<StoredRun, SimulationError>;

    /// Runs the model and keeps all states.
    ///
    /// # Errors
    /// Those of [`Problem::forward`].
    fn forward(&self, problem: &Problem, parameters: &[f64]) -> Result<Trajectory, SimulationError>;

    /// Runs the model and returns its outputs at all samples, without keeping anything else.
    ///
    /// # Errors
    /// Those of [`Problem::outputs`].
    fn outputs(&self, problem: &Problem, parameters: &[f64]) -> Result<Series<f64>, SimulationError>;

    /// Evaluates the outputs of a run of this model at all samples.
    fn outputs_of(&self, run: &Trajectory) -> Series<f64>;

    /// Runs up to four sets of parameters side by side; `None` for a set whose run does not go in lanes.
    ///
    /// # Errors
    /// [`SimulationError::Interrupted`].
    fn run_lanes(&self, problem: &Problem, sets: &[&[f64]]) -> Result<[Option<StoredRun>; LANES], SimulationError>;

    /// Finds the lengths of adaptive steps whose errors are at most `tolerance` relative to these ranges of
    /// the coordinates.
    ///
    /// # Errors
    /// Those of a run, and [`SimulationError::StepTooSmall`].
    fn plan_steps(
        &self,
        problem: &Problem,
        parameters: &[f64],
        ranges: &[f64],
        tolerance: f64,
    ) -> Result<StepPlan, SimulationError>;

    /// Checks whether a motion can begin with the model's initial values and masses.
    ///
    /// # Errors
    /// [`InitialStateError`].
    fn check_start(&self, problem: &Problem, parameters: &[f64]) -> Result<(), InitialStateError>;

    /// Computes the consistent initial state q0, v0, a0, lambda0 (3n + m).
    ///
    /// # Errors
    /// [`InitialStateError`].
    fn initial_state(&self, problem: &Problem, parameters: &[f64]) -> Result<Vec<f64>, InitialStateError>;

    /// Computes the derivatives of the initial state by the parameters with these positions (rows 3n + m).
    ///
    /// # Errors
    /// [`InitialStateError`].
    fn initial_derivatives(
        &self,
        problem: &Problem,
        parameters: &[f64],
        unknown: &[usize],
    ) -> Result<DMatrix<f64>, InitialStateError>;

    /// Computes the scales of the errors of a run: ranges from every `strides.0`-th state, those of outputs
    /// from every `strides.1`-th.
    fn scales(&self, problem: &Problem, run: &Trajectory, strides: (usize, usize)) -> Scales;

    /// Computes the differences between a run and one of `other`; every `every.0`-th sample of the other run
    /// is at every `every.1`-th of the run.
    ///
    /// # Errors
    /// Those of a run of `other`.
    fn differences(&self, own: Own<'_>, other: &Problem, every: (usize, usize))
    -> Result<Differences, SimulationError>;

    /// Calls `work` with the model's functions for these parameters, to evaluate them at points.
    fn with_equations(&self, problem: &Problem, parameters: &[f64], work: &mut dyn FnMut(&dyn Equations<f64>));
}
