//! Common parts of the step size rules: the beginning of a line search, and conditions on its steps.

use super::super::erased::AnyError;
use super::super::ray::Ray;
use super::super::settings::OptimizerSettings;

/// A step and the cost there, infinite where it cannot be evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sample {
    pub step: f64,
    pub cost: f64,
}

/// phi(0), phi'(0) and the conditions on a step.
pub(super) struct Descent<'a> {
    pub cost: f64,
    pub slope: f64,
    pub settings: &'a OptimizerSettings,
}

impl Descent<'_> {
    /// Checks the first of the Wolfe conditions (Nocedal, Wright, Numerical Optimization, 2nd ed., (3.6a)).
    pub fn decreases(&self, step: f64, cost: f64) -> bool {
        cost <= self.cost + self.settings.sufficient_decrease * step * self.slope && cost < self.cost
    }

    /// Checks whether the decrease within this step would be below the rounding error of the cost.
    pub fn hidden(&self, step: f64) -> bool {
        -self.slope * step <= f64::EPSILON * self.cost.abs()
    }

    /// Checks whether another sample may be taken such that one more evaluation, at the result, is still allowed.
    pub fn may_continue(&self, ray: &Ray<'_>) -> bool {
        ray.evaluations + 1 < self.settings.line_search_evaluations
    }

    /// Evaluates the cost at `first`, or at the first of its quarter, quarter of a quarter, ... where it can be
    /// evaluated.
    pub fn first_sample(&self, ray: &mut Ray<'_>, first: f64) -> Result<Option<Sample>, AnyError> {
        let mut step = first;
        loop {
            let sample = sample(ray, step)?;
            if sample.cost.is_finite() {
                return Ok(Some(sample));
            }
            step *= 0.25;
            if !self.may_continue(ray) || self.hidden(step) {
                return Ok(None);
            }
        }
    }

    /// Makes `sample` the best one if its cost is lower and it decreases sufficiently.
    pub fn improve(&self, best: &mut Option<Sample>, sample: Sample) {
        let lower = best.is_none_or(|best| sample.cost < best.cost);
        if lower && self.decreases(sample.step, sample.cost) {
            *best = Some(sample);
        }
    }

    /// Ends the search at the best sample, and evaluates the gradient there unless that has been done.
    pub fn settle(&self, ray: &mut Ray<'_>, best: Option<Sample>) -> Result<(), AnyError> {
        ray.reached = ray.reached.take().filter(|reached| Some(reached.step) == best.map(|best| best.step));
        let Some(best) = best.filter(|_| ray.reached.is_none()) else { return Ok(()) };
        if ray.latest != Some(best.step) {
            ray.cost(best.step)?;
        }
        ray.slope(best.step, best.cost)?;
        Ok(())
    }
}

pub(super) fn sample(ray: &mut Ray<'_>, step: f64) -> Result<Sample, AnyError> {
    Ok(Sample { step, cost: ray.cost(step)? })
}
