//! What expressions are made of besides numbers.

/// A quantity whose value is not known when the crate is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// t
    Time,
    /// q
    Coordinate(usize),
    /// v
    Velocity(usize),
    /// a
    Acceleration(usize),
    /// lambda
    Multiplier(usize),
    /// p
    Parameter(usize),
    /// u
    Input(usize),
    /// A number of the time integration.
    Integrator(Integrator),
    /// A number that a function of a step is given beside the state.
    Given(Given, usize),
}

impl Symbol {
    /// Whether the value stays the same during a run.
    pub fn is_run_constant(self) -> bool {
        matches!(self, Symbol::Parameter(_) | Symbol::Integrator(_))
    }
}

/// Numbers of an implicit time integration: HHT (DA 12, 13) or generalized alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Integrator {
    /// 1/(1 + alpha), the weight of the mass matrix.
    Accelerations,
    /// w_q = dq/da, beta h^2 for HHT.
    Coordinates,
    /// w_v = dv/da, gamma h for HHT.
    Velocities,
    /// h, the step size.
    Step,
    /// alpha/(1 + alpha), the weight of the previous forces.
    Previous,
}

/// What functions of a step are given beside the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Given {
    /// alpha/(1 + alpha) G of the step before, by coordinate.
    History,
    /// A varying factor of the Newton matrix.
    Factor,
    /// The right-hand side of a linear system: equations of motion, then constraints.
    RightSide,
    /// The right-hand side of a step of the adjoint that the step after passes on: equations of motion, then constraints.
    Passed,
    /// alpha/(1 + alpha) times the adjoint variable w of the step after, by coordinate.
    Carried,
    /// dJ/ds, by output.
    OutputGradient,
    /// What a step of the adjoint depends on besides the adjoint variables of the step after it.
    AdjointCoefficient,
}
