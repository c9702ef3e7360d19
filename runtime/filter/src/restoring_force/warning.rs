//! Warnings about results.

use costate_contract::shown::Shown;

/// A warning about the quality of a result.
///
/// `element` and `signal` are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "messages say what the fields are")]
pub enum Warning {
    /// Too few samples: between two samples the filter's model departs from the system (KE 3.4.2).
    #[error(
        "the record has {samples_per_period:.1} samples per period of its oscillation, {needed} are needed: sample \
         faster",
        needed = Shown(*needed)
    )]
    SlowSampling { samples_per_period: f64, needed: f64 },
    /// A filter that does not follow the system over most of the record (KE 2.2.6).
    #[error(
        "the filter follows the system at {:.1} % of the samples{}: what it finds may be wrong; take lower exponents \
         of the process noise, other expected values of stiffness and damping, or the square-root unscented filter",
        100.0 * .part, at_time(*.stopped)
    )]
    LostTrack {
        part: f64,
        /// The time in s at which the filter was stopped; `None` if it came to the end.
        stopped: Option<f64>,
    },
    /// Stiffnesses that are often at their bound, where accelerations do not show the deformation (KE 2.34).
    #[error(
        "stiffnesses are often at their lower bound around {:.1} % of the good samples: the deformation does not show \
         there, and the filter may follow another motion; sample faster, or take lower exponents of the process noise",
        100.0 * .part
    )]
    AtBound { part: f64 },
    /// A motion of an adapted model that is less accurate than requested.
    #[error(
        "halving the step changes signal {} of the response by {:.2} % of its standard deviation, with {steps} steps \
         per sample: allow more steps (`most_steps`); where that does not help, the motion is too sensitive to be \
         compared sample by sample",
        .signal + 1, 100.0 * .moved
    )]
    InaccurateResponse {
        signal: usize,
        /// Change of the signal, relative to its standard deviation.
        moved: f64,
        steps: usize,
    },
    /// A motion of an adapted model beyond the ends of a curve (KE 3.1).
    #[error(
        "the response leaves the {curve} curve of element {} for {:.1} % of the time, by up to {:.0} % of its length: \
         the curve is not identified beyond its ends",
        .element + 1, 100.0 * .part, 100.0 * .farthest
    )]
    BeyondCurve {
        element: usize,
        /// `elastic` or `dissipative`.
        curve: &'static str,
        part: f64,
        farthest: f64,
    },
}

/// Returns the words about a filter that was stopped.
fn at_time(at: Option<f64>) -> String {
    at.map(|time| format!(" and was stopped at {time:.4} s")).unwrap_or_default()
}
