//! How well an experiment determines parameters, before it is made (OB 5).
//!
//! ```text
//! M = sum_i S(t_i)^T R^-1 S(t_i),   S = ds/dp   (OB 5.2, 5.6)
//! ```
//!
//! A [`Noise`] says which outputs are measured, and how well; [`Sensitivities`] are those of a simulated experiment, and
//! [`Information`] is what one set of sensors learns from it: standard deviations to expect, and what cannot be told. A
//! [`Criterion`] makes one number of M.

pub use costate_experiment::{Criterion, DesignedInput, EndCondition, Noise, OptimalInput, Sensitivities};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_experiment::{
    Bounding, Combination, ComparedSensors, DesignIteration, DesignMember, EndDeviation, Information,
    InformationError, InformationGradient, InformedParameter, InputLimit, NoiseError, OptimalExperiment,
    OptimalInputError, Repetition, RepetitionProgress, RepetitionSettings, Repetitions, RepetitionsError,
    SensorComparison, SineLine, Sweep, information_gradient,
};
