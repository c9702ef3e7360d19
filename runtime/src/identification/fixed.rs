//! The cost of an identification with one of its unknowns at a given value.

use crate::model::Model;
use crate::optimize::{Failure, LeastSquaresObjective, LinearResiduals, Objective};

use super::error::IdentificationError;
use super::evaluation::Evaluation;

/// A function of all unknowns but one.
pub(super) struct Fixed<'a, M: Model> {
    evaluation: Evaluation<'a, M>,
    /// Index and value of the one, if there is one.
    fixed: Option<(usize, f64)>,
}

impl<'a, M: Model> Fixed<'a, M> {
    pub fn new(evaluation: Evaluation<'a, M>, fixed: Option<(usize, f64)>) -> Self {
        Self { evaluation, fixed }
    }

    /// All unknowns, from those that are free.
    pub fn all(&self, free: &[f64]) -> Vec<f64> {
        let mut all = free.to_vec();
        if let Some((index, value)) = self.fixed {
            all.insert(index, value);
        }
        all
    }

    /// J of all unknowns.
    pub fn cost_of_all(&mut self, unknowns: &[f64]) -> Result<f64, IdentificationError> {
        self.evaluation.cost(unknowns).map_err(|failure| match failure {
            Failure::Here(error) | Failure::Stop(error) => error,
        })
    }
}

impl<M: Model> Objective for Fixed<'_, M> {
    type Error = IdentificationError;

    fn cost(&mut self, free: &[f64]) -> Result<f64, Failure<IdentificationError>> {
        self.evaluation.cost(&self.all(free))
    }

    fn gradient(&mut self, free: &[f64], gradient: &mut [f64]) -> Result<(), Failure<IdentificationError>> {
        let all = self.all(free);
        let mut of_all = vec![0.0; all.len()];
        self.evaluation.gradient(&all, &mut of_all)?;
        if let Some((index, _)) = self.fixed {
            of_all.remove(index);
        }
        gradient.copy_from_slice(&of_all);
        Ok(())
    }
}

impl<M: Model> LeastSquaresObjective for Fixed<'_, M> {
    fn residuals(&mut self, free: &[f64]) -> Result<LinearResiduals, Failure<IdentificationError>> {
        let mut residuals = self.evaluation.residuals(&self.all(free))?;
        if let Some((index, _)) = self.fixed {
            residuals.derivatives.remove(index);
        }
        Ok(residuals)
    }
}
