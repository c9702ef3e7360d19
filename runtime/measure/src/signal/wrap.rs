//! Angles that begin again after each turn, as those of encoders, and their continuation.

use std::f64::consts::TAU;
use std::fmt;

use costate_contract::shown::Shown as Number;
use costate_contract::units::{conversion, is_unit};

use crate::record::Record;
use serde::Serialize;

use crate::signal::SignalError;
use crate::signal::uniform::replaced;
use range_jumps::RangeJumps;

mod range_jumps;

/// Units in which a turn is a number of the same dimension as any ratio: no channel in them is known to be an angle.
const NO_ANGLES: [&str; 3] = ["1", "percent", "sr"];

/// Part of a turn by which noise may take the values of a wrapped angle beyond one turn.
const MAX_NOISE: f64 = 0.05;

/// Largest number of times that are listed.
const MAX_LISTED: usize = 5;

/// A channel with an angle that jumps by whole turns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Wrapped {
    /// Name of the channel.
    pub channel: String,
    /// The length of the jumps in the channel's unit: a turn, or the period in which a device counts.
    pub turn: f64,
    /// The unit; empty for a channel without one.
    pub unit: String,
    /// Number of jumps.
    pub jumps: usize,
    /// Times in s of the first samples after jumps, at most 5.
    pub times: Vec<f64>,
}

impl fmt::Display for Wrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { channel, turn, unit, jumps, times } = self;
        let times: Vec<String> = times.iter().map(|time| Number(*time).to_string()).collect();
        let (times, more) = (times.join(", "), if *jumps > MAX_LISTED { ", .." } else { "" });
        let plural = if *jumps == 1 { "" } else { "s" };
        let unit = if matches!(unit.as_str(), "" | "1") { String::new() } else { format!("{unit} ") };
        write!(
            f,
            "`{channel}` jumps by {} {unit}{jumps} time{plural}, at {times}{more} s, as an angle that begins anew \
                 after each turn: unwrap it",
            Number(*turn)
        )
    }
}

/// Returns a turn in this unit; `None` for a unit of no angle.
fn turn_in(unit: &str) -> Option<f64> {
    if NO_ANGLES.contains(&unit.trim()) {
        return None;
    }
    let turn = conversion("rad", unit).ok()?.apply(TAU);
    (turn.is_finite() && turn > 0.0).then_some(turn)
}

