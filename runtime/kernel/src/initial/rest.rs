//! The start of a model that begins in equilibrium: positions at which all forces are in balance, without velocities
//! and accelerations.
//!
//! Coordinates whose values the model specifies keep them; no force may act on these. The search for the others begins
//! at the positions with which other models begin. Plain numbers find the balance; derivatives that numbers carry
//! follow from it by Newton's method in their components.

use nalgebra::DMatrix;

use costate_numerics::linalg::SparseMatrix;
use costate_numerics::scalar::Scalar;
use costate_system::equilibrium::{Balance, Conditions, SteadyMotion, balance};
use costate_system::model::{Argument, Function, Group};
use costate_system::problem::InitialStateError;
use costate_system::system::StateVectors;

use super::free::open_indices;
use super::iteration::{MAX_RELATIVE_RESIDUAL, MAX_VIOLATION, component_matrix, subtract};
use super::level::Level;
use super::project::project;
use super::system::{Matrices, StartSystem, lifted};
use crate::rounding::MIXED_ROUNDINGS;

/// A start in equilibrium.
pub(super) struct Rest {
    pub balance: Balance,
    /// Coordinates that keep their values.
    pub held: Vec<usize>,
    /// Specified coordinates that follow from a constraint which contains specified coordinates alone: coordinate,
    /// constraint.
    pub released: Vec<(usize, usize)>,
}

/// Finds the positions of equilibrium.
pub(super) fn find(system: &StartSystem<'_, f64>) -> Result<Rest, InitialStateError> {
    let mut start = assembled(system)?;
    let specified = system.specified();
    let jacobian = system.matrices(Group::Linearization, &start).matrix(Function::Constraint, Argument::Coordinates);
    let (held, released) = held(system.description().specified_coordinates, &jacobian);
    for &j in &held {
        start.coordinates[j] = specified.coordinates[j];
    }
    let conditions = Conditions {
        motion: &SteadyMotion::rest(),
        inputs: system.inputs(),
        held: &held,
        accepts_unstable: false,
        is_of_start: true,
    };
    let balance = balance(system.equations(), &start, &conditions).map_err(InitialStateError::Equilibrium)?;
    check_constraints(system, &balance.state)?;
    check_held(system, &held, &balance)?;
    Ok(Rest { balance, held, released })
}

/// Returns the positions that satisfy the constraints and are closest to the initial values.
pub(super) fn assembled(system: &StartSystem<'_, f64>) -> Result<StateVectors<f64>, InitialStateError> {
    let mut state = system.specified();
    state.velocities.fill(0.0);
    let open = open_indices(system.description().specified_coordinates, &[]);
    project(system, Level::Positions, &open, &mut state)?;
    Ok(state)
}

/// Chooses the coordinates that keep their values: those specified, but for one of each constraint that contains no
/// others, such as the norm of the Euler parameters of a body whose orientation is specified.
fn held(specified: &[bool], jacobian: &SparseMatrix) -> (Vec<usize>, Vec<(usize, usize)>) {
    let mut kept = specified.to_vec();
    let mut released = Vec::new();
    let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); jacobian.rows()];
    for (row, column, value) in jacobian.iter() {
        if let Some(entries) = rows.get_mut(row) {
            entries.push((column, value));
        }
    }
    for (row, entries) in rows.iter().enumerate() {
        let is_open = entries.iter().any(|&(column, _)| kept.get(column) == Some(&false));
        let largest = entries.iter().max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()));
        if let (false, Some(&(column, _))) = (is_open, largest)
            && let Some(kept) = kept.get_mut(column)
        {
            *kept = false;
            released.push((column, row));
        }
    }
    ((0..kept.len()).filter(|&j| kept[j]).collect(), released)
}

/// Fails where a constraint moves at the start.
fn check_constraints(system: &StartSystem<'_, f64>, state: &StateVectors<f64>) -> Result<(), InitialStateError> {
    let norms =
        system.matrices(Group::Linearization, state).matrix(Function::Constraint, Argument::Coordinates).row_norms();
    let levels = [("velocity", Function::ConstraintVelocity), ("acceleration", Function::ConstraintAcceleration)];
    for (level, function) in levels {
        for ((row, value), norm) in system.kinematics(function, state).into_iter().enumerate().zip(&norms) {
            if value.abs() > MAX_VIOLATION * norm || value.is_nan() {
                let constraint = system.description().constraints[row].name;
                return Err(InitialStateError::Moving { constraint, level, value });
            }
        }
    }
    Ok(())
}

/// Fails where forces act on coordinates that keep their values.
fn check_held(system: &StartSystem<'_, f64>, held: &[usize], balance: &Balance) -> Result<(), InitialStateError> {
    let state = &balance.state;
    let largest = largest_force(&system.motion_terms(state), 0);
    let stiffness = Stiffness::of(&system.matrices(Group::Linearization, state));
    let rounding = stiffness.rounding(&state.coordinates, &state.multipliers);
    let acting = balance
        .holding
        .iter()
        .filter(|&&(j, force)| !is_small(force, MAX_RELATIVE_RESIDUAL * largest + rounding[j]))
        .map(|&(j, force)| (system.description().coordinates[j].name, state.coordinates[j], force));
    let coordinates: Vec<_> = acting.collect();
    if held.is_empty() || coordinates.is_empty() {
        return Ok(());
    }
    Err(InitialStateError::Held { coordinates })
}

