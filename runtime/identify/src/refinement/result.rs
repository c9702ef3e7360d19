//! The result of a refinement.

use std::fmt;

use serde::Serialize;

use costate_system::identifiers::Dynamic;
use costate_system::table::AnyTable;

use super::coverage::{Course, percent};
use super::search::FoundBreak;
use super::start::StartingTable;
use crate::estimation::deferred::distance;
use crate::result::fit::Fit;

/// Refined tables; [`Display`](fmt::Display) prints the improvement, and the fit.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Refined<M = Dynamic> {
    /// The fit with the final knots of the tables: their values and standard deviations are in its summary.
    pub fit: Fit<M>,
    /// Residuals of the measured outputs, with the guesses and with the refined tables.
    pub outputs: Vec<RefinedOutput>,
    /// Changes of the tables.
    pub tables: Vec<RefinedTable>,
    /// Breaks that were found, of curves in which breaks were sought.
    pub breaks: Vec<FoundBreak>,
    /// The fits, from few knots to all of them.
    pub stages: Vec<RefinedStage>,
    /// True if the model could not be simulated with the first guesses, so that the fits began with the
    /// [straight](super::StartingTable::or_straight) ones. `outputs` and `tables` then compare with the straight
    /// guesses.
    pub from_straight: bool,
    /// Shift of the unknowns by the errors of the steps, in units of the deviations that the noise leaves; `None`
    /// where steps are adaptive or the model could not be simulated with half of them.
    pub share_of_steps: Option<f64>,
}

/// The residuals of one measured output before and after the refinement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RefinedOutput {
    /// The experiment, if there are several.
    pub experiment: Option<String>,
    /// The output.
    pub output: &'static str,
    /// Root mean square of the residuals with the guesses, in percent of that of the measured values without their
    /// mean; `None` if the model cannot be simulated with the guesses.
    pub before_percent: Option<f64>,
    /// Root mean square of the residuals with the refined tables, in percent as `before_percent`: not less than the
    /// noise.
    pub after_percent: f64,
}

/// The change of one table by the refinement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RefinedTable {
    /// The table.
    pub table: &'static str,
    /// Number of values of the refined table.
    pub knots: usize,
    /// Root mean square change of the values, in percent of that of the values without their mean.
    pub change_percent: f64,
}

/// One of the successive fits of a refinement.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RefinedStage {
    /// Number of unknowns.
    pub unknowns: usize,
    /// The smallest step of the residuals in s; those of derivatives may be longer.
    pub step: f64,
    /// The end of the longest run in s.
    pub end: f64,
    /// Number of iterations.
    pub iterations: usize,
    /// Root mean square of the residuals of every measured output, as [`RefinedOutput::after_percent`].
    pub residual_percent: Vec<f64>,
}

/// Largest number of channels that are listed one by one.
const MAX_LISTED: usize = 6;

/// Formats many parts in percent by the smallest, the median and the largest.
fn in_words(parts: impl Iterator<Item = f64>) -> String {
    let mut parts: Vec<f64> = parts.collect();
    parts.sort_by(f64::total_cmp);
    let at = |part: f64| parts.get((part * (parts.len() - 1) as f64).round() as usize).copied().unwrap_or(f64::NAN);
    format!("{:.2} to {:.2} % (half of them below {:.2} %)", at(0.0), at(1.0), at(0.5))
}

impl Refined {
    /// Adds the type of the model.
    pub(super) fn tagged<N>(self) -> Refined<N> {
        let Self { fit, outputs, tables, breaks, stages, from_straight, share_of_steps } = self;
        Refined { fit: fit.tagged(), outputs, tables, breaks, stages, from_straight, share_of_steps }
    }
}

