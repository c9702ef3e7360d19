//! The emitted functions that hold values.

use costate_system::model::{Block, Function, Group, Model};

/// The emitted functions that hold values, of which dual numbers give the derivatives. No other function is compiled
/// for dual numbers: derivatives are most of the code of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueGroup {
    Initial,
    Residual,
    Kinematics,
    Outputs,
}

impl ValueGroup {
    /// The group that holds the function's value, or that of a function that it follows from.
    pub fn of(function: Function) -> ValueGroup {
        match function {
            Function::InitialCoordinates | Function::InitialVelocities => ValueGroup::Initial,
            Function::Inertia
            | Function::ForceResidual
            | Function::Force
            | Function::ConstraintForce
            | Function::Constraint
            | Function::Step => ValueGroup::Residual,
            Function::ConstraintVelocity | Function::ConstraintAcceleration => ValueGroup::Kinematics,
            Function::Output | Function::LookupArguments => ValueGroup::Outputs,
        }
    }

    pub fn blocks<M: Model>(self) -> &'static [Block] {
        M::DESCRIPTION.groups.of(match self {
            ValueGroup::Initial => Group::Initial,
            ValueGroup::Residual => Group::Residual,
            ValueGroup::Kinematics => Group::Kinematics,
            ValueGroup::Outputs => Group::Outputs,
        })
    }
}
