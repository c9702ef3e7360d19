//! Minimising once more from unknowns that were found, with one of them at a given value or all of them free.

use costate_optimize::{
    Failure, LeastSquaresObjective, LinearResiduals, Method, Objective, OptimizerSettings, OptimizerState,
    minimize_least_squares,
};
use costate_system::gradient::GradientMethod;
use costate_system::interrupt::Interrupt;

use super::definition::error::IdentificationError;
use super::estimation::evaluation::Evaluation;
use super::estimation::experiment_problem::EstimationProblem;
use super::search::{ended, interrupted};

/// The least cost, and the unknowns there, with one of them at a value or all of them free, from `start`; by
/// Levenberg-Marquardt.
pub(super) fn minimum(
    estimation: &EstimationProblem,
    (gradient_method, interrupt): (GradientMethod, &Interrupt),
    fixed: Option<(usize, f64)>,
    start: &[f64],
) -> Result<(f64, Vec<f64>), IdentificationError> {
    let settings = OptimizerSettings::default()
        .with_method(Method::LevenbergMarquardt)
        .with_cost_tolerance(1e-10)
        .with_gradient_tolerance(1e-10)
        .with_small_iterations(2)
        .with_leave_untold(false)
        .with_maximum_iterations(60);
    let mut objective = Fixed::new(Evaluation::new(estimation, settings.method, gradient_method), fixed);
    if let Some((k, value)) = fixed.filter(|_| start.len() == 1) {
        let mut unknowns = start.to_vec();
        unknowns[k] = value;
        return Ok((objective.cost_of_all(&unknowns)?, unknowns));
    }
    let variables = estimation.state.variables().iter().zip(start).enumerate();
    let free = variables.filter(|(k, _)| fixed.is_none_or(|(other, _)| *k != other));
    let free = free.map(|(_, (variable, value))| variable.starting_with(*value)).collect();
    let mut state = OptimizerState::new(free, settings)?;
    let result = minimize_least_squares(&mut objective, &mut state, |state| match interrupt.is_triggered() {
        true => Err(interrupted(state, None).into()),
        false => Ok(()),
    });
    result.map_err(ended)?;
    Ok((state.cost(), objective.all(&state.parameters())))
}

/// A function of all unknowns but one.
struct Fixed<'a> {
    evaluation: Evaluation<'a>,
    /// Index and value of the one, if there is one.
    fixed: Option<(usize, f64)>,
}

impl<'a> Fixed<'a> {
    fn new(evaluation: Evaluation<'a>, fixed: Option<(usize, f64)>) -> Self {
        Self { evaluation, fixed }
    }

    /// All unknowns, from those that are free.
    fn all(&self, free: &[f64]) -> Vec<f64> {
        let mut all = free.to_vec();
        if let Some((index, value)) = self.fixed {
            all.insert(index, value);
        }
        all
    }

    /// J of all unknowns.
    fn cost_of_all(&mut self, unknowns: &[f64]) -> Result<f64, IdentificationError> {
        self.evaluation.cost(unknowns).map_err(|failure| match failure {
            Failure::Here(error) | Failure::Stop(error) => error,
        })
    }
}

impl Objective for Fixed<'_> {
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

impl LeastSquaresObjective for Fixed<'_> {
    fn residuals(&mut self, free: &[f64]) -> Result<LinearResiduals, Failure<IdentificationError>> {
        let mut residuals = self.evaluation.residuals(&self.all(free))?;
        if let Some((index, _)) = self.fixed {
            residuals.derivatives.remove(index);
        }
        Ok(residuals)
    }

    fn residual_values(&mut self, free: &[f64]) -> Result<Option<Vec<f64>>, Failure<IdentificationError>> {
        let all = self.all(free);
        self.evaluation.residual_values(&all)
    }
}
