//! Sampled signals.

use std::sync::Arc;

use costate_measure::record::{AssumedUnit, Record, RecordError, Samples, Wanted, converted};

use super::error::InputError;
use crate::table::{Curve, Extension, GridError, Interpolation};

/// Course of a sampled signal between its samples.
#[derive(Debug, Clone, PartialEq)]
enum Between {
    Straight,
    /// That of the last sample.
    Held,
    /// A spline over the times that the signal had at first, which are later than those of now by so many s.
    Cubic(Arc<Curve>, f64),
}

/// A sampled signal: straight between its samples, unless [`held`](Self::held) or [`cubic`](Self::cubic) say otherwise.
/// A delay of the signal keeps its course.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled {
    times: Vec<f64>,
    values: Vec<f64>,
    between: Between,
    /// True if the course between the samples was said, and is no default.
    is_chosen: bool,
    /// The channel of the values, while they may be in another unit than the input; `None` if they are in the
    /// input's unit.
    channel: Option<Box<Source>>,
}

/// A channel of a record.
#[derive(Debug, Clone, PartialEq)]
struct Source {
    record: String,
    channel: String,
    unit: Option<String>,
    /// True if the times of the record have no unit.
    has_assumed_times: bool,
}

impl Sampled {
    /// Creates a signal from `values` in the input's unit at increasing `times` in s; samples may be far
    /// apart where the signal is straight between them.
    ///
    /// # Errors
    /// [`InputError::Length`] and [`InputError::Order`].
    pub fn new(times: Vec<f64>, values: Vec<f64>) -> Result<Self, InputError> {
        if times.len() != values.len() || times.len() < 2 {
            return Err(InputError::Length { times: times.len(), values: values.len() });
        }
        let disorder = times.windows(2).position(|pair| !(pair[1] > pair[0] && pair[1].is_finite()));
        if let Some(at) = disorder {
            return Err(InputError::Order { index: at + 1, time: times[at + 1], previous: times[at] });
        }
        if !times[0].is_finite() {
            return Err(InputError::Order { index: 0, time: times[0], previous: times[0] });
        }
        Ok(Self { times, values, between: Between::Straight, is_chosen: false, channel: None })
    }

    /// Takes the channel of `record` with this name. A run compares the channel's unit with that of the input
    /// that it drives, and converts the values; a channel without unit is taken to be in the input's unit.
    ///
    /// ```
    /// use costate::{Record, Simulation};
    /// use costate::simulate::Sampled;
    ///
    /// costate::model! {
    ///     pub Mass {
    ///         parameters { m: kg = 2 }
    ///         inputs { force: N }
    ///         coordinates { x: m }
    ///         mass { x: m }
    ///         forces { x: force }
    ///         initial { x = 0[m], dot(x) = 0[m/s] }
    ///         outputs { acceleration: m/s^2 = ddot(x) }
    ///     }
    /// }
    ///
    /// let record = Record::new(vec![0.0, 1.0])?.with_channel("load cell", Some("kN"), vec![0.0, 3.0])?;
    /// let force = Sampled::from_record(&record, "load cell")?;
    /// let run = Simulation::new(&Mass::default()).input(Mass::FORCE, force).step(0.1).until(1.0).alpha(0.0).run()?;
    /// assert!((run.output(Mass::ACCELERATION)[10] - 1500.0).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`]; [`RecordError::Gap`] where samples are missing; [`RecordError::SingleSample`].
    pub fn from_record(record: &Record, channel: &str) -> Result<Self, RecordError> {
        let Samples { times, values, gaps, .. } = record.samples(channel)?;
        let (record_name, unit) = (record.name().to_owned(), record.channel(channel)?.unit().map(str::to_owned));
        let has_assumed_times = record.has_assumed_times();
        let source = Source { record: record_name, channel: channel.to_owned(), unit, has_assumed_times };
        if let Some(&gap) = gaps.first() {
            return Err(RecordError::Gap { record: source.record, channel: source.channel, gap });
        }
        match Self::new(times, values) {
            Ok(sampled) => Ok(Self { channel: Some(Box::new(source)), ..sampled }),
            // The times of a record are in order, and there is a value for each.
            Err(_) => Err(RecordError::SingleSample { record: source.record, channel: source.channel }),
        }
    }

    /// Returns the first time in s of a signal that is a channel of a record; `None` for others.
    #[doc(hidden)]
    pub fn first_of_record(&self) -> Option<f64> {
        self.channel.as_ref().and_then(|_| self.times.first()).copied()
    }

