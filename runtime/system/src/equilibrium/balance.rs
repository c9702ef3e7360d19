//! The balance of forces at rest or in a steady motion.

use nalgebra::{Complex, DMatrix};

use costate_contract::{Description, Quantity};
use costate_numerics::linalg::LuFactors;

use crate::equilibrium::EquilibriumError;
use crate::equilibrium::minimal::Minimal;
use crate::equilibrium::newton::{Outcome, newton, with_reactions};
use crate::equilibrium::relaxation::relax;
use crate::equilibrium::residual::Residual;
use crate::equilibrium::steady::SteadyMotion;
use crate::system::{Equations, StateVectors};

/// Times in s at which forces are compared, in parts of a turn of an incommensurate angle.
const OTHER_TIMES: [f64; 2] = [0.37, 1.83];

/// Conditions of a search for an equilibrium.
#[derive(Debug, Clone)]
pub struct Conditions<'a> {
    /// The motion.
    pub motion: &'a SteadyMotion,
    /// The values of all inputs.
    pub inputs: &'a [f64],
    /// Coordinates that keep their initial values, whatever force this needs.
    pub held: &'a [usize],
    /// True if an equilibrium that is not stable is accepted.
    pub accepts_unstable: bool,
    /// True if forces may depend on the time: they are those of t = 0.
    pub is_of_start: bool,
}

/// A state in which forces and reactions are in balance.
#[derive(Debug)]
pub struct Balance {
    /// q, v, a and lambda.
    pub state: StateVectors<f64>,
    /// The force that holds every held coordinate where it is, in the order of the coordinates that were held.
    pub holding: Vec<(usize, f64)>,
    /// The largest growth of a deviation in 1/s: not positive, to rounding, where the equilibrium is stable.
    pub growth: f64,
    /// True if no deviation grows, as far as rounding shows.
    pub is_stable: bool,
    /// The largest growth in 1/s that rounding may hide.
    pub hidden_growth: f64,
    /// True if a deviation grows in the numbers, by less than their rounding.
    pub may_grow: bool,
    /// The eigenvalue of the fastest growth in 1/s.
    fastest: Complex<f64>,
    open: Vec<usize>,
    motion: SteadyMotion,
    factors: LuFactors,
    /// The derivatives of the equations by the held coordinates, rows of open coordinates and constraints.
    by_held: DMatrix<f64>,
    by_parameters: DMatrix<f64>,
}

/// Finds the equilibrium that Newton's method leads to from `start` or, where this fails or leads to one that is not
/// stable, the one to which the mechanism creeps from there. Where one that is not stable is accepted, it is that of
/// Newton's method, near the start.
///
/// # Errors
/// [`EquilibriumError`].
pub fn balance(
    equations: &dyn Equations<f64>,
    start: &StateVectors<f64>,
    conditions: &Conditions<'_>,
) -> Result<Balance, EquilibriumError> {
    let model = equations.description();
    let count = model.coordinates.len();
    let mentioned = conditions.held.iter().copied().chain(conditions.motion.last_coordinate());
    if let Some(index) = mentioned.into_iter().find(|&index| index >= count) {
        return Err(EquilibriumError::NoCoordinate { index, count });
    }
    let mut residual = Residual::new(equations, conditions.motion, conditions.inputs, conditions.held);
    let without = residual.state(&start.coordinates, &vec![0.0; model.constraints.len()]);
    check_finite(&residual, &without, model)?;
    if !conditions.is_of_start {
        check_time(&residual, &without, model)?;
    }
    residual.force_at_start = residual.force_size(&without);
    check_masses(&residual, &without, model)?;
    let start = with_reactions(&residual, &start.coordinates);
    let first = ended(&residual, newton(&residual, &start), model, conditions);
    // creeping leads away from an unstable position that is wanted
    if conditions.accepts_unstable || first.as_ref().is_ok_and(|balance| balance.is_stable) {
        return first;
    }
    let second = ended(&residual, relax(&residual, &start), model, conditions);
    let found = match (first, second) {
        (_, Ok(balance)) if balance.is_stable => return Ok(balance),
        (Ok(balance), _) | (Err(_), Ok(balance)) => balance,
        // a state that was found and is no steady motion says more than a search that did not end
        (
            Err(error @ (EquilibriumError::NotSteady { .. } | EquilibriumError::NegativeMass { .. })),
            Err(EquilibriumError::NotFound { .. } | EquilibriumError::DrivenAway { .. }),
        ) => {
            return Err(error);
        }
        // a force that nothing holds drives relaxation far away
        (
            Err(error @ EquilibriumError::NotFound { is_unheld: true, .. }),
            Err(EquilibriumError::NotFound { .. } | EquilibriumError::DrivenAway { .. }),
        ) => {
            return Err(error);
        }
        // a singular matrix on the way of Newton's method says little; at the end of relaxation it is that of the
        // equilibrium
        (Err(_), Err(error)) => return Err(error),
    };
    Err(unstable(&residual, &found, model))
}

