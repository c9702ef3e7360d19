//! Tests that errors convert to `anyhow`, and that errors, problems and results can be sent to other threads.

use std::convert::Infallible;
use std::error::Error;

use crate::experiment::{Information, Noise, OptimalInput, Sensitivities};
use crate::identify::Fit;
use crate::simulate::{Problem, Run, Simulation, Trajectory};
use crate::table::{Curve, Surface};
use crate::{Identification, Model, Record, Stepper};

fn error<E: Error + Send + Sync + 'static>() {}

fn both<T: Send + Sync>() {}

fn sent<T: Send>() {}

#[test]
fn errors_are_those_of_any_thread() {
    error::<crate::animate::AnimationError>();
    error::<crate::cost::CostWeightError>();
    error::<crate::cost::MeasurementError>();
    error::<crate::cost::SpectrumError>();
    error::<crate::ensemble::EnsembleError>();
    error::<crate::experiment::InformationError>();
    error::<crate::experiment::OptimalInputError>();
    error::<crate::experiment::RepetitionsError>();
    error::<crate::filter::FilterError>();
    error::<crate::identify::FitFileError>();
    error::<crate::identify::IdentificationError>();
    error::<crate::identify::ModelComparisonError>();
    error::<crate::identify::ParameterSetError>();
    error::<crate::vibration::VibrationError>();
    error::<crate::measure::RecordError>();
    error::<crate::model::UnknownName>();
    error::<crate::optimize::MultistartError>();
    error::<crate::optimize::OptimizeError<Infallible>>();
    error::<crate::restoring_force::RestoringForceError>();
    error::<crate::simulate::OutOfRange>();
    error::<crate::simulate::SimulationError>();
    error::<crate::table::formula::FormulaError>();
    error::<crate::table::prior::PriorError>();
}

#[expect(dead_code, reason = "that it compiles is the test")]
fn of_any_model<M: Model>() {
    both::<Problem>();
    both::<Trajectory>();
    both::<Run<M>>();
    both::<Fit<M>>();
    both::<Information<M>>();
    both::<Noise<M>>();
    both::<Sensitivities<M>>();
    sent::<Simulation<M>>();
    sent::<Identification<M>>();
    sent::<OptimalInput<M>>();
    sent::<Stepper<M>>();
}

#[test]
fn data_go_to_other_threads() {
    both::<Curve>();
    both::<Surface>();
    both::<Record>();
}
