//! An estimation problem at its solution: what a fit keeps for questions about the neighbourhood of its minimum.

use std::fmt;

use costate_system::state_file::Description;

use super::definition::Definition;
use super::definition::error::{IdentificationError, SpecificationError};
use super::definition::measurement::OutputMeasurement;
use super::definition::weighting::Weighting;
use super::estimation::experiment_problem::EstimationProblem;
use super::growing::Growing;
use super::result::fit::Fit;

/// The data, the weights and the minimum of a fit.
pub(crate) struct Solved {
    pub definition: Definition,
    /// The experiments, weighed as in the last minimisation.
    pub estimation: EstimationProblem,
    /// Found values of all unknowns.
    pub unknowns: Vec<f64>,
    /// J of the found values.
    pub cost: f64,
    /// Description of everything that tasks with these data depend on.
    pub description: Description,
}

impl fmt::Debug for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solved").field("unknowns", &self.unknowns).field("cost", &self.cost).finish_non_exhaustive()
    }
}

impl Solved {
    /// Fits with residuals that are weighed by their deviations, from the found values; for `purpose`, such as "a
    /// profile".
    ///
    /// # Errors
    /// [`SpecificationError::NeedsLikelihood`] where weights are given, and those of a fit.
    pub fn by_likelihood(&self, purpose: &'static str) -> Result<Fit, IdentificationError> {
        let has_weights = |measurement: &OutputMeasurement| measurement.data.weight.is_some();
        let experiments = self.definition.all_experiments();
        let mut measurements = experiments.into_iter().flat_map(|experiment| &experiment.measurements);
        if self.definition.weighting == Weighting::Given || measurements.any(has_weights) {
            return Err(SpecificationError::NeedsLikelihood { what: purpose }.into());
        }
        let definition = Definition {
            weighting: Weighting::Likelihood,
            state_file: None,
            // the fit has passed the check, or was told to do without
            ignores_check: true,
            growing: Growing::Never,
            ..self.definition.clone()
        };
        definition.fit_from(Some(&self.unknowns), None)
    }
}