fn check_finite(
    residual: &Residual<'_>,
    state: &StateVectors<f64>,
    model: &'static Description,
) -> Result<(), EquilibriumError> {
    match residual.all(state).iter().enumerate().find(|(_, value)| !value.is_finite()) {
        Some((row, &value)) => Err(EquilibriumError::NotFinite { quantity: quantity(model, row), value }),
        None => Ok(()),
    }
}

/// Fails where a body or a motion has a negative mass.
fn check_masses(
    residual: &Residual<'_>,
    state: &StateVectors<f64>,
    model: &'static Description,
) -> Result<(), EquilibriumError> {
    let matrices = residual.linearized(state).component(0);
    let is_negative = |&(row, column, value): &(usize, usize, f64)| row == column && value < 0.0;
    let mut negative: Vec<usize> = matrices.mass.iter().filter(is_negative).map(|(row, _, _)| row).collect();
    if negative.is_empty() {
        let minimal = Minimal::of(&matrices, residual.motion());
        negative.extend(minimal.negative_mass().and_then(|index| minimal.independent.get(index)));
    }
    if negative.is_empty() {
        return Ok(());
    }
    let owner = |index: usize| {
        let body = model.scene.bodies.iter().find(|body| {
            let (first, count) = (body.first as usize, if body.spatial { 7 } else { 3 });
            (first..first + count).contains(&index)
        });
        let coordinate = model.coordinates.get(index).map_or("?", |of| of.name);
        body.map_or(coordinate, |body| &*body.name)
    };
    let mut of: Vec<&'static str> = negative.into_iter().map(owner).collect();
    of.dedup();
    Err(EquilibriumError::NegativeMass { of, coordinates: shown(model, state) })
}

/// Fails where the equations at rest change with the time.
fn check_time(
    residual: &Residual<'_>,
    state: &StateVectors<f64>,
    model: &'static Description,
) -> Result<(), EquilibriumError> {
    let here = residual.all(state);
    for time in OTHER_TIMES {
        let there = residual.at_time(time).all(state);
        if let Some(row) = (0..here.len()).find(|&row| there[row] != here[row]) {
            return Err(EquilibriumError::Time { model: model.name, quantity: quantity(model, row) });
        }
    }
    Ok(())
}

/// Fails where forces change along the motion, beyond a rotation of their directions: what is not in balance after a
/// part of a turn.
fn check_steady(
    residual: &Residual<'_>,
    balance: &Balance,
    model: &'static Description,
) -> Result<(), EquilibriumError> {
    /// Change of a force, relative to the largest force, that is taken for rounding.
    const FORCE_CHANGE_ROUNDING: f64 = 1e-8;
    if balance.motion.is_rest() {
        return Ok(());
    }
    let state = &balance.state;
    let n = residual.n();
    let terms = residual.force_size(state);
    let speed = state.velocities.iter().fold(0.0_f64, |most, speed| most.max(speed.abs()));
    for turn in OTHER_TIMES {
        let coordinates = balance.motion.moved(&state.coordinates, turn / speed.max(f64::MIN_POSITIVE));
        let moved = residual.state(&coordinates, &state.multipliers);
        let unbalanced = residual.unbalanced(&moved);
        let row =
            (0..unbalanced.len()).max_by(|&one, &other| unbalanced[one].abs().total_cmp(&unbalanced[other].abs()));
        let Some(row) = row else { continue };
        let limit = if row < n { FORCE_CHANGE_ROUNDING * terms } else { FORCE_CHANGE_ROUNDING };
        if unbalanced[row].abs() > limit || unbalanced[row].is_nan() {
            return Err(EquilibriumError::NotSteady { quantity: quantity(model, row), change: unbalanced[row] });
        }
    }
    Ok(())
}

