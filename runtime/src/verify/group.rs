//! The emitted functions of a model, to go through all of them.

use crate::model::{Block, Function, Model};

/// The emitted functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    Initial,
    InitialDerivatives,
    Residual,
    Newton,
    Adjoint,
    Linearization,
    Kinematics,
    KinematicsDerivatives,
    Outputs,
    OutputDerivatives,
    InputDerivatives,
}

impl Group {
    pub fn all() -> [Group; 11] {
        [
            Group::Initial,
            Group::InitialDerivatives,
            Group::Residual,
            Group::Newton,
            Group::Adjoint,
            Group::Linearization,
            Group::Kinematics,
            Group::KinematicsDerivatives,
            Group::Outputs,
            Group::OutputDerivatives,
            Group::InputDerivatives,
        ]
    }

    pub fn name(self) -> &'static str {
        match self {
            Group::Initial => "initial",
            Group::InitialDerivatives => "initial_derivatives",
            Group::Residual => "residual",
            Group::Newton => "newton",
            Group::Adjoint => "adjoint",
            Group::Linearization => "linearization",
            Group::Kinematics => "kinematics",
            Group::KinematicsDerivatives => "kinematics_derivatives",
            Group::Outputs => "outputs",
            Group::OutputDerivatives => "output_derivatives",
            Group::InputDerivatives => "input_derivatives",
        }
    }

    pub fn blocks<M: Model>(self) -> &'static [Block] {
        let groups = M::DESCRIPTION.groups;
        match self {
            Group::Initial => groups.initial,
            Group::InitialDerivatives => groups.initial_derivatives,
            Group::Residual => groups.residual,
            Group::Newton => groups.newton,
            Group::Adjoint => groups.adjoint,
            Group::Linearization => groups.linearization,
            Group::Kinematics => groups.kinematics,
            Group::KinematicsDerivatives => groups.kinematics_derivatives,
            Group::Outputs => groups.outputs,
            Group::OutputDerivatives => groups.output_derivatives,
            Group::InputDerivatives => groups.input_derivatives,
        }
    }
}

/// The emitted functions that hold values, of which dual numbers give the derivatives. No other function is compiled for
/// dual numbers: derivatives are most of the code of a model.
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
            Function::Output => ValueGroup::Outputs,
        }
    }

    pub fn blocks<M: Model>(self) -> &'static [Block] {
        let groups = M::DESCRIPTION.groups;
        match self {
            ValueGroup::Initial => groups.initial,
            ValueGroup::Residual => groups.residual,
            ValueGroup::Kinematics => groups.kinematics,
            ValueGroup::Outputs => groups.outputs,
        }
    }
}
