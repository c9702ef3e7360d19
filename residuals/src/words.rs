//! Verdicts in words.

use std::fmt;

use crate::band::Band;
use crate::verdict::{Contradiction, Finding, Judgement, Untested, Verdict};

/// Least probability that is written as a number.
const LEAST: f64 = 1e-300;

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { channels, tests, levels, .. } = self;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        match self.judgement {
            Judgement::Sufficient => {
                let (of_channels, of_tests) = (plural(*channels), plural(*tests));
                let level = levels.insufficient;
                write!(
                    f,
                    "the model is sufficient: no test contradicts it ({channels} channel{of_channels}, {tests} "
                )?;
                write!(f, "test{of_tests}, level {level} in total)")?;
            }
            Judgement::Doubtful if *channels == 0 => {
                write!(f, "the model is doubtful: there are no residuals")?
            }
            Judgement::Doubtful => write!(f, "the model is doubtful:")?,
            Judgement::Insufficient => write!(f, "the model is insufficient:")?,
        }
        for finding in &self.findings {
            write!(f, "\n{finding}")?;
        }
        for untested in &self.untested {
            write!(f, "\n{untested}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        of_channel(f, &self.channel, self.experiment.as_deref())?;
        match &self.contradiction {
            Contradiction::NotWhite => write!(f, " are not white noise")?,
            Contradiction::TooLarge => write!(f, " are larger than their standard deviations")?,
            Contradiction::FollowInput { input } => write!(f, " are correlated with the input `{input}`")?,
        }
        for (at, band) in self.bands.iter().enumerate() {
            let separator = match at {
                0 => "",
                _ if at + 1 == self.bands.len() => " and",
                _ => ",",
            };
            write!(f, "{separator} {band}")?;
        }
        if self.p_value < LEAST {
            write!(f, " (p < {LEAST:e})")?;
        } else {
            write!(f, " (p = {:.0e})", self.p_value)?;
        }
        let place = if self.bands.is_empty() { "" } else { " there" };
        match (&self.contradiction, self.certain) {
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

/// A frequency with three digits, or all before the point.
fn three_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-3..1e6).contains(&value) {
        return format!("{value:.2e}");
    }
    let digits = (2.0 - value.log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.digits$}");
    if digits == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}
