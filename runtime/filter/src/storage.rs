//! The amount of data that a run keeps.

/// The data that a run keeps of each sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Storage {
    /// States, and predicted and corrected measurements.
    Means,
    /// Covariances as well.
    #[default]
    Covariances,
    /// Covariances, and the data of a smoother: gains (KE 1.49), factors of the remaining covariances, and
    /// predicted means.
    Gains,
}
