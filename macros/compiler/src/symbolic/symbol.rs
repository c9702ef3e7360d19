//! The symbols in expressions.

/// A quantity whose value is not known when the crate is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    /// Time t.
    Time,
    /// Coordinate q.
    Coordinate(usize),
    /// Velocity v.
    Velocity(usize),
    /// Acceleration a.
    Acceleration(usize),
    /// Lagrange multiplier lambda.
    Multiplier(usize),
    /// Parameter p.
    Parameter(usize),
    /// Input u.
    Input(usize),
    /// A number of the time integration.
    Integrator(Integrator),
    /// A number that a function of a step takes as an argument apart from the state.
    Given(Given, usize),
}

impl Symbol {
    /// Checks whether the value is constant during a run.
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

impl Integrator {
    /// All weights, in the order of the array of weights.
    pub const ALL: [Integrator; 5] = [
        Integrator::Accelerations,
        Integrator::Coordinates,
        Integrator::Velocities,
        Integrator::Step,
        Integrator::Previous,
    ];
}

/// Arguments that functions of a step take apart from the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Given {
    /// alpha/(1 + alpha) G of the previous step, by coordinate.
    History,
    /// A varying factor of the Newton matrix.
    Factor,
    /// The right-hand side of a linear system: equations of motion, then constraints.
    RightSide,
    /// The right-hand side of a step of the adjoint that step i + 1 passes on to step i: equations of motion, then
    /// constraints.
    AdjointCarry,
    /// alpha/(1 + alpha) times the adjoint variable w of step i + 1, by coordinate.
    Carried,
    /// dJ/ds, by output.
    OutputGradient,
    /// A quantity in a step of the adjoint that does not depend on the adjoint variables of step i + 1.
    AdjointCoefficient,
    /// A quantity that differs between the parts of a model, in a loop over these.
    Part,
}
