//! Single samples far beside those around them.

use std::fmt;

use costate_contract::shown::Shown;
use serde::Serialize;

use super::{Channel, Record};

/// Single samples of a channel that are far beside the smooth course of those around them, as disturbances and lost
/// bits leave them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Spikes {
    /// Name of the channel.
    pub channel: String,
    /// Times of the samples in s.
    pub times: Vec<f64>,
    /// Value and time in s of the one farthest away, and the mean of the samples beside it.
    pub worst: (f64, f64, f64),
}

impl fmt::Display for Spikes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, time, beside) = (Shown(self.worst.0), Shown(self.worst.1), Shown(self.worst.2));
        let (samples, stand) = if self.times.len() == 1 { ("sample", "stands") } else { ("samples", "stand") };
        write!(
            f,
            "{} {samples} of `{}` {stand} far beside those around: {value} at {time} s, where {beside} would be smooth",
            self.times.len(),
            self.channel
        )
    }
}

impl Record {
    /// Channels with single samples far beside those around them, and with ones that are a number of nines beyond all
    /// others, which loggers write for a value that is missing. The rest of the channel is smooth: impulses of a
    /// signal that is noise otherwise, as of a hammer, are no spikes.
    pub fn spikes(&self) -> Vec<Spikes> {
        let of = |channel| codes(&self.times, channel).or_else(|| spikes(&self.times, channel));
        self.channels.iter().filter_map(of).collect()
    }
}

/// Finds the samples that are codes of missing values: `-9999`.
fn codes(times: &[f64], channel: &Channel) -> Option<Spikes> {
    /// Distance of a code from the range of the other values, in this range.
    const MIN_DISTANCE: f64 = 3.0;
    /// Part of the samples that are codes at most.
    const MAX_PART: usize = 2;
    /// The codes, without their signs.
    const CODES: [f64; 8] = [999.0, 9999.0, 99_999.0, 999_999.0, 9_999_999.0, 999.9, 999.99, 9999.9];
    let y = channel.values();
    let is_code = |value: f64| CODES.contains(&value.abs());
    let found: Vec<usize> = (0..y.len()).filter(|k| is_code(y[*k])).collect();
    let rest = || (0..y.len()).filter(|k| y[*k].is_finite() && found.binary_search(k).is_err());
    let (least, largest) =
        rest().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), k| (least.min(y[k]), largest.max(y[k])));
    let is_far = |k: &usize| (least - y[*k]).max(y[*k] - largest) > MIN_DISTANCE * (largest - least);
    if largest <= least || found.len() * MAX_PART > y.len() || !found.iter().all(is_far) {
        return None;
    }
    let &worst = found.first()?;
    let beside = [rest().rfind(|k| *k < worst), rest().find(|k| *k > worst)];
    let beside: Vec<f64> = beside.into_iter().flatten().map(|k| y[k]).collect();
    Some(Spikes {
        channel: channel.name.clone(),
        times: found.iter().map(|k| times[*k]).collect(),
        worst: (y[worst], times[worst], beside.iter().sum::<f64>() / beside.len().max(1) as f64),
    })
}

