//! Kalman filters, a particle filter and smoothers (KE 1.6), for any [`StateSpace`]: linear systems, compiled models,
//! the augmented model of [`restoring_force`](crate::restoring_force), or a type of your own.
//!
//! ```text
//! x_i = f(x_{i-1}, u_{i-1}, u_i) + q_i,   y_i = h(x_i, u_i) + r_i,   q ~ N(0, Q),   r ~ N(0, R)
//! ```
//!
//! Covariances are stored as triangular factors, P = S S^T, or are updated in Joseph's form, so that they stay
//! symmetric and positive definite.

pub use costate_filter::{Gaussian, KalmanFilter, KalmanMethod, ParticleFilter, StateSpace, smooth};
pub use costate_kernel::state_space::ImplicitModel;

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_filter::{
    Bounds, CovarianceFault, Divergence, DivergenceReason, Filter, FilterError, FilterRun, FixedLagSmoother,
    Innovations, LinearSystem, ModelFailure, Sample, SigmaPoints, SigmaWeights, Smoothed, Step, Storage,
    Transformation, Transformed, VectorFunction, globally_iterated, innovations, iterated_smoother, run, run_with,
};
#[doc(no_inline)]
pub use costate_kernel::state_space::{FilterProcess, Observability, RungeKutta, RungeKuttaModel, observability};
#[doc(no_inline)]
pub use costate_numerics::scalar::out_of_range::OutOfRange;