    /// Returns the signal with times in a unit of so many s; `None` if it is no channel of a record, or of one whose
    /// times have a unit.
    #[doc(hidden)]
    pub fn with_times_in(&self, seconds: f64) -> Option<Self> {
        self.channel.as_ref().filter(|source| source.has_assumed_times)?;
        let mut other = self.clone();
        other.times.iter_mut().for_each(|time| *time *= seconds);
        match self.between {
            Between::Cubic(..) => Some(Self { is_chosen: self.is_chosen, ..other.cubic().ok()? }),
            _ => Some(other),
        }
    }

    /// Counts the times from `origin` in s on.
    #[doc(hidden)]
    pub fn counted_from(mut self, origin: f64) -> Self {
        self.times.iter_mut().for_each(|time| *time -= origin);
        if let Between::Cubic(_, later) = &mut self.between {
            *later += origin;
        }
        self
    }

    /// Keeps the value of each sample until the next one, as the output of a digital controller does (zero-order hold).
    ///
    /// The input of a run with constant steps is the mean over half a step before and after the end of each step, so
    /// that the impulse of the input is exact wherever it jumps, also inside a step; outputs that depend on the input
    /// directly change over two half steps at a jump. Adaptive steps become short at jumps.
    ///
    /// ```
    /// use costate::simulate::Sampled;
    ///
    /// let valve = Sampled::new(vec![0.0, 0.1, 0.2], vec![1.0, 3.0, 3.0])?.held();
    /// assert_eq!(valve.at(0.09), Some(1.0));
    /// assert_eq!(valve.at(0.1), Some(3.0));
    /// # Ok::<(), costate::simulate::InputError>(())
    /// ```
    #[must_use]
    pub fn held(mut self) -> Self {
        (self.between, self.is_chosen) = (Between::Held, true);
        self
    }

    /// Takes straight lines between the samples, as is the default. Where this is said, a fit does not doubt it:
    /// without it, a fit says if a cubic spline would move what it finds.
    #[must_use]
    pub fn straight(mut self) -> Self {
        (self.between, self.is_chosen) = (Between::Straight, true);
        self
    }

    /// Interpolates by a cubic spline with continuous curvature, which is straight at both ends: for a smooth signal
    /// with few samples a period. At ten samples a period, its amplitude is met to 0.02 %, straight lines miss 5 % at
    /// most.
    ///
    /// # Errors
    /// [`InputError::Spline`] for samples that are not finite.
    pub fn cubic(mut self) -> Result<Self, InputError> {
        let curve = Curve::new(self.times.clone(), self.values.clone(), Extension::Linear);
        let curve = curve.map_err(|reason| InputError::Spline { reason: reason.to_string() })?;
        (self.between, self.is_chosen) = (Between::Cubic(Arc::new(curve), 0.0), true);
        Ok(self)
    }

    /// Multiplies all values.
    ///
    /// # Errors
    /// [`InputError::Spline`] for values that are not finite any more.
    #[doc(hidden)]
    pub fn scaled(&self, factor: f64) -> Result<Self, InputError> {
        let mut scaled = self.clone();
        scaled.values.iter_mut().for_each(|value| *value *= factor);
        match self.between {
            Between::Cubic(..) => Ok(Self { is_chosen: self.is_chosen, ..scaled.cubic()? }),
            _ => Ok(scaled),
        }
    }

    /// Returns true if the course between the samples was said, and is no default.
    #[doc(hidden)]
    pub fn is_chosen(&self) -> bool {
        self.is_chosen
    }

    /// Returns the signal with a cubic spline in place of straight lines, and the other way round; `None` for one that
    /// is held.
    #[doc(hidden)]
    pub fn otherwise(&self) -> Option<Self> {
        match self.between {
            Between::Straight => self.clone().cubic().ok(),
            Between::Cubic(..) => Some(self.clone().straight()),
            Between::Held => None,
        }
    }

    /// Returns the signal as a curve, over times that are later by so many s; `None` for one that is held, which has no
    /// derivative by the time.
    ///
    /// # Errors
    /// [`GridError`] for samples that no curve can have.
    #[doc(hidden)]
    pub fn curve(&self) -> Result<Option<(Arc<Curve>, f64)>, GridError> {
        Ok(match &self.between {
            Between::Cubic(curve, later) => Some((Arc::clone(curve), *later)),
            Between::Straight => {
                let curve = Curve::new(self.times.clone(), self.values.clone(), Extension::Linear)?;
                Some((Arc::new(curve.interpolated(Interpolation::Straight)), 0.0))
            }
            Between::Held => None,
        })
    }

