//! The displacement of velocities between two steps of which the second begins anew, in an adjoint sweep.

use crate::model::Model;
use crate::model::lookups::Lookup;
use crate::problem::Problem;
use crate::run::RunConstants;
use crate::scalar::Scalar;
use crate::step::{
    AdjointVariables, DisplacedLookups, Displacement, LookupAdjoint, State, StepConstants, Worth,
};

/// The displacement from the state of a step.
pub(super) struct Displaced<M: Model, S: Scalar> {
    displacement: Displacement<M, S>,
    lookups: DisplacedLookups<S>,
    /// How s enters the formulas for q and v of the step after.
    weights: [f64; 2],
}

impl<M: Model, S: Scalar> Displaced<M, S> {
    /// Behind step i with this state (3n + m).
    pub fn at_step(i: usize, (problem, constants): (&Problem<M>, &RunConstants<M, S>), stored: &[S]) -> Self {
        let StepConstants { model, weights, .. } = constants.of_step(i + 1);
        let (time, mut state) = (problem.time(i), State::zeros());
        state.load(stored);
        let mut displacement = Displacement::new();
        displacement.find(model, weights, time, &state);
        displacement.differentiate(model, time, &state);
        let lookups = displacement.lookups(model, time, &state);
        let weights = [weights.coordinates_of_auxiliary, weights.velocities_of_auxiliary];
        Self { displacement, lookups, weights }
    }

    /// What changes of the state and of the equations for the displacement are worth, with the adjoint variables of the step after.
    pub fn worth(&self, later: &AdjointVariables<M, S>) -> Worth<S> {
        let [of_q, of_v] = self.weights;
        let pairs = later.y.as_ref().iter().zip(later.z.as_ref());
        let by_auxiliary: Vec<S> = pairs.map(|(y, z)| -(*y * of_q + *z * of_v)).collect();
        self.displacement.adjoint(&by_auxiliary)
    }

    /// Adds the share of the `unknown` parameters.
    pub fn differentiate_parameters(&self, worth: &Worth<S>, unknown: &[usize], share: &mut [S]) {
        for &parameter in unknown {
            share[parameter] += worth.of(&self.displacement.by_parameter(parameter));
        }
    }

    /// Adds the share of what lookups in tables give.
    pub fn differentiate_lookups(&self, worth: &Worth<S>, adjoint: &mut LookupAdjoint<S>) {
        let arguments = self.lookups.arguments();
        for (column, lookup) in Lookup::all::<M>().iter().enumerate() {
            if !adjoint.wants(lookup.table) {
                continue;
            }
            for (arguments, is_later) in arguments.into_iter().zip([false, true]) {
                let derivative = worth.of(&self.lookups.by_lookup(column, is_later));
                adjoint.add_lookup(lookup, arguments, derivative);
            }
        }
    }
}
