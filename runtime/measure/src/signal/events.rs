//! Events at which a channel passes a threshold, and the pieces of a record around them.

use crate::record::Record;
use serde::{Deserialize, Serialize};

use crate::signal::SignalError;
use crate::signal::error::{limited, not_negative};
use crate::signal::uniform::interval_of;

/// The side from which a channel comes to the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edge {
    /// From below.
    Rising,
    /// From above.
    Falling,
}

/// A threshold with hysteresis, in the unit of the channel.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Trigger {
    threshold: f64,
    hysteresis: f64,
    edge: Edge,
}

impl Trigger {
    /// Triggers where the channel rises to `threshold`, after it was below it.
    pub fn rising(threshold: f64) -> Self {
        Self { threshold, hysteresis: 0.0, edge: Edge::Rising }
    }

    /// Triggers where the channel falls to `threshold`, after it was above it.
    pub fn falling(threshold: f64) -> Self {
        Self { threshold, hysteresis: 0.0, edge: Edge::Falling }
    }

    /// Triggers where the channel of a hammer rises to a level, after it was below half of it.
    pub fn of_blows(level: f64) -> Self {
        Self::rising(level).hysteresis(0.5 * level.abs())
    }

    /// Demands that the channel was this far on the other side of the threshold between two events, which noise then
    /// does not pass.
    #[must_use]
    pub fn hysteresis(mut self, hysteresis: f64) -> Self {
        self.hysteresis = hysteresis;
        self
    }

    /// The threshold.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }
}

/// A passage of the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Event {
    /// Time of the passage in s, linear between the samples around it.
    pub time: f64,
    /// Index of the first sample at or beyond the threshold.
    pub sample: usize,
}

/// Finds the events of a channel. Across missing samples there is none: the channel has to be on the other side again
/// after them.
///
/// # Errors
/// [`SignalError::Record`], [`SignalError::Number`] for a threshold that is not finite or a negative hysteresis.
pub fn events(record: &Record, channel: &str, trigger: &Trigger) -> Result<Vec<Event>, SignalError> {
    let Trigger { threshold, hysteresis, edge } = *trigger;
    for (is_within, setting) in [
        (threshold.is_finite(), ("the threshold", threshold)),
        (hysteresis >= 0.0 && hysteresis.is_finite(), ("the hysteresis", hysteresis)),
    ] {
        limited(is_within, setting, "finite and, for a hysteresis, 0 or more", "give another one")?;
    }
    let channel = record.channel(channel)?;
    let sign = if edge == Edge::Rising { 1.0 } else { -1.0 };
    let mut found = Vec::new();
    let mut armed = false;
    // the sample before, if it is not missing
    let mut before: Option<(f64, f64)> = None;
    for (sample, (&time, value)) in record.times().iter().zip(channel.values()).enumerate() {
        let above = sign * (value - threshold);
        if above.is_nan() {
            (armed, before) = (false, None);
            continue;
        }
        if above >= 0.0 && armed {
            let at = before.map_or(time, |(t, below)| t + (time - t) * (below / (below - above)));
            found.push(Event { time: at, sample });
            armed = false;
        }
        armed |= above < 0.0 && above <= -hysteresis;
        before = Some((time, above));
    }
    Ok(found)
}

/// Pieces of a record around events.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cut {
    /// The pieces, in the order of the events; the time of each begins at 0 s, and the sample nearest to the event is
    /// at `before`.
    pub pieces: Vec<Record>,
    /// The event of each piece.
    pub events: Vec<Event>,
    /// Number of events that are too near to an end of the record, and have no piece.
    pub incomplete: usize,
    /// Number of pieces that begin before the one before them has ended.
    pub overlapping: usize,
}

