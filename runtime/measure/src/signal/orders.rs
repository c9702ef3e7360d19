//! Orders of a rotating machine: angles from the pulses of a tacho, records over the angle, and lines at orders.

use std::f64::consts::TAU;

use crate::record::{MAX_NUMBERS, Record};

use crate::signal::SignalError;
use crate::signal::error::{limited, positive};
use crate::signal::events::{Trigger, events};
use crate::signal::kernel::{MAX_CORNER, value_at};
use crate::signal::uniform::{uniform, within_range};

/// Ratios of successive intervals between pulses beyond which pulses are missing or counted twice.
const RATIOS: (f64, f64) = (0.6, 1.7);

/// The pulses of a tacho, and with them the angle of the shaft.
#[derive(Debug, Clone, PartialEq)]
pub struct Tacho {
    /// Times of the pulses in s.
    pulses: Vec<f64>,
    per_revolution: usize,
}

impl Tacho {
    /// Finds the pulses of a channel, of which every revolution has as many, at equal angles.
    ///
    /// # Errors
    /// As [`events`]; [`SignalError::FewEvents`] for fewer than 4 pulses, [`SignalError::Pulses`] where the interval
    /// between pulses changes to less than 0.6 or more than 1.7 times the one before, [`SignalError::Number`] for no
    /// pulse per revolution.
    pub fn new(record: &Record, channel: &str, trigger: &Trigger, per_revolution: usize) -> Result<Self, SignalError> {
        positive("the number of pulses of a revolution", per_revolution as f64, "count the teeth of the wheel")?;
        let pulses: Vec<f64> = events(record, channel, trigger)?.iter().map(|event| event.time).collect();
        let name = || (record.name().to_owned(), channel.to_owned());
        if pulses.len() < 4 {
            let values = record.channel(channel)?.values().iter().copied().filter(|value| !value.is_nan());
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (value.min(low), value.max(high)));
            let ((record, channel), threshold, found) = (name(), trigger.threshold(), pulses.len());
            return Err(SignalError::FewEvents { record, channel, threshold, found, least: 4, low, high });
        }
        let intervals = pulses.windows(2).map(|pair| pair.iter().copied().reduce(|a, b| b - a).unwrap_or(0.0));
        let ratios = intervals.clone().skip(1).zip(intervals).map(|(next, before)| next / before);
        if let Some((pulse, ratio)) = ratios.enumerate().find(|(_, ratio)| !(RATIOS.0..=RATIOS.1).contains(ratio)) {
            let ((record, channel), time) = (name(), pulses.get(pulse + 2).copied().unwrap_or(f64::NAN));
            return Err(SignalError::Pulses { record, channel, time, ratio });
        }
        Ok(Self { pulses, per_revolution })
    }

    /// Times of the pulses in s.
    pub fn pulses(&self) -> &[f64] {
        &self.pulses
    }

    /// Number of revolutions from the first pulse to the last.
    pub fn revolutions(&self) -> f64 {
        (self.pulses.len() - 1) as f64 / self.per_revolution as f64
    }

    /// Returns the time in s and the interval in s per pulse, at a number of pulses after the first: a cubic through
    /// the times of the pulses, with slopes of the parabolas through three.
    fn at(&self, pulse: f64) -> Option<(f64, f64)> {
        let last = self.pulses.len().checked_sub(1)?;
        let left = (pulse.floor().max(0.0) as usize).min(last.checked_sub(1)?);
        let time = |k: usize| self.pulses.get(k.min(last)).copied().unwrap_or(0.0);
        let slope = |k: usize| match k {
            0 => 2.0 * time(1) - 1.5 * time(0) - 0.5 * time(2),
            k if k == last => 1.5 * time(k) - 2.0 * time(k - 1) + 0.5 * time(k - 2),
            k => 0.5 * (time(k + 1) - time(k - 1)),
        };
        let x = pulse - left as f64;
        let (t0, t1, m0, m1) = (time(left), time(left + 1), slope(left), slope(left + 1));
        let (second, third) = (3.0 * (t1 - t0) - 2.0 * m0 - m1, 2.0 * (t0 - t1) + m0 + m1);
        Some((t0 + x * (m0 + x * (second + x * third)), m0 + x * (2.0 * second + x * 3.0 * third)))
    }

    /// Number of pulses after the first one at a time in s; `None` outside of the pulses.
    fn pulse_at(&self, time: f64) -> Option<f64> {
        let next = self.pulses.partition_point(|pulse| *pulse <= time);
        let before = next.checked_sub(1)?;
        let start = *self.pulses.get(before)?;
        let Some(end) = self.pulses.get(next) else {
            return (time == start).then_some(before as f64);
        };
        // Newton's method on a cubic that is nearly a line
        let mut pulse = before as f64 + (time - start) / (end - start);
        for _ in 0..3 {
            let (at, slope) = self.at(pulse)?;
            pulse += (time - at) / slope;
        }
        pulse.is_finite().then_some(pulse)
    }

    /// Returns the revolutions since the first pulse at a time in s; `None` outside of the pulses.
    pub fn turns_at(&self, time: f64) -> Option<f64> {
        Some(self.pulse_at(time)? / self.per_revolution as f64)
    }

    /// Returns the speed at a time in rad/s; `None` outside of the pulses.
    pub fn speed_at(&self, time: f64) -> Option<f64> {
        let (_, per_pulse) = self.at(self.pulse_at(time)?)?;
        Some(TAU / (self.per_revolution as f64 * per_pulse))
    }

    /// Resamples these channels at equal angles, `per_revolution` samples a revolution, from the first pulse to the
    /// last. The record has the times at which the shaft passes these angles, and the channels `angle` in rad, 0 at the
    /// first pulse, and `speed` in rad/s. Behind a low pass at half of as many orders, nothing of higher orders is
    /// folded down; orders up to 0.8 of that half keep their amplitudes to 1e-4, as far as half the rate of the record
    /// reaches.
    ///
    /// In a fit, orders of a run-up do not smear over the angle as they do over time. The model needs an output for the
    /// angle, whose orders are then compared (`OrderLine` of costs).
    ///
    /// # Errors
    /// [`SignalError::Record`], also for a channel named `angle` or `speed`; [`SignalError::Uneven`],
    /// [`SignalError::Missing`], [`SignalError::Number`] for fewer than 2 samples a revolution or more than 2^27 in
    /// all.
    pub fn over_angle(&self, record: &Record, channels: &[&str], per_revolution: usize) -> Result<Record, SignalError> {
        let wanted = per_revolution as f64;
        let samples = self.revolutions() * wanted;
        let most = MAX_NUMBERS as f64;
        limited(
            (2.0..=most).contains(&wanted) && samples * (channels.len() + 3) as f64 <= most,
            ("the number of samples of a revolution", wanted),
            "2 or more, and 2^27 in all",
            "give twice the highest order, and a quarter more",
        )?;
        let samples = (samples * (1.0 + 1e-12)).floor() as usize;
        let (mut times, mut angles, mut speeds) = (Vec::new(), Vec::new(), Vec::new());
        let teeth = self.per_revolution as f64;
        for sample in 0..=samples {
            let turns = sample as f64 / wanted;
            let Some((time, per_pulse)) = self.at((turns * teeth).min((self.pulses.len() - 1) as f64)) else {
                continue;
            };
            times.push(time);
            angles.push(TAU * turns);
            speeds.push(TAU / (teeth * per_pulse));
        }
        let mut all = vec![
            ("angle".to_owned(), Some("rad".to_owned()), angles),
            ("speed".to_owned(), Some("rad/s".to_owned()), speeds.clone()),
        ];
        for name in channels {
            let signal = uniform(record, name, "orders", 2)?;
            // half of the new samples over the rate of the record, which changes with the speed
            let corner = |speed: f64| MAX_CORNER * (speed / TAU * wanted * signal.interval).min(1.0);
            let value = |(time, speed): (&f64, &f64)| {
                value_at(signal.values, (time - signal.start) / signal.interval, corner(*speed))
            };
            let values: Vec<f64> = times.iter().zip(&speeds).map(value).collect();
            within_range(record, signal.channel, "the signal over the angle", &values)?;
            all.push((signal.channel.name().to_owned(), signal.channel.unit().map(str::to_owned), values));
        }
        Ok(record.with_times(times, all)?.named(format!("{} over the angle", record.name())))
    }
}

