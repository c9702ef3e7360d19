//! The consistent initial state, level by level.

use crate::linalg::LuFactors;
use crate::model::Model;
use crate::problem::{InitialStateError, Problem};
use crate::scalar::Scalar;
use crate::step::{Start, State};

use super::accelerations::accelerate;
use super::auxiliary::auxiliary;
use super::free::{balance_free, free_coordinates, open_indices};
use super::level::Level;
use super::project::project;
use super::system::System;

/// The initial state with what its derivatives need.
pub(crate) struct Consistent<M: Model, S: Scalar> {
    /// x_0.
    pub state: State<M, S>,
    /// s_0.
    auxiliary: M::Coordinates<S>,
    /// Multipliers kappa of the projections of positions and velocities.
    pub(super) position_multipliers: M::Multipliers<S>,
    pub(super) velocity_multipliers: M::Multipliers<S>,
    /// Coordinates with neither mass nor constraint.
    pub(super) free: Vec<bool>,
    /// Factors of the equations for accelerations and multipliers.
    pub(super) acceleration_factors: LuFactors,
}

impl<M: Model, S: Scalar> Consistent<M, S> {
    /// x_0 and s_0.
    pub fn start(&self) -> Start<M, S> {
        (self.state.clone(), self.auxiliary.clone())
    }
}

/// The consistent initial state with what its derivatives need, in any number type.
pub(crate) fn consistent_state<M: Model, S: Scalar>(
    problem: &Problem<M>,
    parameters: &M::Parameters<S>,
) -> Result<Consistent<M, S>, InitialStateError> {
    check_parameters::<M, S>(parameters)?;
    solve(problem, &System::<M, S>::new(problem, parameters))
}

/// Parameters that are infinite or not a number would only be seen by what they do.
pub(crate) fn check_parameters<M: Model, S: Scalar>(
    parameters: &M::Parameters<S>,
) -> Result<(), InitialStateError> {
    for (quantity, value) in M::DESCRIPTION.parameters.iter().zip(parameters.as_ref()) {
        let mut components = (0..S::COMPONENTS).map(|component| value.component(component));
        if let Some(value) = components.find(|value| !value.is_finite()) {
            return Err(InitialStateError::Parameter { name: quantity.name, value });
        }
    }
    Ok(())
}

/// The consistent initial state of these parameters, whose equations are `system`.
pub(super) fn solve<M: Model, S: Scalar>(
    problem: &Problem<M>,
    system: &System<M, S>,
) -> Result<Consistent<M, S>, InitialStateError> {
    let mut state = system.specified();
    let open = open_indices(M::DESCRIPTION.specified_coordinates, &[]);
    let position_multipliers = project(system, Level::Positions, &open, &mut state)?;
    let free = free_coordinates(system, &state);
    let open = open_indices(M::DESCRIPTION.specified_velocities, &free);
    let velocity_multipliers = project(system, Level::Velocities, &open, &mut state)?;
    balance_free(system, &free, &mut state)?;
    let acceleration_factors = accelerate(system, &free, &mut state)?;
    let auxiliary = auxiliary(problem, system, &state);
    Ok(Consistent {
        state,
        auxiliary,
        position_multipliers,
        velocity_multipliers,
        free,
        acceleration_factors,
    })
}
