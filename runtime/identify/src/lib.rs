//! Identification: the parameters, inputs and curves with which a model reproduces measured outputs, and how well they
//! are known.
//!
//! It asks models by the traits of `costate-system` alone, and its types carry the type of a model as a tag at most.
//! How a sum of squares is minimised is in `costate-optimize`, what a cost is in `costate-cost`.
//!
//! A correction of a channel stands in `definition/correction.rs`, `estimation/layout.rs` and `estimation/observed.rs`;
//! a section of the page of a fit is a file in `result/report` over `Page` and `Figure`.

mod build;
mod check;
mod check_gradient;
mod chosen_steps;
mod conclusion;
mod conditional_minimum;
mod costs_alone;
mod definition;
mod density;
mod distributed;
mod estimation;
mod higher_order;
mod identification;
mod input_noise;
mod known_parameters;
mod ladder;
mod likelihood_fit;
mod multistart;
mod other_sign;
mod pieces;
mod prediction_error;
mod profile;
mod profile_side;
mod profile_table;
mod redrawn;
mod refinement;
mod refits;
mod resampling;
mod resampling_table;
mod response_units;
mod result;
mod resumed;
mod run;
mod search;
mod solved;
mod starts;
mod thresholds;
mod validated_unknowns;
mod wrong_clock;
mod wrong_delay;
mod wrong_response;
mod wrong_scale;

pub use check::{CheckedUnknown, Determination, IdentificationCheck};
pub use definition::approach::Approach;
pub use definition::complex_curve::ComplexCurve;
pub use definition::correction::Correction;
pub use definition::error::{
    CurveError, DataError, DistributedError, IdentificationError, NumbersError, RequestError, SpecificationError,
    StartValuesError,
};
pub use definition::experiment::Experiment;
pub use definition::measurement::Measurement;
pub use definition::noise::ColouredNoise;
pub use definition::parameter_set::{ParameterSet, ParameterSetError};
pub use definition::predicted::MeasuredNumbers;
pub use definition::prior::Prior;
pub use definition::unknown::UnknownParameter;
pub use definition::unknown_input::UnknownInput;
pub use definition::unknown_table::UnknownTable;
pub use definition::weighting::Weighting;
pub use density::{DensityUnknown, JointDensity, JointDensityEvaluator};
pub use distributed::{
    DistributedCost, DistributedExperiment, DistributedFit, DistributedMemory, DistributedParameter,
    DistributedValidated, DistributedValidation, ExperimentShare,
};
pub use estimation::failed_trials::FailedTrials;
pub use estimation::progress::Progress;
pub use identification::Identification;
pub use input_noise::{InputNoise, InputNoiseEffect, InputNoiseEffects};
pub use known_parameters::{KnownParameter, KnownParameterEffect, KnownParameters};
pub use prediction_error::{
    ChannelInnovations, EstimatedNumber, NoiseDeviation, PredictionErrorFault, PredictionErrorFit,
    PredictionErrorStage, ProcessNoise,
};
pub use profile::{Identifiability, Profile, ProfileSettings, Profiles};
pub use profile_side::{ProfileEnd, ProfilePoint};
pub use refinement::{
    ElementTables, FoundBreak, Refined, RefinedOutput, RefinedStage, RefinedTable, Refinement, RefinementError,
    StartingTable,
};
pub use resampling::{Bootstrap, LeaveOneOut, LeftOut, Resampling};
pub use result::fit::Fit;
pub use result::fitted_experiment::FittedExperiment;
pub use result::fitted_start::FittedStart;
pub use result::model_comparison::{ComparedModel, ModelComparison, ModelComparisonError};
pub use result::summary::{
    AdaptiveSteps, ChosenSteps, FinerSteps, FitSettings, FitSummary, FittedCost, FittedInput, FittedParameter,
    FittedPrediction, FittedRun, FittedTable, GrownParts, GrowthReason, InformationShare, MeasuredOutput,
    SettledWeights, Validation,
};
pub use result::written::FitFileError;

pub use definition::digits::significant;
pub use result::columns::write_columns;
