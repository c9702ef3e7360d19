//! The scales of the errors of a run.

/// The scales that the errors of a run are compared with.
#[derive(Debug, Clone, Default)]
pub struct Scales {
    /// The range of every number of the state.
    pub ranges: Vec<f64>,
    /// The range that every output would have if the contributions of all entries of the state added up.
    pub reached: Vec<f64>,
    /// True if an output is no linear function of velocities.
    pub is_curved: Vec<bool>,
    /// The range of every coordinate, or the least one that counts.
    pub counting: Vec<f64>,
}

impl Scales {
    /// Returns the range of coordinate j, or the least one that counts.
    pub fn counting_range(&self, j: usize) -> f64 {
        self.counting.get(j).copied().unwrap_or_default()
    }
}
