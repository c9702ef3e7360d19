//! A model as the process of a filter, of a type that its user does not name.

use costate_system::identifiers::{Output, Parameter};
use costate_system::model::Functions;
use costate_system::state_space::{FilterError, Gaussian, StateSpace};

use super::implicit::ImplicitModel;

/// A model whose parameters a filter follows, with what the filter begins with.
pub struct FilterProcess {
    /// The states of the model: those of its steps, then the followed parameters.
    pub space: Box<dyn StateSpace>,
    /// One row of inputs for every sample.
    pub inputs: Vec<f64>,
    /// The state at the first sample.
    pub initial: Gaussian,
    /// Places of the followed parameters among the states.
    pub places: Vec<usize>,
}

impl<M: Functions> ImplicitModel<M> {
    /// Follows parameters, each from its value with this standard deviation, by these measured outputs.
    ///
    /// # Errors
    /// Those of [`initial`](Self::initial).
    pub fn following(self, followed: &[(Parameter, f64)], outputs: &[Output]) -> Result<FilterProcess, FilterError> {
        let (parameters, deviations): (Vec<Parameter>, Vec<f64>) = followed.iter().copied().unzip();
        let process = self.estimate(parameters.iter().copied()).outputs(outputs.iter().copied());
        Ok(FilterProcess {
            inputs: process.input_rows(),
            initial: process.initial_by_parameters(&deviations)?,
            places: parameters.iter().filter_map(|parameter| process.place(*parameter)).collect(),
            space: Box::new(process),
        })
    }
}
