//! Kalman filters, particle filter and smoothers (KE 1.6), for any [`StateSpace`]: linear systems, compiled models, the
//! augmented model of [`restoring_force`](crate::restoring_force), or one of your own.
//!
//! ```text
//! x_i = f(x_{i-1}, u_{i-1}, u_i) + q_i,   y_i = h(x_i, u_i) + r_i,   q ~ N(0, Q),   r ~ N(0, R)
//! ```
//!
//! Covariances are kept as triangular factors, P = S S^T, or are updated in Joseph's form, so that they stay symmetric
//! and positive definite.

mod bounds;
mod checks;
mod compiled;
mod error;
mod iterated;
mod kalman;
mod keep;
mod linear;
mod observability;
mod particle;
mod recorded;
mod run;
mod smoother;
mod smoothing_gain;
mod state_space;
mod transformation;

pub use crate::scalar::out_of_range::OutOfRange;
pub use bounds::Bounds;
pub use compiled::{ImplicitModel, RungeKutta, RungeKuttaModel};
pub use error::{CovarianceFault, Divergence, DivergenceReason, FilterError};
pub use iterated::{globally_iterated, iterated_smoother};
pub use kalman::{KalmanFilter, KalmanMethod};
pub use keep::Keep;
pub use linear::LinearSystem;
pub use observability::{Observability, observability};
pub use particle::ParticleFilter;
pub use recorded::Filter;
pub use run::{FilterRun, run, run_with};
pub use smoother::{Smoothed, smooth};
pub use state_space::{Sample, StateSpace, Step};
pub use transformation::{Gaussian, SigmaPoints, SigmaWeights, Transformation, Transformed, VectorFunction};

pub(crate) use checks::{check_covariance, covariance_factor};
pub(crate) use transformation::Factored;
