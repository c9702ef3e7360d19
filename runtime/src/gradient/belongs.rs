//! Whether what a gradient is given belongs together.

use crate::conditions::OtherProblem;
use crate::model::Model;
use crate::problem::Problem;
use crate::scalar::{Scalar, Vector};
use crate::series::Series;
use crate::trajectory::Trajectory;

use super::states::States;

/// Derivatives of a cost that do not belong to the run whose gradient is asked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CostDerivativeError {
    /// dJ/ds_i of another number of samples or outputs.
    #[error(
        "the derivatives of the cost are {samples} samples of {width} outputs, the run has {expected_samples} of \
         {expected_width}: make them with `Series::zeros(step, {expected_width}, {expected_samples})` and fill all of them"
    )]
    Size {
        /// Samples that were given.
        samples: usize,
        /// Outputs that were given.
        width: usize,
        /// Samples of the run, N + 1.
        expected_samples: usize,
        /// Outputs of the model.
        expected_width: usize,
    },
    /// dJ/ds_i at other times.
    #[error("the derivatives of the cost are {step} s apart, the samples of the run {expected} s")]
    Step {
        /// The step size that was given, in s.
        step: f64,
        /// That of the run, in s.
        expected: f64,
    },
    /// A cost of runs of another length, step size or number of outputs.
    #[error(
        "the cost does not belong to this run, which has {samples} samples of {width} outputs, {step} s apart: make it \
         for this step size and number of samples, and for outputs that the model has"
    )]
    Cost {
        /// Samples of the run, N + 1.
        samples: usize,
        /// Outputs of the model.
        width: usize,
        /// Step size of the run in s.
        step: f64,
    },
    /// dJ/dx_N of another length.
    #[error(
        "the derivatives of the cost by the last state are {given} numbers, the state has {expected}: positions, \
         velocities, accelerations and multipliers"
    )]
    End {
        /// Numbers that were given.
        given: usize,
        /// 3n + m
        expected: usize,
    },
}

/// Step sizes may differ by this part: a step that was computed from an end time differs by rounding.
const SAME_STEP: f64 = 1e-9;

/// Checks the derivatives dJ/ds_i of a cost.
pub(crate) fn check_derivatives<M: Model, S: Scalar>(
    problem: &Problem<M>,
    output_gradient: &Series<S>,
) -> Result<(), CostDerivativeError> {
    let (samples, width) = (output_gradient.samples(), output_gradient.width());
    let (expected_samples, expected_width) = (problem.steps() + 1, <M::Outputs<f64> as Vector<f64>>::LENGTH);
    if (samples, width) != (expected_samples, expected_width) {
        return Err(CostDerivativeError::Size { samples, width, expected_samples, expected_width });
    }
    let (step, expected) = (output_gradient.step(), problem.settings().step);
    match (step - expected).abs() <= SAME_STEP * expected {
        true => Ok(()),
        false => Err(CostDerivativeError::Step { step, expected }),
    }
}

/// Checks the derivatives dJ/dx_N.
pub(super) fn check_end<M: Model, S: Scalar>(derivatives: &[S]) -> Result<(), CostDerivativeError> {
    let (given, expected) = (derivatives.len(), Trajectory::<M, S>::STRIDE);
    if given == expected { Ok(()) } else { Err(CostDerivativeError::End { given, expected }) }
}

/// Checks that a run is one of `problem`.
pub(crate) fn check_run<M: Model, S: Scalar>(
    problem: &Problem<M>,
    states: &States<'_, M, S>,
) -> Result<(), OtherProblem> {
    let conditions = match states {
        States::All(trajectory) => trajectory.conditions(),
        States::Checkpoints(run) => run.conditions(),
    };
    conditions.check(&problem.conditions())
}
