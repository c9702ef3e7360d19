//! Orders of a rotating machine: angles from the pulses of a tacho, records over the angle, and lines at orders.

use std::f64::consts::TAU;

use costate_numerics::fourier::Complex;

use crate::record::Record;
use serde::Serialize;

use crate::signal::SignalError;
use crate::signal::error::positive;
use crate::signal::events::{Trigger, events};
use crate::signal::kernel::{WIDEST, value_at};
use crate::signal::uniform::{complete, interval_of, uniform, within_range};

/// Ratios of successive intervals between pulses beyond which pulses are missing or counted twice.
const RATIOS: (f64, f64) = (0.6, 1.7);

/// Most samples of a record over the angle.
const MOST_SAMPLES: f64 = 134_217_728.0;

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
            let ((record, channel), threshold) = (name(), trigger.threshold());
            return Err(SignalError::FewEvents {
                record,
                channel,
                threshold,
                found: pulses.len(),
                least: 4,
                low,
                high,
            });
        }
        let intervals = pulses.windows(2).map(|pair| pair.iter().copied().reduce(|a, b| b - a).unwrap_or(0.0));
        let ratios = intervals.clone().skip(1).zip(intervals).map(|(next, before)| next / before);
        if let Some((pulse, ratio)) = ratios.enumerate().find(|(_, ratio)| !(RATIOS.0..=RATIOS.1).contains(ratio)) {
            let (record, channel) = name();
            return Err(SignalError::Pulses {
                record,
                channel,
                time: pulses.get(pulse + 2).copied().unwrap_or(f64::NAN),
                ratio,
            });
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
        if !(2.0..=MOST_SAMPLES).contains(&wanted) || samples * (channels.len() + 3) as f64 > MOST_SAMPLES {
            return Err(SignalError::Number {
                what: "the number of samples of a revolution",
                value: wanted,
                limits: "2 or more, and 2^27 in all".to_owned(),
                remedy: "give twice the highest order, and a quarter more",
            });
        }
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
            let corner = |speed: f64| WIDEST * (speed / TAU * wanted * signal.interval).min(1.0);
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

/// Lines at orders, block by block of whole revolutions.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OrderLines {
    /// The orders: periods per revolution.
    pub orders: Vec<f64>,
    /// Mean speed of every block in rad/s.
    pub speeds: Vec<f64>,
    /// Time of the middle of every block in s.
    pub times: Vec<f64>,
    /// For every order, the real and imaginary part of A of every block, in the channel's unit, where the signal has
    /// the part `Re(A exp(i order angle))`.
    pub lines: Vec<Vec<[f64; 2]>>,
    /// Unit of the channel.
    pub unit: Option<String>,
}

impl OrderLines {
    /// Amplitudes of the order with this index, block by block.
    pub fn amplitudes(&self, order: usize) -> Vec<f64> {
        self.lines.get(order).into_iter().flatten().map(|[re, im]| re.hypot(*im)).collect()
    }
}