impl<M> fmt::Display for Refined<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from_straight {
            writeln!(f, "the model cannot be simulated with the first guess: the fits began with straight tables")?;
        }
        if self.outputs.len() > MAX_LISTED {
            let after = |output: &RefinedOutput| output.after_percent;
            let before = |output: &RefinedOutput| output.before_percent.unwrap_or(f64::INFINITY);
            let [before, after] = [in_words(self.outputs.iter().map(before)), in_words(self.outputs.iter().map(after))];
            let count = self.outputs.len();
            writeln!(
                f,
                "residuals of {count} channels, relative to the measured signals: {after}, with the guess {before}"
            )?;
        }
        let listed = if self.outputs.len() > MAX_LISTED { &[][..] } else { &self.outputs };
        for RefinedOutput { experiment, output, before_percent, after_percent } in listed {
            if let Some(experiment) = experiment {
                write!(f, "{experiment}, ")?;
            }
            write!(f, "{output}: residual {after_percent:.2} % of the measured signal, ")?;
            match before_percent {
                Some(before) => writeln!(f, "with the guess {before:.2} %")?,
                None => writeln!(f, "with the guess the model cannot be simulated")?,
            }
        }
        for RefinedTable { table, knots, change_percent } in &self.tables {
            writeln!(f, "{table}: {knots} values, changed by {change_percent:.2} %")?;
        }
        for found in &self.breaks {
            writeln!(f, "{found}")?;
        }
        for RefinedStage { unknowns, step, end, iterations, residual_percent } in &self.stages {
            let left = match residual_percent.len() > MAX_LISTED {
                true => in_words(residual_percent.iter().copied()),
                false => residual_percent.iter().map(|left| format!("{left:.2} %")).collect::<Vec<_>>().join(", "),
            };
            writeln!(
                f,
                "{unknowns} unknowns in steps of {step:.3e} s to {end:.3} s: {iterations} iterations, residual {left}"
            )?;
        }
        if let Some(share) = self.share_of_steps {
            writeln!(f, "step-size errors shift the unknowns by {share:.2} of the standard deviations due to noise")?;
        }
        write!(f, "{}", self.fit)
    }
}

/// Collects the residuals of every channel `before` and `after` the refinement.
pub(super) fn outputs(fit: &Fit, before: Option<&[Course]>, after: &[Course]) -> Vec<RefinedOutput> {
    let of_all =
        |courses: &[Course]| -> Vec<f64> { courses.iter().flat_map(|course| &course.channels).map(percent).collect() };
    let before = before.map(of_all);
    let measured = fit.summary().measurements.iter().zip(of_all(after)).enumerate();
    let output = measured.map(|(k, (measured, after_percent))| RefinedOutput {
        experiment: measured.experiment.clone(),
        output: measured.output,
        before_percent: before.as_ref().and_then(|all| all.get(k).copied()),
        after_percent,
    });
    output.collect()
}

/// Computes the changes of the tables from these `guesses`.
pub(super) fn changes(fit: &Fit, tables: &[StartingTable], guesses: &[AnyTable]) -> Vec<RefinedTable> {
    let change = |(table, guess): (&StartingTable, &AnyTable)| {
        let found = fit.tables().at(table.index)?;
        let (at_knots, found) = match (guess, found) {
            (AnyTable::Curve(guess), AnyTable::Curve(found)) => {
                (found.knots().iter().map(|x| guess.value(*x)).collect::<Vec<_>>(), found.values())
            }
            (AnyTable::Surface(guess), AnyTable::Surface(found)) => {
                let [x, y] = found.knots();
                let values = x.iter().flat_map(|x| y.iter().map(|y| guess.value(*x, *y)));
                (values.collect(), found.values())
            }
            _ => return None,
        };
        let mean = found.iter().sum::<f64>() / found.len().max(1) as f64;
        let level = vec![mean; found.len()];
        let change_percent = 100.0 * distance(&at_knots, &found) / distance(&level, &found);
        Some(RefinedTable { table: table.name(), knots: found.len(), change_percent })
    };
    tables.iter().zip(guesses).filter_map(change).collect()
}
