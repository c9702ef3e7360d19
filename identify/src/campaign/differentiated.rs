//! What a simulation of an experiment leaves.

use crate::gradient::Accuracy;
use crate::series::Series;

/// A run with its derivatives.
pub(crate) struct Differentiated {
    pub outputs: Series<f64>,
    /// By each unknown parameter of the experiment, with its index among all unknowns.
    pub derivatives: Vec<(usize, Series<f64>)>,
    /// `None` for a run with checkpoints.
    pub accuracy: Option<Accuracy>,
    /// The parts into which the steps of the outputs are divided, beside those of derivatives and accuracy.
    pub parts: usize,
}
