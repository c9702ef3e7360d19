//! The fit around a minimum with residuals that are weighed by their deviations.

use super::definition::Definition;
use super::definition::approach::Approach;
use super::definition::error::{IdentificationError, SpecificationError};
use super::definition::measurement::OutputMeasurement;
use super::definition::weighting::Weighting;
use super::result::fit::Fit;
use super::solved::Solved;

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
            // the fit has passed the check, or may go without it
            ignores_check: true,
            approach: Approach::Single,
            ..self.definition.clone()
        };
        definition.fit_from(Some(&self.unknowns), None)
    }
}
