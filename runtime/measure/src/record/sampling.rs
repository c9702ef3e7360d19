//! The clock of a channel: its rate, its jitter and its gaps.

use std::fmt;

use costate_contract::shown::Exact;
use serde::Serialize;

use super::even::interval_beside_gaps;
use super::gaps::usual_period;
use super::{Gap, Record, RecordError, interval};

/// Sampling of a channel, from [`Record::sampling`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Sampling {
    /// Number of samples, without missing ones.
    pub samples: usize,
    /// The usual interval in s, which the samples of a clock have in the mean; `None` for a single sample.
    pub interval: Option<f64>,
    /// Root mean square of the deviations of the intervals from the usual one in s, without gaps: jitter, rounded
    /// stamps and stamps in pairs.
    pub jitter: f64,
    /// The gaps, also those at the beginning and the end of the record.
    pub gaps: Vec<Gap>,
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sample{}", self.samples, if self.samples == 1 { "" } else { "s" })?;
        if let Some(interval) = self.interval {
            let rounded = |value: f64| format!("{value:.5e}").parse().unwrap_or(value);
            write!(f, ", one every {} s", Exact(rounded(interval)))?;
            let percent = 100.0 * self.jitter / interval;
            if percent >= 0.01 {
                write!(f, " with a jitter of {percent:.2} %")?;
            }
        }
        match &*self.gaps {
            [] => Ok(()),
            [gap] => write!(f, ", a gap {gap}"),
            [first, ..] => write!(f, ", {} gaps, the first {first}", self.gaps.len()),
        }
    }
}

impl Record {
    /// Sampling of the channel with this name, which may be slower than that of others in the record.
    ///
    /// ```
    /// # use costate_measure::record::Record;
    /// let times: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.01).collect();
    /// let slow = (0..100).map(|i| if i % 5 == 0 { 1.0 } else { f64::NAN }).collect();
    /// let record = Record::new(times)?.with_channel("temperature", None, slow)?;
    /// assert_eq!(record.sampling("temperature")?.to_string(), "20 samples, one every 0.05 s");
    /// # Ok::<(), costate_measure::record::RecordError>(())
    /// ```
    ///
    /// # Errors
    /// [`RecordError::MissingChannel`], [`RecordError::NoValues`] if all samples are missing.
    pub fn sampling(&self, channel: &str) -> Result<Sampling, RecordError> {
        let samples = self.samples(channel)?;
        let times = &samples.times;
        let gaps: Vec<usize> = self.gaps_among(times).into_iter().map(|gap| gap.after).collect();
        let usual = interval(times).or_else(|| interval_beside_gaps(times, &gaps)).or_else(|| usual_period(times));
        let mut gaps = gaps.into_iter().peekable();
        let (mut sum, mut count) = (0.0, 0_usize);
        for (index, pair) in times.windows(2).enumerate() {
            if gaps.next_if_eq(&index).is_none()
                && let ([from, to], Some(usual)) = (pair, usual)
            {
                sum += (to - from - usual).powi(2);
                count += 1;
            }
        }
        let jitter = (sum / count.max(1) as f64).sqrt();
        Ok(Sampling { samples: times.len(), interval: usual, jitter, gaps: samples.gaps })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampling(times: Vec<f64>) -> Sampling {
        let count = times.len();
        Record::new(times).unwrap().with_channel("x", None, vec![1.0; count]).unwrap().sampling("x").unwrap()
    }

    #[test]
    fn clocks_have_a_rate_and_a_jitter() {
        let mut missing: Vec<f64> = (0..1000).map(|i| f64::from(i) * 1e-3).collect();
        missing.drain(300..310);
        let found = sampling(missing);
        assert!((found.interval.unwrap() - 1e-3).abs() < 1e-15 && found.jitter < 1e-12 && found.gaps.len() == 1);
        let rounded = sampling((0..1000).map(|i| (f64::from(i) / 0.45).round() / 1e3).collect());
        assert!((rounded.interval.unwrap() * 450.0 - 1.0).abs() < 0.02, "{rounded}");
        assert!(rounded.jitter > 0.3e-3 && rounded.jitter < 0.5e-3 && rounded.gaps.is_empty(), "{rounded}");
        let pairs = sampling((0..1000).map(|i| 5e-3 * f64::from(i) + f64::from(i % 2) * 3e-3).collect());
        assert!((pairs.interval.unwrap() - 5e-3).abs() < 1e-12 && (pairs.jitter - 3e-3).abs() < 1e-6);
        let single = sampling(vec![3.0]);
        assert_eq!((single.interval, single.to_string()), (None, "1 sample".to_owned()));
    }
}
