//! The derivatives of a start in equilibrium, by the implicit function theorem.

use nalgebra::DMatrix;

use costate_system::model::{Function, Group};
use costate_system::problem::InitialStateError;

use super::iteration::MAX_RELATIVE_RESIDUAL;
use super::rest::{Rest, Stiffness};
use super::unknowns::Derivatives;

/// Computes the derivatives of x_0, rows q0, v0, a0 and lambda0 (3n + m).
pub(super) fn at_rest(derivatives: &Derivatives<'_>, rest: &Rest) -> Result<DMatrix<f64>, InitialStateError> {
    let (system, state) = (derivatives.system, &derivatives.consistent.state);
    let description = system.description();
    let (n, m) = (system.n(), system.m());
    let matrices = system.matrices(Group::Linearization, state);
    let by = |function| derivatives.columns(&matrices, state, function);
    let forces = by(Function::Inertia) + by(Function::ConstraintForce) - by(Function::Force);
    let constraints = by(Function::Constraint);
    let specified = derivatives.specified(Function::InitialCoordinates, description.specified_coordinates);
    let open = rest.balance.open();
    let mut equations = DMatrix::zeros(open.len() + m, forces.ncols());
    equations.rows_mut(0, open.len()).copy_from(&forces.select_rows(open));
    equations.rows_mut(open.len(), m).copy_from(&constraints);
    let all = rest.balance.derivatives(&equations, &specified.select_rows(&rest.held));

    let (positions, multipliers) = (all.rows(0, n).into_owned(), all.rows(3 * n, m).into_owned());
    for &(coordinate, constraint) in &rest.released {
        let difference = positions.row(coordinate) - specified.row(coordinate);
        for (column, value) in difference.iter().enumerate() {
            if value.abs() > MAX_RELATIVE_RESIDUAL * positions.column(column).amax() {
                return Err(InitialStateError::Derivative {
                    constraint: description.constraints[constraint].name,
                    parameter: format!(" ({})", derivatives.name(column)),
                    value: *value,
                });
            }
        }
    }
    let stiffness = Stiffness::of(&matrices);
    let acting = stiffness.change(&positions, &multipliers) + &forces;
    for column in 0..acting.ncols() {
        let of = |matrix: &DMatrix<f64>| matrix.column(column).iter().copied().collect::<Vec<f64>>();
        let largest = if n == 0 { 0.0 } else { forces.column(column).amax() };
        let acting = stiffness.acting(&rest.held, &of(&acting), &of(&positions), &of(&multipliers), largest);
        if let Some((j, value)) = acting {
            return Err(InitialStateError::HeldDerivative {
                coordinate: description.coordinates[j].name,
                by: derivatives.name(column),
                value,
            });
        }
    }
    Ok(all)
}
