//! Costs J of the outputs of a run, with their derivatives, for identification and optimisation.
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
//! let run = Simulation::new(&mount).input(Mount::DRIVE, 50.0).step(1e-3).until(1.0).run()?;
//! let (times, measured) = ([0.1, 0.2, 0.3], [0.2e-3, 0.7e-3, 0.4e-3]);
//! let cost = LeastSquares::new(1e-3, 1001, Quadrature::Rectangle)
//!     .with_channel(Mount::POSITION, &times, &measured, 1.0)?;
//! println!("J = {}", cost.value(run.outputs()));
//! # Ok(())
//! # }
//! ```
//!
//! | quantity | cost |
//! |---|---|
//! | signals in time | [`LeastSquares`] |
//! | lines of a spectrum | [`SpectrumCost`] with [`FourierLine`]s |
//! | lines along engine orders | [`SpectrumCost`] with [`OrderLine`]s of a [`RunUp`] |
//! | values at the end, and integrals | [`BolzaCost`] |
//! | sums of costs | [`SumCost`], or [`Identification::cost`](crate::Identification::cost) once for each |
//! | least squares as a function of parameters, for other optimisers | [`ParameterCost`] |
//! | other quantities | a type of your own that implements [`Cost`] |
//!
//! Next: [`identify`](crate::identify) finds the parameters that minimise a cost,
//! [`differentiate`](crate::differentiate) computes its gradient.

pub use costate_cost::{Cost, FourierLine, LeastSquares, OrderLine, Quadrature, SpectrumCost, Window};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_cost::{
    AmplitudeSpectrum, BolzaCost, ComparedLine, ComplexForm, ComplexFormError, CostDerivativeError, CostWeightError,
    FourierCoefficients, InForm, MeasuredChannel, MeasurementError, ParameterCost, PredictedCurve, Residuals, RunUp,
    SpectralValue, SpectrumError, SpectrumForm, SumCost, fourier_coefficients, order_coefficients,
};
