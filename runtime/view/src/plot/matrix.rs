//! Matrices, as of correlations.

/// A matrix with names of its rows and columns, whose entries are shown by colours from blue (the lowest value) over
/// white to orange.
#[derive(Debug, Clone)]
pub struct Matrix {
    pub(crate) names: Vec<String>,
    pub(crate) rows: Vec<Vec<f64>>,
    /// The value with the strongest colour.
    pub(crate) limit: f64,
}

impl Matrix {
    /// A square matrix of correlations, from -1 to 1, by rows. Entries that are not finite, and rows or entries that
    /// are missing, are left grey.
    pub fn correlation<N: Into<String>>(names: impl IntoIterator<Item = N>, rows: Vec<Vec<f64>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), rows, limit: 1.0 }
    }

    /// The strongest colours are at this value and minus this value.
    #[must_use]
    pub fn limit(mut self, limit: f64) -> Self {
        self.limit = limit;
        self
    }
}
