//! The matrices of the equations of motion at a point, and their structure.

use nalgebra::DMatrix;

use costate_contract::{Argument, Block, Description, Function, Group};
use costate_numerics::linalg::block::find;

use crate::system::{Equations, Instant};

/// The derivatives of the equations of motion, with n coordinates, m constraints, and columns of coordinates (n),
/// velocities (n), inputs or parameters.
#[derive(Debug)]
pub(super) struct Terms {
    /// M (n x n).
    pub mass: DMatrix<f64>,
    /// C_q (m x n) and C_p.
    pub constraint: [DMatrix<f64>; 2],
    /// (C_q v + C_t)_q and (..)_p.
    pub rates: [DMatrix<f64>; 2],
    /// (C_q a + ..)_q, (..)_v and (..)_p.
    pub accelerations: [DMatrix<f64>; 3],
    /// The derivatives of f - M a - C_q^T lambda with respect to q, v, u and p, at constant a and lambda.
    pub forces: [DMatrix<f64>; 4],
    /// The derivatives of the outputs with respect to q, v, a, lambda, u and p.
    pub outputs: [DMatrix<f64>; 6],
}

impl Terms {
    /// Evaluates the matrices at a state.
    pub fn at(equations: &dyn Equations<f64>, at: Instant<'_, f64>) -> Self {
        let model = equations.description();
        let of = |group| equations.group(group, at);
        let (linear, rates) = (of(Group::Linearization), of(Group::KinematicsDerivatives));
        let outputs = of(Group::OutputDerivatives);
        Self::of(model, |block, group, sign, to| {
            let values: &[f64] = match group {
                Group::Linearization => &linear,
                Group::KinematicsDerivatives => &rates,
                _ => &outputs,
            };
            block.iter(values).for_each(|(row, column, value)| to[(row, column)] += sign * value);
        })
    }

    /// Returns matrices that have 1 where the model's ones may be other than 0.
    pub fn structure(model: &Description) -> Self {
        Self::of(model, |block, _, _, to| {
            block.entries.iter().for_each(|&(row, column)| to[(row as usize, column as usize)] = 1.0);
        })
    }

    fn of(model: &Description, add: impl Fn(&Block, Group, f64, &mut DMatrix<f64>)) -> Self {
        use Argument::{Accelerations, Coordinates, Inputs, Multipliers, Parameters, Velocities};
        use Function::{
            Constraint, ConstraintAcceleration, ConstraintForce, ConstraintVelocity, Force, Inertia, Output,
        };
        let columns = |argument| match argument {
            Multipliers => model.constraints.len(),
            Inputs => model.inputs.len(),
            Parameters => model.parameters.len(),
            _ => model.coordinates.len(),
        };
        let sum = |group: Group, argument: Argument, functions: &[(Function, f64)]| {
            let rows = functions.first().map_or(0, |(function, _)| model.rows(*function).len());
            let mut sum = DMatrix::zeros(rows, columns(argument));
            for &(function, sign) in functions {
                add(find(model.groups.of(group), function, Some(argument)), group, sign, &mut sum);
            }
            sum
        };
        let linear = |argument, functions: &[_]| sum(Group::Linearization, argument, functions);
        let level = |function, argument| sum(Group::KinematicsDerivatives, argument, &[(function, 1.0)]);
        let output = |argument| sum(Group::OutputDerivatives, argument, &[(Output, 1.0)]);
        let all = [(Force, 1.0), (Inertia, -1.0), (ConstraintForce, -1.0)];
        Self {
            mass: linear(Accelerations, &[(Inertia, 1.0)]),
            constraint: [Coordinates, Parameters].map(|argument| linear(argument, &[(Constraint, 1.0)])),
            rates: [Coordinates, Parameters].map(|argument| level(ConstraintVelocity, argument)),
            accelerations: [Coordinates, Velocities, Parameters]
                .map(|argument| level(ConstraintAcceleration, argument)),
            forces: [
                linear(Coordinates, &all),
                linear(Velocities, &all[..1]),
                linear(Inputs, &all[..1]),
                linear(Parameters, &all),
            ],
            outputs: [Coordinates, Velocities, Accelerations, Multipliers, Inputs, Parameters].map(output),
        }
    }
}
