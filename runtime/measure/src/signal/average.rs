//! Means of repetitions, sample by sample.

use crate::record::{Record, RecordError};
use crate::signal::SignalError;

/// The mean of repetitions and their scatter.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Averaged {
    /// Mean of the known samples of all repetitions; missing where all are missing.
    pub mean: Record,
    /// Standard deviation of single repetitions at each sample; missing where fewer than two are known. That of the
    /// mean is smaller by the root of their number.
    pub deviation: Record,
    /// Number of repetitions.
    pub repetitions: usize,
}

/// Averages repetitions that have the same times and channels, such as the pieces of a [`cut`](crate::signal::cut).
///
/// In a fit, the mean of n repetitions counts as one record with errors smaller by the root of n, if the excitation was
/// the same each time. What differs between repetitions, such as friction or a start, is averaged as well: where
/// [`Averaged::deviation`] exceeds the noise, fit them as experiments of their own.
///
/// # Errors
/// [`SignalError::Short`] for fewer than two repetitions, [`SignalError::Repetition`] where times, channels or units
/// differ.
pub fn averaged(repetitions: &[Record]) -> Result<Averaged, SignalError> {
    let (Some(first), true) = (repetitions.first(), repetitions.len() > 1) else {
        let record = repetitions.first().map_or("no record", Record::name);
        return Err(SignalError::short(record, "a mean of repetitions", repetitions.len(), 2));
    };
    for (index, other) in repetitions.iter().enumerate() {
        let refused = |what| Err(SignalError::Repetition { index, record: other.name().to_owned(), what });
        let shortest = first
            .times()
            .windows(2)
            .map(|pair| pair.iter().rev().copied().reduce(|b, a| b - a).unwrap_or(0.0))
            .fold(f64::INFINITY, f64::min);
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * shortest.min(1e300);
        if first.times().len() != other.times().len() || !first.times().iter().zip(other.times()).all(near) {
            return refused("times");
        }
        if !first.channels().iter().map(|c| c.name()).eq(other.channels().iter().map(|c| c.name())) {
            return refused("channels");
        }
        if !first.channels().iter().map(|c| c.unit()).eq(other.channels().iter().map(|c| c.unit())) {
            return refused("units");
        }
    }
    let samples = first.times().len();
    let (mut means, mut deviations) = (Vec::new(), Vec::new());
    for channel in first.channels() {
        let all: Vec<&[f64]> = repetitions
            .iter()
            .map(|record| Ok(record.channel(channel.name())?.values()))
            .collect::<Result<_, RecordError>>()?;
        let known = |sample: usize| {
            all.iter().filter_map(move |values| values.get(sample).copied()).filter(|value| !value.is_nan())
        };
        let mean = |sample: usize| {
            let (count, sum) = known(sample).fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
            (count, sum / count)
        };
        let deviation = |sample: usize| {
            let (count, mean) = mean(sample);
            let squares: f64 = known(sample).map(|value| (value - mean).powi(2)).sum();
            if count > 1.0 { (squares / (count - 1.0)).sqrt() } else { f64::NAN }
        };
        let (name, unit) = (channel.name().to_owned(), channel.unit().map(str::to_owned));
        means.push((name.clone(), unit.clone(), (0..samples).map(|sample| mean(sample).1).collect()));
        deviations.push((name, unit, (0..samples).map(deviation).collect()));
    }
    let name = format!("mean of {} repetitions of {}", repetitions.len(), first.name());
    let mean = first.with_times(first.times().to_vec(), means)?.named(&name);
    let deviation = first.with_times(first.times().to_vec(), deviations)?.named(format!("deviations of the {name}"));
    Ok(Averaged { mean, deviation, repetitions: repetitions.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(values: Vec<f64>) -> Result<Record, SignalError> {
        Ok(Record::new(vec![0.0, 0.1, 0.2])?.with_channel("x", Some("m"), values)?)
    }

    #[test]
    fn means_and_deviations_are_those_of_known_samples() -> Result<(), SignalError> {
        let all = [record(vec![1.0, 2.0, f64::NAN])?, record(vec![3.0, 2.0, 5.0])?, record(vec![5.0, 5.0, f64::NAN])?];
        let made = averaged(&all)?;
        assert_eq!(made.mean.channel("x")?.values(), [3.0, 3.0, 5.0]);
        let deviation = made.deviation.channel("x")?;
        assert_eq!((deviation.values()[0], deviation.unit()), (2.0, Some("m")));
        assert!((deviation.values()[1] - 3.0_f64.sqrt()).abs() < 1e-15 && deviation.values()[2].is_nan());
        assert!(matches!(averaged(&all[..1]), Err(SignalError::Short { .. })));
        let other = Record::new(vec![0.0, 0.1, 0.3])?.with_channel("x", Some("m"), vec![0.0; 3])?;
        assert!(matches!(
            averaged(&[all[0].clone(), other]),
            Err(SignalError::Repetition { index: 1, what: "times", .. })
        ));
        let other = Record::new(vec![0.0, 0.1, 0.2])?.with_channel("x", Some("mm"), vec![0.0; 3])?;
        assert!(matches!(averaged(&[all[0].clone(), other]), Err(SignalError::Repetition { what: "units", .. })));
        Ok(())
    }
}
