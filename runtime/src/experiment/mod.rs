//! How well an experiment determines parameters, before it is made (OB 5).
//!
//! ```text
//! M = sum_i S(t_i)^T R^-1 S(t_i),   S = ds/dp   (OB 5.2, 5.6)
//! ```
//!
//! A [`Noise`] says which outputs are measured, and how well; [`Sensitivities`] are those of a simulated experiment, and
//! [`Information`] is what one set of sensors learns from it: standard deviations to expect, and what cannot be told. A
//! [`Criterion`] makes one number of M.

mod accumulation;
mod combination;
mod comparison;
mod criterion;
mod error;
mod information;
mod information_gradient;
mod informed;
mod noise;
mod optimal_input;
mod repetitions;
mod sensitivities;
mod table;

pub mod switching;

pub use combination::Combination;
pub use comparison::{ComparedSensors, SensorComparison};
pub use criterion::Criterion;
pub use error::{InformationError, NoiseError, RepetitionsError};
pub use information::Information;
pub use information_gradient::{InformationGradient, information_gradient};
pub use informed::InformedParameter;
pub use noise::Noise;
pub use optimal_input::{
    Bounding, DesignIteration, DesignMember, DesignedInput, EndCondition, EndDeviation, InputLimit,
    OptimalExperiment, OptimalInput, OptimalInputError, SineLine, Sweep,
};
pub use repetitions::{Repetition, RepetitionProgress, RepetitionSettings, Repetitions};
pub use sensitivities::Sensitivities;
