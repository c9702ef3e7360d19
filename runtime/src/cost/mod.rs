//! What an optimization minimises: costs J of the outputs of a run.

mod interpolation;
mod least_squares;
#[cfg(test)]
mod tests;

use std::fmt::Debug;

use crate::dual::Dual;
use crate::series::Series;

pub use least_squares::{LeastSquares, MeasuredChannel, MeasurementError, Quadrature};

/// A cost J(s_0, ..., s_N) of the outputs at the steps of a run.
///
/// `outputs` and `gradient` have N + 1 samples of all outputs of the model.
pub trait Cost: Send + Sync + Debug {
    /// J.
    fn value(&self, outputs: &Series<f64>) -> f64;

    /// J with its derivative in the direction that the outputs carry.
    fn value_dual(&self, outputs: &Series<Dual>) -> Dual;

    /// Adds dJ/ds_i to `gradient`, for every sample i and every output.
    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>);
}