/// Judges what an iteration has found.
fn ended(
    residual: &Residual<'_>,
    outcome: Outcome,
    model: &'static Description,
    conditions: &Conditions<'_>,
) -> Result<Balance, EquilibriumError> {
    let state = match outcome {
        Outcome::Found(state) => state,
        Outcome::Singular { involved, state } => return Err(singular(residual, &involved, &state, model)),
        Outcome::Stuck { row, value, state } => {
            return Err(not_found(residual, row, value, &state, false));
        }
    };
    check_masses(residual, &state, model)?;
    let linearized = residual.linearized(&state);
    let matrices = linearized.component(0);
    let factors =
        residual.factors(&state, &matrices).map_err(|involved| singular(residual, &involved, &state, model))?;
    let (minimal, rounding) = residual.minimal(&state, &matrices);
    let spectrum = minimal.spectrum(&rounding, model)?;
    let fastest = spectrum.fastest();
    let forces = residual.all(&state);
    let by_held = residual.stiffness(&matrices).select_columns(conditions.held).dense();
    let by_held = by_held.select_rows(&residual.open);
    let of_constraints = matrices.jacobian.select_columns(conditions.held).dense();
    let by_parameters = linearized.by_parameters().dense();
    let wanted: Vec<usize> = residual.open.iter().copied().chain(residual.n()..forces.len()).collect();
    let balance = Balance {
        holding: conditions.held.iter().map(|&index| (index, forces[index])).collect(),
        growth: fastest.re,
        fastest,
        is_stable: spectrum.is_stable(),
        hidden_growth: spectrum.hidden_growth(),
        may_grow: spectrum.may_grow(),
        open: residual.open.clone(),
        motion: conditions.motion.clone(),
        factors,
        by_held: stacked(&by_held, &of_constraints),
        by_parameters: by_parameters.select_rows(&wanted),
        state,
    };
    check_steady(residual, &balance, model)?;
    Ok(balance)
}

/// The error of a singular matrix: that of a family of equilibria, or of forces that nothing can balance.
fn singular(
    residual: &Residual<'_>,
    involved: &[usize],
    state: &StateVectors<f64>,
    model: &'static Description,
) -> EquilibriumError {
    /// Part of the largest force below which a force that is left belongs to a search that did not end.
    const MAX_FORCE_LEFT: f64 = 1e-6;
    /// Part of the forces at the start below which a force counts as balanced, above that with which a search ends.
    const MAX_START_FORCE_LEFT: f64 = 1e-8;
    let unbalanced = residual.unbalanced(state);
    let limit = (MAX_FORCE_LEFT * residual.force_size(state)).max(MAX_START_FORCE_LEFT * residual.force_at_start);
    let along = (0..residual.n()).max_by(|&one, &other| unbalanced[one].abs().total_cmp(&unbalanced[other].abs()));
    if let Some(row) = along.filter(|&row| unbalanced[row].is_nan() || unbalanced[row].abs() > limit) {
        let is_unheld = involved.iter().any(|&index| residual.open.get(index) == Some(&row));
        return not_found(residual, row, unbalanced[row], state, is_unheld);
    }
    let coordinates = involved.iter().filter_map(|&index| residual.open.get(index));
    let names = coordinates.filter_map(|&index| model.coordinates.get(index)).map(|coordinate| coordinate.name);
    let coordinates: Vec<_> = names.collect();
    if !coordinates.is_empty() {
        return match has_forces_beside(residual, state) {
            true => {
                let not_finite = not_finite(residual, state, model);
                let coordinates = if not_finite.is_empty() { coordinates } else { not_finite };
                EquilibriumError::NoStiffness { coordinates, place: shown(model, state) }
            }
            false => EquilibriumError::Family { model: model.name, coordinates },
        };
    }
    let rows = involved.iter().filter_map(|index| index.checked_sub(residual.open.len()));
    let names = rows.filter_map(|row| model.constraints.get(row)).map(|constraint| constraint.name);
    EquilibriumError::Constraints { model: model.name, constraints: names.collect() }
}

