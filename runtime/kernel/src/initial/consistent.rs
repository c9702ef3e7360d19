//! The consistent initial state, level by level.

use std::ops::Deref;

use costate_numerics::linalg::{LuFactors, SparseLu};
use costate_numerics::scalar::{Scalar, Vector, array, real_into};
use costate_system::model::Functions;
use costate_system::problem::{InitialStateError, Problem};
use costate_system::system::StateVectors;

use crate::step::Start;

use costate_system::initial::check_parameters;

use super::accelerations::accelerate;
use super::auxiliary::auxiliary;
use super::free::{balance_free, free_coordinates, open_indices};
use super::level::Level;
use super::project::project;
use super::rest::{self, Rest};
use super::system::{StartSystem, lifted, with_start_system};

/// The initial state with the data for its derivatives.
pub struct Consistent<S: Scalar> {
    /// x_0.
    pub state: StateVectors<S>,
    /// s_0.
    auxiliary: Vec<S>,
    /// The solution of the equations that determine it.
    pub(super) solution: Solution<S>,
}

/// A value that is dropped by functions of this crate, which are not compiled with every model.
pub(super) type Opaque<T> = Box<dyn Deref<Target = T> + Send + Sync>;

fn opaque<T: Send + Sync + 'static>(value: T) -> Opaque<T> {
    Box::new(Box::new(value))
}

/// The solution of the equations of an initial state.
pub(super) enum Solution<S> {
    /// Level by level.
    Levels(Levels<S>),
    /// In equilibrium.
    Rest(Opaque<Rest>),
}

impl<S> Solution<S> {
    /// Returns the sparse factors of the equations for accelerations.
    pub fn factors(&self) -> Option<&SparseLu> {
        match self {
            Self::Levels(levels) => levels.acceleration_factors.sparse(),
            Self::Rest(_) => None,
        }
    }
}

/// The solution of the equations of an initial state, level by level.
pub(super) struct Levels<S> {
    /// Multipliers kappa of the projections of positions and velocities.
    pub position_multipliers: Vec<S>,
    pub velocity_multipliers: Vec<S>,
    /// Coordinates with neither mass nor constraint.
    pub free: Vec<bool>,
    /// Factors of the equations for accelerations and multipliers.
    pub acceleration_factors: Opaque<LuFactors>,
}

impl<S: Scalar> Consistent<S> {
    /// x_0 and s_0.
    pub fn start<M: Functions>(&self) -> Start<M, S> {
        (self.state.typed(), array(&self.auxiliary))
    }
}

impl Consistent<f64> {
    /// In numbers of another type.
    fn lifted<S: Scalar>(self) -> Consistent<S> {
        let StateVectors { coordinates, velocities, accelerations, multipliers } = self.state;
        Consistent {
            state: StateVectors {
                coordinates: lifted(&coordinates),
                velocities: lifted(&velocities),
                accelerations: lifted(&accelerations),
                multipliers: lifted(&multipliers),
            },
            auxiliary: lifted(&self.auxiliary),
            solution: match self.solution {
                Solution::Rest(rest) => Solution::Rest(rest),
                Solution::Levels(levels) => Solution::Levels(Levels {
                    position_multipliers: lifted(&levels.position_multipliers),
                    velocity_multipliers: lifted(&levels.velocity_multipliers),
                    free: levels.free,
                    acceleration_factors: levels.acceleration_factors,
                }),
            },
        }
    }
}

/// Computes the consistent initial state with the data for its derivatives, in any number type.
pub fn consistent_state<M: Functions, S: Scalar>(
    program: M::Program,
    problem: &Problem,
    parameters: &M::Parameters<S>,
) -> Result<Consistent<S>, InitialStateError> {
    check_parameters(M::description(program), parameters.as_ref())?;
    if !S::IS_PLAIN {
        return with_start_system::<M, S, _>(program, problem, parameters, |system| solve(problem, system));
    }
    // of plain numbers it is compiled once, not with every model
    let mut plain = M::Parameters::<f64>::zeros(M::lengths(program).parameters);
    real_into(parameters.as_ref(), plain.as_mut());
    Ok(with_start_system::<M, f64, _>(program, problem, &plain, |system| solve_plain(problem, system))?.lifted())
}

/// [`solve`] in plain numbers.
pub(super) fn solve_plain(
    problem: &Problem,
    system: &StartSystem<'_, f64>,
) -> Result<Consistent<f64>, InitialStateError> {
    solve(problem, system)
}

/// The consistent initial state of these parameters, whose equations are `system`.
pub(super) fn solve<S: Scalar>(
    problem: &Problem,
    system: &StartSystem<'_, S>,
) -> Result<Consistent<S>, InitialStateError> {
    if system.is_at_rest() {
        let rest = rest::find(&system.plain())?;
        let state = rest::with_derivatives(system, &rest)?;
        let auxiliary = auxiliary(problem, system, &state, None);
        return Ok(Consistent { state, auxiliary, solution: Solution::Rest(opaque(rest)) });
    }
    let mut state = system.specified();
    let open = open_indices(system.specified_coordinates(), &[]);
    let position_multipliers = project(system, Level::Positions, &open, &mut state)?;
    let free = free_coordinates(system, &state);
    let open = open_indices(system.specified_velocities(), &free);
    let velocity_multipliers = project(system, Level::Velocities, &open, &mut state)?;
    balance_free(system, &free, &mut state)?;
    let acceleration_factors = opaque(accelerate(system, &free, &mut state)?);
    let auxiliary = auxiliary(problem, system, &state, acceleration_factors.sparse());
    let levels = Levels { position_multipliers, velocity_multipliers, free, acceleration_factors };
    Ok(Consistent { state, auxiliary, solution: Solution::Levels(levels) })
}
