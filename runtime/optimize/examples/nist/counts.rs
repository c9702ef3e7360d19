//! Evaluation counts of MINPACK and of a trust-region reflective method for the same problems, as measured by
//! `minpack.py`.

use serde::Deserialize;

/// The counts of all problems.
#[derive(Debug, Deserialize)]
pub struct Counts {
    /// The problems of NIST.
    pub nist: Vec<Row>,
    /// The problems of More, Garbow and Hillstrom.
    pub mgh: Vec<Row>,
}

/// Counts for a problem from one of its starts.
#[derive(Debug, Deserialize)]
pub struct Row {
    problem: String,
    start: f64,
    /// `lmder` of MINPACK.
    pub minpack: Count,
    /// The trust-region reflective method of SciPy.
    pub trf: Count,
}

/// Evaluations of one method.
#[derive(Debug, Deserialize)]
pub struct Count {
    /// Evaluations of the derivatives: one for every iteration and one at the start.
    pub njev: usize,
}

impl Counts {
    /// The counts that come with this package.
    ///
    /// # Errors
    /// If the file has another form.
    pub fn shipped() -> serde_json::Result<Self> {
        serde_json::from_str(include_str!("../../data/minpack_counts.json"))
    }
}

/// The evaluations of the derivatives by MINPACK and by the trust-region reflective method, as cells of a table.
pub fn cells(rows: &[Row], problem: &str, start: f64) -> [String; 2] {
    match rows.iter().find(|row| row.problem == problem && row.start == start) {
        Some(row) => [row.minpack.njev.to_string(), row.trf.njev.to_string()],
        None => ["-", "-"].map(str::to_owned),
    }
}

/// Sums the evaluations of the derivatives of both methods.
pub fn total(rows: &[Row]) -> String {
    let sum = |count: fn(&Row) -> usize| rows.iter().map(count).sum::<usize>();
    format!("MINPACK {}, trf {} evaluations of the derivatives", sum(|row| row.minpack.njev), sum(|row| row.trf.njev))
}