/// Computes lines of a channel at these orders, over blocks of whole revolutions of a record from
/// [`Tacho::over_angle`]. A rectangular window of whole periods keeps orders apart from each other exactly where all of
/// them are whole in the block.
///
/// # Errors
/// [`SignalError::Record`] for a record without `angle` and `speed`, [`SignalError::Missing`], [`SignalError::Short`]
/// for a record shorter than a block, [`SignalError::Number`] for orders that have no whole number of periods in a
/// block or exceed half of the samples of a revolution.
pub fn order_lines(
    record: &Record,
    channel: &str,
    orders: &[f64],
    revolutions: usize,
) -> Result<OrderLines, SignalError> {
    positive("the number of revolutions of a block", revolutions as f64, "give 1, or 2 for orders of one half")?;
    let [angle, speed, channel] = [record.channel("angle")?, record.channel("speed")?, record.channel(channel)?];
    for channel in [angle, speed, channel] {
        complete(record, channel)?;
    }
    let over = Record::new(angle.values().to_vec())?.named(record.name());
    let per_revolution = (TAU / interval_of(&over, "orders", 2)?).round();
    let block = per_revolution as usize * revolutions;
    let samples = record.times().len();
    if samples < block || block == 0 {
        return Err(SignalError::Short {
            record: record.name().to_owned(),
            what: "a block of orders",
            samples,
            least: block,
        });
    }
    for &order in orders {
        let periods = order * revolutions as f64;
        if !((periods - periods.round()).abs() < 1e-9 && order > 0.0 && order < 0.5 * per_revolution) {
            let limits = format!("whole in {revolutions} revolutions, above 0 and below {}", 0.5 * per_revolution);
            return Err(SignalError::Number {
                what: "the order",
                value: order,
                limits,
                remedy: "take more revolutions or samples",
            });
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let line = |order: f64, (angles, values): (&[f64], &[f64])| {
        let sum: Complex<f64> =
            angles.iter().zip(values).map(|(angle, value)| Complex::from_polar(2.0 * value, -order * angle)).sum();
        [sum.re / values.len() as f64, sum.im / values.len() as f64]
    };
    let blocks = || angle.values().chunks_exact(block).zip(channel.values().chunks_exact(block));
    Ok(OrderLines {
        orders: orders.to_vec(),
        speeds: speed.values().chunks_exact(block).map(mean).collect(),
        times: record.times().chunks_exact(block).map(mean).collect(),
        lines: orders.iter().map(|order| blocks().map(|block| line(*order, block)).collect()).collect(),
        unit: channel.unit().map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run-up from 10 to 30 revolutions per second in 4 s: angle = 2 pi (10 t + 2.5 t^2).
    fn run_up() -> Result<Record, SignalError> {
        let times: Vec<f64> = (0..40_001).map(|i| f64::from(i) * 1e-4).collect();
        let turns: Vec<f64> = times.iter().map(|t| 10.0 * t + 2.5 * t * t).collect();
        let tacho = turns.iter().map(|turns| (TAU * 4.0 * turns).sin()).collect();
        let signal = turns.iter().map(|turns| 3.0 * (TAU * 2.0 * turns).cos() + (TAU * 5.5 * turns).sin()).collect();
        Ok(Record::new(times)?.with_channel("tacho", Some("V"), tacho)?.with_channel("a", Some("m/s^2"), signal)?)
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
        let lines = order_lines(&over, "a", &[2.0, 5.5, 3.0], 2)?;
        for (order, amplitude) in [3.0, 1.0, 0.0].into_iter().enumerate() {
            for (block, found) in lines.amplitudes(order).iter().enumerate().skip(2).take(34) {
                assert!((found - amplitude).abs() < 3e-3, "{order} {block} {found}");
            }
        }
        for (time, speed) in lines.times.iter().zip(&lines.speeds) {
            assert!((speed - TAU * (10.0 + 5.0 * time)).abs() < 0.3, "{time} {speed}");
        }
        assert_eq!(lines.unit.as_deref(), Some("m/s^2"));
        assert!(matches!(order_lines(&over, "a", &[0.3], 2), Err(SignalError::Number { .. })));
        assert!(matches!(order_lines(&over, "a", &[2.0], 1000), Err(SignalError::Short { .. })));
        assert!(matches!(order_lines(&record, "a", &[2.0], 1), Err(SignalError::Record(_))));
        Ok(())
    }

    #[test]
    fn orders_above_the_samples_are_not_folded_down() -> Result<(), SignalError> {
        let record = run_up()?;
        let tacho = Tacho::new(&record, "tacho", &Trigger::rising(0.0).hysteresis(0.5), 4)?;
        // with 8 samples a revolution, order 5.5 would be seen as 2.5
        let lines = order_lines(&tacho.over_angle(&record, &["a"], 8)?, "a", &[2.5, 2.0], 2)?;
        assert!(lines.amplitudes(0).iter().skip(8).take(24).all(|found| *found < 3e-3));
        assert!(lines.amplitudes(1).iter().skip(8).take(24).all(|found| (found - 3.0).abs() < 3e-3));
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
