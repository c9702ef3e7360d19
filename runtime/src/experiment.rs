//! Design of experiments: the prediction of how well an experiment determines parameters (OB 5).
//!
//! ```text
//! M = sum_i S(t_i)^T R^-1 S(t_i),   S = ds/dp   (OB 5.2, 5.6)
//! ```
//!
//! [`Noise`] has the measured outputs and their covariance R, [`Sensitivities`] has S of a simulated experiment.
//! [`Information`] has M for one set of sensors, with the expected standard deviations and the combinations of
//! parameters that are not identifiable. A [`Criterion`] is a scalar function of M, which [`OptimalInput`] minimises.
//! [`BaseParameters`] are the combinations of masses, inertias and other parameters that the forces of any motion tell.

pub use costate_experiment::{Criterion, DesignedInput, EndCondition, Noise, OptimalInput, Sensitivities};

// Parts of results, errors, and what few programs name: their pages are those of the crates.
#[doc(no_inline)]
pub use costate_experiment::{
    BaseParameter, BaseParameterError, BaseParameters, Bounding, Combination, ComparedSensors, DesignIteration,
    DesignMember, EndDeviation, Information, InformationError, InformationGradient, InformedParameter, InputLimit,
    LinearParameter, NoiseError, OptimalExperiment, OptimalInputError, Repetition, RepetitionProgress,
    RepetitionSettings, Repetitions, RepetitionsError, SensorComparison, SineLine, Sweep, information_gradient,
};
