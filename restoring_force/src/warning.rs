//! What may spoil a result.

/// What may spoil a result.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Warning {
    /// Between two samples the filter's model moves away from the system (KE 3.4.2).
    #[error(
        "the record has {samples_per_period:.1} samples per period of its oscillation, {needed} are needed: sample faster", needed = costate_contract::shown::Shown(*needed)
    )]
    SlowSampling {
        /// Samples per period.
        samples_per_period: f64,
        /// The number that is needed.
        needed: f64,
    },
    /// The motion of an adapted model is not known as well as was asked for.
    #[error(
        "half the steps lead signal {} of the response {:.2} % elsewhere, with {steps} from one sample to the next: allow more of them \
         (`most_steps`); where that does not help, the motion is too sensitive to be compared sample by sample",
        .signal + 1, 100.0 * .moved
    )]
    InaccurateResponse {
        /// The signal that moves most, from 0.
        signal: usize,
        /// By how much, relative to its standard deviation.
        moved: f64,
        /// Steps from one sample to the next.
        steps: usize,
    },
    /// An adapted model moves where its curves are not known (KE 3.1).
    #[error(
        "the response leaves the {curve} curve of element {} for {:.1} % of the time, by up to {:.0} % of its length: what it is beyond its \
         ends is not known",
        .element + 1, 100.0 * .part, 100.0 * .farthest
    )]
    BeyondCurve {
        /// The element, from 0.
        element: usize,
        /// `elastic` or `dissipative`.
        curve: &'static str,
        /// Part of the time.
        part: f64,
        /// The largest distance from its end, as a part of the curve's length.
        farthest: f64,
    },
}
