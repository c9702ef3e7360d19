//! The cost of a run: the trait that costs implement, with the methods that fits and reports need.

mod compared_line;
mod form;
mod residuals;

use std::fmt::Debug;

use costate_measure::record::AssumedUnit;
use costate_numerics::scalar::Dual;

use crate::series::Series;

pub use compared_line::{ComparedLine, explained_percent};
pub use form::SpectrumForm;
pub use residuals::Residuals;

/// A cost J(s_0, ..., s_N) of the outputs at the steps of a run.
///
/// `outputs` and `gradient` have N + 1 samples of all outputs of the model. A cost that does not [fit](Cost::fits) them
/// is NaN, and so is its gradient.
pub trait Cost: Send + Sync + Debug {
    /// Evaluates J.
    fn value(&self, outputs: &Series<f64>) -> f64;

    /// Evaluates J with its derivative in the direction that the outputs carry.
    fn value_dual(&self, outputs: &Series<Dual>) -> Dual;

    /// Adds dJ/ds_i to `gradient`, for every sample i and every output.
    fn add_gradient(&self, outputs: &Series<f64>, gradient: &mut Series<f64>);

    /// Returns dJ/ds_i for every sample i and every output, the argument of a
    /// [`gradient`](crate::gradient::gradient()).
    fn output_gradient(&self, outputs: &Series<f64>) -> Series<f64> {
        let mut gradient = Series::zeros(outputs.step(), outputs.width(), outputs.samples());
        self.add_gradient(outputs, &mut gradient);
        gradient
    }

    /// Evaluates the residuals of a cost that is a weighted sum of squares, with their derivatives in the
    /// direction that the outputs carry. Gauss-Newton steps and standard deviations of the found parameters
    /// are computed from residuals; `None`, the default, for other costs.
    fn residuals(&self, outputs: &Series<Dual>) -> Option<Residuals> {
        let _ = outputs;
        None
    }

    /// Returns true if the cost has [residuals](Self::residuals) for every run that it fits: fits then use
    /// least squares by default.
    fn has_residuals(&self) -> bool {
        false
    }

    /// Returns the outputs whose course in time the cost compares with a measurement, each as often as it is
    /// compared, by their positions in a row of outputs: an identification takes no output twice. By default
    /// none.
    fn outputs_in_time(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Checks whether the cost belongs to runs of `samples` = N + 1 samples of `width` outputs with
    /// `step` = h in s; by default it belongs to any run.
    fn fits(&self, step: f64, samples: usize, width: usize) -> bool {
        let _ = (step, samples, width);
        true
    }

    /// Returns the measured channels without a unit, which are taken in the outputs' units; by default none.
    fn assumed_units(&self) -> Vec<AssumedUnit> {
        Vec::new()
    }

    /// Returns a name for tables and messages, such as `spectrum of twist`; by default that of the type.
    fn name(&self) -> String {
        let path = std::any::type_name::<Self>();
        let of_type = path.split('<').next().unwrap_or(path);
        of_type.rsplit("::").next().unwrap_or(of_type).to_owned()
    }

    /// Returns the measured lines of spectra next to those of a run with these outputs; by default none.
    fn lines(&self, outputs: &Series<f64>) -> Vec<ComparedLine> {
        let _ = outputs;
        Vec::new()
    }
}