fn spikes(times: &[f64], channel: &Channel) -> Option<Spikes> {
    /// Distance of a spike from the mean of the samples beside it, over the usual distance, and over the standard
    /// deviation of the channel without spikes.
    const MIN_DISTANCE: f64 = 30.0;
    const MIN_SIZE: f64 = 1.0;
    /// Ratio of the standard deviation of a smooth channel to the usual distance.
    const MIN_SMOOTHNESS: f64 = 5.0;
    /// Part of a spike by which the distances before and after it may differ from its own, halved and reversed.
    const MAX_ASYMMETRY: f64 = 0.2;
    /// Part of the samples that are spikes at most.
    const MAX_PART: usize = 50;
    let y = channel.values();
    let distance = |k: usize| y[k] - 0.5 * (y[k - 1] + y[k + 1]);
    let places = || 1..y.len().saturating_sub(1);
    let mut sizes: Vec<f64> = places().map(|k| distance(k).abs()).filter(|size| size.is_finite()).collect();
    sizes.sort_by(f64::total_cmp);
    // larger than most of the distances at high frequencies; pulses beside a constant are no spikes
    let usual = sizes.get(sizes.len() * 9 / 10).copied().filter(|usual| *usual > 0.0)?;
    let candidates: Vec<usize> = places().filter(|&k| distance(k).abs() > MIN_DISTANCE * usual).collect();
    // those beside a spike have half its distance
    let is_spike = |k: &usize| {
        let own = distance(*k);
        let beside = [k - 1, k + 1].into_iter().filter(|k| places().contains(k));
        beside.map(|k| distance(k) + 0.5 * own).all(|rest| rest.abs() < MAX_ASYMMETRY * own.abs())
    };
    let found: Vec<usize> = candidates.into_iter().filter(is_spike).collect();
    let rest = y.iter().enumerate().filter(|(k, value)| value.is_finite() && found.binary_search(k).is_err());
    let (count, sum) = rest.clone().fold((0.0, 0.0), |(count, sum), (_, value)| (count + 1.0, sum + value));
    let deviation = (rest.map(|(_, value)| (value - sum / count).powi(2)).sum::<f64>() / count).sqrt();
    let found: Vec<usize> = found.into_iter().filter(|k| distance(*k).abs() > MIN_SIZE * deviation).collect();
    let worst = *found.iter().max_by(|a, b| distance(**a).abs().total_cmp(&distance(**b).abs()))?;
    (deviation > MIN_SMOOTHNESS * usual && found.len() * MAX_PART <= y.len()).then(|| Spikes {
        channel: channel.name.clone(),
        times: found.iter().map(|k| times[*k]).collect(),
        worst: (y[worst], times[worst], y[worst] - distance(worst)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(signal: impl Fn(usize) -> f64) -> Vec<Spikes> {
        let times: Vec<f64> = (0..2000).map(|k| f64::from(k) * 2e-3).collect();
        let values = (0..2000).map(signal).collect();
        Record::new(times).unwrap().with_channel("x", None, values).unwrap().spikes()
    }

    /// Deterministic noise from -1 to 1.
    fn noise(k: usize) -> f64 {
        ((k as f64 * 0.754_877_666_246_692_7).fract() - 0.5) * 2.0
    }

    #[test]
    fn spikes_are_told_from_what_is_no_error() {
        let sweep = |k: usize| 15.0 * (1e-5 * (k * k) as f64).sin() + 0.05 * noise(k);
        let is_spike = |k: usize| [300, 900, 1500].contains(&k);
        let spikes = found(|k| sweep(k) + if is_spike(k) { 200.0 } else { 0.0 });
        assert_eq!(spikes[0].times, [0.6, 1.8, 3.0]);
        let said = spikes[0].to_string();
        assert!(said.starts_with("3 samples of `x` stand far beside those around: "), "{said}");
        // codes of missing values, one or several in a row, also in noise
        let has_code = |k: usize| matches!(k, 5 | 6 | 1200..1230);
        for code in [-9999.0, 999.0, 99_999.0] {
            let spikes = found(|k| if has_code(k) { code } else { sweep(k) });
            assert_eq!((spikes[0].times.len(), spikes[0].worst.0), (32, code));
            assert_eq!(found(|k| if has_code(k) { code } else { noise(k) })[0].times.len(), 32);
        }
        // a value among others
        assert_eq!(found(|k| 1e3 * noise(k) + if k == 7 { 999.0 - 1e3 * noise(7) } else { 0.0 }), []);
        let missing = |k: usize| if k.is_multiple_of(7) { f64::NAN } else { sweep(k) };
        let signals: [(&str, &dyn Fn(usize) -> f64); 8] = [
            ("sweep", &sweep),
            ("gaps", &missing),
            ("hammer", &|k| 0.05 * noise(k) + if is_spike(k) { 200.0 } else { 0.0 }),
            ("white", &|k| noise(k) + if is_spike(k) { 3.0 } else { 0.0 }),
            ("steps", &|k| ((k / 200) % 3) as f64 + 1e-3 * noise(k)),
            ("pulse", &|k| sweep(k) + if (700..705).contains(&k) { 200.0 } else { 0.0 }),
            ("coarse", &|k| (sweep(k) / 2.0).round()),
            ("constant", &|_| 3.0),
        ];
        for (name, signal) in signals {
            assert_eq!(found(signal), [], "{name}");
        }
    }
}
