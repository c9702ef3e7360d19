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
//! let hit = |t: f64| if t < 0.01 { 200.0 * (std::f64::consts::PI * t / 0.01).sin() } else { 0.0 };
//! let truth = Mount::default();
//! let run = Simulation::new(&truth).input(Mount::DRIVE, hit).step(2.5e-4).until(0.5).run()?;
//! let position = run.output(Mount::POSITION);
//! let record = Record::new(run.times())?.with_channel("position", Some("m"), position)?;
//!
//! let simulation = Simulation::new(&Mount { c: 90e3, d: 30.0, ..truth }).input(Mount::DRIVE, hit);
//! let fit = Identification::new(&simulation)
//!     .unknown([UnknownParameter::from(Mount::C).within(50e3, 200e3), Mount::D.into()])
//!     .measured(Mount::POSITION, Measurement::new(&record).standard_deviation(1e-6))
//!     .run()?;
//! assert!((fit.model().c / 100e3 - 1.0).abs() < 1e-6);
//! # Ok(())
//! # }
//! ```
//!
//! One run seldom suffices. An identification takes any number of [`Experiment`]s, each with its own records, and its own simulation where inputs
//! or known parameters differ; unknowns are common to all, or those of a group or an experiment:
//!
//! ```
//! # costate::model! {
//! #     pub Mount {
//! #         parameters { m: kg = 20, c: N/m = 100e3, d: N*s/m = 400, preload: N = 0 }
//! #         inputs { drive: N }
//! #         coordinates { x: m }
//! #         mass { x: m }
//! #         forces { x: drive + preload - c*x - d*dot(x) }
//! #         outputs { position: m = x, acceleration: m/s^2 = ddot(x) }
//! #     }
//! # }
//! use costate::identify::{Correction, Experiment, Measurement, UnknownParameter};
//! use costate::{Identification, Record, Simulation};
//!
//! # fn main() -> anyhow::Result<()> {
//! let drive = |amplitude: f64| move |t: f64| amplitude * (60.0 * t * (1.0 + t)).sin();
//! # let simulated = |amplitude: f64, preload: f64| -> anyhow::Result<Record> {
//! #     let truth = Mount { preload, ..Mount::default() };
//! #     let run = Simulation::new(&truth).input(Mount::DRIVE, drive(amplitude)).step(5e-4).until(1.0).run()?;
//! #     let values = run.output(Mount::POSITION).iter().map(|x| 1e3 * x + 0.3).collect();
//! #     Ok(Record::new(run.times())?.with_channel("position", Some("mm"), values)?)
//! # };
//! // the sensor of both runs has an unknown zero, and each run its own preload
//! let (low, high) = (simulated(50.0, 10.0)?, simulated(200.0, 30.0)?);
//! let common = Simulation::new(&Mount { c: 90e3, d: 300.0, preload: 10.0, ..Mount::default() });
//! let experiment = |name, amplitude, record| {
//!     let zero = Correction::unknown(0.0).typical(1e-4).common("zero of the sensor");
//!     Experiment::new(name)
//!         .simulation(&common.clone().input(Mount::DRIVE, drive(amplitude)))
//!         .measured(Mount::POSITION, Measurement::new(record).offset(zero))
//! };
//! let fit = Identification::new(&common)
//!     .unknown([Mount::C, Mount::D])
//!     .unknown_per_experiment([UnknownParameter::from(Mount::PRELOAD).linear(20.0)])
//!     .experiment(experiment("low", 50.0, &low))
//!     .experiment(experiment("high", 200.0, &high))
//!     .run()?;
//! assert!((fit.model().c / 100e3 - 1.0).abs() < 1e-2);
//! for experiment in fit.experiments() {
//!     println!("{}: {} N", experiment.name(), experiment.parameter(Mount::PRELOAD));
//!     # assert_eq!(experiment.run()?.channels().len(), 2);
//!     // experiment.run()?.write_csv(..)?
//! }
//! # Ok(())
//! # }
//! ```
//!
//! | question | answer |
//! |---|---|
//! | a sensor is late, shifted, or not calibrated | [`Measurement::delay`], [`offset`](Measurement::offset), [`gain`](Measurement::gain) with a [`Correction`] |
//! | some samples are wrong | [`Measurement::window`], [`without`](Measurement::without), [`weights_from`](Measurement::weights_from); outliers: [`Identification::loss`] |
//! | the noise is not white | [`Measurement::coloured_noise`] |
//! | outputs have different units | [`Weighting`] |
//! | something is known beforehand | [`Identification::prior`] |
//! | how sure is it | [`FittedParameter`], [`Fit::profiles`], [`Fit::bootstrap`] |
//! | which run told what | [`FitSummary::shares`] |
//! | does it serve for another run | [`Experiment::validation`], [`Fit::leave_one_out`] |
//! | which of two models | [`ModelComparison`] |
//! | an input that was not measured, or comes late | [`UnknownInput`], [`Experiment::input_delay`] |
//! | a curve or surface whose form is not known | [`UnknownTable`] |
//! | the same from a first guess, such as a filter's curves | [`Refinement`] |
//! | all of what is left of the unknowns, as draws | the crate `costate-posterior`, which samples [`Identification::density`] |
//! | where two unknowns are together | [`FitSummary::joint_region`] |
//! | everything as files | [`Fit::write`] |
//!
//! [`Identification::multistart`] begins from many starts within the bounds, [`Identification::state_file`] goes on where an
//! earlier call was interrupted, and a [`ParameterSet`] carries parameters through files.
//!
//! A fit says whether the residuals are noise, or what they show that the model does not explain
//! ([`FitSummary::verdict`]); the tests behind it are in [`residuals`].
//!
//! From here: [`cost`](crate::cost) has what else may be fitted, in frequency and along engine orders,
//! [`optimize`](crate::optimize) the methods, [`experiment`](crate::experiment) what a measurement would tell.

pub use costate_identify::{
    ColouredNoise, Correction, Experiment, Fit, Identification, IdentificationError, Measurement,
    ModelComparison, ParameterSet, Prior, ProfileSettings, Refinement, Resampling, StartingTable,
    UnknownInput, UnknownParameter, UnknownTable, Weighting,
};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_identify::{
    AdaptiveSteps, Bootstrap, CheckedUnknown, ComparedModel, DensityUnknown, Determination, DistributedCost,
    DistributedExperiment, DistributedFit, DistributedMemory, DistributedParameter, DistributedValidated,
    DistributedValidation, ElementTables, ExperimentShare, FailedTrials, FinerSteps, FitFileError,
    FitSettings, FitSummary, FittedCost, FittedExperiment, FittedInput, FittedParameter, FittedRun,
    FittedStart, FittedTable, FoundBreak, Identifiability, IdentificationCheck, InformationShare,
    JointDensity, JointDensityEvaluator, JointRegion, LeaveOneOut, LeftOut, MeasuredOutput,
    ModelComparisonError, ParameterSetError, Profile, ProfileEnd, ProfilePoint, Profiles, Refined,
    RefinedOutput, RefinedStage, RefinedTable, RefinementError, SettledWeights, Validation,
};
#[doc(no_inline)]
pub use costate_identify::{DataError, DistributedError, RequestError, SpecificationError, StartValuesError};
#[doc(no_inline)]
pub use costate_system::state_file::{StateDifference, StateFileError};

/// Statistics of residuals: whether a fit explains the data, and losses that outliers do not rule.
pub use costate_residuals as residuals;
