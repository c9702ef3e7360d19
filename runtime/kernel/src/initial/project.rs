//! Projection of positions and velocities onto the constraints.
//!
//! The open positions or velocities x_o minimise |x_o - n_o|^2/2 subject to c(x) = 0, where n_o are their
//! hints in the model, or zero: with multipliers kappa,
//!
//! ```text
//! x_o - n_o + (C_q^T kappa)_o = 0,   c(x) = 0
//! ```
//!
//! where c is C for positions and C_q v + C_t for velocities. The system is solved by Newton's method, in
//! every component of the number type with the same real matrix; where the method fails, it starts again from
//! the result of [`close`].

use nalgebra::DMatrix;

use costate_numerics::linalg::{
    LeastNorm, SparseLu, SparseMatrix, dependent_rows, nearly_dependent_rows, order_of_selected,
};
use costate_numerics::scalar::Scalar;
use costate_system::model::{Argument, Description, Function, Group};
use costate_system::problem::InitialStateError;
use costate_system::system::StateVectors;

use super::closing::close;
use super::constraints::{Constraints, Violation, terms};
use super::iteration::{
    MAX_ITERATIONS, MAX_RELATIVE_RESIDUAL, MAX_VIOLATION, check_finite, component_matrix, iterate, subtract,
};
use super::level::Level;
use super::open_loop::open_loop;
use super::rounding;
use super::system::{Matrices, StartSystem};
use crate::rounding::ROUNDINGS;

/// Moves the open positions or velocities onto the constraints; returns the multipliers kappa.
pub(super) fn project<S: Scalar>(
    system: &StartSystem<'_, S>,
    level: Level,
    open: &[usize],
    state: &mut StateVectors<S>,
) -> Result<Vec<S>, InitialStateError> {
    // the state's multipliers are kappa meanwhile
    state.multipliers.fill(S::default());
    let near: Vec<S> = open.iter().map(|&j| level.unknowns(state)[j]).collect();
    let values = level.constraint(system, state);
    check_finite(system.description(), &values, |row| system.n() + row, level.name())?;
    let start = Constraints::of_values(values.clone(), system, level, state);
    let satisfied = start.violation(ROUNDINGS * f64::EPSILON).is_none();
    let may_be_far = !satisfied && level == Level::Positions;
    // values that satisfy the constraints stay as they are, only derivatives change
    let end = if satisfied {
        newton(system, level, open, &near, 1, state)?;
        start.with_derivatives(system, level, state)
    } else {
        let mut found = if may_be_far { approach(system, open, &near, start, state) } else { Ok(()) };
        found = found.and_then(|()| newton(system, level, open, &near, 0, state));
        let mut end = found.map(|()| Constraints::new(system, level, state));
        if may_be_far && end.as_ref().map_or(true, |end| end.violation(MAX_VIOLATION).is_some()) {
            let (positions, multipliers) = (state.coordinates.clone(), state.multipliers.clone());
            if close(system, open, &near, state) {
                let found = newton(system, level, open, &near, 0, state);
                end = found.map(|()| Constraints::new(system, level, state));
            } else {
                (state.coordinates, state.multipliers) = (positions, multipliers);
            }
        }
        end?
    };
    check(system, level, open, &values, &end, state)?;
    let zeros = vec![S::default(); system.m()];
    Ok(std::mem::replace(&mut state.multipliers, zeros))
}

/// Creates solutions of the equations of a projection, whose matrix has few entries that the Newton matrix of a step
/// lacks, and that of the accelerations at the same positions, whose pivots are taken if the model has no order.
pub(super) fn least_norm<S: Scalar>(
    system: &StartSystem<'_, S>,
    open: &[usize],
    accelerations: Option<&SparseLu>,
) -> LeastNorm {
    let constraints = system.n()..system.n() + system.m();
    let indices: Vec<usize> = open.iter().copied().chain(constraints).collect();
    let searched = accelerations.map(SparseLu::searched).unwrap_or_default();
    let order = if searched.is_empty() { system.order() } else { &searched };
    LeastNorm::with_order(order_of_selected(order, &indices))
}

/// Lists the constraints as pivots in the order in which their multipliers are eliminated in steps.
fn order_of_constraints<S: Scalar>(system: &StartSystem<'_, S>) -> Vec<(u32, u32)> {
    let multipliers = system.order().iter().filter_map(|&(_, column)| column.checked_sub(system.n() as u32));
    multipliers.map(|multiplier| (multiplier, multiplier)).collect()
}

