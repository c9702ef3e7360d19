//! The boundary between models and everything else: what can be asked of a model whose type is not known.
//!
//! Whole runs, sweeps and evaluations go through the object-safe traits [`System`] and [`Differentiable`]; only what stands
//! behind them, the loops over steps, is compiled for every model.

mod differentiable;
mod equations;
mod model_value;
mod second_order;

use nalgebra::DMatrix;

use crate::gradient::{Differences, Own};
use crate::identifiers::{Constraint, Coordinate, Dynamic, Input, Output, Parameter};
use crate::model::{Description, UnknownName};
use crate::problem::{InitialStateError, Problem, SimulationError, StepPlan};
use crate::run::{Scales, StoredRun, Trajectory};
use crate::scalar::LANES;
use crate::series::Series;
use crate::table::{Curve, Surface, Table, Tables};

pub use differentiable::{Differentiable, EachSample};
pub use equations::{Equations, Instant, StateVectors};
pub use model_value::{ModelValue, SystemValue};
pub use second_order::SecondOrder;

/// A compiled model whose type is forgotten: what a simulation asks of it.
///
/// Slices have the lengths that the [description](System::description) says; whoever calls has checked them.
pub trait System: Send + Sync {
    /// Names, units, patterns and sizes.
    fn description(&self) -> &'static Description;

    /// The parameter of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn parameter(&self, name: &str) -> Result<Parameter, UnknownName> {
        Parameter::find(self.description(), name)
    }

    /// The input of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn input(&self, name: &str) -> Result<Input, UnknownName> {
        Input::find(self.description(), name)
    }

    /// The output of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn output(&self, name: &str) -> Result<Output, UnknownName> {
        Output::find(self.description(), name)
    }

    /// The coordinate of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn coordinate(&self, name: &str) -> Result<Coordinate, UnknownName> {
        Coordinate::find(self.description(), name)
    }

    /// The constraint of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn constraint(&self, name: &str) -> Result<Constraint, UnknownName> {
        Constraint::find(self.description(), name)
    }

    /// The table of one argument of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn curve(&self, name: &str) -> Result<Table<Dynamic, Curve>, UnknownName> {
        Table::find(self.description(), name)
    }

    /// The table of two arguments of this name.
    ///
    /// # Errors
    /// [`UnknownName`] with the names that exist.
    fn surface(&self, name: &str) -> Result<Table<Dynamic, Surface>, UnknownName> {
        Table::find(self.description(), name)
    }

    /// The data of the tables that are part of the model.
    fn tables(&self) -> Tables;

    /// The numbers of the scene: where joints, elements and points are in their bodies, and how large shapes are.
    fn geometry(&self, parameters: &[f64], tables: &Tables) -> Vec<f64>;

    /// Bytes of a checkpoint of a run in plain numbers.
    fn snapshot_bytes(&self) -> u64;

    /// A run with what its gradient needs.
    ///
    /// # Errors
    /// Those of [`Problem::run`].
    fn run(&self, problem: &Problem, parameters: &[f64]) -> Result<StoredRun, SimulationError>;

    /// A run with all states.
    ///
    /// # Errors
    /// Those of [`Problem::forward`].
    fn forward(&self, problem: &Problem, parameters: &[f64]) -> Result<Trajectory, SimulationError>;

    /// The outputs of a run at all samples, of which nothing else is kept.
    ///
    /// # Errors
    /// Those of [`Problem::outputs`].
    fn outputs(&self, problem: &Problem, parameters: &[f64]) -> Result<Series<f64>, SimulationError>;

    /// The outputs of a run of this model at all samples.
    fn outputs_of(&self, run: &Trajectory) -> Series<f64>;

    /// Runs with up to four sets of parameters side by side; `None` for a set whose run does not go in lanes.
    ///
    /// # Errors
    /// [`SimulationError::Interrupted`].
    fn run_lanes(
        &self,
        problem: &Problem,
        sets: &[&[f64]],
    ) -> Result<[Option<StoredRun>; LANES], SimulationError>;

    /// The lengths of adaptive steps whose errors are at most `tolerance` beside these ranges of the coordinates.
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

    /// Whether values that the model gives for the start and masses are such that a motion begins.
    ///
    /// # Errors
    /// [`InitialStateError`].
    fn check_start(&self, problem: &Problem, parameters: &[f64]) -> Result<(), InitialStateError>;

    /// The consistent initial state q0, v0, a0, lambda0 (3n + m).
    ///
    /// # Errors
    /// [`InitialStateError`].
    fn initial_state(&self, problem: &Problem, parameters: &[f64]) -> Result<Vec<f64>, InitialStateError>;

    /// Its derivatives by the parameters with these positions (rows 3n + m).
    ///
    /// # Errors
    /// [`InitialStateError`].
    fn initial_derivatives(
        &self,
        problem: &Problem,
        parameters: &[f64],
        unknown: &[usize],
    ) -> Result<DMatrix<f64>, InitialStateError>;

    /// What the errors of a run are compared with: ranges by every `strides.0`-th state, what they reach by every `strides.1`-th.
    fn scales(&self, problem: &Problem, run: &Trajectory, strides: (usize, usize)) -> Scales;

    /// Where a run and one of `other` differ, of whose samples `every.0` stand where `every.1` of the run's do.
    ///
    /// # Errors
    /// Those of a run of `other`.
    fn differences(
        &self,
        own: Own<'_>,
        other: &Problem,
        every: (usize, usize),
    ) -> Result<Differences, SimulationError>;

    /// Does `work` on the model's functions with these parameters, to evaluate them at points.
    fn with_equations(
        &self,
        problem: &Problem,
        parameters: &[f64],
        work: &mut dyn FnMut(&dyn Equations<f64>),
    );
}
