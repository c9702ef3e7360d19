//! The reasons why derivatives of a cost make no gradient.

use costate_contract::shown::Exact;

/// Derivatives of a cost that do not belong to the run whose gradient is asked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum CostDerivativeError {
    /// dJ/ds_i of another number of samples or outputs.
    #[error(
        "the derivatives of the cost are {samples} samples of {width} outputs, the run has {expected_samples} of \
         {expected_width}: make them with `Series::zeros(step, {expected_width}, {expected_samples})` and fill all of \
         them"
    )]
    Size {
        samples: usize,
        width: usize,
        /// Samples of the run, N + 1.
        expected_samples: usize,
        expected_width: usize,
    },
    /// dJ/ds_i at other times.
    #[error(
        "the derivatives of the cost are {step} s apart, the samples of the run {expected} s",
        step = Exact(*step), expected = Exact(*expected)
    )]
    Step { step: f64, expected: f64 },
    /// A cost of runs of another length, step size or number of outputs.
    #[error(
        "the cost does not belong to this run, which has {samples} samples of {width} outputs, {step} s apart: make it \
         for this step size and number of samples, and for outputs that the model has",
        step = Exact(*step)
    )]
    Cost {
        /// Samples of the run, N + 1.
        samples: usize,
        width: usize,
        step: f64,
    },
    /// dJ/dx_N of another length.
    #[error(
        "the derivatives of the cost with respect to the last state are {given} numbers, the state has {expected}: \
         positions, velocities, accelerations and multipliers"
    )]
    End {
        given: usize,
        /// 3n + m
        expected: usize,
    },
}
