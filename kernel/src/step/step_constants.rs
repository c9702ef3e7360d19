//! What does not change from step to step.

use crate::evaluate;
use crate::model::{Model, Weights};
use crate::scalar::{Scalar, real_part};
use crate::table::Tables;

/// What steps of one length and one set of parameters have in common.
#[derive(Clone)]
pub struct StepConstants<M: Model, S: Scalar> {
    /// The numbers of the scheme.
    pub weights: Weights,
    /// The model's constants.
    pub model: M::Constants<S>,
    /// Those of the parameters' real parts.
    pub real: M::Constants<f64>,
}

impl<M: Model, S: Scalar> StepConstants<M, S> {
    /// Of a model with these parameters and tables.
    pub fn new(parameters: &M::Parameters<S>, weights: Weights, tables: &Tables) -> Self {
        Self {
            model: evaluate::constants::<M, _>(parameters, &weights, tables),
            real: evaluate::constants::<M, _>(&real_part::<S, _, _>(parameters), &weights, tables),
            weights,
        }
    }
}

impl<M: Model> StepConstants<M, f64> {
    /// Takes those of other parameters.
    pub fn take(&mut self, model: M::Constants<f64>) {
        self.real.clone_from(&model);
        self.model = model;
    }
}
