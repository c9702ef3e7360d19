//! Parameter identification: [`Identification`] finds the parameters with which a model reproduces what was measured, and a
//! [`Fit`] says what it found, with standard deviations.
//!
//! ```
//! # costate::model! {
//! #     pub Mount {
//! #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 40 }
//! #         inputs { drive: N }
//! #         coordinates { x: m }
//! #         mass { x: m }
//! #         forces { x: drive - c*x - d*dot(x) }
//! #         outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
//! #     }
//! # }
//! use costate::identify::{Measurement, UnknownParameter};
//! use costate::{Identification, Record, Simulation};
//!
//! # fn main() -> anyhow::Result<()> {
//! let hit = |t: f64| if t < 5e-3 { 200.0 } else { 0.0 };
//! let truth = Mount::default();
//! let run = Simulation::new(&truth).input(Mount::DRIVE, hit).step(1e-3).until(0.5).error_limit(None).run()?;
//! let position = run.output(Mount::POSITION);
//! let record = Record::new(run.times())?.with_channel("position", Some("m"), position)?;
//!
//! let fit = Identification::new(Mount { c: 90e3, d: 30.0, ..truth })
//!     .unknown([UnknownParameter::from(Mount::C).within(50e3, 200e3), Mount::D.into()])
//!     .measurement(Measurement::new(Mount::POSITION, &record).standard_deviation(1e-6))
//!     .input(Mount::DRIVE, hit)
//!     .error_limit(None)
//!     .run()?;
//! assert!((fit.model().c / 100e3 - 1.0).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! [`Identification::multistart`] begins from many starts within the bounds, [`Identification::state_file`] goes on where an
//! earlier call was interrupted, and a [`ParameterSet`] carries parameters through files.
//!
//! A fit says whether the residuals are noise, or what they show that the model does not explain
//! ([`FitSummary::verdict`]); the tests behind it are in [`residuals`].
//!
//! From here: [`cost`](crate::cost) has what else may be fitted, in frequency and along engine orders,
//! [`optimize`](crate::optimize) the methods, [`experiment`](crate::experiment) what a measurement would tell.

pub use crate::identification::{
    AdaptiveSteps, ColouredNoise, ComparedModel, Correction, Experiment, FailedTrials, Fit, FitSummary,
    FittedCost, FittedExperiment, FittedParameter, FittedStart, Identifiability, Identification,
    IdentificationError, InformationShare, MeasuredOutput, Measurement, ModelComparison,
    ModelComparisonError, MultistartFit, ParameterSet, ParameterSetError, Prior, Profile, ProfileEnd,
    ProfilePoint, ProfileSettings, ProfiledFit, SettledWeights, UnknownParameter, Validation, Weighting,
};
pub use crate::state_file::{StateDifference, StateFileError};

/// Statistics of residuals: whether a fit explains the data, and losses that outliers do not rule.
pub use costate_residuals as residuals;
