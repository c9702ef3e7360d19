//! The derivatives of the forces that a motion needs by the unknown parameters.

use nalgebra::DMatrix;

use costate_contract::{Argument, Function, Group};
use costate_numerics::linalg::block::find;
use costate_system::system::Equations;

use super::random_states::{RandomState, instant};

/// The derivatives at all states, a column for each parameter.
pub(super) struct Regressor {
    /// Without what constraints take: the rows of all states in turn.
    pub free: DMatrix<f64>,
    /// The norm of every column with what constraints take.
    pub norms: Vec<f64>,
}

impl Regressor {
    /// Evaluates the derivatives of M a - f by the parameters with these indices.
    pub fn of(equations: &dyn Equations<f64>, states: &[RandomState], parameters: &[usize]) -> Self {
        let model = equations.description();
        let n = model.coordinates.len();
        let mut free = DMatrix::zeros(n * states.len(), parameters.len());
        let mut norms = vec![0.0; parameters.len()];
        for (number, at) in states.iter().enumerate() {
            let values = equations.group(Group::Linearization, instant(at));
            let mut all = DMatrix::zeros(n, model.parameters.len());
            for (function, sign) in [(Function::Inertia, 1.0), (Function::Force, -1.0)] {
                let block = find(model.groups.linearization, function, Some(Argument::Parameters));
                block.iter(&values).for_each(|(row, column, value)| all[(row, column)] += sign * value);
            }
            let own = all.select_columns(parameters);
            norms.iter_mut().zip(own.column_iter()).for_each(|(sum, column)| *sum += column.norm_squared());
            let left = &own - &at.held * at.held.tr_mul(&own);
            free.rows_mut(n * number, n).copy_from(&left);
        }
        norms.iter_mut().for_each(|sum| *sum = sum.sqrt());
        Self { free, norms }
    }
}

/// Marks the parameters on which the constraints depend that are no drives.
pub(super) fn of_geometry(equations: &dyn Equations<f64>, states: &[RandomState], kept: &[usize]) -> Vec<bool> {
    use Function::{Constraint, ConstraintAcceleration, ConstraintForce, ConstraintVelocity};
    let model = equations.description();
    let mut depends = vec![false; model.parameters.len()];
    for at in states {
        for group in [Group::Linearization, Group::KinematicsDerivatives] {
            let values = equations.group(group, instant(at));
            for function in [Constraint, ConstraintForce, ConstraintVelocity, ConstraintAcceleration] {
                let block = find(model.groups.of(group), function, Some(Argument::Parameters));
                for (row, column, value) in block.iter(&values) {
                    depends[column] |= value != 0.0 && (function == ConstraintForce || kept.contains(&row));
                }
            }
        }
    }
    depends
}
