//! The state of a minimisation, complete after every iteration.

use serde::{Deserialize, Serialize};

use costate_contract::machine::{OutOfMemory, Room, bytes};

use super::curvature::Curvature;
use super::inertia::bodies;
use super::method::Method;
use super::objective::MethodError;
use super::range::OptimizerSettingsError;
use super::settings::OptimizerSettings;
use super::stop::Stop;
use super::variables::{Variable, VariableError};

/// One line of the history of a minimisation; number 0 is the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Number of the iteration.
    pub number: usize,
    /// J.
    pub cost: f64,
    /// Euclidean norm of dJ/dx over the scaled variables that may move.
    pub gradient_norm: f64,
    /// The parameters, in their units.
    pub parameters: Vec<f64>,
    /// Largest change of a scaled variable.
    pub step: f64,
    /// Index of the variable that changed most; `None` at the start.
    pub farthest: Option<usize>,
    /// The decrease of the cost that linear residuals predicted; `None` for methods without residuals.
    pub foretold: Option<f64>,
    /// Evaluations of the cost so far.
    pub evaluations: usize,
}

/// The state from which a minimisation continues. It is complete after every iteration and can be stored with serde,
/// and [`minimize`](super::minimize) continues from it bit by bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OptimizerState {
    pub(super) settings: OptimizerSettings,
    pub(super) variables: Vec<Variable>,
    /// Scaled variables x, with the bounds held exactly.
    pub(super) position: Vec<f64>,
    /// dJ/dx.
    pub(super) gradient: Vec<f64>,
    /// Approximation of the Hessian in x.
    pub(super) curvature: Curvature,
    pub(super) cost: f64,
    pub(super) evaluations: usize,
    pub(super) small_iterations: usize,
    pub(super) history: Vec<Iteration>,
    pub(super) stop: Option<Stop>,
    /// Undetermined directions of [`Stop::Flat`].
    pub(super) flat: Vec<Vec<f64>>,
}

/// A reason why a minimisation cannot begin.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// An unknown cannot be varied.
    #[error(transparent)]
    Variable(#[from] VariableError),
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] OptimizerSettingsError),
    /// The method cannot begin.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// The method needs more memory than the machine has.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

impl OptimizerState {
    /// Returns the state before the first evaluation.
    ///
    /// # Errors
    /// [`StartError`] for an unknown or a setting that is out of range.
    pub fn new(variables: Vec<Variable>, settings: OptimizerSettings) -> Result<Self, StartError> {
        settings.check()?;
        variables.iter().try_for_each(Variable::check)?;
        if settings.method == Method::Bfgs {
            let (count, remedy) = (variables.len(), "take `Method::limited_memory_bfgs()`");
            // the matrix, and a copy while it changes
            let matrices = bytes(count, count).saturating_mul(2 * size_of::<f64>() as u64);
            Room { what: "the matrix of BFGS", count, counted: "unknowns", remedy }.check(matrices)?;
        }
        Ok(Self::fresh(variables, settings))
    }

    /// Returns a state without evaluations and without a learned curvature.
    fn fresh(variables: Vec<Variable>, settings: OptimizerSettings) -> Self {
        let n = variables.len();
        Self {
            settings,
            variables,
            position: vec![0.0; n],
            gradient: vec![0.0; n],
            curvature: Curvature::Unknown,
            cost: 0.0,
            evaluations: 0,
            small_iterations: 0,
            history: Vec::new(),
            stop: None,
            flat: Vec::new(),
        }
    }

    /// Gives a minimisation that has not begun other settings.
    #[doc(hidden)]
    pub fn with_settings(self, settings: OptimizerSettings) -> Self {
        Self { settings, ..self }
    }

    /// Returns a minimisation that begins where this one ended, in the same scales and without a learned curvature.
    #[doc(hidden)]
    pub fn restarted(&self) -> Self {
        let ended = self.variables.iter().zip(self.parameters());
        let variables = ended.map(|(variable, parameter)| variable.starting_with(parameter)).collect();
        Self::fresh(variables, self.settings.clone())
    }

    /// Returns a minimisation that another search has ended where this one would begin, with this cost.
    #[doc(hidden)]
    #[must_use]
    pub fn ended_at(mut self, cost: f64) -> Self {
        let parameters = self.parameters();
        let (step, farthest, foretold, evaluations) = (0.0, None, None, 0);
        self.history =
            vec![Iteration { number: 0, cost, gradient_norm: 0.0, parameters, step, farthest, foretold, evaluations }];
        (self.cost, self.stop) = (cost, Some(Stop::CostDecrease));
        self
    }

    /// The settings.
    pub fn settings(&self) -> &OptimizerSettings {
        &self.settings
    }

    /// Changes the number of iterations after which to stop; iterations before that are not affected.
    pub fn set_maximum_iterations(&mut self, iterations: usize) {
        self.settings.maximum_iterations = iterations;
        if self.stop == Some(Stop::MaximumIterations) && self.iterations() < iterations {
            self.stop = None;
        }
    }

    /// The unknowns.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The parameters, in their units.
    pub fn parameters(&self) -> Vec<f64> {
        physical(&self.variables, &self.position)
    }

    /// J; 0 before the first evaluation.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// Every iteration, the start first; empty before the first evaluation.
    pub fn history(&self) -> &[Iteration] {
        &self.history
    }

    /// Number of iterations done.
    pub fn iterations(&self) -> usize {
        self.history.len().saturating_sub(1)
    }

    /// Number of evaluations of the cost.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// Returns the reason why the minimisation stopped; `None` if it has not.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// Returns the directions that the residuals do not determine and along which nothing moved in the end: changes of
    /// all variables in units of their parameters, the largest of which is 1. Empty except for [`Stop::Flat`].
    pub fn flat_directions(&self) -> &[Vec<f64>] {
        &self.flat
    }

    /// Marks the unknowns that ended at one of their bounds.
    pub fn at_bound(&self) -> Vec<bool> {
        let at = |(variable, &x): (&Variable, &f64)| {
            let (lower, upper) = variable.scaled_bounds();
            x == lower || x == upper
        };
        self.variables.iter().zip(&self.position).map(at).collect()
    }

    /// Checks whether the stored arrays fit together; those of a damaged file may not.
    pub fn is_consistent(&self) -> bool {
        let n = self.variables.len();
        let sizes = [self.position.len(), self.gradient.len()];
        sizes == [n, n]
            && self.curvature.fits(self.settings.method, n, self.history.is_empty())
            && self.history.iter().all(|iteration| iteration.parameters.len() == n)
            && self.flat.iter().all(|direction| direction.len() == n)
            && self.settings.check().is_ok()
            && self.variables.iter().all(|variable| variable.check().is_ok())
    }
}

/// Returns the parameters at a position, in their units.
pub(super) fn physical(variables: &[Variable], position: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = variables.iter().zip(position).map(|(variable, &x)| variable.physical(x)).collect();
    bodies(variables).iter().for_each(|body| body.set(position, &mut values));
    values
}
