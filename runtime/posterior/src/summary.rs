//! Summary of draws, as a table.

use std::fmt;

use serde::Serialize;

use crate::diagnostics;
use crate::samples::Samples;
use crate::summary_row::SummaryRow;
use crate::warning::Warning;

/// Estimates for every unknown, and how far to trust them; [`Display`](fmt::Display) prints a table, and the
/// warnings below.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// One row for each unknown.
    pub rows: Vec<SummaryRow>,
    /// Number of chains.
    pub chains: usize,
    /// Draws of each chain.
    pub draws: usize,
    /// Number of divergences after the warm-ups.
    pub divergences: usize,
    /// The energy fraction (E-BFMI) of each chain.
    pub energy_fractions: Vec<f64>,
    /// Number of gradients that all chains have taken, including the warm-ups.
    pub gradients: u64,
    /// Reasons to doubt the draws.
    pub warnings: Vec<Warning>,
}

impl Summary {
    fn of(samples: &Samples) -> Self {
        let row = |(index, name): (usize, &String)| {
            let draws = samples.at(index);
            SummaryRow {
                name: name.clone(),
                mean: diagnostics::mean(&draws),
                standard_deviation: diagnostics::standard_deviation(&draws),
                quantiles: [0.05, 0.5, 0.95].map(|part| diagnostics::quantile(&draws, part)),
                error_of_mean: diagnostics::error_of_mean(&draws),
                error_of_deviation: diagnostics::error_of_deviation(&draws),
                bulk: diagnostics::bulk(&draws),
                tail: diagnostics::tail(&draws),
                r_hat: diagnostics::r_hat(&draws),
            }
        };
        let chains = samples.chains();
        let fractions = chains.iter().map(|chain| diagnostics::energy_fraction(&chain.statistics.energy));
        let rows: Vec<SummaryRow> = samples.names().iter().enumerate().map(row).collect();
        let energy_fractions: Vec<f64> = fractions.collect();
        let warnings = Warning::all(samples, &rows, &energy_fractions);
        Self {
            rows,
            chains: chains.len(),
            draws: chains.first().map_or(0, |chain| chain.draws.len()),
            divergences: chains.iter().map(|chain| chain.divergences()).sum(),
            energy_fractions,
            gradients: chains.iter().map(|chain| chain.gradients()).sum(),
            warnings,
        }
    }

    /// Returns the row of the unknown with this name; `None` for an unknown name.
    pub fn row(&self, name: &str) -> Option<&SummaryRow> {
        self.rows.iter().find(|row| row.name == name)
    }
}

impl Samples {
    /// Summarises the draws: estimates for every unknown, how far to trust them, and reasons to doubt them.
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }
}

impl fmt::Display for Samples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heading = [
            "unknown",
            "mean",
            "std. deviation",
            "5 %",
            "50 %",
            "95 %",
            "error of mean",
            "ESS bulk",
            "ESS tail",
            "R-hat",
        ];
        let mut lines = vec![heading.map(str::to_owned)];
        for row in &self.rows {
            let [low, middle, high] = row.quantiles;
            // one more digit than the standard error determines
            let number = |value: f64| in_digits_of(value, row.error_of_mean);
            lines.push([
                row.name.clone(),
                number(row.mean),
                number(row.standard_deviation),
                number(low),
                number(middle),
                number(high),
                short(row.error_of_mean),
                whole(row.bulk),
                whole(row.tail),
                if row.r_hat.is_finite() { format!("{:.3}", row.r_hat) } else { "-".to_owned() },
            ]);
        }
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 10] = std::array::from_fn(width);
        for line in &lines {
            let mut text = format!("{:<width$}", line[0], width = widths[0]);
            for (cell, width) in line.iter().zip(widths).skip(1) {
                text += &format!("  {cell:>width$}");
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        write!(f, "{} chains of {} draws, {} gradient evaluations", self.chains, self.draws, self.gradients)?;
        self.warnings.iter().try_for_each(|warning| write!(f, "\nwarning: {warning}"))
    }
}

/// Formats a number to the digit after the first one of its error.
fn in_digits_of(value: f64, error: f64) -> String {
    if !(value.is_finite() && error.is_finite() && error > 0.0) {
        return short(value);
    }
    let last = error.log10().floor() as i32 - 1;
    match value.abs().log10().floor() as i32 {
        // plain notation for numbers that are neither very large nor very small
        first if (-4..7).contains(&first) && last > -12 => format!("{value:.*}", (-last).max(0) as usize),
        first => format!("{value:.*e}", (first - last).clamp(1, 12) as usize),
    }
}

fn short(value: f64) -> String {
    match value.is_finite() {
        false => "-".to_owned(),
        true if value == 0.0 => "0".to_owned(),
        true if (1e-3..1e4).contains(&value.abs()) => {
            let decimals = (1 - value.abs().log10().floor() as i32).max(0) as usize;
            format!("{value:.decimals$}")
        }
        true => format!("{value:.1e}"),
    }
}

fn whole(value: f64) -> String {
    if value.is_finite() { format!("{value:.0}") } else { "-".to_owned() }
}
