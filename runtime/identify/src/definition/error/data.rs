//! Records and channels that cannot be used.

use costate_contract::tables::GridError;
use costate_cost::MeasurementError;
use costate_cost::residuals::NoiseError;
use costate_measure::record::RecordError;
use costate_measure::signal::SignalError;

use super::numbers::NumbersError;

/// A record or channel that cannot be used: look at the data, choose another channel, or select and weigh other
/// samples.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// No choice of a channel for an output, in a record without a channel of its name.
    #[error("`{record}` has no channel named like the output `{output}`; choose one with `Measurement::channel` \
         (channels: {})", .available.join(", "))]
    Channel {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// The names of the channels.
        available: Vec<String>,
    },
    /// A record without the requested channel or data.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The measured samples do not fit the run.
    #[error("the record `{record}` of the output `{output}` does not fit the run")]
    Measurement {
        /// The record's name.
        record: String,
        /// The output's name.
        output: &'static str,
        /// The reason.
        #[source]
        source: MeasurementError,
    },
    /// A weight of a sample that is negative.
    #[error(
        "`{record}`, channel `{channel}`: {weight} cannot be the weight of a sample of the output `{output}`; weights \
             must not be negative, and 0 leaves a sample out"
    )]
    SampleWeight {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// The channel of weights.
        channel: String,
        /// The weight.
        weight: f64,
    },
    /// Windows, masks or delays that leave no sample.
    #[error(
        "all {samples} samples of the output `{output}` in `{record}` are left out; widen its windows, shorten its \
             delay or the bounds of it, or give positive weights"
    )]
    NothingLeft {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// Number of samples before windows, masks and delays.
        samples: usize,
    },
    /// The samples of a delayed input make no spline.
    #[error("the signal of the delayed input `{input}` cannot be interpolated")]
    DelayedSignal {
        /// The input's name.
        input: &'static str,
        /// The reason.
        #[source]
        source: GridError,
    },
    /// A signal that ends before the end of the run, for a delay within its bounds.
    #[error(
        "the input `{input}` is sampled from {first} s to {last} s, and with delays of {least} s to {most} s the run \
             needs it from {from} s to {to} s; extend the record, narrow the bounds of the delay, or let the run \
             begin later and end earlier"
    )]
    DelayedInput {
        /// The input's name.
        input: &'static str,
        /// First time of the record in s.
        first: f64,
        /// Last time of the record in s.
        last: f64,
        /// The shortest delay in s.
        least: f64,
        /// The longest delay in s.
        most: f64,
        /// First time that is needed in s.
        from: f64,
        /// Last time that is needed in s.
        to: f64,
    },
    /// A record whose times have no unit, and that the model follows with times in another one than s.
    #[error(
        "`{record}`: the times have no unit and are taken in s, with which the motion has hardly a sample in a period; \
             with times in {unit}, a fit explains {explained:.1} %: set the option `time_unit` to `{unit}`, or to `s` \
             if this is right"
    )]
    Clock {
        /// The record's name.
        record: String,
        /// The other unit.
        unit: &'static str,
        /// The least part in % of a channel that a fit with it explains.
        explained: f64,
    },
    /// Coloured noise that cannot be that of the samples of a channel.
    #[error("the coloured noise of the output `{output}` in `{record}` cannot be modelled")]
    Noise {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// The reason.
        #[source]
        source: NoiseError,
    },
    /// Samples that cannot pass the filter of their measurement.
    #[error("the output `{output}` and its record `{record}` cannot be filtered")]
    Filter {
        /// The output's name.
        output: &'static str,
        /// The record's name.
        record: String,
        /// The reason.
        #[source]
        source: Box<SignalError>,
    },
    /// Measured numbers that cannot be compared with a prediction.
    #[error("the measured numbers of `{group}` do not fit the prediction `{prediction}`")]
    Numbers {
        /// The prediction's name.
        prediction: String,
        /// The group of numbers.
        group: String,
        /// The reason.
        #[source]
        source: NumbersError,
    },
    /// A prediction without measured numbers.
    #[error("nothing was measured of the prediction `{prediction}`; give the numbers of one of its groups: \
         {}", .groups.join(", "))]
    NothingMeasured {
        /// The prediction's name.
        prediction: String,
        /// Names of its groups.
        groups: Vec<String>,
    },
    /// Fewer data than unknowns.
    #[error(
        "{samples} samples cannot determine {unknowns} unknowns; add measurements, or reduce the number of unknowns"
    )]
    TooFewSamples {
        /// Number of samples and of residuals of priors.
        samples: usize,
        /// Number of unknowns.
        unknowns: usize,
    },
}
