//! The outputs of a simulation of an experiment, with derivatives and accuracy.

use costate_system::gradient::Accuracy;
use costate_system::series::Series;

/// A run with its derivatives.
pub(crate) struct LinearizedRun {
    pub outputs: Series<f64>,
    /// Derivatives of the outputs by each unknown parameter of the experiment, with the index of the parameter among
    /// all unknowns.
    pub derivatives: Vec<(usize, Series<f64>)>,
    /// Estimated accuracy of the outputs; `None` for a run with checkpoints.
    pub accuracy: Option<Accuracy>,
    /// Number of parts into which the steps of the outputs are divided; steps of derivatives and accuracy are not.
    pub parts: usize,
}

impl LinearizedRun {
    /// Numbers of a prediction that are not differentiated.
    pub fn without_derivatives(outputs: Series<f64>) -> Self {
        Self { outputs, derivatives: Vec::new(), accuracy: None, parts: 1 }
    }

    /// Returns the power of the step with which the errors of all these runs fall at least.
    pub fn order_of(runs: &[Self]) -> u32 {
        let orders = runs.iter().filter_map(|run| Some(run.accuracy.as_ref()?.order));
        orders.min().unwrap_or(1)
    }
}
