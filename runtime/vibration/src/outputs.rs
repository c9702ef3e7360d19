//! The derivatives of the outputs at a state.

use costate_contract::{Argument, Function, Group};
use costate_numerics::linalg::SparseMatrix;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Scalar;
use costate_system::system::{Equations, Instant};

/// ds = S_q dq + S_v dv + S_a da + S_lambda dlambda + S_u du: the outputs about a state.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputMatrices {
    /// S_q (outputs x n).
    pub by_coordinates: SparseMatrix,
    /// S_v (outputs x n).
    pub by_velocities: SparseMatrix,
    /// S_a (outputs x n).
    pub by_accelerations: SparseMatrix,
    /// S_lambda (outputs x m).
    pub by_multipliers: SparseMatrix,
    /// S_u (outputs x inputs).
    pub by_inputs: SparseMatrix,
}

impl OutputMatrices {
    /// Evaluates a component of the matrices at a state: 0 for their values, others for derivatives that the number
    /// type carries.
    pub fn at<S: Scalar>(equations: &dyn Equations<S>, at: Instant<'_, S>, component: usize) -> Self {
        let (model, group) = (equations.description(), equations.group(Group::OutputDerivatives, at));
        let matrix = |argument, columns| {
            let block = find(model.groups.output_derivatives, Function::Output, Some(argument));
            let entries = block.iter(&group).map(|(row, column, value)| (row, column, value.component(component)));
            SparseMatrix::new(model.outputs.len(), columns, entries.collect::<Vec<_>>())
        };
        let (n, m) = (model.coordinates.len(), model.constraints.len());
        Self {
            by_coordinates: matrix(Argument::Coordinates, n),
            by_velocities: matrix(Argument::Velocities, n),
            by_accelerations: matrix(Argument::Accelerations, n),
            by_multipliers: matrix(Argument::Multipliers, m),
            by_inputs: matrix(Argument::Inputs, model.inputs.len()),
        }
    }
}