fn is_small(value: f64, limit: f64) -> bool {
    value.abs() <= limit
}

fn largest_force<S: Scalar>(forces: &[S], component: usize) -> f64 {
    forces.iter().fold(0.0, |largest: f64, force| largest.max(force.component(component).abs()))
}

/// The derivatives of the forces by coordinates and multipliers.
pub(super) struct Stiffness {
    by_coordinates: SparseMatrix,
    jacobian: SparseMatrix,
}

impl Stiffness {
    pub fn of(matrices: &Matrices) -> Self {
        let by_q = |function| matrices.matrix(function, Argument::Coordinates);
        let (inertia, constraint_force, force) =
            (by_q(Function::Inertia), by_q(Function::ConstraintForce), by_q(Function::Force));
        let force = force.iter().map(|(row, column, value)| (row, column, -value));
        let entries = inertia.iter().chain(constraint_force.iter()).chain(force);
        Self {
            by_coordinates: SparseMatrix::new(inertia.rows(), inertia.columns(), entries.collect::<Vec<_>>()),
            jacobian: by_q(Function::Constraint),
        }
    }

    /// Returns the rounding of each force, if each coordinate is rounded as the largest one is.
    fn rounding(&self, coordinates: &[f64], multipliers: &[f64]) -> Vec<f64> {
        /// Size of a force's terms, relative to the largest force, below which they are taken for rounding of others.
        const MIN_SIZE: f64 = 1e-6;
        let largest = coordinates.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let mut sizes = vec![0.0; self.by_coordinates.rows()];
        self.by_coordinates.iter().for_each(|(row, _, value)| sizes[row] += value.abs() * largest);
        self.jacobian.iter().for_each(|(row, column, value)| sizes[column] += (value * multipliers[row]).abs());
        // entries of the matrices are themselves rounded sums of larger forces
        let least = MIN_SIZE * sizes.iter().fold(0.0, |most: f64, size| most.max(*size));
        sizes.iter_mut().for_each(|size| *size = size.max(least) * MIXED_ROUNDINGS * f64::EPSILON);
        sizes
    }

    /// Checks the change of the forces on `held` coordinates, of which `forces` has the changes, by changes of
    /// coordinates and multipliers, where the largest change of a force at a constant state is `largest`; returns the
    /// first that does not vanish.
    pub fn acting(
        &self,
        held: &[usize],
        forces: &[f64],
        coordinates: &[f64],
        multipliers: &[f64],
        largest: f64,
    ) -> Option<(usize, f64)> {
        let rounding = self.rounding(coordinates, multipliers);
        let found = held.iter().copied().find(|&j| !is_small(forces[j], MAX_RELATIVE_RESIDUAL * largest + rounding[j]));
        found.map(|j| (j, forces[j]))
    }

    /// Returns the change of the forces by changes of coordinates and multipliers.
    pub fn change(&self, coordinates: &DMatrix<f64>, multipliers: &DMatrix<f64>) -> DMatrix<f64> {
        self.by_coordinates.product(coordinates) + self.jacobian.transposed_product(multipliers)
    }
}

/// Returns the state of equilibrium in numbers of another type, with the derivatives that they carry.
pub(super) fn with_derivatives<S: Scalar>(
    system: &StartSystem<'_, S>,
    rest: &Rest,
) -> Result<StateVectors<S>, InitialStateError> {
    let real = &rest.balance.state;
    let mut state = system.zero_state();
    state.coordinates = lifted(&real.coordinates);
    state.multipliers = lifted(&real.multipliers);
    if S::COMPONENTS == 1 {
        return Ok(state);
    }
    let specified = system.specified();
    for &j in &rest.held {
        for component in 1..S::COMPONENTS {
            state.coordinates[j].set_component(component, specified.coordinates[j].component(component));
        }
    }
    let open = rest.balance.open();
    // one round for every component of the number type, and one for rounding
    for _ in 0..=S::COMPONENTS {
        let motion = system.motion(&state);
        let mut rows: Vec<S> = open.iter().map(|&j| motion[j]).collect();
        rows.extend(system.constraint(&state));
        let update = rest.balance.factors().solve(&component_matrix(&rows));
        subtract(update.rows(0, open.len()), 1, &mut state.coordinates, open.iter().copied());
        subtract(update.rows(open.len(), system.m()), 1, &mut state.multipliers, 0..system.m());
    }
    let (motion, terms) = (system.motion(&state), system.motion_terms(&state));
    let stiffness = Stiffness::of(&system.matrices(Group::Linearization, &state));
    for component in 1..S::COMPONENTS {
        let of = |numbers: &[S]| numbers.iter().map(|number| number.component(component)).collect::<Vec<f64>>();
        let (coordinates, multipliers) = (of(&state.coordinates), of(&state.multipliers));
        let largest = largest_force(&terms, component);
        let acting = stiffness.acting(&rest.held, &of(&motion), &coordinates, &multipliers, largest);
        if let Some((j, value)) = acting {
            let coordinate = system.description().coordinates[j].name;
            return Err(InitialStateError::HeldDerivative { coordinate, by: "the parameters".to_owned(), value });
        }
    }
    Ok(state)
}
