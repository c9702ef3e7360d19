//! The outputs of a compiled model as measurements, with their exact derivatives.

use costate_numerics::linalg::block::{Products, find};
use costate_numerics::scalar::Vector;
use costate_system::model::{Argument, Block, Function, Functions, Group, Point};

/// Evaluates outputs and their derivatives.
#[derive(Debug, Clone)]
pub(super) struct Outputs<M: Functions> {
    values: M::Outputs<f64>,
    derivatives: M::OutputDerivatives<f64>,
    column: M::Outputs<f64>,
    blocks: [&'static Block; 5],
}

/// The change of the arguments of the outputs with one state.
pub(super) struct Change<'a> {
    pub coordinates: &'a [f64],
    pub velocities: &'a [f64],
    pub accelerations: &'a [f64],
    pub multipliers: &'a [f64],
    pub parameter: Option<usize>,
}

impl<M: Functions> Outputs<M> {
    pub fn new(program: M::Program) -> Self {
        let lengths = M::lengths(program);
        let by = |argument| find(M::description(program).groups.output_derivatives, Function::Output, Some(argument));
        Self {
            values: Vector::zeros(lengths.outputs),
            derivatives: Vector::zeros(lengths.group(Group::OutputDerivatives)),
            column: Vector::zeros(lengths.outputs),
            blocks: [
                Argument::Coordinates,
                Argument::Velocities,
                Argument::Accelerations,
                Argument::Multipliers,
                Argument::Parameters,
            ]
            .map(by),
        }
    }

    /// The values of the outputs `measured`.
    pub fn values(&mut self, point: &Point<'_, M, f64>, measured: &[usize], y: &mut [f64]) {
        M::outputs(point, &mut self.values);
        for (y, &index) in y.iter_mut().zip(measured) {
            *y = self.values.as_ref()[index];
        }
    }

    /// Evaluates the derivatives for [`column`](Self::column).
    pub fn differentiate(&mut self, point: &Point<'_, M, f64>) {
        M::output_derivatives(point, &mut self.derivatives);
    }

    /// The derivatives of all outputs along a change of the arguments.
    pub fn column(&mut self, change: &Change<'_>) -> &[f64] {
        let (group, column) = (self.derivatives.as_ref(), self.column.as_mut());
        column.fill(0.0);
        let [q, v, a, lambda, p] = self.blocks;
        q.add_product(group, 1.0, change.coordinates, column);
        v.add_product(group, 1.0, change.velocities, column);
        a.add_product(group, 1.0, change.accelerations, column);
        lambda.add_product(group, 1.0, change.multipliers, column);
        if let Some(parameter) = change.parameter {
            p.add_column(group, 1.0, parameter, column);
        }
        column
    }
}
