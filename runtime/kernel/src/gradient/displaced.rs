//! The displacement of velocities between two steps of which the second restarts, in an adjoint sweep.

use costate_numerics::scalar::{CollectVec, Scalar};
use costate_system::model::lookups::Lookup;
use costate_system::model::{Description, Functions};
use costate_system::problem::Problem;
use costate_system::system::StateVectors;

use crate::equations::ModelEquations;
use crate::run::RunConstants;
use crate::step::{AdjointVariables, DisplacedLookups, Displacement, LookupAdjoint, StepConstants, Worth};

/// The displacement from the state of a step.
pub(super) struct Displaced<S: Scalar> {
    model: &'static Description,
    displacement: Displacement<S>,
    lookups: DisplacedLookups<S>,
    /// Weights of s in the formulas for q and v of the step after.
    weights: [f64; 2],
}

impl<S: Scalar> Displaced<S> {
    /// Computes the displacement after step i with this state (3n + m).
    pub fn at_step<M: Functions>(i: usize, problem: &Problem, constants: &RunConstants<M, S>, stored: &[S]) -> Self {
        let StepConstants { model, weights, .. } = constants.of_step(i + 1);
        let (time, description) = (problem.time(i), problem.description());
        let state = StateVectors::of_stored(description.coordinates.len(), stored);
        let equations = ModelEquations::<M, S>(model);
        let mut displacement = Displacement::new(description);
        displacement.find(&equations, weights, time, &state, None);
        displacement.differentiate(&equations, time, &state);
        let lookups = displacement.lookups(&equations, time, &state);
        let weights = [weights.coordinates_of_auxiliary, weights.velocities_of_auxiliary];
        Self { model: description, displacement, lookups, weights }
    }

    /// Returns the derivatives of the cost with respect to the state and to the equations for the
    /// displacement, from the adjoint variables of the step after.
    pub fn worth<M: Functions>(&self, later: &AdjointVariables<M, S>) -> Worth<S> {
        let [of_q, of_v] = self.weights;
        let pairs = later.y.as_ref().iter().zip(later.z.as_ref());
        let by_auxiliary: Vec<S> = pairs.map(|(y, z)| -(*y * of_q + *z * of_v)).collect_vec();
        self.displacement.adjoint(&by_auxiliary)
    }

    /// Adds the share of the `unknown` parameters.
    pub fn differentiate_parameters(&self, worth: &Worth<S>, unknown: &[usize], share: &mut [S]) {
        for &parameter in unknown {
            share[parameter] += worth.of(&self.displacement.by_parameter(parameter));
        }
    }

    /// Adds the share of lookups in tables.
    pub fn differentiate_lookups(&self, worth: &Worth<S>, adjoint: &mut LookupAdjoint<S>) {
        let arguments = self.lookups.arguments();
        for (column, lookup) in Lookup::all(self.model).iter().enumerate() {
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
