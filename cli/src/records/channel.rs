//! Figures of a channel.

use costate::measure::{Channel, Clipped, Record};
use serde::Serialize;

/// Figures of a channel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    pub name: String,
    pub unit: Option<String>,
    /// Usual interval of the channel's own samples in s.
    pub interval: Option<f64>,
    /// Infinite for an empty channel.
    pub least: f64,
    pub largest: f64,
    pub missing: usize,
    pub gaps: usize,
    /// Values at a limit of the sensor or the amplifier.
    pub clipped: usize,
}

impl Figures {
    /// Collects the figures of a channel of a record, of whose channels some are `clipped`.
    pub fn of(record: &Record, channel: &Channel, clipped: &[Clipped]) -> Self {
        let known = || channel.values().iter().copied().filter(|value| !value.is_nan());
        let (least, largest) = known()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), value| (least.min(value), largest.max(value)));
        let of_channel = clipped.iter().find(|one| one.channel == channel.name());
        Self {
            name: channel.name().to_owned(),
            unit: channel.unit().map(str::to_owned),
            interval: record.sampling(channel.name()).ok().and_then(|sampling| sampling.interval),
            least,
            largest,
            missing: channel.missing(),
            gaps: record.samples_of(channel).gaps.len(),
            clipped: of_channel.map_or(0, Clipped::samples),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_clipped_channel_with_a_gap() {
        let times: Vec<f64> = (0..500).map(|i| f64::from(i) * 0.01).collect();
        let mut values: Vec<f64> = times.iter().map(|t| (120.0 * (7.0 * t).sin()).min(100.0)).collect();
        let limited = values.iter().filter(|value| **value == 100.0).count();
        values[3] = f64::NAN;
        let record = Record::new(times).unwrap().with_channel("force", Some("N"), values).unwrap();
        let figures = Figures::of(&record, &record.channels()[0], &record.clipped());
        assert_eq!((figures.clipped, figures.missing, figures.largest), (limited, 1, 100.0));
        assert!((figures.interval.unwrap() - 0.01).abs() < 1e-12);
        assert_eq!(Figures::of(&record, &record.channels()[0], &[]).clipped, 0);
    }
}
