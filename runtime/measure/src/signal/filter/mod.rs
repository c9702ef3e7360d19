//! Butterworth filters of records and, with their transposes, of the outputs of a model.

mod design;
mod map;
mod section;

use std::fmt;

use costate_contract::shown::Exact;

use crate::record::Record;
use serde::{Deserialize, Serialize};

pub use map::FilterMap;

use crate::signal::SignalError;
use crate::signal::uniform::{replaced, uniform};

/// Largest number of poles of a prototype: higher orders lose digits, and no measurement needs them.
const MAX_ORDER: usize = 20;

/// The band that a filter lets pass, with frequencies in Hz at which amplitudes fall to 1/sqrt(2).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
enum Band {
    Low(f64),
    High(f64),
    Pass(f64, f64),
}

/// A Butterworth filter, which a record and the output of a model can pass through alike.
///
/// The filter of order n has amplitudes `1/sqrt(1 + (f/f_c)^(2n))`, by the bilinear transform with its frequencies at
/// their places. It begins in the steady state of the first sample. Forward it delays and turns phases. Forward and
/// backward it does not, and is of twice the order: amplitudes are `1/(1 + (f/f_c)^(2n))`, half at the frequency given;
/// the signal is continued at both ends by its point image, as `scipy.signal.sosfiltfilt` does.
///
/// In a fit, record and model are no longer compared outside of the band of the filter. Frequencies and dampings that
/// the band shows are found without bias if the model passes through the same filter (`.filtered(&filter)` of the
/// measurement); if only the record does, they are those of the motion times the filter. Errors of samples become
/// dependent.
///
/// ```
/// use costate_measure::signal::{Filter, filtered, Record};
///
/// let times: Vec<f64> = (0..1000).map(|i| 1e-3 * f64::from(i)).collect();
/// let values = times.iter().map(|t| (10.0 * t).sin() + 0.1 * (2000.0 * t).sin()).collect();
/// let record = Record::new(times)?.with_channel("a", Some("m/s^2"), values)?;
/// let smooth = filtered(&record, &["a"], &Filter::low_pass(4, 50.0).forward_and_backward())?;
/// assert!((smooth.channel("a")?.values()[500] - 5.0_f64.sin()).abs() < 1e-3);
/// # Ok::<(), costate_measure::signal::SignalError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    band: Band,
    order: usize,
    both_ways: bool,
}

impl Filter {
    /// Lets frequencies below `cutoff` in Hz pass; of order 1 to 20.
    pub fn low_pass(order: usize, cutoff: f64) -> Self {
        Self { band: Band::Low(cutoff), order, both_ways: false }
    }

    /// Lets frequencies above `cutoff` in Hz pass; of order 1 to 20.
    pub fn high_pass(order: usize, cutoff: f64) -> Self {
        Self { band: Band::High(cutoff), order, both_ways: false }
    }

    /// Lets frequencies between `low` and `high` in Hz pass, with 2 `order` poles; of order 1 to 20.
    pub fn band_pass(order: usize, low: f64, high: f64) -> Self {
        Self { band: Band::Pass(low, high), order, both_ways: false }
    }

    /// Runs forward over the signal and then backward, which leaves no delay. The result before an event depends on
    /// what comes after it.
    #[must_use]
    pub fn forward_and_backward(mut self) -> Self {
        self.both_ways = true;
        self
    }

    /// The filter of `samples` samples that are `interval` s apart, as a linear map.
    ///
    /// # Errors
    /// [`SignalError::Number`] for an order that is not 1 to 20, for frequencies that do not increase from 0 to half
    /// the rate, and for frequencies so far below the rate that the filter's poles cannot be distinguished from 1.
    pub fn map(&self, interval: f64, samples: usize) -> Result<FilterMap, SignalError> {
        let sections = design::sections(self.band, self.order, interval)?;
        Ok(FilterMap::new(sections, self.both_ways, samples))
    }

    /// Ratio of the amplitudes after and before the filter at a frequency in Hz, for samples `interval` s apart.
    ///
    /// # Errors
    /// As [`map`](Self::map).
    pub fn gain(&self, frequency: f64, interval: f64) -> Result<f64, SignalError> {
        let sections = design::sections(self.band, self.order, interval)?;
        let turn = std::f64::consts::TAU * frequency * interval;
        let gain: f64 = sections.iter().map(|section| section.response(turn).norm()).product();
        Ok(if self.both_ways { gain * gain } else { gain })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.order;
        match self.band {
            Band::Low(cutoff) => write!(f, "low pass of order {order} at {} Hz", Exact(cutoff))?,
            Band::High(cutoff) => write!(f, "high pass of order {order} at {} Hz", Exact(cutoff))?,
            Band::Pass(low, high) => write!(f, "band pass of order {order} from {} to {} Hz", Exact(low), Exact(high))?,
        }
        if self.both_ways { f.write_str(" forward and backward") } else { Ok(()) }
    }
}

/// Filters these channels, which must have equidistant samples without gaps.
///
/// [`Filter`] says what filters do to a fit.
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Uneven`], [`SignalError::Missing`], [`SignalError::Short`],
/// [`SignalError::Number`] as [`Filter::map`].
pub fn filtered(record: &Record, channels: &[&str], filter: &Filter) -> Result<Record, SignalError> {
    let mut made = record.clone();
    for name in channels {
        let signal = uniform(record, name, "a filter", 2)?;
        let map = filter.map(signal.interval, signal.values.len())?;
        let mut values = signal.values.to_vec();
        map.apply(&mut values);
        made = replaced(made, signal.channel, "the filtered signal", values)?;
    }
    Ok(made)
}

#[cfg(test)]
mod tests;
