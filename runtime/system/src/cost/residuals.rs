//! Costs as sums of squares.

use costate_numerics::scalar::Dual;

/// The residuals r_j of a cost J = 1/2 sum_j w_j r_j^2, with their derivatives in the direction that the outputs
/// carry; both vectors have one entry per residual.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Residuals {
    /// w_j.
    pub weights: Vec<f64>,
    /// r_j.
    pub residuals: Vec<Dual>,
}

/// Collects pairs (w_j, r_j).
impl FromIterator<(f64, Dual)> for Residuals {
    fn from_iter<I: IntoIterator<Item = (f64, Dual)>>(pairs: I) -> Self {
        let (weights, residuals) = pairs.into_iter().unzip();
        Self { weights, residuals }
    }
}

/// Appends pairs (w_j, r_j).
impl Extend<(f64, Dual)> for Residuals {
    fn extend<I: IntoIterator<Item = (f64, Dual)>>(&mut self, pairs: I) {
        for (weight, residual) in pairs {
            self.weights.push(weight);
            self.residuals.push(residual);
        }
    }
}

impl Residuals {
    /// Evaluates J with its derivative.
    pub fn cost(&self) -> Dual {
        let mut sum = Dual::default();
        for (&weight, &residual) in self.weights.iter().zip(&self.residuals) {
            sum += residual * residual * (0.5 * weight);
        }
        sum
    }
}