/// Returns the coordinates by which the derivative of a force is not finite.
fn not_finite(residual: &Residual<'_>, state: &StateVectors<f64>, model: &Description) -> Vec<&'static str> {
    let matrices = residual.linearized(state).component(0);
    let columns = matrices.stiffness.iter().filter(|(_, _, value)| !value.is_finite()).map(|(_, column, _)| column);
    let mut columns: Vec<usize> = columns.collect();
    columns.sort_unstable();
    columns.dedup();
    columns.into_iter().filter_map(|column| model.coordinates.get(column)).map(|of| of.name).collect()
}

/// Returns true if forces act beside a state whose matrix is singular: where a coordinate of a motion without stiffness
/// is held at another value, and all others are in balance there.
fn has_forces_beside(residual: &Residual<'_>, state: &StateVectors<f64>) -> bool {
    /// The displacement, relative to coordinates that are not small.
    const DISPLACEMENT: f64 = 0.01;
    /// Part of the largest force that is taken for rounding.
    const FORCE_ROUNDING: f64 = 1e-9;
    /// Multiple of the rounding of the stiffness that a force along a displacement may have.
    const STIFFNESS_ROUNDINGS: f64 = 16.0;
    let (minimal, rounding) = residual.minimal(state, &residual.linearized(state).component(0));
    let free = minimal.free_motions(&rounding);
    let mut held: Vec<usize> = Vec::new();
    for motion in free.right.column_iter() {
        let others = (0..motion.len()).filter(|place| !held.contains(&minimal.independent[*place]));
        let most = others.max_by(|&one, &other| motion[one].abs().total_cmp(&motion[other].abs()));
        held.extend(most.map(|place| minimal.independent[place]));
    }
    let all = [residual.held(), &held].concat();
    let beside = residual.with_held(&all);
    let has_force = |&(index, side): &(usize, f64)| {
        let mut coordinates = state.coordinates.clone();
        coordinates[index] += side * DISPLACEMENT * coordinates[index].abs().max(1.0);
        let start = residual.state(&coordinates, &state.multipliers);
        let Outcome::Found(moved) = newton(&beside, &start) else { return false };
        let limit = FORCE_ROUNDING * residual.force_size(&moved).max(residual.force_at_start);
        let change = |place: usize| {
            let index = minimal.independent[place];
            (moved.coordinates[index] - state.coordinates[index]).abs()
        };
        let columns = rounding.stiffness.column_iter().enumerate();
        let of_stiffness: f64 =
            columns.map(|(place, column)| column.sum() * change(place)).filter(|of| of.is_finite()).sum();
        beside.all(&moved)[index].abs() > limit + STIFFNESS_ROUNDINGS * of_stiffness
    };
    held.iter().flat_map(|&index| [(index, 1.0), (index, -1.0)]).any(|side| has_force(&side))
}

fn not_found(
    residual: &Residual<'_>,
    row: usize,
    value: f64,
    state: &StateVectors<f64>,
    is_unheld: bool,
) -> EquilibriumError {
    /// Coordinates in m or rad that no mechanism reaches.
    const MAX_COORDINATE: f64 = 1e6;
    let model = residual.model();
    let farthest = model.coordinates.iter().zip(&state.coordinates).max_by(|one, other| {
        let [one, other] = [one, other].map(|(_, value)| value.abs());
        one.total_cmp(&other)
    });
    if let Some((coordinate, value)) = farthest
        && value.abs() > MAX_COORDINATE
    {
        return EquilibriumError::DrivenAway { coordinate: coordinate.name };
    }
    let inputs = model.inputs.iter().zip(residual.inputs());
    EquilibriumError::NotFound {
        model: model.name,
        quantity: quantity(model, row).into(),
        value: match model.coordinates.get(row) {
            // the equations have forces with the sign of inertia
            Some(_) => -value,
            None => value,
        },
        unit: unit_of(model, row).into(),
        coordinates: shown(model, state).into(),
        is_unheld,
        inputs: inputs.filter(|(_, value)| **value != 0.0).map(|(of, value)| (of.name, *value, of.unit)).collect(),
    }
}

fn unstable(residual: &Residual<'_>, found: &Balance, model: &'static Description) -> EquilibriumError {
    let held: Vec<usize> = found.holding.iter().map(|&(index, _)| index).collect();
    let matrices = residual.linearized(&found.state).component(0).with_held(&held);
    let minimal = Minimal::of(&matrices, &found.motion);
    let motions = minimal.motions.map(|entry| Complex::new(entry, 0.0));
    let deviation = minimal.null_vector(found.fastest, false).map(|vector| motions * vector);
    let largest = deviation.map_or(0, |of| of.map(|entry| entry.norm()).imax());
    EquilibriumError::Unstable {
        coordinate: model.coordinates.get(largest).map_or("?", |coordinate| coordinate.name),
        growth: found.growth,
        coordinates: shown(model, &found.state),
    }
}

/// Returns the name of a row of the equations.
fn quantity(model: &Description, row: usize) -> String {
    match (model.coordinates.get(row), model.constraints.get(row.wrapping_sub(model.coordinates.len()))) {
        (Some(coordinate), _) => format!("the force on `{}`", coordinate.name),
        (None, Some(constraint)) => format!("the constraint `{}`", constraint.name),
        (None, None) => "an equation".to_owned(),
    }
}

/// Returns the unit of a row of the equations.
fn unit_of(model: &Description, row: usize) -> String {
    match (model.coordinates.get(row), model.constraints.get(row.wrapping_sub(model.coordinates.len()))) {
        (Some(Quantity { unit: "m", .. }), _) => "N".to_owned(),
        (Some(Quantity { unit: "rad" | "1", .. }), _) => "N*m".to_owned(),
        (Some(coordinate), _) => format!("N*m/({})", coordinate.unit),
        (None, constraint) => constraint.map_or("1", |of| of.unit).to_owned(),
    }
}

fn shown(model: &Description, state: &StateVectors<f64>) -> Vec<(&'static str, f64)> {
    const MAX_NAMED: usize = 6;
    let named = model.coordinates.iter().zip(&state.coordinates).take(MAX_NAMED);
    named.map(|(coordinate, value)| (coordinate.name, *value)).collect()
}

fn stacked(upper: &DMatrix<f64>, lower: &DMatrix<f64>) -> DMatrix<f64> {
    let mut all = upper.clone().resize_vertically(upper.nrows() + lower.nrows(), 0.0);
    all.rows_mut(upper.nrows(), lower.nrows()).copy_from(lower);
    all
}

impl Balance {
    /// Returns the motion.
    pub fn motion(&self) -> &SteadyMotion {
        &self.motion
    }

    /// Returns the coordinates that were not held, in the order of the rows of the equations.
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// Returns the factors of the derivative of the equations, rows of open coordinates and constraints, with respect
    /// to open coordinates and multipliers.
    pub fn factors(&self) -> &LuFactors {
        &self.factors
    }

    /// Computes the derivatives of the state, rows q, v, a and lambda (3n + m), with respect to these parameters;
    /// `held` has the derivatives of the held coordinates, in the order in which they were held.
    pub fn by_parameters(&self, parameters: &[usize], held: &DMatrix<f64>) -> DMatrix<f64> {
        self.derivatives(&self.by_parameters.select_columns(parameters), held)
    }

    /// Computes the derivatives of the state (3n + m rows) from those of the equations at a constant state, rows of
    /// open coordinates and constraints, and those of the held coordinates.
    pub fn derivatives(&self, equations: &DMatrix<f64>, held: &DMatrix<f64>) -> DMatrix<f64> {
        let (n, m) = (self.state.coordinates.len(), self.state.multipliers.len());
        let right = equations + &self.by_held * held;
        let solved = -self.factors.solve(&right);
        let mut all = DMatrix::zeros(3 * n + m, right.ncols());
        for (mut column, (solved, held)) in all.column_iter_mut().zip(solved.column_iter().zip(held.column_iter())) {
            let mut coordinates = vec![0.0; n];
            self.open.iter().zip(solved.iter()).for_each(|(&index, value)| coordinates[index] = *value);
            self.holding.iter().zip(held.iter()).for_each(|(&(index, _), value)| coordinates[index] = *value);
            let velocities = self.motion.times_generator(&coordinates);
            let accelerations = self.motion.times_generator(&velocities);
            let multipliers = solved.iter().skip(self.open.len()).copied();
            let values = coordinates.iter().chain(&velocities).chain(&accelerations).copied().chain(multipliers);
            column.iter_mut().zip(values).for_each(|(to, value)| *to = value);
        }
        all
    }
}