/// Cuts a piece around each event, from `before` s before it to `after` s after it. All pieces have the same times,
/// those of a record with equidistant samples, so that they are up to half an interval off their events. Missing
/// samples stay missing.
///
/// In a fit, every piece is an experiment of its own, with a start of its own. Pieces that overlap share samples: their
/// errors are not independent.
///
/// # Errors
/// [`SignalError::Uneven`], [`SignalError::Short`], [`SignalError::Number`] for spans that are negative or not finite.
pub fn cut(record: &Record, events: &[Event], before: f64, after: f64) -> Result<Cut, SignalError> {
    let interval = interval_of(record, "a cut", 2)?;
    for (what, value) in [("the time before the event", before), ("the time after the event", after)] {
        not_negative(what, value, "give it in s")?;
    }
    let samples = record.times().len();
    let start = record.times().first().copied().unwrap_or(0.0);
    // beyond the record's length, any number does
    let count = |time: f64| (time / interval).round().min(samples as f64) as usize;
    let (before, after) = (count(before), count(after));
    let mut made = Cut { pieces: Vec::new(), events: Vec::new(), incomplete: 0, overlapping: 0 };
    let mut ended = 0;
    for event in events {
        let middle = count((event.time - start).max(0.0));
        let (Some(first), end) = (middle.checked_sub(before), middle + after + 1) else {
            made.incomplete += 1;
            continue;
        };
        if end > samples {
            made.incomplete += 1;
            continue;
        }
        let shift = -record.times().get(first).copied().unwrap_or(0.0);
        let piece = record.part(first, end, shift)?;
        made.overlapping += usize::from(!made.pieces.is_empty() && first < ended);
        ended = end;
        made.pieces.push(piece.named(format!("{} at {:.6} s", record.name(), event.time)));
        made.events.push(*event);
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saw() -> Result<Record, SignalError> {
        let times: Vec<f64> = (0..1000).map(|i| 5.0 + f64::from(i) * 0.01).collect();
        let values = times.iter().map(|t| (t % 1.0) - 0.5).collect();
        Ok(Record::new(times)?.with_channel("x", None, values)?)
    }

    #[test]
    fn a_threshold_with_hysteresis_triggers_once() -> Result<(), SignalError> {
        let times: Vec<f64> = (0..8).map(f64::from).collect();
        let values = vec![-1.0, 0.2, -0.1, 0.3, -0.6, 0.6, f64::NAN, 1.0];
        let record = Record::new(times)?.with_channel("x", None, values)?;
        let at = |trigger: Trigger| -> Result<Vec<usize>, SignalError> {
            Ok(events(&record, "x", &trigger)?.iter().map(|event| event.sample).collect())
        };
        assert_eq!(at(Trigger::rising(0.0))?, [1, 3, 5]);
        assert_eq!(at(Trigger::rising(0.0).hysteresis(0.5))?, [1, 5]);
        assert_eq!(at(Trigger::falling(0.0))?, [2, 4]);
        let first = events(&record, "x", &Trigger::rising(0.0))?[0].time;
        assert!((first - 1.0 / 1.2).abs() < 1e-15);
        assert!(matches!(at(Trigger::rising(f64::NAN)), Err(SignalError::Number { .. })));
        assert!(matches!(at(Trigger::rising(0.0).hysteresis(-1.0)), Err(SignalError::Number { .. })));
        Ok(())
    }

    #[test]
    fn pieces_have_the_same_times() -> Result<(), SignalError> {
        let record = saw()?;
        let found = events(&record, "x", &Trigger::rising(0.0).hysteresis(0.2))?;
        assert_eq!(found.len(), 10);
        let made = cut(&record, &found, 0.3, 0.6)?;
        // the last one ends after the record
        assert_eq!((made.pieces.len(), made.incomplete, made.overlapping), (9, 1, 0));
        for piece in &made.pieces {
            assert_eq!((piece.times().len(), piece.times()[0]), (91, 0.0));
            assert!(piece.channel("x")?.values()[30].abs() < 1e-9);
        }
        assert_eq!(cut(&record, &found, 0.3, 0.9)?.overlapping, 8);
        assert_eq!(cut(&record, &found, 1e300, 0.0)?.pieces.len(), 0);
        Ok(())
    }
}
