//! The blocks of groups that hold the matrices of a step.

use costate_numerics::linalg::block::find;

use crate::model::{Argument, Block, Description, Function};

/// The blocks of the groups `adjoint`, `output_derivatives`, `input_derivatives`, `lookups`, `kinematics_derivatives`
/// and `initial_lookups` that hold their matrices.
#[derive(Debug)]
pub struct Blocks {
    /// The derivatives of M a with respect to the coordinates.
    pub inertia_q: &'static Block,
    /// The derivatives of the force residual G with respect to the coordinates.
    pub residual_q: &'static Block,
    /// The derivatives of the force residual G with respect to the velocities.
    pub residual_v: &'static Block,
    /// The derivatives of the constraints C with respect to the coordinates.
    pub constraint_q: &'static Block,
    /// The derivatives of M a with respect to the parameters.
    pub inertia_p: &'static Block,
    /// The derivatives of the force residual G with respect to the parameters.
    pub residual_p: &'static Block,
    /// The derivatives of the constraints C with respect to the parameters.
    pub constraint_p: &'static Block,
    /// The derivatives of the outputs s with respect to the coordinates.
    pub output_q: &'static Block,
    /// The derivatives of the outputs s with respect to the velocities.
    pub output_v: &'static Block,
    /// The derivatives of the outputs s with respect to the accelerations.
    pub output_a: &'static Block,
    /// The derivatives of the outputs s with respect to the multipliers.
    pub output_lambda: &'static Block,
    /// The derivatives of the outputs s with respect to the parameters.
    pub output_p: &'static Block,
    /// The derivatives of the force residual G with respect to the inputs.
    pub residual_u: &'static Block,
    /// The derivatives of the outputs s with respect to the inputs.
    pub output_u: &'static Block,
    /// The derivatives of M a with respect to the lookups in tables.
    pub inertia_tau: &'static Block,
    /// The derivatives of the force residual G with respect to the lookups in tables.
    pub residual_tau: &'static Block,
    /// The derivatives of the constraints C with respect to the lookups in tables.
    pub constraint_tau: &'static Block,
    /// The derivatives of the outputs s with respect to the lookups in tables.
    pub output_tau: &'static Block,
    /// The derivatives of the constraints at velocity level with respect to the coordinates.
    pub velocity_q: &'static Block,
    /// The derivatives of the constraints at velocity level with respect to the parameters.
    pub velocity_p: &'static Block,
    /// The derivatives of the constraints at velocity level with respect to all lookups in tables.
    pub velocity_tau: &'static Block,
    /// The derivatives of the constraints at acceleration level with respect to the coordinates.
    pub acceleration_q: &'static Block,
    /// The derivatives of the constraints at acceleration level with respect to the velocities.
    pub acceleration_v: &'static Block,
    /// The derivatives of the constraints at acceleration level with respect to the parameters.
    pub acceleration_p: &'static Block,
    /// The derivatives of the constraints at acceleration level with respect to all lookups in tables.
    pub acceleration_tau: &'static Block,
}

impl Blocks {
    /// The blocks of a model.
    pub fn of(model: &Description) -> Self {
        let groups = &model.groups;
        let adjoint = |function, argument| find(groups.adjoint, function, Some(argument));
        let of_inputs = |function| find(groups.input_derivatives, function, Some(Argument::Inputs));
        let output = |argument| find(groups.output_derivatives, Function::Output, Some(argument));
        let of_lookups = |function| find(groups.lookups, function, Some(Argument::Lookups));
        let velocity = |group, argument| find(group, Function::ConstraintVelocity, Some(argument));
        let acceleration = |group, argument| find(group, Function::ConstraintAcceleration, Some(argument));
        let kinematics = groups.kinematics_derivatives;
        Self {
            inertia_q: adjoint(Function::Inertia, Argument::Coordinates),
            residual_q: adjoint(Function::ForceResidual, Argument::Coordinates),
            residual_v: adjoint(Function::ForceResidual, Argument::Velocities),
            constraint_q: adjoint(Function::Constraint, Argument::Coordinates),
            inertia_p: adjoint(Function::Inertia, Argument::Parameters),
            residual_p: adjoint(Function::ForceResidual, Argument::Parameters),
            constraint_p: adjoint(Function::Constraint, Argument::Parameters),
            output_q: output(Argument::Coordinates),
            output_v: output(Argument::Velocities),
            output_a: output(Argument::Accelerations),
            output_lambda: output(Argument::Multipliers),
            output_p: output(Argument::Parameters),
            residual_u: of_inputs(Function::ForceResidual),
            output_u: of_inputs(Function::Output),
            inertia_tau: of_lookups(Function::Inertia),
            residual_tau: of_lookups(Function::ForceResidual),
            constraint_tau: of_lookups(Function::Constraint),
            output_tau: of_lookups(Function::Output),
            velocity_q: velocity(kinematics, Argument::Coordinates),
            velocity_p: velocity(kinematics, Argument::Parameters),
            velocity_tau: velocity(groups.initial_lookups, Argument::Lookups),
            acceleration_q: acceleration(kinematics, Argument::Coordinates),
            acceleration_v: acceleration(kinematics, Argument::Velocities),
            acceleration_p: acceleration(kinematics, Argument::Parameters),
            acceleration_tau: acceleration(groups.initial_lookups, Argument::Lookups),
        }
    }
}