#[cfg(test)]
mod tests {
    use costate_numerics::fourier::Complex;

    use super::*;

    /// A run-up from 10 to 30 revolutions per second in 4 s: angle = 2 pi (10 t + 2.5 t^2).
    fn run_up() -> Result<Record, SignalError> {
        let times: Vec<f64> = (0..40_001).map(|i| f64::from(i) * 1e-4).collect();
        let turns: Vec<f64> = times.iter().map(|t| 10.0 * t + 2.5 * t * t).collect();
        let tacho = turns.iter().map(|turns| (TAU * 4.0 * turns).sin()).collect();
        let signal = turns.iter().map(|turns| 3.0 * (TAU * 2.0 * turns).cos() + (TAU * 5.5 * turns).sin()).collect();
        Ok(Record::new(times)?.with_channel("tacho", Some("V"), tacho)?.with_channel("a", Some("m/s^2"), signal)?)
    }

    /// Amplitudes at an order, in blocks of so many samples over two revolutions.
    fn amplitudes(over: &Record, block: usize, order: f64) -> Result<Vec<f64>, SignalError> {
        let (angles, values) = (over.channel("angle")?.values(), over.channel("a")?.values());
        let line = |(angles, values): (&[f64], &[f64])| {
            let terms = angles.iter().zip(values).map(|(angle, value)| Complex::from_polar(*value, -order * angle));
            2.0 * terms.sum::<Complex<f64>>().norm() / block as f64
        };
        Ok(angles.chunks_exact(block).zip(values.chunks_exact(block)).map(line).collect())
    }

