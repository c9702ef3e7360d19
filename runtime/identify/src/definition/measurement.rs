//! Measured outputs: channels of records, and the corrections between output and channel.

use costate_cost::{MeasurementError, Stencil, is_weight};
use costate_measure::record::{AssumedUnit, Channel, Record, RecordError, Samples};
use costate_measure::signal::{Filter, wrapped};
use costate_system::identifiers::Output;

use super::correction::{Correction, Corrections};
use super::error::{DataError, IdentificationError, SpecificationError};
use super::noise::ColouredNoise;

/// The samples of a channel in the unit of the output that it measures.
pub(crate) struct Taken {
    pub name: String,
    /// Name of the record.
    pub record: String,
    /// The SHA-256 of the file that the record was read from.
    pub sha256: Option<String>,
    pub samples: Samples,
    /// The unit of the channel's heading.
    pub unit: Option<String>,
    /// Weights of the samples beside that of the channel; `None` if all are 1.
    pub weights: Option<Vec<f64>>,
    /// The filter that the samples pass, together with the output.
    pub filter: Option<Filter>,
    /// Number of missing samples.
    pub missing: usize,
    /// Number of samples that are left out because of windows and weights.
    pub masked: usize,
    /// The unit that is assumed for a channel without one; `None` for a channel with a unit.
    pub assumed: Option<AssumedUnit>,
    /// Time in s of the record at which the run begins, from which the times of the samples count.
    pub beginning: f64,
    /// Time in s of the run at which the record begins, where that is later than 0 s by more than a sampling interval;
    /// 0 elsewhere.
    pub late: f64,
    /// Doubts about what was taken from the record's file.
    pub doubts: Vec<String>,
}

impl Taken {
    /// Counts the times from the one of the record at which the run begins.
    pub fn counted_from(mut self, beginning: f64) -> Self {
        if beginning != 0.0 {
            let Samples { times, gaps, .. } = &mut self.samples;
            times.iter_mut().for_each(|time| *time -= beginning);
            for gap in gaps {
                (gap.from, gap.to) = (gap.from - beginning, gap.to - beginning);
            }
            self.beginning = beginning;
            self.late = (self.late - beginning).max(0.0);
        }
        self
    }

    /// Keeps only the samples whose times fulfil `counts`.
    pub fn retain(&mut self, counts: impl Fn(f64) -> bool) {
        let keeps: Vec<bool> = self.samples.times.iter().map(|&time| counts(time)).collect();
        let kept = |values: &mut Vec<f64>| {
            let mut keeps = keeps.iter();
            values.retain(|_| *keeps.next().unwrap_or(&false));
        };
        let all = keeps.len();
        kept(&mut self.samples.times);
        kept(&mut self.samples.values);
        if let Some(weights) = &mut self.weights {
            kept(weights);
        }
        self.masked += all - self.samples.times.len();
    }
}

/// A measurement of an output: a channel of a record, and how it is compared. A `&Record` becomes one with all
/// defaults.
#[derive(Debug, Clone)]
pub struct Measurement {
    pub(crate) record: Record,
    pub(crate) channel: Option<String>,
    /// Weight of the channel; 1 if `None`.
    pub(crate) weight: Option<f64>,
    pub(crate) deviation: Option<f64>,
    pub(crate) corrections: Corrections,
    /// Spans of time in s outside of which samples do not count; no restriction if empty.
    windows: Vec<(f64, f64)>,
    /// Spans of time in s that do not count.
    pub(crate) masked: Vec<(f64, f64)>,
    /// Name of the channel of weights.
    weights: Option<String>,
    pub(crate) noise: Option<ColouredNoise>,
    pub(crate) filter: Option<Filter>,
}

/// A measurement with the output that was measured.
#[derive(Debug, Clone)]
pub(crate) struct OutputMeasurement {
    pub output: Output,
    pub data: Measurement,
}

impl From<&Record> for Measurement {
    fn from(record: &Record) -> Self {
        Self::new(record)
    }
}

impl Measurement {
    /// Creates a measurement from the record's channel with the output's name, or its only channel, with weight 1. A
    /// channel in another unit than the output's is converted, one without a unit is taken to be in the output's.
    /// Missing samples are left out, and none stands for a gap, see [`Quadrature`](costate_cost::Quadrature).
    pub fn new(record: &Record) -> Self {
        Self {
            record: record.clone(),
            channel: None,
            weight: None,
            deviation: None,
            corrections: Corrections::default(),
            windows: Vec::new(),
            masked: Vec::new(),
            weights: None,
            noise: None,
            filter: None,
        }
    }

