//! The functions of a model, and the arguments of their derivatives.

/// A vector function of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// q0(p), the initial positions (n).
    InitialCoordinates,
    /// v0(p), the initial velocities (n).
    InitialVelocities,
    /// M a (n).
    Inertia,
    /// f, the generalized forces (n).
    Force,
    /// C_q^T lambda, the constraint forces (n).
    ConstraintForce,
    /// G = C_q^T lambda - f (n).
    ForceResidual,
    /// The combination that a step solves, with q and v depending on a through the weights of the step (n).
    Step,
    /// C (m).
    Constraint,
    /// C_q v + C_t (m).
    ConstraintVelocity,
    /// C_q a + (C_q v)_q v + 2 C_qt v + C_tt (m).
    ConstraintAcceleration,
    /// s, the outputs.
    Output,
    /// z, the arguments of all lookups in tables, one or two each.
    LookupArguments,
}

impl Function {
    /// Returns the name in code.
    pub const fn name(self) -> &'static str {
        match self {
            Function::InitialCoordinates => "initial_coordinates",
            Function::InitialVelocities => "initial_velocities",
            Function::Inertia => "inertia",
            Function::Force => "force",
            Function::ConstraintForce => "constraint_force",
            Function::ForceResidual => "force_residual",
            Function::Step => "step",
            Function::Constraint => "constraint",
            Function::ConstraintVelocity => "constraint_velocity",
            Function::ConstraintAcceleration => "constraint_acceleration",
            Function::Output => "output",
            Function::LookupArguments => "lookup_arguments",
        }
    }

    /// Returns the meaning in words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Function::InitialCoordinates => "initial positions",
            Function::InitialVelocities => "initial velocities",
            Function::Inertia => "inertia forces",
            Function::Force => "forces",
            Function::ConstraintForce => "constraint forces",
            Function::ForceResidual => "constraint forces minus forces",
            Function::Step => "the equations of a step",
            Function::Constraint => "constraints",
            Function::ConstraintVelocity => "constraints on velocities",
            Function::ConstraintAcceleration => "constraints on accelerations",
            Function::Output => "outputs",
            Function::LookupArguments => "arguments of the lookups in tables",
        }
    }

    /// Returns the formula.
    pub const fn formula(self) -> &'static str {
        match self {
            Function::InitialCoordinates => "q0",
            Function::InitialVelocities => "v0",
            Function::Inertia => "M a",
            Function::Force => "f",
            Function::ConstraintForce => "C_q^T lambda",
            Function::ForceResidual => "C_q^T lambda - f",
            Function::Step => "w_a M a + G",
            Function::Constraint => "C",
            Function::ConstraintVelocity => "C_q v + C_t",
            Function::ConstraintAcceleration => "C_q a + (C_q v)_q v + 2 C_qt v + C_tt",
            Function::Output => "s",
            Function::LookupArguments => "z",
        }
    }
}

/// The argument of a derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Argument {
    /// Coordinates q.
    Coordinates,
    /// Velocities v.
    Velocities,
    /// Accelerations a.
    Accelerations,
    /// Multipliers lambda.
    Multipliers,
    /// Parameters p.
    Parameters,
    /// Inputs u.
    Inputs,
    /// Values tau of all lookups in tables, as if they were independent quantities.
    Lookups,
}

impl Argument {
    /// Returns the name in code.
    pub const fn name(self) -> &'static str {
        match self {
            Argument::Coordinates => "coordinates",
            Argument::Velocities => "velocities",
            Argument::Accelerations => "accelerations",
            Argument::Multipliers => "multipliers",
            Argument::Parameters => "parameters",
            Argument::Inputs => "inputs",
            Argument::Lookups => "lookups",
        }
    }

    /// Returns the letter in formulas.
    pub const fn letter(self) -> &'static str {
        match self {
            Argument::Coordinates => "q",
            Argument::Velocities => "v",
            Argument::Accelerations => "a",
            Argument::Multipliers => "lambda",
            Argument::Parameters => "p",
            Argument::Inputs => "u",
            Argument::Lookups => "tau",
        }
    }
}
