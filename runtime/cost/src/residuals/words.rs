//! Verdicts in words.

use std::fmt;

use crate::residuals::band::Band;
use crate::residuals::digits::{four_digits, three_digits};
use crate::residuals::outliers::Outliers;
use crate::residuals::verdict::{Contradiction, Finding, Judgement, Untested, Verdict};

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { channels, tests, levels, .. } = self;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        match self.judgement {
            _ if !self.suspicions.is_empty() => {
                write!(f, "the fit says nothing about the model yet, and its deviations mean nothing:")?
            }
            Judgement::Sufficient => {
                let (of_channels, of_tests) = (plural(*channels), plural(*tests));
                let level = levels.insufficient;
                write!(
                    f,
                    "the model is sufficient: no test contradicts it ({channels} channel{of_channels}, {tests} "
                )?;
                write!(f, "test{of_tests}, level {level} in total)")?;
            }
            Judgement::Doubtful if *channels == 0 => write!(f, "the model is doubtful: there are no residuals")?,
            Judgement::Doubtful => write!(f, "the model is doubtful:")?,
            Judgement::Insufficient => write!(f, "the model is insufficient:")?,
        }
        for suspicion in &self.suspicions {
            write!(f, "\n{suspicion}")?;
        }
        for finding in &self.findings {
            write!(f, "\n{finding:#}")?;
            if self.suspicions.is_empty() {
                finding.conclude(f)?;
            }
        }
        for untested in &self.untested {
            write!(f, "\n{untested}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Finding {
    /// Writes the finding with the conclusion from it; without the conclusion where the alternate form is asked for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Least probability that is written as a number.
        const MIN_SHOWN_PROBABILITY: f64 = 1e-300;
        of_channel(f, &self.channel, self.experiment.as_deref())?;
        match &self.contradiction {
            Contradiction::NotWhite => write!(f, " are not white noise")?,
            Contradiction::TooLarge => write!(f, " are larger than their standard deviations")?,
            Contradiction::NotNormal => write!(f, " are not normal")?,
            Contradiction::FollowInput { input } => write!(f, " are correlated with the input `{input}`")?,
        }
        write_bands(f, &self.bands)?;
        if let Some(outliers) = &self.outliers {
            return write!(f, ": {outliers}");
        }
        if self.p_value < MIN_SHOWN_PROBABILITY {
            write!(f, " (p < {MIN_SHOWN_PROBABILITY:e})")?;
        } else {
            write!(f, " (p = {:.0e})", self.p_value)?;
        }
        if f.alternate() { Ok(()) } else { self.conclude(f) }
    }
}

impl Finding {
    /// Writes what follows from the finding.
    fn conclude(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.bands.is_empty() { "" } else { " there" };
        match (&self.contradiction, self.certain) {
            (Contradiction::NotNormal, _) => Ok(()),
            (Contradiction::NotWhite, true) => write!(f, ": the model is incomplete{place}"),
            (Contradiction::NotWhite, false) => write!(f, ": the model may be incomplete{place}"),
            (Contradiction::TooLarge, true) => {
                write!(f, ": the model is incomplete, or the given deviations are too small")
            }
            (Contradiction::TooLarge, false) => {
                write!(f, ": the model may be incomplete, or the given deviations too small")
            }
            (Contradiction::FollowInput { .. }, true) => {
                write!(f, ": its effect is modelled wrongly{place}")
            }
            (Contradiction::FollowInput { .. }, false) => {
                write!(f, ": its effect may be modelled wrongly{place}")
            }
        }
    }
}

impl fmt::Display for Outliers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, samples, share, times, .. } = self;
        let (plural, have) = if *count == 1 { ("", "has") } else { ("s", "have") };
        write!(
            f,
            "{count} outlier{plural} among {samples} samples {have} {:.0} % of their sum of squares, ",
            100.0 * share
        )?;
        let times: Vec<String> = times.iter().map(|time| four_digits(*time)).collect();
        let worst = if *count > times.len() { "the worst at" } else { "at" };
        write!(f, "{worst} {} s: leave them out, or take a robust loss, such as Huber's", times.join(", "))
    }
}

impl fmt::Display for Untested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        of_channel(f, &self.channel, self.experiment.as_deref())?;
        write!(f, " are not tested: {}", self.reason)
    }
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "between {} and {} Hz", three_digits(self.from), three_digits(self.to))
    }
}

fn of_channel(f: &mut fmt::Formatter<'_>, channel: &str, experiment: Option<&str>) -> fmt::Result {
    write!(f, "residuals of `{channel}`")?;
    experiment.map_or(Ok(()), |experiment| write!(f, " in `{experiment}`"))
}

/// Writes the bands with the largest shares of the residuals' mean square, by increasing frequency.
fn write_bands(f: &mut fmt::Formatter<'_>, bands: &[Band]) -> fmt::Result {
    /// Most frequency bands that a line names: more cannot be read.
    const MAX_NAMED_BANDS: usize = 3;
    let mut largest: Vec<&Band> = bands.iter().collect();
    largest.sort_by(|a, b| b.share.total_cmp(&a.share));
    let others: f64 = largest.iter().skip(MAX_NAMED_BANDS).map(|band| band.share).sum();
    largest.truncate(MAX_NAMED_BANDS);
    largest.sort_by(|a, b| a.from.total_cmp(&b.from));
    for (at, band) in largest.iter().enumerate() {
        let separator = match at {
            0 => "",
            _ if at + 1 == bands.len() => " and",
            _ => ",",
        };
        write!(f, "{separator} {band}")?;
    }
    match bands.len().saturating_sub(MAX_NAMED_BANDS) {
        0 => Ok(()),
        more => {
            let of = if more == 1 { "one more band" } else { "further bands" };
            let count = if more == 1 { String::new() } else { format!("{more} ") };
            write!(f, " and in {count}{of} with {:.0} % of their mean square", 100.0 * others)
        }
    }
}
