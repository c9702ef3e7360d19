//! Errors of the computation of switching times.

use costate_experiment::InformationError;
use costate_numerics::linalg::MatrixFault;
use costate_system::problem::{InitialStateError, SimulationError};

/// Reason why there are no switching times.
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SwitchingError {
    /// A matrix or vector has the wrong size, entries that are not finite, or is not symmetric where it must be.
    #[error("`{field}` {fault}")]
    Matrix { field: &'static str, fault: MatrixFault },
    /// The end time is not positive.
    #[error("the end time is {end} s; give a positive one", end = costate_contract::shown::Shown(*end))]
    End { end: f64 },
    /// The bounds are not two finite numbers in ascending order.
    #[error(
        "the bounds of the input are {lower} and {upper}; give two finite numbers, the lower one \
             first", lower = costate_contract::shown::Exact(*lower), upper = costate_contract::shown::Exact(*upper)
    )]
    Bounds { lower: f64, upper: f64 },
    /// An end condition is for a state that does not exist, or that has one already.
    #[error(
        "the end condition of state {state} is given twice or has no state; give at most one for each of the states 0 \
             to {limit}"
    )]
    EndCondition { state: usize, limit: usize },
    /// The switching times are not in order.
    #[error(
        "switching time {index}, {time} s, is not between the one before it and the end {end} s; sort \
             them", time = costate_contract::shown::Exact(*time), end = costate_contract::shown::Exact(*end)
    )]
    Order { index: usize, time: f64, end: f64 },
    /// The solution overflows.
    #[error("the solution of the linear system overflows before the end; shorten the experiment")]
    Overflow,
    /// The switching conditions do not determine the switching times, as on a singular arc, or there are fewer
    /// switching times than end conditions.
    #[error(
        "the switching conditions do not determine the {switches} switching times and {end_conditions} end \
         conditions (iteration {iteration}); take other start values, or another number of switches"
    )]
    Singular { switches: usize, end_conditions: usize, iteration: usize },
    /// Newton's method does not converge.
    #[error(
        "Newton's method for {switches} switching times has not converged after {iterations} iterations, they still \
         change by {change:e} s; take other start values, or another number of switches"
    )]
    NotConverged { switches: usize, iterations: usize, change: f64 },
}

/// Reason why a model is no linear system with constant coefficients, or why its outputs do not fit.
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearModelError {
    /// A coefficient changes with the state.
    #[error(
        "`{model}` is not linear: {coefficient} changes with {argument}. Switching times are those of linear models; \
         optimize the sampled input of this one"
    )]
    Nonlinear { model: &'static str, coefficient: String, argument: String },
    /// A coefficient depends on the time.
    #[error("`{model}` depends on the time, in {coefficient}: switching times need constant coefficients")]
    TimeDependent { model: &'static str, coefficient: String },
    /// Another input is not constant.
    #[error("the input `{input}` is not constant; only the input that is optimized may vary")]
    OtherInput { input: &'static str },
    /// Accelerations are not determined: a motion without mass, or redundant constraints.
    #[error(
        "the accelerations of `{model}` do not follow from its equations of motion; give each motion a mass and \
             remove redundant constraints"
    )]
    NoMass { model: &'static str },
    /// A sensitivity depends on the input directly.
    #[error(
        "the sensitivity of `{output}` with respect to `{parameter}` jumps with the input; measure positions or \
             velocities"
    )]
    Feedthrough { output: &'static str, parameter: &'static str },
    /// The unknown parameters are refused.
    #[error(transparent)]
    Information(#[from] InformationError),
    /// The model has no initial state.
    #[error(transparent)]
    InitialState(#[from] InitialStateError),
    /// The model cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The bounds or the end time are refused.
    #[error(transparent)]
    Switching(#[from] SwitchingError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_any_thread() {
        fn error<E: std::error::Error + Send + Sync + 'static>() {}
        error::<LinearModelError>();
        error::<SwitchingError>();
    }
}
