//! A consistent initial state x_0 = (q0, v0, a0, lambda0), and its derivatives with respect to parameters.
//!
//! What the model specifies is kept. Positions left open are the closest that satisfy the constraints, to zero or to what the
//! model says that they are near to, velocities left open the smallest. A coordinate with neither mass nor constraint, a *free*
//! one, has the velocity at which its force vanishes, and no acceleration. All other accelerations and the multipliers solve
//! the equations of motion with the constraints at acceleration level.

mod auxiliary;
mod derivatives;
mod inputs;
mod open_loop;
mod project;
mod rounding;
mod system;

use nalgebra::DMatrix;

use crate::identifiers::Parameter;
use crate::linalg::{LuFactors, SparseMatrix, dependent_rows};
use crate::model::{Argument, Function, Model, Point};
use crate::problem::{InitialStateError, Problem};
use crate::scalar::{Scalar, Vector};
use crate::step::{Start, State, Unknown};

use auxiliary::Auxiliary;
use project::{Level, component_matrix, project, settled};
use system::System;

pub(crate) use derivatives::{initial_derivatives, initial_lookups};
pub(crate) use inputs::{initial_input_derivatives, initial_state_changes};

/// Largest number of Newton iterations.
const MOST_ITERATIONS: usize = 50;

/// Relative difference that a specified velocity of a free coordinate may have from the computed one.
const FREE_VELOCITY_TOLERANCE: f64 = 1e-9;

/// The initial state with what its derivatives need.
pub(crate) struct Consistent<M: Model, S: Scalar> {
    /// x_0.
    pub state: State<M, S>,
    /// s_0.
    auxiliary: Auxiliary<M, S>,
    /// Multipliers kappa of the projections of positions and velocities.
    position_multipliers: M::Multipliers<S>,
    velocity_multipliers: M::Multipliers<S>,
    /// Coordinates with neither mass nor constraint.
    free: Vec<bool>,
    /// Factors of the equations for accelerations and multipliers.
    acceleration_factors: LuFactors,
}

impl<M: Model, S: Scalar> Consistent<M, S> {
    /// x_0 and s_0.
    pub fn start(&self) -> Start<M, S> {
        (self.state.clone(), self.auxiliary.acceleration.clone())
    }

    /// The point shortly after the start whose accelerations s_0 = 2 a_0 - a comes from, and by how much it is later;
    /// nothing where s_0 is a_0.
    pub fn later(&self) -> Option<(f64, Point<'_, M, S>)> {
        let later = self.auxiliary.later.as_ref()?;
        Some((later.ahead, later.system.point(&later.state)))
    }
}

impl<M: Model> Problem<M> {
    /// The consistent initial state x_0 = (q0, v0, a0, lambda0) of these parameters.
    ///
    /// # Errors
    /// [`InitialStateError`] if the model's initial values contradict its constraints or do not determine the motion.
    #[inline(never)]
    pub fn initial_state<S: Scalar>(
        &self,
        parameters: &M::Parameters<S>,
    ) -> Result<State<M, S>, InitialStateError> {
        Ok(consistent_state(self, parameters)?.state)
    }

    /// The derivatives dx_0/dp of the initial state, rows q0, v0, a0, lambda0 (3n + m), with one column for each of
    /// the parameters `unknown`.
    ///
    /// # Errors
    /// As [`initial_state`](Self::initial_state); besides if a parameter changes a constraint that the specified
    /// positions or velocities cannot follow.
    #[inline(never)]
    pub fn initial_derivatives(
        &self,
        parameters: &M::Parameters<f64>,
        unknown: &[Parameter<M>],
    ) -> Result<DMatrix<f64>, InitialStateError> {
        let all = initial_derivatives(self, parameters, None, &Parameter::indices(unknown))?;
        Ok(all.rows(0, State::<M, f64>::STRIDE).into_owned())
    }
}