    /// Takes the channel with this name.
    #[must_use]
    pub fn channel(mut self, name: impl Into<String>) -> Self {
        self.channel = Some(name.into());
        self
    }

    /// Sets the weight w_c in the cost, which compares values in the output's unit. Where no measurement has a
    /// weight, and outputs of different units are measured, weights come from the residuals, see `Weighting`.
    #[must_use]
    pub fn weight(mut self, weight: f64) -> Self {
        self.weight = Some(weight);
        self
    }

    /// The measurement with the times of its record in a unit of so many s, and spans of them likewise.
    pub(crate) fn with_times_in(mut self, seconds: f64) -> Self {
        self.record = self.record.with_times_in(seconds);
        for (from, to) in self.windows.iter_mut().chain(&mut self.masked) {
            (*from, *to) = (*from * seconds, *to * seconds);
        }
        self
    }

    /// Sets the factor of the output in the channel.
    #[must_use]
    pub fn gain(mut self, gain: impl Into<Correction>) -> Self {
        self.corrections.gain = gain.into();
        self
    }

    /// Sets the difference of the channel to the output, in the output's unit, such as the zero of a sensor.
    #[must_use]
    pub fn offset(mut self, offset: impl Into<Correction>) -> Self {
        self.corrections.offset = offset.into();
        self
    }

    /// Sets the delay of the channel after the output in s, such as that of a filter. An unknown delay has bounds;
    /// samples that may belong to times outside of the run, within these bounds, are left out. The output between its
    /// samples is a smooth function of the time, so that the derivative by the delay is exact.
    #[must_use]
    pub fn delay(mut self, delay: impl Into<Correction>) -> Self {
        self.corrections.delay = delay.into();
        self
    }

    /// Restricts the samples to those from one time to another, in s; several windows add up.
    #[must_use]
    pub fn window(mut self, from: f64, to: f64) -> Self {
        self.windows.push((from, to));
        self
    }

    /// Leaves out samples from one time to another, in s.
    #[must_use]
    pub fn without(mut self, from: f64, to: f64) -> Self {
        self.masked.push((from, to));
        self
    }

    /// Takes the weight of every sample, which multiplies that of the channel, from this channel of the record;
    /// samples with weight 0 or without a weight do not count.
    #[must_use]
    pub fn weights_from(mut self, channel: impl Into<String>) -> Self {
        self.weights = Some(channel.into());
        self
    }

    /// Sets the standard deviation of the errors of the measured values in the output's unit, if it is known;
    /// otherwise it is estimated from the residuals. With given weights the deviation does not change the found
    /// parameters, only their deviations; with `Weighting::Likelihood` the channel has the weight 1/sigma^2.
    #[must_use]
    pub fn standard_deviation(mut self, deviation: f64) -> Self {
        self.deviation = Some(deviation);
        self
    }

    /// Takes the errors of neighbouring samples as correlated: by a given `Autoregression`, or by one of this order
    /// that is estimated from the residuals. Residuals are whitened before they are squared, so that found values and
    /// their deviations are those of maximum likelihood. The samples have to be equidistant between gaps.
    #[must_use]
    pub fn coloured_noise(mut self, noise: impl Into<ColouredNoise>) -> Self {
        self.noise = Some(noise.into());
        self
    }

    /// Passes the measured values and the output of the model through the same filter, and compares what is left of
    /// both. The record is given as it was measured; samples must be equidistant, without gaps. What the filter takes
    /// away has no influence on the found values, and what it does to phases and at the ends it does to both alike.
    /// Gradients have the exact transpose of the filter. Corrections by gain, offset and delay act before the filter.
    ///
    /// Errors of neighbouring samples become dependent by the filter. With `coloured_noise` their deviations are right;
    /// with a filter that leaves a small part of the band, first bring the record to a lower rate
    /// (`signal::decimated`).
    ///
    /// ```text
    /// let low_pass = Filter::low_pass(4, 50.0).forward_and_backward();
    /// .measured(Mount::ACCELERATION, Measurement::new(&record).filtered(&low_pass))
    /// ```
    #[must_use]
    pub fn filtered(mut self, filter: &Filter) -> Self {
        self.filter = Some(filter.clone());
        self
    }
}

