//! Ranges of the outputs of a run: least and largest values with the times, and the values at the end.

use costate::command::shown::Shown;
use costate::simulate::Run;
use serde_json::{Value, json};

use crate::table::aligned;

/// One output over a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    name: &'static str,
    unit: &'static str,
    /// Value, and time in s.
    least: (f64, f64),
    largest: (f64, f64),
    start: f64,
    end: f64,
    /// Root of the mean square over the samples.
    rms: f64,
}

impl Range {
    /// Returns the ranges of all outputs.
    pub fn of_outputs(run: &Run) -> Vec<Self> {
        let times = run.times();
        let outputs = run.trajectory().description().outputs.iter().enumerate();
        outputs
            .map(|(k, output)| {
                let values: Vec<f64> = run.outputs().channel(k).into_iter().flatten().collect();
                Self::of(output.name, output.unit, &times, &values)
            })
            .collect()
    }

    fn of(name: &'static str, unit: &'static str, times: &[f64], values: &[f64]) -> Self {
        let samples = || values.iter().copied().zip(times.iter().copied());
        // the first of equal values; NaN is no value
        let extreme = |is_beyond: fn(f64, f64) -> bool| {
            samples().fold((f64::NAN, f64::NAN), |found, sample| {
                if found.0.is_nan() || is_beyond(sample.0, found.0) { sample } else { found }
            })
        };
        let squares: f64 = values.iter().map(|value| value * value).sum();
        Self {
            name,
            unit,
            least: extreme(|value, found| value < found),
            largest: extreme(|value, found| value > found),
            start: values.first().copied().unwrap_or(f64::NAN),
            end: values.last().copied().unwrap_or(f64::NAN),
            rms: (squares / values.len().max(1) as f64).sqrt(),
        }
    }

    /// Returns the range as `--json` has it.
    pub fn json(&self) -> Value {
        json!({
            "name": self.name,
            "unit": self.unit,
            "least": self.least.0,
            "least_time": self.least.1,
            "largest": self.largest.0,
            "largest_time": self.largest.1,
            "start": self.start,
            "end": self.end,
            "rms": self.rms,
        })
    }
}

/// Returns the table of the ranges; empty without any.
pub fn table(ranges: &[Range]) -> String {
    if ranges.is_empty() {
        return String::new();
    }
    let head = ["output", "unit", "least", "at s", "largest", "at s", "end"].map(str::to_owned);
    let rows = ranges.iter().map(|range| {
        let number = |value: f64| Shown(value).to_string();
        [
            range.name.to_owned(),
            range.unit.to_owned(),
            number(range.least.0),
            number(range.least.1),
            number(range.largest.0),
            number(range.largest.1),
            number(range.end),
        ]
    });
    aligned(&std::iter::once(head).chain(rows).collect::<Vec<_>>(), [0, 1])
}
