//! Input signals u(t): functions of time, constants and sampled records.

use std::fmt;
use std::sync::Arc;

use costate_contract::shown::Exact;
use costate_contract::units::UnitError;
use costate_measure::record::{AssumedUnit, Record, RecordError, Samples, Wanted, converted};

use crate::table::{Curve, Extension, GridError, Interpolation};

/// The reason why a record is not a valid input signal, or cannot give a value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InputError {
    /// Times and values are of different length, or there are fewer than two.
    #[error(
        "a sampled input needs two or more samples and one value for every time: it has {times} times and {values} \
         values"
    )]
    Length {
        /// Number of times.
        times: usize,
        /// Number of values.
        values: usize,
    },
    /// The times do not increase, or one of them is not finite.
    #[error(
        "the times of a sampled input must be finite and increase: sample {index} is at {time} s after {previous} s",
        time = Exact(*time), previous = Exact(*previous)
    )]
    Order {
        /// The sample's index.
        index: usize,
        /// Time of the sample in s.
        time: f64,
        /// The time before, in s.
        previous: f64,
    },
    /// Samples that make no cubic spline.
    #[error("the samples of an input make no cubic spline: {reason}")]
    Spline {
        /// The reason, in words.
        reason: String,
    },
    /// The run asks for a time that the record does not cover.
    #[error(
        "input `{name}` is sampled from {first} s to {last} s, the run needs it at {time} s: extend the record or \
         shorten the run{}",
        later(*time, *first), first = Exact(*first), last = Exact(*last), time = Exact(*time)
    )]
    Range {
        /// The input's name.
        name: &'static str,
        /// The time in s that was asked for.
        time: f64,
        /// First time of the record in s.
        first: f64,
        /// Last time of the record in s.
        last: f64,
    },
    /// A value is infinite or not a number.
    #[error("input `{name}` is {value} at {time} s: inputs must be finite", value = Exact(*value), time = Exact(*time))]
    NotFinite {
        /// The input's name.
        name: &'static str,
        /// The time in s.
        time: f64,
        /// The value.
        value: f64,
    },
    /// No signal is given; inputs have no default.
    #[error("input `{name}` has no signal: set one with `.input(..)` of the simulation, `0.0` if the input is zero")]
    Missing {
        /// The input's name.
        name: &'static str,
    },
    /// The channel of a record in a unit that the input does not have.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// A row of samples has not one number for each input.
    #[error("row {row} of the samples of the inputs has {given} numbers, but the model has {expected} inputs")]
    Width {
        /// The row, from 0.
        row: usize,
        /// Inputs of the model.
        expected: usize,
        /// Numbers of the row.
        given: usize,
    },
    /// There is not one row per step.
    #[error("the run has {expected} samples, steps and start, but {given} samples of the inputs are given")]
    Samples {
        /// N + 1.
        expected: usize,
        /// Rows of the table.
        given: usize,
    },
}

/// Returns what to do about a record that begins later than the run.
fn later(time: f64, first: f64) -> &'static str {
    if time < first { ", or let the record begin with it by `record.starting_at_zero()`" } else { "" }
}

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

/// One input as a function of time.
#[derive(Clone)]
pub enum InputSignal {
    /// One value at all times.
    Constant(f64),
    /// A function of the time in s.
    Function(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
    /// A record.
    Sampled(Arc<Sampled>),
}

impl InputSignal {
    /// Creates a signal from a function of the time in s.
    pub fn function(signal: impl Fn(f64) -> f64 + Send + Sync + 'static) -> Self {
        Self::Function(Arc::new(signal))
    }

    /// Returns the signal in the unit of the input that it drives, and the assumption about a channel without
    /// a unit.
    #[doc(hidden)]
    pub fn in_unit_of(&self, input: &Wanted) -> Result<(Self, Option<AssumedUnit>), InputError> {
        let Self::Sampled(sampled) = self else { return Ok((self.clone(), None)) };
        let Some(source) = &sampled.channel else { return Ok((self.clone(), None)) };
        let Source { record, channel, unit, .. } = &**source;
        let values = converted(&sampled.values, unit.as_deref(), record, channel, input)?;
        let assumed = match unit {
            Some(_) => None,
            None => AssumedUnit::new(record, channel, input.unit()),
        };
        let times = sampled.times.clone();
        let straight =
            Sampled { times, values: values.into_owned(), between: Between::Straight, is_chosen: false, channel: None };
        let converted = match &sampled.between {
            Between::Straight => straight,
            Between::Held => straight.held(),
            Between::Cubic(..) => straight.cubic()?,
        };
        Ok((Sampled { is_chosen: sampled.is_chosen, ..converted }.into(), assumed))
    }

