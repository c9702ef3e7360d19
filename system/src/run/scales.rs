//! What the errors of a run are compared with.

/// What the errors of a run are compared with.
#[derive(Debug, Clone, Default)]
pub struct Scales {
    /// The range of every number of the state.
    pub ranges: Vec<f64>,
    /// What every output reaches.
    pub reached: Vec<f64>,
    /// Whether an output depends on velocities by more than a factor.
    pub is_curved: Vec<bool>,
    /// The range of every coordinate, or the least one that counts.
    pub counting: Vec<f64>,
}

impl Scales {
    /// The range of coordinate j, or the least one that counts.
    pub fn counting_range(&self, j: usize) -> f64 {
        self.counting.get(j).copied().unwrap_or_default()
    }
}
