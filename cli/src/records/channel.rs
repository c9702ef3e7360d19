//! Figures of a channel.

use costate_record::{Channel, Record};
use serde_json::{Value, json};

/// Equal values one after the other at the end of a channel's range, from which on they are taken as clipped.
const CLIPPED: usize = 3;

/// Figures of a channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    pub name: String,
    pub unit: Option<String>,
    pub least: f64,
    pub largest: f64,
    pub missing: usize,
    pub gaps: usize,
    /// Values at the ends of the range, three or more one after the other.
    pub clipped: usize,
}

impl Figures {
    pub fn of(record: &Record, channel: &Channel) -> Self {
        let known = || channel.values().iter().copied().filter(|value| !value.is_nan());
        let (least, largest) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, largest), value| {
            (least.min(value), largest.max(value))
        });
        let runs = channel.values().chunk_by(|a, b| a == b);
        let is_end = |value: f64| least < largest && (value == least || value == largest);
        let clipped = runs
            .filter(|run| run.len() >= CLIPPED && run.first().is_some_and(|value| is_end(*value)))
            .map(<[f64]>::len)
            .sum();
        Self {
            name: channel.name().to_owned(),
            unit: channel.unit().map(str::to_owned),
            least,
            largest,
            missing: channel.missing(),
            gaps: record.samples_of(channel).gaps.len(),
            clipped,
        }
    }

    pub fn json(&self) -> Value {
        // an empty channel has no range
        let finite = |value: f64| value.is_finite().then_some(value);
        json!({
            "name": self.name, "unit": self.unit, "least": finite(self.least), "largest": finite(self.largest),
            "missing": self.missing, "gaps": self.gaps, "clipped": self.clipped,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipped_values_stand_at_an_end_of_the_range() {
        let figures = |values: Vec<f64>| {
            let times = (0..values.len()).map(|i| i as f64).collect();
            let record = Record::new(times).unwrap().with_channel("x", None, values).unwrap();
            Figures::of(&record, &record.channels()[0])
        };
        let clipped = figures(vec![0.0, 5.0, 5.0, 5.0, 1.0, 1.0, 1.0, -2.0, -2.0, 5.0]);
        assert_eq!((clipped.clipped, clipped.least, clipped.largest), (3, -2.0, 5.0));
        assert_eq!(figures(vec![1.0; 10]).clipped, 0);
        assert_eq!(figures(vec![f64::NAN, 1.0, 2.0]).missing, 1);
    }
}
