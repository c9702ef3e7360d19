//! What the state file of an identification belongs to.

use crate::model::Model;
use crate::optimize::OptimizerState;
use crate::problem::Problem;
use crate::state_file::{Description, StateFile, StateFileError};

use super::Identification;
use super::unknown::Taken;

/// What is said of the work that such files belong to.
pub(super) const WORK: &str = "an identification";

impl<M: Model> Identification<'_, M> {
    /// Everything that the result depends on, but for the number of iterations.
    pub(super) fn description(
        &self,
        start: &OptimizerState,
        problem: &Problem<M>,
        channels: &[Taken<'_>],
    ) -> Description {
        let mut description = Description::of_problem(problem, &self.model.parameters());
        let names: Vec<_> = start.variables().iter().map(|variable| variable.name()).collect();
        description.text("the unknown parameters", names.join(", "));
        for variable in start.variables() {
            let (lower, upper) = variable.bounds();
            description
                .text(format!("the bounds of `{}`", variable.name()), format_args!("{lower:?} to {upper:?}"));
            description.serialised(format!("the scaling of `{}`", variable.name()), &variable.scaling());
        }
        for (k, (measurement, Taken { samples, .. })) in self.measurements.iter().zip(channels).enumerate() {
            let of = format!("measurement {} (output `{}`)", k + 1, measurement.output.name());
            description.number(format!("the weight of {of}"), measurement.weight);
            description.values(format!("the times of {of}"), &samples.times);
            description.values(format!("the values of {of}"), &samples.values);
        }
        description.serialised("the quadrature", &self.quadrature);
        for (k, (weight, cost)) in self.costs.iter().enumerate() {
            description.number(format!("the weight of further cost {}", k + 1), *weight);
            description.printed(format!("further cost {}", k + 1), cost);
        }
        description.text("the gradient method", self.gradient_method);
        description.settings("the optimizer", start.settings(), &["maximum_iterations"]);
        description
    }

    /// The state to begin with: the stored one if there is one.
    pub(super) fn continued(
        &self,
        fresh: OptimizerState,
        file: &StateFile,
        description: &Description,
    ) -> Result<OptimizerState, StateFileError> {
        let Some(mut state) = file.read::<OptimizerState>(description)? else { return Ok(fresh) };
        if !state.is_consistent() || state.variables() != fresh.variables() {
            return Err(file.damaged());
        }
        state.set_maximum_iterations(self.optimizer.maximum_iterations);
        Ok(state)
    }
}