/// Runs Newton's method in components `first..`, until it converges.
fn newton<S: Scalar>(
    system: &StartSystem<'_, S>,
    level: Level,
    open: &[usize],
    near: &[S],
    first: usize,
    state: &mut StateVectors<S>,
) -> Result<(), InitialStateError> {
    let mut least_norm = self::least_norm(system, open, None);
    iterate(|| {
        let linearization = system.evaluate(Group::Linearization, state);
        let rows = residual(system, level, open, near, &linearization, state)?;
        if first == S::COMPONENTS {
            return Ok(None);
        }
        let (matrix, scales) = matrix_in(&system.matrices_of(&linearization), level, open);
        let mut right = component_matrix(&rows);
        scale_constraints(&mut right, open.len(), &scales);
        let Some(mut update) = least_norm.solve(&matrix, &right) else { return Ok(None) };
        scale_constraints(&mut update, open.len(), &scales);
        let m = state.multipliers.len();
        subtract(update.rows(open.len(), m), first, &mut state.multipliers, 0..m);
        let unknowns = level.unknowns(state);
        Ok(Some(subtract(update.rows(0, open.len()), first, unknowns, open.iter().copied())))
    })?;
    Ok(())
}

/// Scales the rows of the constraints, which are below those of `open` unknowns.
fn scale_constraints(rows: &mut DMatrix<f64>, open: usize, scales: &[f64]) {
    for (mut row, scale) in rows.row_iter_mut().skip(open).zip(scales) {
        row *= *scale;
    }
}

/// Moves open positions to some point that satisfies the constraints, by steps of least norm (Gauss and
/// Newton): the projection converges from such a point, but perhaps not from far away. The constraints at the
/// state are `at`.
fn approach<S: Scalar>(
    system: &StartSystem<'_, S>,
    open: &[usize],
    near: &[S],
    mut at: Constraints<S>,
    state: &mut StateVectors<S>,
) -> Result<(), InitialStateError> {
    let mut least_norm = LeastNorm::with_order(order_of_constraints(system));
    for _ in 0..MAX_ITERATIONS {
        if at.violation(MAX_VIOLATION).is_none() {
            break;
        }
        check_finite(system.description(), &at.values, |row| system.n() + row, "positions")?;
        let (matrix, scales) = normalised(&at.jacobian, open);
        let value = DMatrix::from_fn(scales.len(), 1, |row, _| at.values[row].real() * scales[row]);
        let Some(multipliers) = least_norm.solve(&matrix.normal(), &value) else { break };
        let update = matrix.transposed_product(&multipliers);
        for (change, &j) in update.iter().zip(open) {
            let position = &mut state.coordinates[j];
            position.set_component(0, position.real() - change);
        }
        at = Constraints::new(system, Level::Positions, state);
    }
    // kappa that fits the point best: x_o - n_o + C_o^T kappa = 0
    let (matrix, scales) = normalised(&at.jacobian, open);
    let positions = &state.coordinates;
    let positions = DMatrix::from_fn(open.len(), 1, |row, _| positions[open[row]].real() - near[row].real());
    if let Some(kappa) = least_norm.solve(&matrix.normal(), &matrix.product(&positions)) {
        for ((multiplier, kappa), scale) in state.multipliers.iter_mut().zip(kappa.iter()).zip(scales.iter()) {
            multiplier.set_component(0, -kappa * scale);
        }
    }
    Ok(())
}

/// Evaluates x_o - n_o + (C_q^T kappa)_o and c, with the group `linearization` at the state.
fn residual<S: Scalar>(
    system: &StartSystem<'_, S>,
    level: Level,
    open: &[usize],
    near: &[S],
    linearization: &[S],
    state: &mut StateVectors<S>,
) -> Result<Vec<S>, InitialStateError> {
    let forces = system.force_in(Function::ConstraintForce, linearization);
    let constraint = level.constraint(system, state);
    let unknowns = level.unknowns(state);
    let mut rows: Vec<S> = open.iter().zip(near).map(|(&j, &near)| unknowns[j] - near + forces[j]).collect();
    rows.extend(constraint);
    let index = |row: usize| open.get(row).copied().unwrap_or(system.n() + row - open.len());
    check_finite(system.description(), &rows, index, level.name())?;
    Ok(rows)
}

