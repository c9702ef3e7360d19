//! Costs of the outputs of a run: measurements in time, lines of spectra also along engine orders, values at the end,
//! integrals, and sums of them, each with its derivatives and residuals.
//!
//! The trait [`Cost`] is part of `costate-system`; runs and minimisers are in other crates.

mod amplitude_spectrum;
mod bolza;
mod complex_form;
mod form;
mod fourier;
mod in_form;
mod interpolation;
mod least_squares;
mod order_tracking;
mod parameter_cost;
pub mod residuals;
mod run_up;
mod smooth_stencil;
mod span;
mod spectrum;
mod spectrum_error;
mod sum;
#[cfg(test)]
mod tests;

use std::fmt::Debug;

use costate_system::identifiers::Output;
use costate_system::series::Series;

pub use amplitude_spectrum::AmplitudeSpectrum;
pub use bolza::BolzaCost;
pub use complex_form::ComplexForm;
pub use costate_measure::signal::Window;
pub use costate_system::cost::explained_percent;
pub use costate_system::cost::{ComparedLine, Cost, Residuals, SpectrumForm};
pub use costate_system::problem::CostDerivativeError;
pub use form::SpectralValue;
pub use fourier::{FourierCoefficients, FourierLine, fourier_coefficients};
pub use in_form::{ComplexFormError, InForm, PredictedCurve};
pub use interpolation::Stencil;
pub use least_squares::intervals;
pub use least_squares::{LeastSquares, MeasuredChannel, MeasurementError, Quadrature};
pub use order_tracking::{OrderLine, order_coefficients};
pub use parameter_cost::ParameterCost;
pub use run_up::RunUp;
pub use smooth_stencil::SmoothStencil;
pub use spectrum::SpectrumCost;
pub use spectrum_error::SpectrumError;
pub use sum::{CostWeightError, SumCost};

/// Distance from a sample, step, line or end within which a number is at it, relative to the distance of two of them:
/// far more than the rounding of times, far less than any difference that matters.
const PLACE_ROUNDING: f64 = 1e-9;

/// The output of a model that a cost uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CostOutput {
    /// Position of the output in a row of outputs.
    index: usize,
    name: &'static str,
    unit: &'static str,
}

impl<M> From<Output<M>> for CostOutput {
    fn from(output: Output<M>) -> Self {
        Self { index: output.index(), name: output.name(), unit: output.quantity().unit }
    }
}

/// Checks that a weight is positive, and that products of it with squares of residuals, and their squares,
/// are finite.
pub fn is_weight(weight: f64) -> bool {
    (1e-100..=1e100).contains(&weight)
}

/// Joins `of` and the names of outputs, each once.
fn named<'n>(of: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut all: Vec<&str> = Vec::new();
    names.for_each(|name| {
        if !all.contains(&name) {
            all.push(name);
        }
    });
    format!("{of} of {}", all.join(", "))
}

/// Adds the gradient of a cost that does not belong to the run: NaN.
fn add_none(gradient: &mut Series<f64>) {
    for i in 0..gradient.samples() {
        gradient.row_mut(i).fill(f64::NAN);
    }
}

/// Checks whether two step sizes are equal up to rounding.
fn same_step(step: f64, other: f64) -> bool {
    (step - other).abs() <= 1e-9 * other
}
