//! Nonparametric identification of restoring forces (KE): curves and surfaces of the forces between bodies, from one
//! measured signal per degree of freedom, without an assumption about their form.
//!
//! A Kalman filter tracks the effective stiffness s and damping d of every element as if they were constant, with
//! process noise so large that s and d follow the oscillation ([`RestoringForceIdentification`]). The estimates give
//! samples of the force with their covariances ([`CurveSample`], [`SurfaceSample`]). Smooth curves ([`fit_curve`]) or
//! surfaces ([`fit_surface`]) are fitted to the samples, and are tables of a `model!`.
//!
//! Properties of the method:
//! - Velocities and accelerations contain no information about a deformation without stiffness: they need the lower
//!   bound of s. Without this bound a low synchronisation error e_s proves nothing, since the filter may have settled
//!   at a stiffness near zero.
//! - The exponents decide how much of the force is taken for elastic, so that samples of the dissipative force alone
//!   are 20 to 35 % wrong where elastic forces are much larger. [`RestoringForces::curves`] divide the total force,
//!   which is measured: of an additive force, the dissipative curve is then 3 to 10 % off.
//! - The square-root unscented filter tolerates less process noise than the extended one: its q_s is about 1 lower.
//! - The scale p_c does not affect the extended filter, whose factor is independent of units.

pub use costate_filter::restoring_force::{
    APriori, ElementIdentification, RestoringForceIdentification, RestoringForces, Sensor,
};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_filter::restoring_force::{
    AdaptedModel, Convergence, ConvergenceMonitor, CurveFit, CurvePoint, CurveSample, CurveSettings, Exponents, Mode,
    ModelElement, Response, RestoringForceCurve, RestoringForceError, RestoringForceModel, RestoringForceSurface,
    SensorKind, SeriesError, SurfaceSample, SurfaceSettings, TransitionMatrix, TuningPlane, TuningSearch, TuningTrial,
    Visited, Warning, central_moving_average, curve_samples, estimate_noise, fit_curve, fit_surface, fuse_samples,
    lowest_stiffness, number_error, surface_sample,
};
#[doc(no_inline)]
pub use costate_numerics::scalar::out_of_range::OutOfRange;
