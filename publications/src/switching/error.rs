//! Why switching times cannot be had.

use crate::linalg::MatrixFault;
use crate::problem::{InitialStateError, SimulationError};
use costate_experiment::InformationError;

/// Switching times that cannot be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SwitchingError {
    /// A matrix or vector has the wrong size, entries that are not finite, or is not symmetric where it must be.
    #[error("`{field}` {fault}")]
    Matrix {
        /// The matrix or vector.
        field: &'static str,
        /// What is wrong with it.
        fault: MatrixFault,
    },
    /// An end time that is not positive.
    #[error("the end time is {end} s; give a positive one", end = costate_contract::shown::Shown(*end))]
    End {
        /// The end time in s.
        end: f64,
    },
    /// Bounds that leave nothing to switch between.
    #[error(
        "the bounds of the input are {lower} and {upper}; give two finite numbers, the lower one first", lower = costate_contract::shown::Exact(*lower), upper = costate_contract::shown::Exact(*upper)
    )]
    Bounds {
        /// Lower bound.
        lower: f64,
        /// Upper bound.
        upper: f64,
    },
    /// An end condition of a state that there is not, or that has one already.
    #[error("there is an end condition for state {state}; give each of the states 0 to {limit} one at most")]
    EndCondition {
        /// The state, from 0.
        state: usize,
        /// The last state.
        limit: usize,
    },
    /// Switching times that are not in order.
    #[error(
        "switching time {index}, {time} s, is not between the one before it and the end {end} s; sort them", time = costate_contract::shown::Exact(*time), end = costate_contract::shown::Exact(*end)
    )]
    Order {
        /// The switching time, from 0.
        index: usize,
        /// Its value in s.
        time: f64,
        /// The end time in s.
        end: f64,
    },
    /// The solution overflows.
    #[error("the solution of the linear system overflows before the end; shorten the experiment")]
    Overflow,
    /// Nothing determines a switching time, as on a singular arc, or there are fewer of them than end conditions.
    #[error(
        "the switching conditions do not determine the {switches} switching times and {end_conditions} end conditions (iteration \
         {iteration}); take other start values, or another number of switches"
    )]
    Singular {
        /// Number of switching times.
        switches: usize,
        /// Number of end conditions.
        end_conditions: usize,
        /// Newton's iteration.
        iteration: usize,
    },
    /// Newton's method does not converge.
    #[error(
        "Newton's method for {switches} switching times has not converged after {iterations} iterations, they still change by \
         {change:e} s; take other start values, or another number of switches"
    )]
    NotConverged {
        /// Number of switching times.
        switches: usize,
        /// Iterations.
        iterations: usize,
        /// The last change in s.
        change: f64,
    },
}

/// A model that is no linear system with constant coefficients, or whose outputs do not fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearModelError {
    /// A coefficient changes with the state.
    #[error(
        "`{model}` is not linear: {coefficient} changes with {argument}. Switching times are those of linear models; optimize \
         the sampled input of this one"
    )]
    Nonlinear {
        /// The model's name.
        model: &'static str,
        /// What changes.
        coefficient: String,
        /// With what.
        argument: String,
    },
    /// Something depends on the time.
    #[error("`{model}` depends on the time, in {coefficient}: switching times need constant coefficients")]
    TimeDependent {
        /// The model's name.
        model: &'static str,
        /// What changes.
        coefficient: String,
    },
    /// Another input is not constant.
    #[error("the input `{input}` is not constant; only the input that is optimized may vary")]
    OtherInput {
        /// The input's name.
        input: &'static str,
    },
    /// A motion without mass, or constraints that are redundant.
    #[error(
        "the accelerations of `{model}` do not follow from its equations of motion; give each motion a mass and remove redundant constraints"
    )]
    NoMass {
        /// The model's name.
        model: &'static str,
    },
    /// A sensitivity that contains the input itself.
    #[error(
        "the sensitivity of `{output}` with respect to `{parameter}` jumps with the input; measure positions or velocities"
    )]
    Feedthrough {
        /// The output's name.
        output: &'static str,
        /// The parameter's name.
        parameter: &'static str,
    },
    /// Unknown parameters.
    #[error(transparent)]
    Information(#[from] InformationError),
    /// The model has no initial state.
    #[error(transparent)]
    InitialState(#[from] InitialStateError),
    /// The model cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The bounds or the end time.
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
