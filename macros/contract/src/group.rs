//! Groups of functions and derivatives that are computed together.

use crate::Argument::{Accelerations, Coordinates, Inputs, Lookups, Multipliers, Parameters, Velocities};
use crate::Function::{
    Constraint, ConstraintAcceleration, ConstraintForce, ConstraintVelocity, Force, ForceResidual, Inertia,
    InitialCoordinates, InitialVelocities, LookupArguments, Output, Step,
};
use crate::{Argument, Block, Function};

/// Makes [`Group`] and [`Groups`] of the list of all groups: the variant, the name of the function and the field, and
/// the contents of the array.
macro_rules! groups {
    ($($(#[$documentation:meta])* $group:ident $name:ident = [$($content:expr),* $(,)?],)*) => {
        /// The result of one function of a model: a sequence of values and derivatives in one array.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Group {
            $($(#[$documentation])* $group,)*
        }

        impl Group {
            /// All groups, in the order of their numbers.
            pub const ALL: [Group; [$(stringify!($name)),*].len()] = [$(Group::$group),*];

            /// Returns the name of the function.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Group::$group => stringify!($name),)*
                }
            }

            /// Lists the values (without argument) and derivatives in the order of the array. The Newton matrix in
            /// [`Adjoint`](Group::Adjoint) belongs to models without an [`Elimination`](crate::Elimination); other
            /// models leave it out.
            pub const fn contents(self) -> &'static [(Function, Option<Argument>)] {
                match self {
                    $(Group::$group => &[$($content),*],)*
                }
            }
        }

        /// Layout of the arrays that a model's functions fill.
        #[derive(Debug, Clone, Copy)]
        pub struct Groups {
            $(
                #[doc = concat!("Blocks of [`Group::", stringify!($group), "`].")]
                pub $name: &'static [Block],
            )*
        }

        impl Groups {
            /// Groups without blocks.
            pub const EMPTY: Self = Self { $($name: &[],)* };

            /// Returns the blocks of a group, to be replaced.
            pub const fn of_mut(&mut self, group: Group) -> &mut &'static [Block] {
                match group {
                    $(Group::$group => &mut self.$name,)*
                }
            }

            /// Returns the blocks of a group.
            pub const fn of(&self, group: Group) -> &'static [Block] {
                match group {
                    $(Group::$group => self.$name,)*
                }
            }
        }
    };
}

groups! {
    /// The initial values that the model specifies; zero for values that it leaves open.
    Initial initial = [(InitialCoordinates, None), (InitialVelocities, None)],
    /// The derivatives of the initial values.
    InitialDerivatives initial_derivatives = [
        (InitialCoordinates, Some(Parameters)),
        (InitialVelocities, Some(Parameters)),
    ],
    /// The residual of the equations of motion, in its parts.
    Residual residual = [(Inertia, None), (ForceResidual, None), (Constraint, None)],
    /// The residual with the Newton matrix of an implicit step.
    Newton newton = [
        (Inertia, None),
        (ForceResidual, None),
        (Constraint, None),
        (Step, Some(Accelerations)),
        (Constraint, Some(Coordinates)),
    ],
    /// The matrices of a step of the discrete adjoint.
    Adjoint adjoint = [
        (Step, Some(Accelerations)),
        (Constraint, Some(Coordinates)),
        (Inertia, Some(Coordinates)),
        (ForceResidual, Some(Coordinates)),
        (ForceResidual, Some(Velocities)),
        (Inertia, Some(Parameters)),
        (ForceResidual, Some(Parameters)),
        (Constraint, Some(Parameters)),
    ],
    /// The first derivatives of every term of the equations of motion.
    Linearization linearization = [
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
    /// The constraints at velocity and acceleration level.
    Kinematics kinematics = [(ConstraintVelocity, None), (ConstraintAcceleration, None)],
    /// The derivatives of the constraints at velocity and acceleration level, except those equal to C_q.
    KinematicsDerivatives kinematics_derivatives = [
        (ConstraintVelocity, Some(Coordinates)),
        (ConstraintVelocity, Some(Parameters)),
        (ConstraintAcceleration, Some(Coordinates)),
        (ConstraintAcceleration, Some(Velocities)),
        (ConstraintAcceleration, Some(Parameters)),
    ],
    /// The outputs.
    Outputs outputs = [(Output, None)],
    /// The derivatives of the outputs.
    OutputDerivatives output_derivatives = [
        (Output, Some(Coordinates)),
        (Output, Some(Velocities)),
        (Output, Some(Accelerations)),
        (Output, Some(Multipliers)),
        (Output, Some(Parameters)),
        (Output, Some(Inputs)),
    ],
    /// The derivatives of the force residual and the outputs, the only terms that depend on inputs, with respect to
    /// these.
    InputDerivatives input_derivatives = [(ForceResidual, Some(Inputs)), (Output, Some(Inputs))],
    /// The arguments of the lookups in tables of the equations of a step and the outputs, and the derivatives with
    /// respect to the values of these lookups.
    Lookups lookups = [
        (LookupArguments, None),
        (Inertia, Some(Lookups)),
        (ForceResidual, Some(Lookups)),
        (Constraint, Some(Lookups)),
        (Output, Some(Lookups)),
    ],
    /// The arguments of all lookups in tables, and the derivatives with respect to their values at the start of a
    /// run.
    InitialLookups initial_lookups = [
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

impl Group {
    /// Checks whether the function fills a slice. Models without lookups in tables have neither this function nor a
    /// type for its array.
    pub const fn fills_slice(self) -> bool {
        matches!(self, Group::Lookups | Group::InitialLookups)
    }
}

impl Groups {
    /// Returns the length of the array of a group.
    pub const fn length(&self, group: Group) -> usize {
        match self.of(group) {
            [.., last] => last.offset + last.entries.len(),
            [] => 0,
        }
    }
}
