//! The state of a minimisation, complete after every iteration.

use serde::{Deserialize, Serialize};

use super::settings::{OptimizerSettings, OptimizerSettingsError, Stop};
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
    /// Evaluations of the cost so far.
    pub evaluations: usize,
}

/// Everything that a minimisation continues from: it is complete after every iteration, can be stored with
/// serde, and [`minimize`](super::minimize) continues from it bit by bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OptimizerState {
    pub(super) settings: OptimizerSettings,
    pub(super) variables: Vec<Variable>,
    /// Scaled variables x, their bounds held exactly.
    pub(super) position: Vec<f64>,
    /// dJ/dx.
    pub(super) gradient: Vec<f64>,
    /// Approximation of the inverse Hessian in x, by rows.
    pub(super) inverse_hessian: Vec<f64>,
    /// Whether the inverse Hessian has seen a curvature; it is the identity otherwise.
    pub(super) curvature_known: bool,
    pub(super) cost: f64,
    pub(super) evaluations: usize,
    pub(super) small_iterations: usize,
    pub(super) history: Vec<Iteration>,
    pub(super) stop: Option<Stop>,
}

/// A start that a minimisation cannot begin from.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StartError {
    /// An unknown cannot be varied.
    #[error(transparent)]
    Variable(#[from] VariableError),
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] OptimizerSettingsError),
}

impl OptimizerState {
    /// The state before the first evaluation.
    ///
    /// # Errors
    /// [`StartError`] for an unknown or a setting that is out of range.
    pub fn new(variables: Vec<Variable>, settings: OptimizerSettings) -> Result<Self, StartError> {
        settings.check()?;
        variables.iter().try_for_each(Variable::check)?;
        let n = variables.len();
        let mut state = Self {
            settings,
            variables,
            position: vec![0.0; n],
            gradient: vec![0.0; n],
            inverse_hessian: Vec::new(),
            curvature_known: false,
            cost: 0.0,
            evaluations: 0,
            small_iterations: 0,
            history: Vec::new(),
            stop: None,
        };
        state.forget_curvature();
        Ok(state)
    }

    /// The settings.
    pub fn settings(&self) -> &OptimizerSettings {
        &self.settings
    }

    /// Changes the number of iterations after which to stop, without any effect on those before it.
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

    /// Why the minimisation stopped, if it has.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// Whether each unknown ended at one of its bounds.
    pub fn at_bound(&self) -> Vec<bool> {
        let at = |(variable, &x): (&Variable, &f64)| {
            let (lower, upper) = variable.scaled_bounds();
            x == lower || x == upper
        };
        self.variables.iter().zip(&self.position).map(at).collect()
    }

    /// Whether the stored arrays fit together; a state from a damaged file may not.
    pub fn is_consistent(&self) -> bool {
        let n = self.variables.len();
        let sizes = [self.position.len(), self.gradient.len()];
        sizes == [n, n]
            && self.inverse_hessian.len() == n * n
            && self.history.iter().all(|iteration| iteration.parameters.len() == n)
            && self.settings.check().is_ok()
            && self.variables.iter().all(|variable| variable.check().is_ok())
    }

    pub(super) fn forget_curvature(&mut self) {
        let n = self.variables.len();
        self.inverse_hessian = (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        self.curvature_known = false;
    }
}

pub(super) fn physical(variables: &[Variable], position: &[f64]) -> Vec<f64> {
    variables.iter().zip(position).map(|(variable, &x)| variable.physical(x)).collect()
}
