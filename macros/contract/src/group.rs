//! Groups of functions and derivatives that are computed together.

use crate::Argument::{Accelerations, Coordinates, Inputs, Lookups, Multipliers, Parameters, Velocities};
use crate::Function::{
    Constraint, ConstraintAcceleration, ConstraintForce, ConstraintVelocity, Force, ForceResidual, Inertia,
    InitialCoordinates, InitialVelocities, LookupArguments, Output, Step,
};
use crate::{Argument, Function};

/// The result of one function of a model: a sequence of values and derivatives in one array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// The initial values that the model specifies; zero for values that it leaves open.
    Initial,
    /// The derivatives of the initial values.
    InitialDerivatives,
    /// The residual of the equations of motion, in its parts.
    Residual,
    /// The residual with the Newton matrix of an implicit step.
    Newton,
    /// The matrices of a step of the discrete adjoint.
    Adjoint,
    /// The first derivatives of every term of the equations of motion.
    Linearization,
    /// The constraints at velocity and acceleration level.
    Kinematics,
    /// The derivatives of the constraints at velocity and acceleration level, except those equal to C_q.
    KinematicsDerivatives,
    /// The outputs.
    Outputs,
    /// The derivatives of the outputs.
    OutputDerivatives,
    /// The derivatives of the force residual and the outputs, the only terms that depend on inputs, with respect to
    /// these.
    InputDerivatives,
    /// The arguments of the lookups in tables of the equations of a step and the outputs, and the derivatives with
    /// respect to the values of these lookups.
    Lookups,
    /// The arguments of all lookups in tables, and the derivatives with respect to their values at the start of a
    /// run.
    InitialLookups,
}

impl Group {
    /// All groups.
    pub const ALL: [Group; 13] = [
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
        Group::Lookups,
        Group::InitialLookups,
    ];

    /// Returns the name of the function.
    pub const fn name(self) -> &'static str {
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
            Group::Lookups => "lookups",
            Group::InitialLookups => "initial_lookups",
        }
    }

    /// Checks whether the function fills a slice. Models without lookups in tables have neither this function nor a
    /// type for its array.
    pub const fn fills_slice(self) -> bool {
        matches!(self, Group::Lookups | Group::InitialLookups)
    }

    /// Lists the values (without argument) and derivatives in the order of the array. The Newton matrix in
    /// [`Adjoint`](Group::Adjoint) belongs to models without an [`Elimination`](crate::Elimination); other models
    /// leave it out.
    pub const fn contents(self) -> &'static [(Function, Option<Argument>)] {
        match self {
            Group::Initial => &[(InitialCoordinates, None), (InitialVelocities, None)],
            Group::InitialDerivatives => {
                &[(InitialCoordinates, Some(Parameters)), (InitialVelocities, Some(Parameters))]
            }
            Group::Residual => &[(Inertia, None), (ForceResidual, None), (Constraint, None)],
            Group::Newton => &[
                (Inertia, None),
                (ForceResidual, None),
                (Constraint, None),
                (Step, Some(Accelerations)),
                (Constraint, Some(Coordinates)),
            ],
            Group::Adjoint => &[
                (Step, Some(Accelerations)),
                (Constraint, Some(Coordinates)),
                (Inertia, Some(Coordinates)),
                (ForceResidual, Some(Coordinates)),
                (ForceResidual, Some(Velocities)),
                (Inertia, Some(Parameters)),
                (ForceResidual, Some(Parameters)),
                (Constraint, Some(Parameters)),
            ],
            Group::Linearization => &[
                (Force, None),
                (ConstraintForce, None),
                (Inertia, Some(Accelerations)),
                (Inertia, Some(Coordinates)),
                (Inertia, Some(Parameters)),
                (Force, Some(Coordinates)),
                (Force, Some(Velocities)),
                (Force, Some(Parameters)),
                (Force, Some(Inputs)),
                (ConstraintForce, Some(Coordinates)),
                (ConstraintForce, Some(Parameters)),
                (Constraint, Some(Coordinates)),
                (Constraint, Some(Parameters)),
            ],
            Group::Kinematics => &[(ConstraintVelocity, None), (ConstraintAcceleration, None)],
            Group::KinematicsDerivatives => &[
                (ConstraintVelocity, Some(Coordinates)),
                (ConstraintVelocity, Some(Parameters)),
                (ConstraintAcceleration, Some(Coordinates)),
                (ConstraintAcceleration, Some(Velocities)),
                (ConstraintAcceleration, Some(Parameters)),
            ],
            Group::Outputs => &[(Output, None)],
            Group::OutputDerivatives => &[
                (Output, Some(Coordinates)),
                (Output, Some(Velocities)),
                (Output, Some(Accelerations)),
                (Output, Some(Multipliers)),
                (Output, Some(Parameters)),
                (Output, Some(Inputs)),
            ],
            Group::InputDerivatives => &[(ForceResidual, Some(Inputs)), (Output, Some(Inputs))],
            Group::Lookups => &[
                (LookupArguments, None),
                (Inertia, Some(Lookups)),
                (ForceResidual, Some(Lookups)),
                (Constraint, Some(Lookups)),
                (Output, Some(Lookups)),
            ],
            Group::InitialLookups => &[
                (LookupArguments, None),
                (InitialCoordinates, Some(Lookups)),
                (InitialVelocities, Some(Lookups)),
                (Inertia, Some(Lookups)),
                (Force, Some(Lookups)),
                (ConstraintForce, Some(Lookups)),
                (Constraint, Some(Lookups)),
                (ConstraintVelocity, Some(Lookups)),
                (ConstraintAcceleration, Some(Lookups)),
            ],
        }
    }
}
