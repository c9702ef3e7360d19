//! Costs as sums of squares.

use crate::dual::Dual;

/// The residuals r_j of a cost J = 1/2 sum_j w_j r_j^2, with their derivatives in the direction that the outputs
/// carry; both vectors have one entry per residual.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Residuals {
    /// w_j.
    pub weights: Vec<f64>,
    /// r_j.
    pub residuals: Vec<Dual>,
}

impl Residuals {
    /// Adds one.
    pub(crate) fn push(&mut self, weight: f64, residual: Dual) {
        self.weights.push(weight);
        self.residuals.push(residual);
    }

    /// J with its derivative.
    pub fn cost(&self) -> Dual {
        let mut sum = Dual::default();
        for (&weight, &residual) in self.weights.iter().zip(&self.residuals) {
            sum += residual * residual * (0.5 * weight);
        }
        sum
    }
}
