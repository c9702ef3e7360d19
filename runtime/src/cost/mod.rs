//! Costs J of the outputs of a run, with their derivatives: what an identification or an optimization minimises.
//!
//! ```
//! # costate::model! {
//! #     pub Mount {
//! #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
//! #         inputs { drive: N }
//! #         coordinates { x: m }
//! #         mass { x: m }
//! #         forces { x: drive - c*x - d*dot(x) }
//! #         outputs { position: m = x }
//! #     }
//! # }
//! use costate::Simulation;
//! use costate::cost::{Cost, LeastSquares, Quadrature};
//!
//! # fn main() -> anyhow::Result<()> {
//! let mount = Mount::default();
//! let run = Simulation::new(&mount).signal(Mount::DRIVE, 50.0).step(1e-3).until(1.0).run()?;
//! let (times, measured) = ([0.1, 0.2, 0.3], [0.2e-3, 0.7e-3, 0.4e-3]);
//! let cost = LeastSquares::new(1e-3, 1001, Quadrature::Rectangle)
//!     .with_channel(Mount::POSITION, &times, &measured, 1.0)?;
//! println!("J = {}", cost.value(run.outputs()));
//! # Ok(())
//! # }
//! ```
//!
//! | what is compared | by what |
//! |---|---|
//! | signals in time | [`LeastSquares`] |
//! | lines of a spectrum, also along engine orders | [`SpectrumCost`] with [`FourierLine`]s and [`OrderLine`]s of a [`RunUp`] |
//! | values at the end, and integrals | [`BolzaCost`] |
//! | several of them | [`SumCost`], or [`Identification::cost`](crate::Identification::cost) once for each |
//! | anything else | a type of your own that implements [`Cost`] |
//!
//! From here: [`identify`](crate::identify) finds the parameters for which a cost is least,
//! [`differentiate`](crate::differentiate) has its gradient.

mod amplitude_spectrum;
mod bolza;
mod form;
mod fourier;
mod interpolation;
mod least_squares;
mod order_tracking;
mod run_up;
mod smooth_stencil;
mod span;
mod spectrum;
mod spectrum_error;
mod sum;
#[cfg(test)]
mod tests;
mod window;

use std::fmt::Debug;

use crate::identifiers::Output;
use crate::series::Series;

pub use crate::problem::CostDerivativeError;
pub use amplitude_spectrum::AmplitudeSpectrum;
pub use bolza::BolzaCost;
pub(crate) use costate_system::cost::explained_percent;
pub use costate_system::cost::{ComparedLine, Cost, Residuals, SpectrumForm};
pub use form::SpectralValue;
pub use fourier::{FourierCoefficients, FourierLine, fourier_coefficients};
pub(crate) use interpolation::Stencil;
pub(crate) use least_squares::intervals;
pub use least_squares::{LeastSquares, MeasuredChannel, MeasurementError, Quadrature};
pub use order_tracking::{OrderLine, order_coefficients};
pub use run_up::RunUp;
pub(crate) use smooth_stencil::SmoothStencil;
pub use spectrum::SpectrumCost;
pub use spectrum_error::SpectrumError;
pub use sum::{CostWeightError, SumCost};
pub use window::Window;

/// What a cost knows of an output of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CostOutput {
    /// Its position in a row of outputs.
    index: usize,
    name: &'static str,
    unit: &'static str,
}

impl<M> From<Output<M>> for CostOutput {
    fn from(output: Output<M>) -> Self {
        Self { index: output.index(), name: output.name(), unit: output.quantity().unit }
    }
}

/// Whether a weight is a positive number whose products with squares of residuals, and theirs, are numbers.
pub(crate) fn is_weight(weight: f64) -> bool {
    (1e-100..=1e100).contains(&weight)
}

/// `of` with the names of outputs, each once.
fn named<'n>(of: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut all: Vec<&str> = Vec::new();
    names.for_each(|name| {
        if !all.contains(&name) {
            all.push(name);
        }
    });
    format!("{of} of {}", all.join(", "))
}

/// Adds the gradient of a cost that does not belong to the run: it is not a number.
fn add_none(gradient: &mut Series<f64>) {
    for i in 0..gradient.samples() {
        gradient.row_mut(i).fill(f64::NAN);
    }
}

/// Whether two step sizes are the same but for rounding.
fn same_step(step: f64, other: f64) -> bool {
    (step - other).abs() <= 1e-9 * other
}
