//! Ranges of the outputs of a run: least and largest values with the times, and the values at the end.

use costate::command::shown::Shown;
use costate::simulate::Run;
use serde::Serialize;

/// One output over a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Range {
    name: &'static str,
    unit: &'static str,
    least: f64,
    /// The time of the least value in s.
    least_time: f64,
    largest: f64,
    largest_time: f64,
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
        let (least, least_time) = extreme(|value, found| value < found);
        let (largest, largest_time) = extreme(|value, found| value > found);
        Self {
            name,
            unit,
            least,
            least_time,
            largest,
            largest_time,
            start: values.first().copied().unwrap_or(f64::NAN),
            end: values.last().copied().unwrap_or(f64::NAN),
            rms: (squares / values.len().max(1) as f64).sqrt(),
        }
    }
}

/// Returns the table of the ranges; empty without any.
pub fn table(ranges: &[Range]) -> String {
    if ranges.is_empty() {
        return String::new();
    }
    // NaN says nothing beside other numbers
    let (numbers, others): (Vec<&Range>, Vec<&Range>) = ranges
        .iter()
        .partition(|range| [range.least, range.largest, range.end, range.rms].iter().all(|x| x.is_finite()));
    let others: String = others.iter().map(|range| format!("{}: not finite along the run\n", range.name)).collect();
    if numbers.is_empty() {
        return others;
    }
    let rows = numbers.iter().map(|range| {
        let Range { name, unit, least, least_time, largest, largest_time, end, .. } = **range;
        let [least, least_time, largest, largest_time, end] =
            [least, least_time, largest, largest_time, end].map(|value| Shown(value).to_string());
        [name.to_owned(), unit.to_owned(), least, least_time, largest, largest_time, end]
    });
    crate::table::table(["output", "unit", "least", "at s", "largest", "at s", "end"], rows, [0, 1]) + &others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_not_in_the_table() {
        let times = [0.0, 0.1, 0.2];
        let right = Range::of("x", "m", &times, &[1.0, 3.0, 2.0]);
        let wrong = Range::of("y", "m", &times, &[1.0, f64::NAN, f64::INFINITY]);
        let text = table(&[right, wrong.clone()]);
        assert!(text.contains("x       m") && text.ends_with("y: not finite along the run\n"), "{text}");
        assert_eq!(table(&[wrong]), "y: not finite along the run\n");
    }
}