    /// Returns true if the signal jumps from sample to sample.
    #[doc(hidden)]
    pub fn is_held(&self) -> bool {
        self.between == Between::Held
    }

    /// Extends the signal with its last value, a cubic spline with its last slope, up to the time `end` in s.
    #[doc(hidden)]
    pub fn held_to(mut self, end: f64) -> Self {
        if let (Some(&time), Some(&value)) = (self.times.last(), self.values.last())
            && time < end
        {
            self.times.push(end);
            self.values.push(match &self.between {
                Between::Cubic(curve, later) => curve.value(end + later),
                Between::Straight | Between::Held => value,
            });
        }
        self
    }

    /// Creates a signal from `values` in the input's unit every `step` s from t = 0; fewer than two values
    /// are continued by the last one.
    pub fn equidistant(step: f64, mut values: Vec<f64>) -> Self {
        let last = values.last().copied().unwrap_or(0.0);
        values.resize(values.len().max(2), last);
        let times = (0..values.len()).map(|i| i as f64 * step).collect();
        Self { times, values, between: Between::Straight, is_chosen: false, channel: None }
    }

    /// Returns the value at `time` in s, in the record's own unit; `None` outside of the record.
    pub fn at(&self, time: f64) -> Option<f64> {
        /// Rounding of the last sample's time `N h` that a record tolerates, as a fraction of its nearest interval.
        const TIME_ROUNDING: f64 = 1e-6;
        let last = self.times.len() - 1;
        // samples are mostly equidistant
        let place = (time - self.times[0]) / (self.times[last] - self.times[0]) * last as f64;
        let near = (place.ceil() as usize).clamp(1, last);
        let right = match self.times[near - 1] < time && time <= self.times[near] {
            true => near,
            false => self.times.partition_point(|&t| t < time).clamp(1, last),
        };
        let (t0, t1) = (self.times[right - 1], self.times[right]);
        let fraction = (time - t0) / (t1 - t0);
        if !(-TIME_ROUNDING..=1.0 + TIME_ROUNDING).contains(&fraction) {
            return None;
        }
        let (u0, u1) = (self.values[right - 1], self.values[right]);
        Some(match &self.between {
            Between::Straight => u0 + (u1 - u0) * fraction.clamp(0.0, 1.0),
            // from the time of a sample on, with its rounding
            Between::Held if fraction >= 1.0 - TIME_ROUNDING => u1,
            Between::Held => u0,
            Between::Cubic(curve, later) => curve.value(time.clamp(self.times[0], self.times[last]) + later),
        })
    }

    /// Returns the mean of a held signal from `from` to `to` in s, as far as the record reaches; `None` if it does not
    /// reach there.
    #[doc(hidden)]
    pub fn mean(&self, from: f64, to: f64) -> Option<f64> {
        let (first, last) = self.range();
        if from >= to || from >= last || to <= first {
            return self.at(from);
        }
        let (from, to) = (from.max(first), to.min(last));
        let begin = self.times.partition_point(|&time| time <= from).saturating_sub(1);
        let spans = self.times.get(begin..)?.windows(2).zip(self.values.get(begin..)?);
        let inside = spans.take_while(|(span, _)| span[0] < to);
        let sum: f64 = inside.map(|(span, value)| (span[1].min(to) - span[0].max(from)) * value).sum();
        Some(sum / (to - from))
    }

    /// Returns the signal in the unit of the input that it drives, and the assumption about a channel without a unit;
    /// `None` for one that is no channel of a record.
    pub(super) fn in_unit_of(&self, input: &Wanted) -> Result<Option<(Self, Option<AssumedUnit>)>, InputError> {
        let Some(source) = &self.channel else { return Ok(None) };
        let Source { record, channel, unit, .. } = &**source;
        let values = converted(&self.values, unit.as_deref(), record, channel, input)?.into_owned();
        let assumed = match unit {
            Some(_) => None,
            None => AssumedUnit::new(record, channel, input.unit()),
        };
        let straight = Self { values, between: Between::Straight, channel: None, ..self.clone() };
        let converted = match &self.between {
            Between::Straight => straight,
            Between::Held => straight.held(),
            Between::Cubic(..) => straight.cubic()?,
        };
        Ok(Some((Self { is_chosen: self.is_chosen, ..converted }, assumed)))
    }

    /// Returns the times in s, and the values there in the record's own unit.
    #[doc(hidden)]
    pub fn samples(&self) -> (&[f64], &[f64]) {
        (&self.times, &self.values)
    }

    /// Returns first and last time in s.
    pub fn range(&self) -> (f64, f64) {
        (self.times[0], self.times[self.times.len() - 1])
    }
}
