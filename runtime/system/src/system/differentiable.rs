//! The derivatives of a model's runs that gradients need.

use std::ops::ControlFlow;

use crate::gradient::{AdjointHistory, Columns, CostTerms, FullGradient, LaneGradients, RunAndCost};
use crate::model::SelectedParameters;
use crate::problem::{Problem, SimulationError};
use crate::run::RunStates;
use crate::series::Series;

use super::System;

/// A function that receives every sample of a run with the derivatives of all outputs there, a row for each
/// column, and ends the run by a break.
pub type EachSample<'a> = dyn FnMut(usize, &[Vec<f64>]) -> ControlFlow<()> + Send + 'a;

/// The derivatives of the runs of a [`System`]; `run` is one of `problem` everywhere.
///
/// # Errors
/// Of all methods those of [`gradient`](crate::gradient::gradient()).
#[allow(clippy::missing_errors_doc)]
pub trait Differentiable: System {
    /// Computes the gradients of several costs with these derivatives by the outputs, with respect to the
    /// parameters at these positions.
    fn gradients(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradients: &[&Series<f64>],
        unknown: &[usize],
    ) -> Result<Vec<Vec<f64>>, SimulationError>;

    /// Computes the gradient with respect to parameters, to all inputs if `others.0` is set, and to the
    /// values of the tables of `others.1`.
    fn full_gradient(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradient: &Series<f64>,
        unknown: &[usize],
        others: (bool, &[bool]),
    ) -> Result<FullGradient, SimulationError>;

    /// Computes the gradients of up to four runs side by side; `None` for a run that does not go in lanes.
    fn gradient_lanes(
        &self,
        problem: &Problem,
        runs: &[RunAndCost<'_>],
        unknown: (&[usize], &SelectedParameters),
    ) -> Result<LaneGradients, SimulationError>;

    /// Computes the derivatives of all outputs, sample by sample.
    fn sensitivities(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        by: Columns<'_>,
        each: &mut EachSample<'_>,
    ) -> Result<(), SimulationError>;

    /// Computes the adjoint variables over time.
    fn adjoint_history(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradient: &Series<f64>,
    ) -> Result<AdjointHistory, SimulationError>;

    /// Returns the arguments of all lookups in tables that the run makes, a list for every table; the second
    /// number is 0 for a curve.
    fn lookup_arguments(&self, problem: &Problem, run: RunStates<'_>) -> Result<Vec<Vec<[f64; 2]>>, SimulationError>;

    /// Estimates the sizes of the terms of a cost that may cancel.
    fn cost_terms(
        &self,
        problem: &Problem,
        run: RunStates<'_>,
        output_gradient: &Series<f64>,
    ) -> Result<CostTerms, SimulationError>;
}
