//! All measurements with their totals.

use serde::Serialize;

use crate::measure::NistRow;

/// What is written.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The problems of NIST.
    pub nist: Vec<NistRow>,
    /// What they amount to.
    pub totals: Totals,
}

/// What the problems amount to.
#[derive(Debug, Serialize)]
pub struct Totals {
    /// Problems of NIST times starts.
    pub nist: usize,
    /// How many had all parameters within 1e-6 of the certified ones.
    pub within_1e_6: usize,
    /// How many had them within 1e-4.
    pub within_1e_4: usize,
    /// How many had all standard deviations within 1e-4 of the certified ones.
    pub deviations_within_1e_4: usize,
    /// Iterations of all of them.
    pub nist_iterations: usize,
    /// Evaluations of all of them.
    pub nist_evaluations: usize,
}

impl Report {
    /// A report of these measurements.
    pub fn new(nist: Vec<NistRow>) -> Self {
        let within =
            |limit: f64, error: fn(&NistRow) -> f64| nist.iter().filter(|row| error(row) <= limit).count();
        let totals = Totals {
            nist: nist.len(),
            within_1e_6: within(1e-6, |row| row.worst_relative_error),
            within_1e_4: within(1e-4, |row| row.worst_relative_error),
            deviations_within_1e_4: within(1e-4, |row| row.worst_deviation_error),
            nist_iterations: nist.iter().map(|row| row.effort.iterations).sum(),
            nist_evaluations: nist.iter().map(|row| row.effort.evaluations).sum(),
        };
        Self { nist, totals }
    }
}