/// Finds out whether a channel in the unit of an angle begins again after each turn: its values stay within one turn,
/// and jump by one such that the continued angle moves as it does nearby. Steep motions and single wrong samples do
/// not. An angle may also begin again after half a turn or several ones, and a channel in another unit after as many
/// counts as devices have, where its jumps show that unmistakably. `unit` is that of a channel without one.
///
/// # Errors
/// [`SignalError::Record`] for a channel that is missing.
pub fn wrapped(record: &Record, channel: &str, unit: Option<&str>) -> Result<Option<Wrapped>, SignalError> {
    let of_record = record.channel(channel)?;
    let unit = of_record.unit().or(unit);
    let known = || record.times().iter().zip(of_record.values()).filter(|(_, value)| value.is_finite());
    let values: Vec<f64> = known().map(|(_, value)| *value).collect();
    let turn = unit.and_then(turn_in);
    let (turn, jumps) = match (turn, turn.map(|turn| jumps(&values, turn)).filter(|jumps| !jumps.is_empty())) {
        (Some(turn), Some(jumps)) => (turn, jumps),
        (turn, _) if turn.is_some() || may_count(unit) => {
            match RangeJumps::of(&values).filter(|jumps| !jumps.is_counter) {
                Some(found) => match found.period(turn) {
                    Some(period) => (period, found.jumps),
                    None => return Ok(None),
                },
                None => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    let times: Vec<f64> = known().map(|(time, _)| *time).collect();
    let behind = jumps.iter().take(MAX_LISTED).filter_map(|&sample| times.get(sample).copied());
    Ok(Some(Wrapped {
        channel: of_record.name().to_owned(),
        turn,
        unit: unit.unwrap_or_default().to_owned(),
        jumps: jumps.len(),
        times: behind.collect(),
    }))
}

/// Checks whether values in this unit may be counts: there is none, one of ratios, or one that is not known.
fn may_count(unit: Option<&str>) -> bool {
    unit.is_none_or(|unit| !is_unit(unit) || conversion("1", unit).is_ok())
}

/// Returns the samples after the jumps by a turn, or none where some jump is something else.
fn jumps(values: &[f64], turn: f64) -> Vec<usize> {
    /// Part of a turn that a continued angle may move by, in addition to what it does nearby.
    const MIN_REACH: f64 = 0.01;
    /// Largest ratio of the continued difference to the largest difference nearby.
    const MAX_STEEPNESS: f64 = 2.0;
    /// Samples on each side of a jump in which the angle shows how it moves.
    const SIDE_SAMPLES: usize = 8;
    /// Least number of samples for each jump, on average: an angle that turns faster is not sampled well enough.
    const MIN_SAMPLES_PER_JUMP: usize = 4;
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let differences: Vec<f64> = values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let is_jump = |difference: f64| difference.abs() > 0.5 * turn;
    let jumps: Vec<usize> = (0..differences.len()).filter(|&at| is_jump(differences[at])).collect();
    if largest - least > (1.0 + MAX_NOISE) * turn || MIN_SAMPLES_PER_JUMP * jumps.len() > values.len() {
        return Vec::new();
    }
    let is_turn = |&at: &usize| {
        let nearby = &differences[at.saturating_sub(SIDE_SAMPLES)..(at + SIDE_SAMPLES + 1).min(differences.len())];
        let others = nearby.iter().copied().filter(|difference| !is_jump(*difference));
        let reach = others.map(f64::abs).reduce(f64::max);
        let continued = differences[at] - turn.copysign(differences[at]);
        reach.is_some_and(|reach| continued.abs() <= MAX_STEEPNESS * reach + MIN_REACH * turn)
    };
    match jumps.iter().all(is_turn) {
        true => jumps.into_iter().map(|at| at + 1).collect(),
        false => Vec::new(),
    }
}

/// Finds the period over whose jumps [`unwrapped`] continues a channel, in its unit.
///
/// # Errors
/// As of [`unwrapped`].
#[doc(hidden)]
pub fn wrap_period(record: &Record, name: &str) -> Result<f64, SignalError> {
    let channel = record.channel(name)?;
    let unit = channel.unit();
    if let Some(found) = wrapped(record, name, None)? {
        return Ok(found.turn);
    }
    let values: Vec<f64> = channel.values().iter().copied().filter(|value| value.is_finite()).collect();
    let refused = |reason: String| {
        let [record, channel] = [record.name(), channel.name()].map(str::to_owned);
        Err(SignalError::NoPeriod { record, channel, reason })
    };
    if let Some(turn) = unit.and_then(turn_in) {
        let range = values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            - values.iter().copied().fold(f64::INFINITY, f64::min);
        let has_jumps = values.windows(2).any(|pair| (pair[1] - pair[0]).abs() > 0.5 * turn);
        return match range > (1.0 + MAX_NOISE) * turn && has_jumps {
            true => refused(format!(
                "jumps, but not from one end of a turn of {turn} {unit} to the other, since its values span {range} \
                     {unit}; correct the unit, or the samples that jump",
                turn = Number(turn),
                unit = unit.unwrap_or_default(),
                range = Number(range)
            )),
            false => Ok(turn),
        };
    }
    if may_count(unit)
        && let Some(period) = RangeJumps::of(&values).and_then(|jumps| jumps.period(None))
    {
        return Ok(period);
    }
    match unit {
        Some(unit) if may_count(Some(unit)) => refused(format!(
            "is in `{unit}`, which is no unit of an angle, and its values do not show after which period they begin \
                 anew; write it in `rad`, `deg` or `rev`"
        )),
        // the error names what may be written
        _ => crate::signal::unit::factor(record, channel, "rad").map(|factor| TAU / factor),
    }
}

/// Continues the angles of these channels over the turns: from sample to sample each moves by half a turn at most. A
/// channel that begins just below a full turn, as one that hovers about zero, begins below zero. Missing samples stay
/// missing; over a gap of more than half a turn the number of turns is not known. Where jumps show another period than
/// a turn, as those of counts or of half turns, or the unit of the channel is that of no angle, it takes its place; see
/// [`wrapped`].
///
/// # Errors
/// [`SignalError::Record`] for a channel that is missing, [`SignalError::NoUnit`] and [`SignalError::Record`] for one
/// whose unit is not that of an angle, [`SignalError::NoPeriod`] for one whose jumps fit no period.
pub fn unwrapped(record: &Record, channels: &[&str]) -> Result<Record, SignalError> {
    /// Number of samples that determine on which turn an angle begins.
    const FIRST_SAMPLES: usize = 5;
    /// Part of a turn from which on an angle began just below zero.
    const MIN_BELOW_ZERO: f64 = 0.9;
    let mut made = record.clone();
    for name in channels {
        let channel = record.channel(name)?;
        let turn = wrap_period(record, name)?;
        let (mut turns, mut last) = (0.0, None::<f64>);
        let mut values: Vec<f64> = Vec::with_capacity(channel.values().len());
        for &value in channel.values() {
            if value.is_finite() {
                turns -= last.map_or(0.0, |last| ((value - last) / turn).round());
                last = Some(value);
            }
            values.push(value + turn * turns);
        }
        let mut first: Vec<f64> =
            values.iter().copied().filter(|value| value.is_finite()).take(FIRST_SAMPLES).collect();
        first.sort_by(f64::total_cmp);
        if first.get(first.len() / 2).is_some_and(|middle| *middle > MIN_BELOW_ZERO * turn) {
            values.iter_mut().for_each(|value| *value -= turn);
        }
        made = replaced(made, channel, "the continuation", values)?;
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of an angle in this unit, 400 samples over 4 s, with noise of this part of a turn.
    fn record(unit: &str, angle: impl Fn(f64) -> f64, noise: f64, seed: u64) -> Record {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        let times: Vec<f64> = (0..400).map(|j| f64::from(j) * 0.01).collect();
        let values = times.iter().map(|&t| angle(t) + noise * random()).collect();
        Record::new(times).unwrap().with_channel("angle", Some(unit), values).unwrap()
    }

    fn is_wrapped(record: &Record) -> bool {
        wrapped(record, "angle", None).unwrap().is_some()
    }

    #[test]
    fn angles_that_begin_anew_are_told_and_continued() {
        for (unit, turn) in [("deg", 360.0), ("rad", TAU), ("rev", 1.0)] {
            for seed in 0..10 {
                // from rest to 3 turns and back, at random speeds; in -1/2 .. 1/2 of a turn, and in 0 .. 1
                let peak = turn * (1.2 + 0.3 * seed as f64);
                let angle = |t: f64| peak * (0.5 - 0.5 * (1.57 * t).cos());
                let around = |angle: f64| angle - turn * (angle / turn).round();
                let above = |angle: f64| angle - turn * (angle / turn).floor();
                for wrap in [&around as &dyn Fn(f64) -> f64, &above] {
                    let noisy = record(unit, angle, 1e-3 * turn, seed);
                    let values = noisy.channels()[0].values().iter().map(|value| wrap(*value)).collect();
                    let wrong = Record::new(noisy.times().to_vec()).unwrap();
                    let wrong = wrong.with_channel("angle", Some(unit), values).unwrap();
                    let found = wrapped(&wrong, "angle", None).unwrap().unwrap();
                    assert!((found.turn - turn).abs() < 1e-12 * turn && found.jumps >= 2, "{found}");
                    let made = unwrapped(&wrong, &["angle"]).unwrap();
                    let pairs = made.channels()[0].values().iter().zip(noisy.channels()[0].values());
                    let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                    assert!(largest < 1e-9 * turn, "{unit}, seed {seed}: {largest}");
                    assert!(!is_wrapped(&made));
                }
            }
        }
    }

    #[test]
    fn motions_and_wrong_samples_are_no_turns() {
        for seed in 0..20 {
            // beyond one turn
            assert!(!is_wrapped(&record("deg", |t| 720.0 * (3.0 * t).sin(), 0.5, seed)));
            // almost one turn, steep
            assert!(!is_wrapped(&record("deg", |t| 175.0 * (60.0 * t).sin(), 0.5, seed)));
            // switched between two positions
            assert!(!is_wrapped(&record("deg", |t| if (2.0 * t).sin() > 0.0 { 340.0 } else { 0.0 }, 0.5, seed)));
            // one wrong sample
            assert!(!is_wrapped(&record("deg", |t| if (1.0..1.005).contains(&t) { 300.0 } else { t }, 0.5, seed)));
            // no angle
            assert!(!is_wrapped(&record("N", |t| 100.0 * t - 360.0 * (t / 3.6).round(), 0.5, seed)));
        }
        let unit = unwrapped(&record("N", |t| t, 0.0, 1), &["angle"]);
        assert!(unit.is_err());
    }

    #[test]
    fn an_angle_that_hovers_about_zero_begins_there() {
        for seed in 0..20 {
            let noisy = record("deg", |t| 100.0 * t * t, 2.0, seed);
            let values = noisy.channels()[0].values().iter().map(|value| value.rem_euclid(360.0)).collect();
            let wrong = Record::new(noisy.times().to_vec()).unwrap();
            let made = unwrapped(&wrong.with_channel("angle", Some("deg"), values).unwrap(), &["angle"]).unwrap();
            assert!(made.channels()[0].values()[..5].iter().all(|value| value.abs() < 2.0));
        }
    }

    #[test]
    fn counts_and_parts_of_turns_are_known_by_their_jumps() {
        let below = |value: f64, period: f64| value - period * (value / period).floor();
        for seed in 0..20_u64 {
            let turns = |t: f64| (3.0 + 0.2 * seed as f64) * (0.5 - 0.5 * (1.57 * t).cos());
            for (unit, period) in [
                ("1", 4096.0),
                ("1", 1.0),
                ("1", 360.0),
                ("1", 256.0),
                ("1", 1000.0),
                ("1", TAU),
                ("counts", 65_536.0),
                ("deg", 180.0),
                ("deg", 720.0),
                ("rad", 2.0 * TAU),
            ] {
                let noisy = record(unit, |t| period * turns(t), 1e-3 * period, seed);
                let is_whole = period == 180.0 || unit != "deg" && unit != "rad" && period > 100.0;
                let rounded = |value: f64| if is_whole { value.round() } else { value };
                let whole: Vec<f64> = noisy.channels()[0].values().iter().map(|value| rounded(*value)).collect();
                let values = whole.iter().map(|value| below(*value, period)).collect();
                let wrong = Record::new(noisy.times().to_vec()).unwrap();
                let wrong = wrong.with_channel("angle", Some(unit), values).unwrap();
                let found = wrapped(&wrong, "angle", None).unwrap().unwrap_or_else(|| panic!("{unit} {period}"));
                assert!((found.turn - period).abs() < 1e-12 * period && found.jumps >= 2, "{found}");
                let made = unwrapped(&wrong, &["angle"]).unwrap();
                let pairs = made.channels()[0].values().iter().zip(&whole);
                let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(largest < 1e-9 * period, "{unit}, {period}, seed {seed}: {largest}");
            }
        }
    }

    #[test]
    fn other_signals_show_no_period() {
        for seed in 0..20 {
            type Signal<'s> = (&'s str, &'s dyn Fn(f64) -> f64, f64);
            let signals: [Signal<'_>; 6] = [
                ("switch", &|t| if (9.0 * t).sin() > 0.0 { 1.0 } else { 0.0 }, 0.01),
                ("noise", &|_| 0.0, 1.0),
                ("sine", &|t| 0.5 * (5.0 * t).sin(), 0.01),
                ("steep sine", &|t| 0.5 * (120.0 * t).sin(), 0.01),
                ("triangle", &|t| (2.0 * (t - t.round())).abs(), 0.0),
                // saws of no length that devices count in
                ("saw", &|t| 1.3 * (2.0 * t).fract(), 0.01),
            ];
            for (name, signal, noise) in signals {
                let made = record("1", signal, noise, seed);
                assert!(!is_wrapped(&made), "{name}");
                let error = unwrapped(&made, &["angle"]).unwrap_err();
                assert!(matches!(error, SignalError::NoPeriod { .. }), "{name}: {error}");
            }
            // steps of less than a turn are not folded where the values span more
            let beyond = record("deg", |t| 300.0 * (2.0 * t).floor().rem_euclid(3.0), 1.0, seed);
            assert!(matches!(unwrapped(&beyond, &["angle"]), Err(SignalError::NoPeriod { .. })));
        }
        // the number of a frame is no doubt, and is continued all the same
        let counter = record("1", |t| (100.0 * t).round().rem_euclid(16.0), 0.0, 1);
        assert!(!is_wrapped(&counter));
        let made = unwrapped(&counter, &["angle"]).unwrap();
        assert_eq!(made.channels()[0].values()[399], 399.0);
    }

    #[test]
    fn gaps_stay_gaps() {
        let record = record("rad", |t| t, 0.0, 1);
        let mut values = record.channels()[0].values().to_vec();
        values[10] = f64::NAN;
        let gap = Record::new(record.times().to_vec()).unwrap().with_channel("angle", Some("rad"), values).unwrap();
        let made = unwrapped(&gap, &["angle"]).unwrap();
        assert!(made.channels()[0].values()[10].is_nan() && made.channels()[0].missing() == 1);
    }
}
