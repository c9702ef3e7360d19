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
mod compared_line;
mod form;
mod fourier;
mod interpolation;
mod least_squares;
mod order_tracking;
mod residuals;
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
use std::sync::Arc;

use crate::identifiers::Output;
use crate::record::AssumedUnit;
use crate::scalar::Dual;
use crate::series::Series;

pub use crate::problem::CostDerivativeError;
pub use amplitude_spectrum::AmplitudeSpectrum;
pub use bolza::BolzaCost;
pub use compared_line::ComparedLine;
pub(crate) use compared_line::explained_percent;
pub use form::{SpectralValue, SpectrumForm};
pub use fourier::{FourierCoefficients, FourierLine, fourier_coefficients};
pub(crate) use interpolation::Stencil;
pub(crate) use least_squares::intervals;
pub use least_squares::{LeastSquares, MeasuredChannel, MeasurementError, Quadrature};
pub use order_tracking::{OrderLine, order_coefficients};
pub use residuals::Residuals;
pub use run_up::RunUp;
pub(crate) use smooth_stencil::SmoothStencil;
pub use spectrum::SpectrumCost;
pub use spectrum_error::SpectrumError;
pub use sum::{CostWeightError, SumCost};
pub use window::Window;

/// A cost J(s_0, ..., s_N) of the outputs at the steps of a run.
///
/// `outputs` and `gradient` have N + 1 samples of all outputs of the model. A cost that does not [fit](Cost::fits) them is
/// NaN, and so is its gradient.
pub trait Cost: Send + Sync + Debug {
    /// J.
    fn value(&self, outputs: &Series<f64>) -> f64;

    /// J with its derivative in the direction that the outputs carry.
    fn value_dual(&self, outputs: &Series<Dual>) -> Dual;

    /// Adds dJ/ds_i to `gradient`, for every sample i and every output.
    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>);

    /// dJ/ds_i for every sample i and every output, as a [`gradient`](crate::gradient()) takes them.
    fn output_gradient(&self, outputs: &Series<f64>) -> Series<f64> {
        let mut gradient = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        self.add_gradient(outputs, &mut gradient);
        gradient
    }

    /// The residuals of a cost that is a weighted sum of squares, with their derivatives in the direction that the
    /// outputs carry. Gauss-Newton steps and standard deviations of found parameters come from them; `None`, the
    /// default, for other costs.
    fn residuals(&self, outputs: &Series<Dual>) -> Option<Residuals> {
        let _ = outputs;
        None
    }

    /// Whether the cost has [residuals](Self::residuals) for every run that it fits: then fits are those of least squares by default.
    fn has_residuals(&self) -> bool {
        false
    }

    /// The outputs of which the cost compares the course in time with a measurement, each as often as it does, by their
    /// [positions](crate::Output::index) in a row of outputs: an identification takes no output twice. By default none.
    fn outputs_in_time(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Whether the cost belongs to runs of `samples` = N + 1 samples of `width` outputs with `step` = h in s; by
    /// default to any.
    fn fits(&self, step: f64, samples: usize, width: usize) -> bool {
        let _ = (step, samples, width);
        true
    }

    /// The measured channels that have no unit and are taken in the outputs'; by default none.
    fn assumed_units(&self) -> Vec<AssumedUnit> {
        Vec::new()
    }

    /// A name for tables and messages, as `spectrum of twist`; by default that of the type.
    fn name(&self) -> String {
        let path = std::any::type_name::<Self>();
        let of_type = path.split('<').next().unwrap_or(path);
        of_type.rsplit("::").next().unwrap_or(of_type).to_owned()
    }

    /// The measured lines of spectra beside those of a run with these outputs; by default none.
    fn lines(&self, outputs: &Series<f64>) -> Vec<ComparedLine> {
        let _ = outputs;
        Vec::new()
    }
}

impl<C: Cost + ?Sized> Cost for Arc<C> {
    fn value(&self, outputs: &Series<f64>) -> f64 {
        self.as_ref().value(outputs)
    }

    fn value_dual(&self, outputs: &Series<Dual>) -> Dual {
        self.as_ref().value_dual(outputs)
    }

    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>) {
        self.as_ref().add_gradient(outputs, gradient);
    }

    fn residuals(&self, outputs: &Series<Dual>) -> Option<Residuals> {
        self.as_ref().residuals(outputs)
    }

    fn has_residuals(&self) -> bool {
        self.as_ref().has_residuals()
    }

    fn outputs_in_time(&self) -> Vec<usize> {
        self.as_ref().outputs_in_time()
    }

    fn fits(&self, step: f64, samples: usize, width: usize) -> bool {
        self.as_ref().fits(step, samples, width)
    }

    fn assumed_units(&self) -> Vec<AssumedUnit> {
        self.as_ref().assumed_units()
    }

    fn name(&self) -> String {
        self.as_ref().name()
    }

    fn lines(&self, outputs: &Series<f64>) -> Vec<ComparedLine> {
        self.as_ref().lines(outputs)
    }
}

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