    /// Evaluates the signal at `time` in s, in the input's unit, or in that of the record it is sampled from;
    /// errors name the input `name`.
    ///
    /// # Errors
    /// [`InputError::Range`] and [`InputError::NotFinite`].
    pub fn at(&self, name: &'static str, time: f64) -> Result<f64, InputError> {
        let value = match self {
            Self::Constant(value) => *value,
            Self::Function(signal) => signal(time),
            Self::Sampled(record) => {
                let (first, last) = record.range();
                record.at(time).ok_or(InputError::Range { name, time, first, last })?
            }
        };
        if value.is_finite() { Ok(value) } else { Err(InputError::NotFinite { name, time, value }) }
    }
}

impl InputSignal {
    /// Evaluates the signal for the end of a step at `time` in s, with half a step before and after it: a signal that
    /// is held has its mean there, so that its impulse is exact.
    pub(crate) fn at_step(&self, name: &'static str, time: f64, half: [f64; 2]) -> Result<f64, InputError> {
        let value = self.at(name, time)?;
        match self {
            Self::Sampled(record) if record.is_held() => {
                Ok(record.mean(time - half[0], time + half[1]).unwrap_or(value))
            }
            _ => Ok(value),
        }
    }
}

impl From<f64> for InputSignal {
    fn from(value: f64) -> Self {
        Self::Constant(value)
    }
}

impl From<Sampled> for InputSignal {
    fn from(record: Sampled) -> Self {
        Self::Sampled(Arc::new(record))
    }
}

impl From<Arc<Sampled>> for InputSignal {
    fn from(record: Arc<Sampled>) -> Self {
        Self::Sampled(record)
    }
}

/// Converts a function of the time in s.
impl<F: Fn(f64) -> f64 + Send + Sync + 'static> From<F> for InputSignal {
    fn from(signal: F) -> Self {
        Self::function(signal)
    }
}

impl fmt::Debug for InputSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "Constant({value})"),
            Self::Function(_) => f.write_str("Function"),
            Self::Sampled(record) => write!(f, "Sampled({} samples)", record.times.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_interpolated_and_not_extrapolated() {
        let record = Sampled::new(vec![0.0, 1.0, 3.0], vec![2.0, 4.0, 0.0]).unwrap();
        assert_eq!(record.at(0.0), Some(2.0));
        assert_eq!(record.at(0.5), Some(3.0));
        assert_eq!(record.at(2.0), Some(2.0));
        assert_eq!(record.at(3.0 + 1e-9), Some(0.0));
        assert_eq!(record.at(3.1), None);
        let error = InputSignal::from(record).at("drive", -0.1).unwrap_err();
        assert_eq!(error, InputError::Range { name: "drive", time: -0.1, first: 0.0, last: 3.0 });
    }

    #[test]
    fn a_held_signal_keeps_its_impulse_and_a_cubic_one_its_curvature() {
        let held = Sampled::new(vec![0.0, 1.0, 3.0], vec![2.0, 4.0, 0.0]).unwrap().held();
        assert_eq!([0.0, 0.999, 1.0 - 1e-9, 2.9].map(|time| held.at(time)), [2.0, 2.0, 4.0, 4.0].map(Some));
        assert_eq!(held.at(3.1), None);
        // a jump inside, and the ends
        assert!((held.mean(0.5, 1.5).unwrap() - 3.0).abs() < 1e-15);
        assert!((held.mean(0.9, 1.4).unwrap() - (0.1 * 2.0 + 0.4 * 4.0) / 0.5).abs() < 1e-14);
        assert_eq!(held.mean(-1.0, 0.5), Some(2.0));
        assert_eq!(held.mean(2.5, 9.0), Some(4.0));
        assert_eq!(held.mean(3.5, 9.0), None);
        // all steps together have the integral of the signal
        let signal = InputSignal::from(held);
        for steps in [7_u32, 30, 100] {
            let h = 3.0 / f64::from(steps);
            let end = |i: u32| if i == 0 || i == steps { 0.5 * h } else { h };
            let share = |i: u32| end(i) * signal.at_step("drive", f64::from(i) * h, [0.5 * h; 2]).unwrap();
            let sum: f64 = (0..=steps).map(share).sum();
            assert!((sum - 10.0).abs() < 1e-12, "{steps}: {sum}");
        }
        let times: Vec<f64> = (0..=20).map(|i| 0.1 * f64::from(i)).collect();
        let values = times.iter().map(|t| (std::f64::consts::PI * t).sin()).collect();
        let smooth = Sampled::new(times, values).unwrap().cubic().unwrap();
        for i in 0..200 {
            let time = 0.01 * f64::from(i);
            assert!((smooth.at(time).unwrap() - (std::f64::consts::PI * time).sin()).abs() < 1e-4, "{time}");
        }
        assert_eq!(smooth.at(2.1), None);
        // a shift moves the spline, and its end goes on with the last slope
        let later = smooth.clone().counted_from(-1.0);
        assert!((later.at(1.25).unwrap() - smooth.at(0.25).unwrap()).abs() < 1e-14);
        let extended = later.held_to(3.1);
        let slope = (smooth.at(2.0).unwrap() - smooth.at(2.0 - 1e-6).unwrap()) / 1e-6;
        assert!((extended.at(3.1).unwrap() - 0.1 * slope).abs() < 1e-6);
        assert_eq!(extended.at(3.2), None);
        let nan = Sampled::new(vec![0.0, 1.0, 2.0], vec![0.0, f64::NAN, 1.0]).unwrap().cubic();
        assert!(matches!(nan, Err(InputError::Spline { .. })));
    }

    #[test]
    fn records_that_are_none_are_refused() {
        assert!(matches!(Sampled::new(vec![0.0], vec![0.0]), Err(InputError::Length { .. })));
        let disorder = Sampled::new(vec![0.0, 1.0, 1.0], vec![0.0; 3]);
        assert_eq!(disorder, Err(InputError::Order { index: 2, time: 1.0, previous: 1.0 }));
        let gap = InputSignal::from(Sampled::new(vec![0.0, 1.0], vec![f64::NAN, 0.0]).unwrap());
        assert!(matches!(gap.at("drive", 0.5), Err(InputError::NotFinite { time: 0.5, .. })));
    }
}
