//! How much of a run stays.

/// What a run keeps of each sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Keep {
    /// States, and predicted and corrected measurements.
    Means,
    /// Covariances as well.
    #[default]
    Covariances,
    /// And what a smoother needs: gains (KE 1.49), factors of what they leave, and predicted means.
    Gains,
}