    #[test]
    fn orders_of_a_run_up_keep_their_amplitudes() -> Result<(), SignalError> {
        let record = run_up()?;
        let tacho = Tacho::new(&record, "tacho", &Trigger::rising(0.0).hysteresis(0.5), 4)?;
        assert!((tacho.revolutions() - 79.5).abs() < 0.5);
        let (first, last) = (tacho.pulses()[0], tacho.pulses()[tacho.pulses().len() - 1]);
        for time in [first, 0.5, 1.7, 3.9, last] {
            let turns = |t: f64| 10.0 * t + 2.5 * t * t;
            assert!((tacho.turns_at(time).unwrap_or(f64::NAN) - turns(time) + turns(first)).abs() < 1e-4, "{time}");
            assert!((tacho.speed_at(time).unwrap_or(f64::NAN) / TAU - 10.0 - 5.0 * time).abs() < 0.1, "{time}");
        }
        assert_eq!((tacho.turns_at(first - 1e-9), tacho.speed_at(last + 1e-9)), (None, None));
        assert_eq!(tacho.turns_at(f64::NAN), None);
        let over = tacho.over_angle(&record, &["a"], 32)?;
        for (order, amplitude) in [(2.0, 3.0), (5.5, 1.0), (3.0, 0.0)] {
            for (block, found) in amplitudes(&over, 64, order)?.iter().enumerate().skip(2).take(34) {
                assert!((found - amplitude).abs() < 3e-3, "{order} {block} {found}");
            }
        }
        for (time, speed) in over.times().iter().zip(over.channel("speed")?.values()) {
            assert!((speed - TAU * (10.0 + 5.0 * time)).abs() < 0.3, "{time} {speed}");
        }
        assert_eq!(over.channel("a")?.unit(), Some("m/s^2"));
        Ok(())
    }

    #[test]
    fn orders_above_the_samples_are_not_folded_down() -> Result<(), SignalError> {
        let record = run_up()?;
        let tacho = Tacho::new(&record, "tacho", &Trigger::rising(0.0).hysteresis(0.5), 4)?;
        // with 8 samples a revolution, order 5.5 would be seen as 2.5
        let over = tacho.over_angle(&record, &["a"], 8)?;
        assert!(amplitudes(&over, 16, 2.5)?.iter().skip(8).take(24).all(|found| *found < 3e-3));
        assert!(amplitudes(&over, 16, 2.0)?.iter().skip(8).take(24).all(|found| (found - 3.0).abs() < 3e-3));
        Ok(())
    }

    #[test]
    fn missed_and_double_pulses_are_refused() -> Result<(), SignalError> {
        let record = run_up()?;
        let mut values = record.channel("tacho")?.values().to_vec();
        values[20_000..20_180].fill(-1.0);
        let missing = Record::new(record.times().to_vec())?.with_channel("tacho", None, values)?;
        let trigger = Trigger::rising(0.0).hysteresis(0.5);
        assert!(
            matches!(Tacho::new(&missing, "tacho", &trigger, 4), Err(SignalError::Pulses { ratio, .. }) if ratio > 1.9)
        );
        assert!(matches!(
            Tacho::new(&record, "tacho", &Trigger::rising(2.0), 4),
            Err(SignalError::FewEvents { found: 0, .. })
        ));
        assert!(matches!(Tacho::new(&record, "tacho", &trigger, 0), Err(SignalError::Number { .. })));
        Ok(())
    }
}
