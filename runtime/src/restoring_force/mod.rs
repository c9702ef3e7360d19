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

pub mod classical;
mod convergence;
mod curve;
mod elements;
mod error;
mod error_measures;
mod identification;
mod local_polynomial;
mod model;
mod monitored;
mod moving_average;
mod result;
mod samples;
mod search;
mod sensor;
mod signals;
mod surface;
mod tracked;
mod tuning;
mod warning;

pub use crate::scalar::out_of_range::OutOfRange;
pub use convergence::{Convergence, ConvergenceMonitor};
pub use curve::{CurveFit, CurvePoint, CurveSettings, RestoringForceCurve, fit_curve};
pub use elements::{ElementIdentification, ModelElement};
pub use error::RestoringForceError;
pub use error_measures::{SeriesError, number_error};
pub use identification::RestoringForceIdentification;
pub use model::{AdaptedModel, Response, RestoringForceModel, TransitionMatrix, Visited};
pub use moving_average::{central_moving_average, estimate_noise};
pub use result::{Mode, RestoringForces};
pub use samples::{CurveSample, SurfaceSample, curve_samples, surface_sample};
pub use search::{TuningPlane, TuningSearch, TuningTrial};
pub use sensor::{Sensor, SensorKind};
pub use surface::{RestoringForceSurface, SurfaceSettings, fit_surface, fuse_samples};
pub use tuning::{APriori, Exponents, lowest_stiffness};
pub use warning::Warning;