/// Returns the columns `open` of C_q with rows of length 1, so that the rank does not depend on units, and the scale
/// factors.
fn normalised(jacobian: &SparseMatrix, open: &[usize]) -> (SparseMatrix, Vec<f64>) {
    let mut columns = jacobian.select_columns(open);
    let scale = |norm: &f64| if *norm > 0.0 && norm.is_finite() { 1.0 / norm } else { 1.0 };
    let scales: Vec<f64> = columns.row_norms().iter().map(scale).collect();
    columns.scale_rows(&scales);
    (columns, scales)
}

/// Assembles [1 + (C_q^T kappa)_q, C_o^T; C_o, 0] over the open coordinates, with normalised C_o, and the
/// scale factors.
pub(super) fn matrix<S: Scalar>(
    system: &StartSystem<'_, S>,
    level: Level,
    open: &[usize],
    state: &StateVectors<S>,
) -> (SparseMatrix, Vec<f64>) {
    matrix_in(&system.matrices(Group::Linearization, state), level, open)
}

/// Assembles [`matrix`] of evaluated matrices.
fn matrix_in(matrices: &Matrices, level: Level, open: &[usize]) -> (SparseMatrix, Vec<f64>) {
    let (jacobian, scales) = normalised(&matrices.matrix(Function::Constraint, Argument::Coordinates), open);
    let units = (0..open.len()).map(|j| (j, j, 1.0));
    let matrix = match level {
        Level::Positions => {
            let curvature = matrices.matrix(Function::ConstraintForce, Argument::Coordinates).select(open);
            jacobian.saddle(units.chain(curvature.iter()))
        }
        Level::Velocities => jacobian.saddle(units),
    };
    (matrix, scales)
}

/// Returns the error about velocities that violate a constraint: of the positions, where constraints nearly repeat each
/// other there, else of the velocities themselves.
fn wrong_velocities(
    model: &Description,
    jacobian: &SparseMatrix,
    open: &[usize],
    Violation { constraint, value, limit }: Violation,
) -> InitialStateError {
    /// Size of a linear combination of the constraints' gradients, relative to these, below which positions are close
    /// to a singular one: velocities lose half of their digits or more.
    const MIN_COMBINATION: f64 = 1e-5;
    let columns = jacobian.select_columns(open);
    let mut near = nearly_dependent_rows(jacobian, MIN_COMBINATION);
    // where open velocities do not count at all, it is the specified ones that contradict a constraint
    if near.is_empty() && dependent_rows(&columns).is_empty() {
        near = nearly_dependent_rows(&columns, MIN_COMBINATION);
    }
    let constraint = model.constraints[constraint].name;
    if near.is_empty() {
        return InitialStateError::Velocities { constraint, value, limit };
    }
    let names = near.iter().map(|&row| model.constraints[row].name).collect();
    InitialStateError::NearlySingular { names, constraint, value, limit }
}

/// Fails where a constraint or, for other components, its derivative is still violated at the state, where the
/// constraints are `end` after they were `start`.
fn check<S: Scalar>(
    system: &StartSystem<'_, S>,
    level: Level,
    open: &[usize],
    start: &[S],
    end: &Constraints<S>,
    state: &StateVectors<S>,
) -> Result<(), InitialStateError> {
    let name = |row: usize| system.description().constraints[row].name;
    if let Some(worst) = end.violation(MAX_VIOLATION) {
        return Err(match level {
            Level::Positions => open_loop(system, end.violations(MAX_VIOLATION), worst),
            Level::Velocities => wrong_velocities(system.description(), &end.jacobian, open, worst),
        });
    }
    let of_state = |component: usize| {
        let values = |state: &StateVectors<S>| level.constraint(system, state);
        let derivative = |state: &_| values(state).iter().map(|value| value.component(component)).collect();
        rounding::of_state(level, &[0, component], state, derivative)
    };
    for component in 1..S::COMPONENTS {
        let (terms, rounding) = terms(&end.jacobian, level, component, state);
        // a derivative below the rounding of the value's rounding is the remainder of an exact zero
        let rounding = rounding + &end.rounding * f64::EPSILON;
        for (row, value) in end.values.iter().enumerate() {
            let value = value.component(component);
            let size = terms[row].max(start[row].component(component).abs());
            let allowed = MAX_RELATIVE_RESIDUAL * size + rounding[row];
            if value.abs() > allowed && value.abs() > allowed + of_state(component)[row] {
                let (constraint, parameter) = (name(row), String::new());
                return Err(InitialStateError::Derivative { constraint, parameter, value });
            }
        }
    }
    Ok(())
}
