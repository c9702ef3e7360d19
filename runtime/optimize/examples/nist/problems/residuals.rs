//! Residuals as functions of dual numbers, as what the methods minimise.

use std::convert::Infallible;
use std::fmt;

use costate_optimize::{Failure, LeastSquaresObjective, LinearResiduals, Objective};

use super::dual::Dual;

/// The residuals at some parameters.
type Function = Box<dyn Fn(&[Dual]) -> Vec<Dual>>;

/// Residuals r(p) with exact derivatives; the cost is 1/2 r^T r.
pub struct Residuals {
    function: Function,
}

impl fmt::Debug for Residuals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Residuals").finish_non_exhaustive()
    }
}

impl Residuals {
    /// Residuals that the function computes.
    pub fn new(function: impl Fn(&[Dual]) -> Vec<Dual> + 'static) -> Self {
        Self { function: Box::new(function) }
    }

    /// r.
    pub fn values(&self, parameters: &[f64]) -> Vec<f64> {
        let constant: Vec<_> = parameters.iter().copied().map(Dual::constant).collect();
        (self.function)(&constant).into_iter().map(|r| r.value).collect()
    }

    /// r^T r.
    pub fn sum_of_squares(&self, parameters: &[f64]) -> f64 {
        self.values(parameters).iter().map(|r| r * r).sum()
    }

    /// dr/dp_k of all residuals.
    fn column(&self, parameters: &[f64], k: usize) -> Vec<f64> {
        let along = |(j, &value)| Dual { value, slope: f64::from(u8::from(j == k)) };
        let moving: Vec<_> = parameters.iter().enumerate().map(along).collect();
        (self.function)(&moving).into_iter().map(|r| r.slope).collect()
    }

    /// r and dr/dp.
    pub fn linear(&self, parameters: &[f64]) -> LinearResiduals {
        let derivatives = (0..parameters.len()).map(|k| self.column(parameters, k)).collect();
        LinearResiduals { values: self.values(parameters), derivatives }
    }
}

impl Objective for &Residuals {
    type Error = Infallible;

    fn cost(&mut self, parameters: &[f64]) -> Result<f64, Failure<Infallible>> {
        Ok(0.5 * self.sum_of_squares(parameters))
    }

    fn gradient(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Result<(), Failure<Infallible>> {
        let linear = self.linear(parameters);
        for (entry, column) in gradient.iter_mut().zip(&linear.derivatives) {
            *entry = column.iter().zip(&linear.values).map(|(d, r)| d * r).sum();
        }
        Ok(())
    }
}

impl LeastSquaresObjective for &Residuals {
    fn residuals(&mut self, parameters: &[f64]) -> Result<LinearResiduals, Failure<Infallible>> {
        Ok(self.linear(parameters))
    }

    fn residual_values(&mut self, parameters: &[f64]) -> Result<Option<Vec<f64>>, Failure<Infallible>> {
        Ok(Some(self.values(parameters)))
    }
}
