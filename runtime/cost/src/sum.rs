//! Weighted sums of costs.

use std::sync::Arc;

use super::Residuals;
use super::{ComparedLine, Cost, is_weight};
use costate_contract::shown::Shown;
use costate_measure::record::AssumedUnit;
use costate_numerics::scalar::Dual;
use costate_system::series::Series;

/// A weight that is not finite, or that is negative or zero where a cost is weighted.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "the weight {weight} of a cost is not possible; choose a finite number, from 1e-100 to 1e100 for a whole cost",
    weight = Shown(*weight)
)]
pub struct CostWeightError {
    /// The weight.
    pub weight: f64,
}

/// J = sum_c w_c J_c of any costs, in time and frequency, of any outputs.
#[derive(Debug, Clone, Default)]
pub struct SumCost<'a> {
    terms: Vec<(f64, Arc<dyn Cost + 'a>)>,
}

impl<'a> SumCost<'a> {
    /// No cost: J = 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `weight` times `cost`.
    ///
    /// # Errors
    /// [`CostWeightError`] if the weight is not from 1e-100 to 1e100.
    pub fn with(self, weight: f64, cost: impl Cost + 'a) -> Result<Self, CostWeightError> {
        self.with_shared(weight, Arc::new(cost))
    }

    /// Adds `weight` times a `cost` that others have as well.
    ///
    /// # Errors
    /// As [`with`](Self::with).
    #[doc(hidden)]
    pub fn with_shared(mut self, weight: f64, cost: Arc<dyn Cost + 'a>) -> Result<Self, CostWeightError> {
        if !is_weight(weight) {
            return Err(CostWeightError { weight });
        }
        self.terms.push((weight, cost));
        Ok(self)
    }

    /// Weights and costs, in the order in which they were added.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = (f64, &(dyn Cost + 'a))> {
        self.terms.iter().map(|(weight, cost)| (*weight, cost.as_ref()))
    }
}

impl Cost for SumCost<'_> {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        self.terms.iter().map(|(weight, cost)| weight * cost.value(outputs)).sum()
    }

    fn value_dual(&self, outputs: &Series<Dual>) -> Dual {
        let mut sum = Dual::default();
        for (weight, cost) in &self.terms {
            sum += cost.value_dual(outputs) * *weight;
        }
        sum
    }

    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        for (weight, cost) in &self.terms {
            if *weight == 1.0 {
                cost.add_gradient(outputs, gradient);
                continue;
            }
            let mut part = Series::zeros(gradient.step(), gradient.width(), gradient.samples());
            cost.add_gradient(outputs, &mut part);
            for i in 0..gradient.samples() {
                for (total, own) in gradient.row_mut(i).iter_mut().zip(part.row(i)) {
                    *total += weight * own;
                }
            }
        }
    }

    fn has_residuals(&self) -> bool {
        self.terms().all(|(_, cost)| cost.has_residuals())
    }

    fn residuals(&self, outputs: &Series<Dual>) -> Option<Residuals> {
        let mut all = Residuals::default();
        for (weight, cost) in &self.terms {
            let part = cost.residuals(outputs)?;
            all.weights.extend(part.weights.iter().map(|own| weight * own));
            all.residuals.extend(part.residuals);
        }
        Some(all)
    }

    fn outputs_in_time(&self) -> Vec<usize> {
        self.terms.iter().flat_map(|(_, cost)| cost.outputs_in_time()).collect()
    }

    fn fits(&self, step: f64, samples: usize, width: usize) -> bool {
        self.terms.iter().all(|(_, cost)| cost.fits(step, samples, width))
    }

    fn assumed_units(&self) -> Vec<AssumedUnit> {
        self.terms.iter().flat_map(|(_, cost)| cost.assumed_units()).collect()
    }

    fn name(&self) -> String {
        self.terms.iter().map(|(_, cost)| cost.name()).collect::<Vec<_>>().join(" + ")
    }

    fn lines(&self, outputs: &Series<f64>) -> Vec<ComparedLine> {
        let weighted = |(weight, cost): &(f64, Arc<dyn Cost + '_>)| {
            let mut lines = cost.lines(outputs);
            lines.iter_mut().for_each(|line| line.weight *= weight);
            lines
        };
        self.terms.iter().flat_map(weighted).collect()
    }
}
