//! Repetitions of the campaign with other noise: are the standard deviations right?

use std::fmt;

use anyhow::Result;
use costate::identify::residuals::Judgement;
use costate::simulate::Interrupt;
use costate_examples::{Table, rms};

use crate::Options;
use crate::bench::{identification, measure, truth};

/// Scatter of the found values.
pub struct Repetitions {
    campaigns: usize,
    sufficient: usize,
    insufficient: usize,
    unknowns: Vec<Scatter>,
}

/// Distances of the found values of one unknown from the truth, in reported standard deviations.
struct Scatter {
    name: String,
    scores: Vec<f64>,
}

/// Repeats the campaign with the seeds after the one of the options.
pub fn repeat(options: &Options) -> Result<Repetitions> {
    let mut all = Repetitions { campaigns: 0, sufficient: 0, insufficient: 0, unknowns: Vec::new() };
    for seed in (options.seed + 1..).take(options.repetitions) {
        let measured = measure(options.noise, seed, None)?;
        let fit = identification(&measured, true, Interrupt::new()).run()?;
        let summary = fit.summary();
        let judgement = summary.verdict.as_ref().map(|verdict| verdict.judgement);
        all.campaigns += 1;
        all.sufficient += usize::from(judgement == Some(Judgement::Sufficient));
        all.insufficient += usize::from(judgement == Some(Judgement::Insufficient));
        for (k, fitted) in summary.parameters.iter().enumerate() {
            let Some(truth) = truth(&fitted.quantity, fitted.of.as_deref()) else { continue };
            if all.unknowns.len() <= k {
                all.unknowns.push(Scatter { name: fitted.name.clone(), scores: Vec::new() });
            }
            all.unknowns[k].scores.push((fitted.found - truth) / fitted.standard_deviation);
        }
    }
    Ok(all)
}

impl fmt::Display for Repetitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} further campaigns: the model is sufficient in {}, insufficient in {}",
            self.campaigns, self.sufficient, self.insufficient
        )?;
        let beyond = |scores: &[f64]| scores.iter().filter(|score| score.abs() > 3.0).count();
        let headings = ["unknown", "scatter / reported std. deviation", "errors beyond 3 std. deviations"];
        let table = self.unknowns.iter().fold(Table::new(headings), |table, Scatter { name, scores }| {
            table.row([name.clone(), format!("{:.2}", rms(scores)), beyond(scores).to_string()])
        });
        write!(f, "{table}")?;
        let all: usize = self.unknowns.iter().map(|unknown| unknown.scores.len()).sum();
        let far: usize = self.unknowns.iter().map(|unknown| beyond(&unknown.scores)).sum();
        write!(f, "{far} of {all} errors beyond 3 standard deviations")
    }
}