impl OutputMeasurement {
    /// Returns the samples of the chosen channel in the output's unit.
    pub(crate) fn taken(&self) -> Result<Taken, IdentificationError> {
        let (channel, record, wanted) = (self.chosen()?, &self.data.record, self.output.into());
        let converted = channel.in_unit_of(record.name(), &wanted).map_err(RecordError::from)?;
        let mut samples = record.known_samples(&converted)?;
        let all = samples.times.len();
        let weights = self.select(&mut samples)?;
        Ok(Taken {
            name: channel.name().to_owned(),
            unit: channel.unit().map(str::to_owned),
            record: record.name().to_owned(),
            sha256: record.sha256().map(str::to_owned),
            masked: all - samples.times.len(),
            samples,
            weights,
            filter: self.data.filter.clone(),
            missing: channel.missing(),
            assumed: channel.assumed(record.name(), &wanted),
            beginning: 0.0,
            late: record.late_begin().unwrap_or(0.0),
            doubts: {
                let of_file = record.taken().into_iter().flat_map(|taken| &taken.doubts);
                let wrapped = wrapped(record, channel.name(), Some(self.output.quantity().unit)).ok().flatten();
                of_file.map(ToString::to_string).chain(wrapped.map(|wrapped| wrapped.to_string())).collect()
            },
        })
    }

    /// Leaves out samples that do not count, and returns the weights of the rest.
    fn select(&self, samples: &mut Samples) -> Result<Option<Vec<f64>>, IdentificationError> {
        let (output, record) = (self.output.name(), self.data.record.name().to_owned());
        for &(from, to) in self.data.windows.iter().chain(&self.data.masked) {
            let is_span = from <= to;
            if !is_span {
                return Err(SpecificationError::Window { output, from, to }.into());
            }
        }
        let of_record = match &self.data.weights {
            None => None,
            Some(name) => {
                let values = self.data.record.channel(name)?.values();
                if let Some(&weight) = values.iter().find(|weight| **weight < 0.0) {
                    let channel = name.clone();
                    return Err(DataError::SampleWeight { output, record, channel, weight }.into());
                }
                Some(values)
            }
        };
        if self.data.windows.is_empty() && self.data.masked.is_empty() && of_record.is_none() {
            return Ok(None);
        }
        let within = |spans: &[(f64, f64)], time: f64| spans.iter().any(|(from, to)| (*from..=*to).contains(&time));
        let (mut times, mut values, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        for (&time, &value) in samples.times.iter().zip(&samples.values) {
            while self.data.record.times().get(at).is_some_and(|other| *other < time) {
                at += 1;
            }
            let weight = of_record.map_or(1.0, |weights| weights.get(at).copied().unwrap_or(0.0));
            let counts = self.data.windows.is_empty() || within(&self.data.windows, time);
            if counts && !within(&self.data.masked, time) && weight > 0.0 {
                times.push(time);
                values.push(value);
                weights.push(weight);
            }
        }
        if times.is_empty() {
            return Err(DataError::NothingLeft { output, record, samples: samples.times.len() }.into());
        }
        (samples.times, samples.values) = (times, values);
        Ok(of_record.map(|_| weights))
    }

    /// Checks the weight, and that samples at these times are within a run.
    pub(crate) fn check(&self, step: f64, samples: usize, times: &[f64], weight: f64) -> Result<(), DataError> {
        let output = self.output.name();
        let end = samples.saturating_sub(1) as f64 * step;
        let outside = times.iter().position(|&time| Stencil::at(time, step, samples).is_none());
        let source = match outside {
            _ if !is_weight(weight) => MeasurementError::Weight { output, weight },
            Some(sample) => MeasurementError::Outside { output, sample, time: times[sample], end },
            None => return Ok(()),
        };
        let record = self.data.record.name().to_owned();
        Err(DataError::Measurement { record, output, source })
    }

    pub(crate) fn chosen(&self) -> Result<&Channel, DataError> {
        if let Some(name) = &self.data.channel {
            return Ok(self.data.record.channel(name)?);
        }
        match self.data.record.channels() {
            [only] => Ok(only),
            channels => {
                let named = channels.iter().find(|channel| channel.name() == self.output.name());
                named.ok_or_else(|| DataError::Channel {
                    output: self.output.name(),
                    record: self.data.record.name().to_owned(),
                    available: channels.iter().map(|channel| channel.name().to_owned()).collect(),
                })
            }
        }
    }
}
