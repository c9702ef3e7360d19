//! The cost along a search direction.

use std::collections::VecDeque;

use super::active_set::Direction;
use super::erased::{AnyError, Evaluated, Residuals};
use super::objective::Failure;
use super::state::{OptimizerState, physical};

/// A point with its cost and gradient.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reached {
    /// Step size: multiple of the direction.
    pub step: f64,
    pub cost: f64,
    /// Scaled variables.
    pub position: Vec<f64>,
    /// dJ/dx in scaled variables.
    pub gradient: Vec<f64>,
}

/// phi(step) = J(x + step d), never evaluated outside the bounds.
pub(super) struct Ray<'a> {
    objective: &'a mut dyn Residuals,
    state: &'a OptimizerState,
    direction: &'a Direction,
    /// The latest point whose gradient is known; in a line search always the best one.
    pub reached: Option<Reached>,
    /// The step of the latest evaluation of the cost.
    pub latest: Option<f64>,
    /// Evaluations of the cost along this ray.
    pub evaluations: usize,
    /// Steps that were announced, and not evaluated yet.
    announced: VecDeque<f64>,
}

impl<'a> Ray<'a> {
    pub fn new(objective: &'a mut dyn Residuals, state: &'a OptimizerState, direction: &'a Direction) -> Self {
        Self { objective, state, direction, reached: None, latest: None, evaluations: 0, announced: VecDeque::new() }
    }

    /// Evaluates phi; infinite where the cost cannot be evaluated.
    pub fn cost(&mut self, step: f64) -> Result<f64, AnyError> {
        self.evaluations += 1;
        self.latest = Some(step);
        if self.announced.pop_front() != Some(step) {
            self.announced.clear();
        }
        match self.objective.cost(&physical(&self.state.variables, &self.position(step))) {
            Ok(cost) if cost.is_finite() => Ok(cost),
            Ok(_) | Err(Failure::Here(_)) => Ok(f64::INFINITY),
            Err(Failure::Stop(error)) => Err(error),
        }
    }

    /// Checks whether [`announce`](Ray::announce) has announced this step as the next one.
    pub fn foresees(&self, step: f64) -> bool {
        self.announced.front() == Some(&step)
    }

    /// Announces the steps that can be foreseen to the objective.
    pub fn announce(&mut self, steps: Vec<f64>) {
        let parameters = |step: &f64| physical(&self.state.variables, &self.position(*step));
        self.objective.announce(&steps.iter().map(parameters).collect::<Vec<_>>());
        self.announced = steps.into();
    }

    /// Evaluates phi' at the point of the latest [`cost`](Ray::cost); `None` where it cannot be evaluated.
    pub fn slope(&mut self, step: f64, cost: f64) -> Result<Option<f64>, AnyError> {
        let position = self.position(step);
        let gradient = match scaled_gradient(self.objective, self.state, &position) {
            Ok(gradient) => gradient,
            Err(Failure::Here(_)) => return Ok(None),
            Err(Failure::Stop(error)) => return Err(error),
        };
        let moves = |k: usize| !self.direction.is_bent || self.moves_on(k, position[k]);
        let components = gradient.iter().zip(&self.direction.vector).enumerate();
        let slope: f64 = components.filter(|(k, _)| moves(*k)).map(|(_, (g, d))| g * d).sum();
        if !gradient.iter().all(|g| g.is_finite()) || !slope.is_finite() {
            return Ok(None);
        }
        self.reached = Some(Reached { step, cost, position, gradient });
        Ok(Some(slope))
    }

    /// Checks whether variable k, at x, is free of the bound that it moves towards.
    fn moves_on(&self, k: usize, x: f64) -> bool {
        let (lower, upper) = self.state.variables[k].scaled_bounds();
        if self.direction.vector[k] < 0.0 { x > lower } else { x < upper }
    }

    /// Returns x + step d in scaled variables, with the bounds held exactly.
    pub fn position(&self, step: f64) -> Vec<f64> {
        let mut position: Vec<_> = self
            .state
            .position
            .iter()
            .zip(&self.direction.vector)
            .zip(&self.state.variables)
            .map(|((x, d), variable)| {
                let (lower, upper) = variable.scaled_bounds();
                (x + step * d).max(lower).min(upper)
            })
            .collect();
        if step >= self.direction.limit {
            for &k in &self.direction.reaching {
                let (lower, upper) = self.state.variables[k].scaled_bounds();
                position[k] = if self.direction.vector[k] < 0.0 { lower } else { upper };
            }
        }
        position
    }
}

/// Evaluates dJ/dx = dJ/dp dp/dx.
pub(super) fn scaled_gradient(
    objective: &mut dyn Residuals,
    state: &OptimizerState,
    position: &[f64],
) -> Evaluated<Vec<f64>> {
    let parameters = physical(&state.variables, position);
    let mut gradient = vec![0.0; parameters.len()];
    objective.gradient(&parameters, &mut gradient)?;
    for ((g, variable), &parameter) in gradient.iter_mut().zip(&state.variables).zip(&parameters) {
        *g *= variable.slope(parameter);
    }
    Ok(gradient)
}