/// The consistent initial state with what its derivatives need, in any number type.
pub(crate) fn consistent_state<M: Model, S: Scalar>(
    problem: &Problem<M>,
    parameters: &M::Parameters<S>,
) -> Result<Consistent<M, S>, InitialStateError> {
    check_parameters::<M, S>(parameters)?;
    solve(problem, parameters, &System::<M, S>::new(problem, parameters))
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

fn solve<M: Model, S: Scalar>(
    problem: &Problem<M>,
    parameters: &M::Parameters<S>,
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
    let auxiliary = Auxiliary::new(problem, parameters, &free, &state)?;
    Ok(Consistent {
        state,
        auxiliary,
        position_multipliers,
        velocity_multipliers,
        free,
        acceleration_factors,
    })
}

/// Indices that are neither specified nor free.
fn open_indices(specified: &[bool], free: &[bool]) -> Vec<usize> {
    let is_free = |index: usize| free.get(index).copied().unwrap_or(false);
    (0..specified.len()).filter(|&index| !specified[index] && !is_free(index)).collect()
}

/// Indices of the free coordinates.
fn free_indices(free: &[bool]) -> Vec<usize> {
    (0..free.len()).filter(|&index| free[index]).collect()
}

/// Coordinates whose row and column of M and column of C_q vanish.
fn free_coordinates<M: Model, S: Scalar>(system: &System<M, S>, state: &State<M, S>) -> Vec<bool> {
    let matrices = system.linearize(state);
    let mass = matrices.matrix(Function::Inertia, Argument::Accelerations);
    let jacobian = matrices.matrix(Function::Constraint, Argument::Coordinates);
    let mut free: Vec<bool> = (0..System::<M, S>::N).map(|j| jacobian.column(j).is_empty()).collect();
    for (row, column, _) in mass.iter() {
        (free[row], free[column]) = (false, false);
    }
    free
}

/// Velocities of free coordinates: f_F(v_F) = 0 by Newton's method.
fn balance_free<M: Model, S: Scalar>(
    system: &System<M, S>,
    free: &[bool],
    state: &mut State<M, S>,
) -> Result<(), InitialStateError> {
    let free = free_indices(free);
    if free.is_empty() {
        return Ok(());
    }
    let specified = state.clone();
    let mut previous = f64::INFINITY;
    for _ in 0..MOST_ITERATIONS {
        let force = system.force(Function::Force, state);
        let rows: Vec<S> = free.iter().map(|&j| force[j]).collect();
        check_finite::<M, S>(&rows, |row| free[row], "velocities")?;
        let damping = system.linearize(state).matrix(Function::Force, Argument::Velocities);
        let update = free_lu::<M>(&damping.select(&free), &free)?.solve(&component_matrix(&rows));
        let velocities = state.velocities.as_mut();
        let mut sizes = vec![(0f64, 0f64); S::COMPONENTS];
        for (row, &j) in free.iter().enumerate() {
            for (component, size) in sizes.iter_mut().enumerate() {
                let change = -update[(row, component)];
                velocities[j].set_component(component, velocities[j].component(component) + change);
                size.0 = size.0.max(change.abs());
                size.1 = size.1.max(velocities[j].component(component).abs());
            }
        }
        if settled(&sizes, &mut previous) {
            return check_specified(&specified, state, &free);
        }
    }
    let force = system.force(Function::Force, state);
    let worst = free.iter().copied().max_by(|&a, &b| force[a].real().abs().total_cmp(&force[b].real().abs()));
    let worst = worst.unwrap_or(0);
    let coordinate = M::DESCRIPTION.coordinates[worst].name;
    Err(InitialStateError::NoBalance { coordinate, force: force[worst].real() })
}

/// Factors of f_v of the free coordinates.
fn free_lu<M: Model>(damping: &SparseMatrix, free: &[usize]) -> Result<LuFactors, InitialStateError> {
    LuFactors::new(damping).map_err(|involved| InitialStateError::NoDamping {
        coordinates: involved.iter().map(|&row| Unknown::at(&M::DESCRIPTION, free[row])).collect(),
    })
}

/// A specified velocity of a free coordinate must be the one that its force gives.
fn check_specified<M: Model, S: Scalar>(
    specified: &State<M, S>,
    state: &State<M, S>,
    free: &[usize],
) -> Result<(), InitialStateError> {
    for &j in free.iter().filter(|&&j| M::DESCRIPTION.specified_velocities[j]) {
        let (specified, computed) =
            (specified.velocities.as_ref()[j].real(), state.velocities.as_ref()[j].real());
        if (specified - computed).abs() > FREE_VELOCITY_TOLERANCE * specified.abs().max(computed.abs()) {
            let coordinate = M::DESCRIPTION.coordinates[j].name;
            return Err(InitialStateError::FreeVelocity { coordinate, specified, computed });
        }
    }
    Ok(())
}

/// The matrix [M C_q^T; C_q 0] with unit rows for free coordinates, factorised.
fn acceleration_lu<M: Model, S: Scalar>(
    system: &System<M, S>,
    free: &[bool],
    state: &State<M, S>,
) -> Result<LuFactors, InitialStateError> {
    let matrices = system.linearize(state);
    let jacobian = matrices.matrix(Function::Constraint, Argument::Coordinates);
    let mass = matrices.matrix(Function::Inertia, Argument::Accelerations);
    let units = free_indices(free).into_iter().map(|j| (j, j, 1.0));
    let matrix = jacobian.saddle(mass.iter().chain(units));
    // where it is regular no constraint depends on others
    if let Some(factors) = LuFactors::beyond_doubt(&matrix) {
        return Ok(factors);
    }
    let dependent = dependent_rows(&jacobian);
    if !dependent.is_empty() {
        let names = dependent.iter().map(|&j| M::DESCRIPTION.constraints[j].name).collect();
        return Err(InitialStateError::RedundantConstraints { names });
    }
    LuFactors::new(&matrix).map_err(|involved| InitialStateError::Singular {
        unknowns: involved.iter().map(|&index| Unknown::at(&M::DESCRIPTION, index)).collect(),
    })
}

/// Accelerations and multipliers from the equations of motion and the constraints at acceleration level; gives the
/// factors of these equations, which depend on positions alone.
///
/// They are linear in the unknowns, but derivatives need the solution of the real parts, and rounding one more round.
fn accelerate<M: Model, S: Scalar>(
    system: &System<M, S>,
    free: &[bool],
    state: &mut State<M, S>,
) -> Result<LuFactors, InitialStateError> {
    const ROUNDS: usize = 3;
    let n = System::<M, S>::N;
    state.accelerations = Vector::zeros();
    state.multipliers = Vector::zeros();
    let factors = acceleration_lu(system, free, state)?;
    for _ in 0..ROUNDS {
        let mut rows = system.motion(state);
        for j in free_indices(free) {
            rows[j] = state.accelerations.as_ref()[j];
        }
        rows.extend(system.kinematics(Function::ConstraintAcceleration, state));
        check_finite::<M, S>(&rows, |row| row, "accelerations")?;
        let update = factors.solve(&component_matrix(&rows));
        let unknowns = state.accelerations.as_mut().iter_mut().chain(state.multipliers.as_mut());
        for (row, unknown) in unknowns.enumerate().take(n + System::<M, S>::M) {
            for component in 0..S::COMPONENTS {
                unknown.set_component(component, unknown.component(component) - update[(row, component)]);
            }
        }
    }
    Ok(factors)
}

/// Fails with the name of the first row that is not finite; `index` gives its index in (n rows, m rows).
fn check_finite<M: Model, S: Scalar>(
    rows: &[S],
    index: impl Fn(usize) -> usize,
    level: &'static str,
) -> Result<(), InitialStateError> {
    for (row, value) in rows.iter().enumerate() {
        for component in 0..S::COMPONENTS {
            let value = value.component(component);
            if !value.is_finite() {
                let equation = Unknown::at(&M::DESCRIPTION, index(row));
                return Err(InitialStateError::NotFinite { equation, value, level });
            }
        }
    }
    Ok(())
}
