//! Quantities that are constant over steps.

use costate_numerics::scalar::{Scalar, real_part};
use costate_system::model::{Functions, Weights};
use costate_system::table::Tables;

use crate::evaluate;

/// The constants of steps with one length and one set of parameters.
#[derive(Clone)]
pub struct StepConstants<M: Functions, S: Scalar> {
    /// The coefficients of the scheme.
    pub weights: Weights,
    /// The model's constants.
    pub model: M::Constants<S>,
    /// The model's constants for the real parts of the parameters.
    pub real: M::Constants<f64>,
}

impl<M: Functions, S: Scalar> StepConstants<M, S> {
    /// Evaluates the constants of a model with these parameters and tables.
    pub fn new(program: M::Program, parameters: &M::Parameters<S>, weights: Weights, tables: &Tables) -> Self {
        Self {
            model: evaluate::constants::<M, _>(program, parameters, &weights, tables),
            real: evaluate::constants::<M, _>(program, &real_part::<S, _, _>(parameters), &weights, tables),
            weights,
        }
    }

    /// Returns the program of the model.
    #[inline(always)]
    pub fn program(&self) -> M::Program {
        M::program(&self.model)
    }
}

impl<M: Functions> StepConstants<M, f64> {
    /// Replaces the model's constants by those of other parameters.
    pub fn take(&mut self, model: M::Constants<f64>) {
        self.real.clone_from(&model);
        self.model = model;
    }
}
