//! Parameter identification: [`Identification`] finds the parameters with which a model reproduces measured outputs. A
//! [`Fit`] has the found values and their standard deviations.
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
//! An identification takes any number of [`Experiment`]s, each with its own records, and its own simulation if inputs
//! or known parameters differ. Unknowns are common to all experiments, or belong to a group of experiments or to each
//! one:
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
//! // both runs have the same sensor with an unknown zero, and each run has a preload of its own
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
//! | purpose | item |
//! |---|---|
//! | a delay, offset or gain of a sensor | [`Measurement::delay`], [`Measurement::offset`], [`Measurement::gain`] |
//! | exclusion of samples, outliers | [`Measurement::window`], [`Measurement::without`], [`Identification::loss`] |
//! | weights of samples | [`Measurement::weights_from`] |
//! | numbers without a run, such as natural frequencies | [`Identification::predicted`], [`MeasuredNumbers`] |
//! | frequency responses | [`Identification::predicted`], [`ComplexCurve`], [`Prediction`] |
//! | a filter for record and output alike | [`Measurement::filtered`] |
//! | coloured noise | [`Measurement::coloured_noise`] |
//! | weights of outputs with different units | [`Weighting`] |
//! | prior knowledge | [`Identification::prior`] |
//! | standard deviations and intervals | [`FittedParameter`], [`Fit::profiles`], [`Fit::bootstrap`] |
//! | information of each experiment about each unknown | [`FitSummary::shares`] |
//! | validation by other experiments | [`Experiment::validation`], [`Fit::leave_one_out`] |
//! | comparison of models | [`ModelComparison`] |
//! | noise on measured inputs | [`Fit::input_noise`] |
//! | errors of known parameters | [`Fit::known_parameters`] |
//! | an unknown input, or an input delay | [`UnknownInput`], [`Experiment::input_delay`] |
//! | mass and inertia of a body, which always stay possible | [`Identification::unknown_inertia`] |
//! | an unknown curve or surface | [`UnknownTable`] |
//! | unknown curves from a first guess, such as the curves of a filter | [`Refinement`] |
//! | samples of the posterior | the crate `costate-posterior`, which samples [`Identification::density`] |
//! | the result as files | [`Fit::write`] |
//!
//! A fit that ends in a local minimum, and explains little of its records, is made once more in pieces of these, see
//! [`Identification::approach`]. [`Identification::multistart`] fits from many start values within the bounds,
//! [`Identification::state_file`] continues an interrupted call, and a [`ParameterSet`] reads and writes parameters in
//! files.
//!
//! [`FitSummary::verdict`] says whether the residuals are noise, and otherwise the deviations that the model does not
//! explain, or what else may be the cause: a local minimum, a unit, sign, zero or trigger of a channel or a response;
//! [`residuals`] has the tests.
//!
//! Next: [`cost`](crate::cost) has further costs, in frequency and along engine orders, [`optimize`](crate::optimize)
//! the methods of minimisation, [`experiment`](crate::experiment) the prediction of standard deviations before an
//! experiment.

pub use costate_identify::{
    ColouredNoise, Correction, Experiment, Fit, Identification, InputNoise, Measurement, ModelComparison, ParameterSet,
    Prior, ProfileSettings, Refinement, Resampling, StartingTable, UnknownInput, UnknownParameter, UnknownTable,
    Weighting,
};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_identify::{
    AdaptiveSteps, Bootstrap, CheckedUnknown, ChosenSteps, ComparedModel, DensityUnknown, Determination,
    DistributedCost, DistributedExperiment, DistributedFit, DistributedMemory, DistributedParameter,
    DistributedValidated, DistributedValidation, ElementTables, ExperimentShare, FailedTrials, FinerSteps,
    FitFileError, FitSettings, FitSummary, FittedCost, FittedExperiment, FittedInput, FittedParameter,
    FittedPrediction, FittedRun, FittedStart, FittedTable, FoundBreak, Identifiability, IdentificationCheck,
    InformationShare, InputNoiseEffect, InputNoiseEffects, JointDensity, JointDensityEvaluator, KnownParameter,
    KnownParameterEffect, KnownParameters, LeaveOneOut, LeftOut, MeasuredOutput, ModelComparisonError,
    ParameterSetError, Profile, ProfileEnd, ProfilePoint, Profiles, Refined, RefinedOutput, RefinedStage, RefinedTable,
    RefinementError, SettledWeights, Validation,
};
#[doc(no_inline)]
pub use costate_identify::{Approach, ComplexCurve, GrownParts, GrowthReason, MeasuredNumbers};
#[doc(no_inline)]
pub use costate_identify::{
    ChannelInnovations, EstimatedNumber, NoiseDeviation, PredictionErrorFault, PredictionErrorFit,
    PredictionErrorStage, ProcessNoise,
};
#[doc(no_inline)]
pub use costate_identify::{
    CurveError, DataError, DistributedError, IdentificationError, NumbersError, RequestError, SpecificationError,
    StartValuesError,
};
#[doc(no_inline)]
pub use costate_system::prediction::{Part, PredictedGroup, Prediction, PredictionError};
#[doc(no_inline)]
pub use costate_system::state_file::{StateDifference, StateFileError};

/// Statistics of residuals: whether a fit explains the data, and losses that outliers do not rule.
#[doc(no_inline)]
pub use costate_cost::residuals;
