//! The way in which records become lines that are averaged.

use crate::record::Record;
use crate::signal::error::{limited, not_negative, part, positive};
use crate::signal::{SignalError, Window};

/// Estimator of a frequency response from the densities of input, Gxx, and output, Gyy, and the cross density Gxy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Estimator {
    /// Gxy/Gxx: right for noise on the output alone; noise on the input makes the response too small, by the ratio of
    /// the densities of signal and measured input.
    #[default]
    H1,
    /// Gyy/Gyx: right for noise on the input alone; noise on the output makes the response too large.
    H2,
    /// Total least squares for noise that has the same part in both channels: H1 over the root of the coherence,
    /// between H1 and H2.
    Hv,
    /// Total least squares for noise on both channels, with the density of the output's noise over that of the input's,
    /// in squares of the units of the channels: right for this noise. 0 gives H2, and very large values H1.
    HvOfNoise(f64),
}

/// Segments of records, or whole repetitions, with their windows.
///
/// ```
/// # use costate_measure::signal::{Averaging, Estimator, Window};
/// let segments = Averaging::segments(4096).window(Window::Hann).overlap(0.5);
/// let noise = segments.estimator(Estimator::H1).between(5.0, 400.0);
/// let blows = Averaging::repetitions().force_window(0.0, 0.01).exponential_window(0.3);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Averaging {
    /// Samples of a segment; `None` for whole records.
    pub(super) length: Option<usize>,
    pub(super) window: Window,
    pub(super) overlap: f64,
    pub(super) force: Option<(f64, f64)>,
    pub(super) time_constant: Option<f64>,
    pub(super) band: Option<(f64, f64)>,
    pub(super) frequencies: Option<Vec<f64>>,
    pub(super) estimator: Estimator,
    pub(super) without_coherence: bool,
    pub(super) correlated: f64,
}

impl Averaging {
    /// Averages segments of so many samples, in Hann's window and overlapping by half: for densities without the mean
    /// of the record, for responses without that of each segment.
    pub fn segments(length: usize) -> Self {
        Self { length: Some(length), window: Window::Hann, overlap: 0.5, ..Self::repetitions() }
    }

    /// Averages segments of a record of so many samples: their length is a power of 2 that makes some 16 of them.
    pub fn usual_segments(samples: usize) -> Self {
        // with half of each in the next one, sixteen segments are half as many lengths
        Self::segments((1_usize << (samples / 8).max(8).ilog2()).min(1 << 20))
    }

    /// Averages whole records, such as the pieces of a [`cut`](crate::signal::cut), which keep their means and have no
    /// window: what is measured begins and ends in them, or they hold whole periods. The pieces should not overlap, and
    /// offsets of sensors be removed before ([`zeroed`](crate::signal::zeroed)).
    pub fn repetitions() -> Self {
        Self {
            length: None,
            window: Window::Rectangular,
            overlap: 0.0,
            force: None,
            time_constant: None,
            band: None,
            frequencies: None,
            estimator: Estimator::H1,
            without_coherence: false,
            correlated: 0.98,
        }
    }

    /// Sets the window of segments and repetitions.
    #[must_use]
    pub fn window(mut self, window: Window) -> Self {
        self.window = window;
        self
    }

    /// Sets the part of a segment that the next one has as well, from 0 to below 1.
    #[must_use]
    pub fn overlap(mut self, part: f64) -> Self {
        self.overlap = part;
        self
    }

    /// Keeps the inputs of repetitions from `from` to `until` s after their begin alone, with flanks of a tenth of this
    /// span outside of it: the force of a hammer is 0 before and after the blow, and what is measured there is noise.
    #[must_use]
    pub fn force_window(mut self, from: f64, until: f64) -> Self {
        self.force = Some((from, until));
        self
    }

    /// Multiplies inputs and outputs of repetitions by `exp(-t/time_constant)`, so that vibrations end within them.
    ///
    /// The response is then exactly that at `s = 1/time_constant + 2 pi i f`
    /// ([`FrequencyResponse::added_decay`](crate::record::FrequencyResponse::added_decay)): every mode decays faster by
    /// `1/time_constant`, which
    /// [`FrequencyResponse::without_added_decay`](crate::record::FrequencyResponse::without_added_decay) takes off.
    #[must_use]
    pub fn exponential_window(mut self, time_constant: f64) -> Self {
        self.time_constant = Some(time_constant);
        self
    }

    /// Keeps the lines from `from` to `to` Hz.
    #[must_use]
    pub fn between(mut self, from: f64, to: f64) -> Self {
        self.band = Some((from, to));
        self
    }

    /// Takes these frequencies in Hz, increasing, in place of the multiples of the inverse length. Values nearer to
    /// each other than that are not independent.
    #[must_use]
    pub fn at(mut self, frequencies: impl Into<Vec<f64>>) -> Self {
        self.frequencies = Some(frequencies.into());
        self
    }

    /// Sets the estimator of responses, which is H1. For several inputs there is no other one.
    #[must_use]
    pub fn estimator(mut self, estimator: Estimator) -> Self {
        self.estimator = estimator;
        self
    }

    /// Computes responses of a single average too: without coherence and variances, which one average does not show.
    #[must_use]
    pub fn without_coherence(mut self) -> Self {
        self.without_coherence = true;
        self
    }

    /// Sets the coherence of one input with all others, 0.98, beyond which their effects are not distinguished and
    /// responses are refused.
    #[must_use]
    pub fn correlated_inputs(mut self, limit: f64) -> Self {
        self.correlated = limit;
        self
    }

    /// Checks all settings against the shortest of the records.
    pub(super) fn check(&self, shortest: &Record, interval: f64) -> Result<(), SignalError> {
        part("the overlap", self.overlap, "give the part of a segment, such as 0.5")?;
        part("the limit of the coherence of inputs", self.correlated, "give a limit such as 0.98")?;
        if let Estimator::HvOfNoise(ratio) = self.estimator {
            let remedy = "give the density of the output's noise over that of the input's";
            not_negative("the ratio of noise densities", ratio, remedy)?;
        }
        let samples = shortest.times().len();
        let length = self.length.unwrap_or(samples);
        for (samples, least) in [(length, 8), (samples, length)] {
            if samples < least {
                return Err(SignalError::short(shortest.name(), "a segment of a spectrum", samples, least));
            }
        }
        let of_blows = self.force.is_some() || self.time_constant.is_some();
        if of_blows && (self.length.is_some() || self.window != Window::Rectangular) {
            return Err(SignalError::Setting {
                what: "a force window or an exponential window beside segments or another window",
                instead: "cut the record at the blows, and take `Averaging::repetitions()` of the pieces",
            });
        }
        if let Some(time_constant) = self.time_constant {
            positive("the time constant of the exponential window", time_constant, "give it in s")?;
        }
        let duration = length as f64 * interval;
        if let Some((from, until)) = self.force {
            limited(
                0.0 <= from && from < until && until <= duration,
                ("the end of the force window", until),
                format!("above its begin, {from} s, which is not negative, and at most {duration} s"),
                "give begin and end in s after the begin of each piece",
            )?;
        }
        Ok(())
    }
}
