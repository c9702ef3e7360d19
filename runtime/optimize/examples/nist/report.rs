//! All measurements with their totals.

use serde::Serialize;

use crate::measure::{MghRow, NistRow, Reached};

/// The report that is written as JSON.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The problems of NIST.
    pub nist: Vec<NistRow>,
    /// The problems of More, Garbow and Hillstrom.
    pub mgh: Vec<MghRow>,
    /// Totals over all problems.
    pub totals: Totals,
}

/// Totals over all problems.
#[derive(Debug, Serialize)]
pub struct Totals {
    /// Problems of NIST times starts.
    pub nist: usize,
    /// Number of these with all parameters within 1e-6 of the certified ones.
    pub within_1e_6: usize,
    /// Number of these with all parameters within 1e-4 of the certified ones.
    pub within_1e_4: usize,
    /// Number of these with all standard deviations within 1e-4 of the certified ones.
    pub deviations_within_1e_4: usize,
    /// Iterations for the problems of NIST.
    pub nist_iterations: usize,
    /// Evaluations of the cost for the problems of NIST.
    pub nist_evaluations: usize,
    /// Problems of More, Garbow and Hillstrom times starts.
    pub mgh: usize,
    /// Number of these that ended at the global minimum.
    pub mgh_global: usize,
    /// Number of these that ended at another known minimum.
    pub mgh_local: usize,
    /// Iterations for the problems of More, Garbow and Hillstrom.
    pub mgh_iterations: usize,
    /// Evaluations of the cost for the problems of More, Garbow and Hillstrom.
    pub mgh_evaluations: usize,
}

impl Report {
    /// Makes a report of these measurements.
    pub fn new(nist: Vec<NistRow>, mgh: Vec<MghRow>) -> Self {
        let within = |limit: f64, error: fn(&NistRow) -> f64| nist.iter().filter(|row| error(row) <= limit).count();
        let ended = |at: Reached| mgh.iter().filter(|row| row.reached == at).count();
        let totals = Totals {
            nist: nist.len(),
            within_1e_6: within(1e-6, |row| row.worst_relative_error),
            within_1e_4: within(1e-4, |row| row.worst_relative_error),
            deviations_within_1e_4: within(1e-4, |row| row.worst_deviation_error),
            nist_iterations: nist.iter().map(|row| row.effort.iterations).sum(),
            nist_evaluations: nist.iter().map(|row| row.effort.evaluations).sum(),
            mgh: mgh.len(),
            mgh_global: ended(Reached::Global),
            mgh_local: ended(Reached::Local),
            mgh_iterations: mgh.iter().map(|row| row.effort.iterations).sum(),
            mgh_evaluations: mgh.iter().map(|row| row.effort.evaluations).sum(),
        };
        Self { nist, mgh, totals }
    }
}
