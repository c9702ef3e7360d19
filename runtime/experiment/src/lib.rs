//! The design of experiments: the information of sensors about parameters, repetitions with noise, and inputs with the
//! most information.
//!
//! [`Sensitivities`] of a run and the [`Noise`] of sensors make [`Information`], of which a [`Criterion`] makes one
//! number; `accumulation` adds the information sample by sample. The gradient of a criterion takes one run and one
//! adjoint in dual numbers for each parameter. An [`OptimalInput`] minimises a criterion over the samples of inputs.
//!
//! [`BaseParameters`] are the combinations of parameters that forces tell at all.
//!
//! Unknown parameters are those of `costate-identify`. Models are asked by the traits of `costate-system`; switching
//! times of linear models, which look at their equations, are in `costate-publications`.
//!
//! A shape of inputs is a variant of `Shape` in `optimal_input/designed_input.rs` with its `Waveform`; a criterion is a
//! variant in `src/criterion.rs` with its derivative.

mod accumulation;
mod base_parameters;
mod combination;
mod comparison;
mod criterion;
mod error;
mod information;
mod information_gradient;
mod noise;
mod optimal_input;
pub mod parameters;
mod repetitions;
mod sensitivities;
mod text_table;

pub use base_parameters::{BaseParameter, BaseParameterError, BaseParameters, LinearParameter};
pub use combination::Combination;
pub use comparison::{ComparedSensors, SensorComparison};
pub use criterion::Criterion;
pub use error::{InformationError, NoiseError, RepetitionsError};
pub use information::Information;
pub use information_gradient::{InformationGradient, information_gradient};
pub use noise::{Noise, Sensors};
pub use optimal_input::{
    Bounding, DesignIteration, DesignMember, DesignedInput, EndCondition, EndDeviation, InputLimit, OptimalExperiment,
    OptimalInput, OptimalInputError, SineLine, Sweep,
};
pub use parameters::InformedParameter;
pub use repetitions::{Repetition, RepetitionProgress, RepetitionSettings, Repetitions};
pub use sensitivities::Sensitivities;
