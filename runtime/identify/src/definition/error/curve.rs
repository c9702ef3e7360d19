//! Measured complex curves that cannot be compared with a prediction.

use costate_contract::shown::Exact;
use costate_cost::ComplexForm;

use super::numbers::NumbersError;

/// A complex curve that does not fit the prediction with which it is to be compared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// Values, deviations or units that do not fit.
    #[error(transparent)]
    Numbers(#[from] NumbersError),
    /// A name that no curve of the prediction has.
    #[error("the prediction has no complex numbers `{curve}`; name one of {}", .curves.join(", "))]
    UnknownCurve {
        /// The name.
        curve: String,
        /// Names of the curves.
        curves: Vec<String>,
    },
    /// A form with angles, for a curve without.
    #[error(
        "`{curve}` was measured without angles, which the form {form:?} compares; choose `ComplexForm::Magnitude` or \
             `ComplexForm::Decibels`"
    )]
    NoPhase {
        /// The name of the curve.
        curve: String,
        /// The form.
        form: ComplexForm,
    },
    /// A curve at another real part of `s` than the prediction, which changes every damping that is found.
    #[error(
        "an exponential window has added the decay {} 1/s to the measured `{curve}`, which is predicted with {} 1/s: \
             write `predict_responses(..)?.added_decay({})?`, which predicts at s = {} + 2 pi i f, or measure without \
             an exponential window",
        Exact(*measured), Exact(*predicted), Exact(*measured), Exact(*measured)
    )]
    AddedDecay {
        /// The name of the curve.
        curve: String,
        /// Decay of the measured curve in 1/s.
        measured: f64,
        /// Decay of the prediction in 1/s.
        predicted: f64,
    },
    /// A number that is zero, in a form that zero does not have.
    #[error(
        "the measured number {index}, counted from 0, is 0, which has neither a level nor an angle; leave it out, or \
             compare real and imaginary parts"
    )]
    Zero {
        /// Index of the number, from 0.
        index: usize,
    },
    /// A magnitude below zero.
    #[error("the magnitude {value} of number {index}, counted from 0, is negative; give magnitudes of 0 or more")]
    Magnitude {
        /// Index of the number, from 0.
        index: usize,
        /// The magnitude.
        value: f64,
    },
    /// A coherence that is no part of the power.
    #[error(
        "the coherence {coherence} of number {index}, counted from 0, is not between 0 and 1, both excluded; leave \
             numbers without coherence out, and give standard deviations where there is no noise"
    )]
    Coherence {
        /// Index of the number, from 0.
        index: usize,
        /// The coherence.
        coherence: f64,
    },
    /// A number of averages below 1.
    #[error("the number of averages {averages} is not a finite number of 1 or more")]
    Averages {
        /// The number of averages.
        averages: f64,
    },
}
