//! Outputs at the end of a run and their integrals: Mayer, Lagrange and Bolza costs.

use super::{Cost, CostWeightError, add_none, same_step};
use crate::dual::Dual;
use crate::identifiers::Output;
use crate::model::Model;
use crate::scalar::Scalar;
use crate::series::Series;

/// J = sum_k a_k s_k(T) + sum_k b_k (integral of s_k from 0 to T): terms at the end alone make a Mayer cost,
/// integrals alone a Lagrange cost, both a Bolza cost.
///
/// Functions of the motion are outputs of the model, `outputs { loss: W = d*dot(x)^2 }`; their derivatives are exact.
/// The integral is the trapezoidal sum over the steps. In an identification, such a cost has no residuals.
#[derive(Debug, Clone, PartialEq)]
pub struct BolzaCost {
    step: f64,
    samples: usize,
    /// Output and weight.
    ends: Vec<(usize, f64)>,
    integrals: Vec<(usize, f64)>,
}

impl BolzaCost {
    /// No terms, J = 0, for runs of `samples` = N + 1 samples with `step` = h in s.
    pub fn new(step: f64, samples: usize) -> Self {
        Self { step, samples, ends: Vec::new(), integrals: Vec::new() }
    }

    /// Adds `weight` times the output at the end of the run: a Mayer term.
    ///
    /// # Errors
    /// [`CostWeightError`] if the weight is not finite.
    pub fn with_end_value<M: Model>(
        mut self,
        output: Output<M>,
        weight: f64,
    ) -> Result<Self, CostWeightError> {
        self.ends.push((output.index(), finite(weight)?));
        Ok(self)
    }

    /// Adds `weight` times the integral of the output over the run: a Lagrange term.
    ///
    /// # Errors
    /// [`CostWeightError`] if the weight is not finite.
    pub fn with_integral<M: Model>(
        mut self,
        output: Output<M>,
        weight: f64,
    ) -> Result<Self, CostWeightError> {
        self.integrals.push((output.index(), finite(weight)?));
        Ok(self)
    }

    /// dJ/ds_ik for every sample i and output k that J depends on.
    fn derivatives(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        let last = self.samples.saturating_sub(1);
        let ends = self.ends.iter().map(move |&(output, weight)| (last, output, weight));
        let integrals = self.integrals.iter().flat_map(move |&(output, weight)| {
            (0..self.samples).map(move |i| {
                let part = if i == 0 || i == last { 0.5 } else { 1.0 };
                (i, output, weight * part * self.step)
            })
        });
        ends.chain(integrals)
    }

    /// J, which is linear in the outputs; NaN for those of another run.
    fn evaluate<S: Scalar>(&self, outputs: &Series<S>) -> S {
        if !self.fits(outputs.step(), outputs.samples(), outputs.width()) {
            return S::constant(f64::NAN);
        }
        let mut sum = S::default();
        for (i, output, derivative) in self.derivatives() {
            sum += outputs.row(i)[output] * derivative;
        }
        sum
    }
}

impl Cost for BolzaCost {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        self.evaluate(outputs)
    }

    fn value_dual(&self, outputs: &Series<Dual>) -> Dual {
        self.evaluate(outputs)
    }

    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        let fits = |series: &Series<f64>| self.fits(series.step(), series.samples(), series.width());
        if !fits(outputs) || !fits(gradient) {
            return add_none(gradient);
        }
        for (i, output, derivative) in self.derivatives() {
            gradient.row_mut(i)[output] += derivative;
        }
    }

    fn fits(&self, step: f64, samples: usize, width: usize) -> bool {
        let known = self.ends.iter().chain(&self.integrals).all(|(output, _)| *output < width);
        known && samples == self.samples && same_step(step, self.step)
    }
}

fn finite(weight: f64) -> Result<f64, CostWeightError> {
    if weight.is_finite() { Ok(weight) } else { Err(CostWeightError { weight }) }
}
