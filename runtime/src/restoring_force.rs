//! Nonparametric identification of restoring forces (KE): from one measured signal per degree of freedom to the curves
//! and surfaces of the forces between bodies, without an assumption about their form.
//!
//! A Kalman filter tracks the effective stiffness s and damping d of every element as if they were constant, with so
//! much process noise that they follow the oscillation ([`RestoringForceIdentification`]). Its estimates become samples
//! of the force with their covariances ([`CurveSample`], [`SurfaceSample`]), and these smooth curves
//! ([`fit_curve`]) or surfaces ([`fit_surface`]), which are tables for a `model!`.
//!
//! What to know of the method:
//! - Velocities and accelerations do not show a deformation without stiffness: they need the lower bound of s. A low
//!   synchronisation error e_s proves nothing without it, since the filter may have settled at a stiffness near zero.
//! - The dissipative curve of an additive force stays 20 to 35 % off with any tuning where elastic forces are much
//!   larger; averaged slices of the surface ([`RestoringForceSurface::averaged_dissipative_slice`]) are closer.
//! - The square-root unscented filter does not bear the process noise of the extended one: its q_s is about 1 lower.
//! - The scale p_c changes nothing for the extended filter, whose factor does not know units.

pub use costate_restoring_force::{
    APriori, ElementIdentification, RestoringForceCurve, RestoringForceIdentification, RestoringForces,
    Sensor,
};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use crate::scalar::out_of_range::OutOfRange;
#[doc(no_inline)]
pub use costate_restoring_force::{
    AdaptedModel, Convergence, ConvergenceMonitor, CurveFit, CurvePoint, CurveSample, CurveSettings,
    Exponents, Mode, ModelElement, Response, RestoringForceError, RestoringForceModel, RestoringForceSurface,
    SensorKind, SeriesError, SurfaceSample, SurfaceSettings, TransitionMatrix, TuningPlane, TuningSearch,
    TuningTrial, Visited, Warning, central_moving_average, curve_samples, estimate_noise, fit_curve,
    fit_surface, fuse_samples, lowest_stiffness, number_error, surface_sample,
};
