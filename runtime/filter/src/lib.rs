//! Kalman filters, particle filter and smoothers (KE 1.6), for any [`StateSpace`]: a linear system, one of your own, or
//! a compiled model.
//!
//! ```text
//! x_i = f(x_{i-1}, u_{i-1}, u_i) + q_i,   y_i = h(x_i, u_i) + r_i,   q ~ N(0, Q),   r ~ N(0, R)
//! ```
//!
//! Covariances are kept as triangular factors, P = S S^T, or are updated in Joseph's form, so that they stay symmetric
//! and positive definite. Nothing here knows of models of mechanics: their state spaces are made in `costate-kernel`.
//!
//! ```
//! use costate_filter::{FilterError, Gaussian, KalmanFilter, KalmanMethod, Storage, LinearSystem, run, smooth};
//! use nalgebra::DMatrix;
//!
//! # fn main() -> Result<(), FilterError> {
//! // Position and speed, a sample every 0.1 s; the position is measured.
//! let transition = DMatrix::from_row_slice(2, 2, &[1.0, 0.1, 0.0, 1.0]);
//! let system = LinearSystem::new(transition, DMatrix::from_row_slice(1, 2, &[1.0, 0.0]))?;
//! let start = Gaussian::independent(&[0.0, 0.0], &[1.0, 1.0])?;
//! let (process_noise, measurement_noise) = (DMatrix::identity(2, 2) * 1e-6, DMatrix::identity(1, 1) * 1e-2);
//! let mut filter =
//!     KalmanFilter::new(system, KalmanMethod::Extended, 0.1, &start, &process_noise, &measurement_noise)?;
//!
//! let positions: Vec<f64> = (0..50).map(|i| 0.05 * f64::from(i)).collect();
//! let filtered = run(&mut filter, &[], &positions, Storage::Gains)?;
//! let smoothed = smooth(&filtered)?;
//! assert!((filtered.mean(49)[1] - 0.5).abs() < 0.01); // the speed, m/s
//! assert!((smoothed.mean(0)[1] - 0.5).abs() < 0.01);
//! # Ok(())
//! # }
//! ```

mod bounds;
mod fixed_lag;
mod iterated;
mod kalman;
mod likelihood;
mod linear;
mod particle;
mod recorded;
pub mod restoring_force;
mod run;
mod smoother;
mod smoothing_gain;
mod storage;
mod transformation;

pub use bounds::Bounds;
pub use costate_numerics::scalar::out_of_range::OutOfRange;
pub use costate_system::state_space::{
    CovarianceFault, Divergence, DivergenceReason, FilterError, Gaussian, ModelFailure, Sample, StateSpace, Step,
};
pub use fixed_lag::FixedLagSmoother;
pub use iterated::{globally_iterated, iterated_smoother};
pub use kalman::{KalmanFilter, KalmanMethod};
pub use likelihood::{Innovations, innovations};
#[doc(hidden)]
pub use likelihood::{InnovationsIn, LinearizedProcess, deviance};
pub use linear::LinearSystem;
pub use particle::ParticleFilter;
pub use recorded::Filter;
pub use run::{FilterRun, run, run_with};
pub use smoother::{Smoothed, smooth};
pub use storage::Storage;
pub use transformation::{SigmaPoints, SigmaWeights, Transformation, Transformed, VectorFunction};

pub use transformation::Factored;
