//! Restoring forces whose form is not known: curves and surfaces of forces from measured motions, by filters (KE).
//!
//! The augmented model carries effective stiffnesses and dampings as states of a filter; curves and surfaces follow
//! from its estimates. `elements` lets a filter follow elements of any compiled model, and checks by virtual work that
//! they act where their outputs say. `model/adapted.rs` simulates the elements with the curves that were found, by the
//! steps of the filter, and `model/response.rs` estimates the accuracy of this response. `estimates` has the results of
//! both kinds of runs, and `additive` divides the force of an element into its curves.
//!
//! State spaces of models come from `costate-kernel`, filters from the crate's root; refinement against measurements is
//! in `costate-identify`, the classical methods that filters compete with are in `costate-publications`.

mod additive;
mod convergence;
mod curve;
mod elements;
mod error;
mod error_measures;
mod estimates;
mod identification;
mod local_polynomial;
mod model;
mod monitored_run;
mod moving_average;
mod result;
mod samples;
mod search;
mod sensor;
mod signals;
mod surface;
mod tuning;
mod warning;

pub use convergence::{Convergence, ConvergenceMonitor};
pub use costate_numerics::scalar::out_of_range::OutOfRange;
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
