//! Expressions: numbers that are computed from variables and from entries of arrays.

use crate::symbolic::Function as Elementary;

/// A variable of a function: its position in [`Function::variables`](super::Function::variables).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub usize);

/// A local array of a function: its position in [`Function::locals`](super::Function::locals).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Local(pub usize);

/// An array that a function reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Array {
    /// The time t, the only entry.
    Time,
    /// Coordinates q of the point.
    Coordinates,
    /// Velocities v of the point.
    Velocities,
    /// Accelerations a of the point.
    Accelerations,
    /// Multipliers lambda of the point.
    Multipliers,
    /// Inputs u of the point.
    Inputs,
    /// Parameters p; only `constants` and `geometry` read them.
    Parameters,
    /// Weights of the integrator, in the order of [`Integrator::ALL`](crate::symbolic::Integrator::ALL); only
    /// `constants` reads them.
    Weights,
    /// Constants of the run, the results of `constants`.
    Constants,
    /// History term of a step.
    History,
    /// Factors of the Newton matrix; a result of `newton_correction`, `adjoint`, `adjoint_coefficients` and
    /// `adjoint_step`.
    Factors,
    /// Coefficients of `adjoint_recurrence`; a result of `adjoint_coefficients`.
    AdjointCoefficients,
    /// Derivatives of the cost with respect to the outputs.
    OutputGradient,
    /// Right-hand side that the step after passes on.
    CarryRight,
    /// k' w of the step after.
    Carried,
    /// Results of a group; numbers of the scene.
    Out,
    /// Correction of a Newton iteration.
    Correction,
    /// Right-hand side of a linear system before, and its solution after.
    Unknowns,
    /// Adjoint variables of the coordinates.
    UpdateCoordinates,
    /// Adjoint variables of the velocities.
    UpdateVelocities,
    /// Adjoint variables of the equations of motion and of the constraints.
    UpdateUnknowns,
    /// The gradient of the cost with respect to the parameters.
    Gradient,
    /// A local array.
    Local(Local),
}

/// A position in an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Index {
    /// A fixed entry.
    At(usize),
    /// `offset + stride i` in repetition i of the loop around.
    Rising {
        /// The entry of the first repetition.
        offset: usize,
        /// The difference from one repetition to the next.
        stride: usize,
    },
    /// `offset - stride i` in repetition i of the loop around.
    Falling {
        /// The entry of the first repetition.
        offset: usize,
        /// The difference from one repetition to the next.
        stride: usize,
    },
    /// Entry i of this table of positions, [`Function::positions`](super::Function::positions), in repetition i of the
    /// loop around.
    Table(usize),
}

/// An entry of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The array.
    pub array: Array,
    /// The position.
    pub index: Index,
}

/// A number that is computed from others, or a condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A plain number.
    Number(f64),
    /// Entry i of this table of numbers, [`Function::numbers`](super::Function::numbers), in repetition i of the loop
    /// around.
    NumberOf(usize),
    /// A variable.
    Variable(Variable),
    /// An entry of an array.
    Entry(Place),
    /// -a
    Negate(Box<Self>),
    /// a + b
    Add(Box<[Self; 2]>),
    /// a - b
    Subtract(Box<[Self; 2]>),
    /// a b
    Multiply(Box<[Self; 2]>),
    /// a/b
    Divide(Box<[Self; 2]>),
    /// `[sum, a, b]`: sum + a b, which may be fused.
    PlusProduct(Box<[Self; 3]>),
    /// `[sum, a, b]`: sum - a b, which may be fused.
    MinusProduct(Box<[Self; 3]>),
    /// a^n with an integer.
    PowerInteger(Box<Self>, i32),
    /// a^b
    Power(Box<[Self; 2]>),
    /// An elementary function.
    Elementary(Elementary, Box<Self>),
    /// `[y, x]`: the angle of the point (x, y).
    Atan2(Box<[Self; 2]>),
    /// `[condition, yes, no]`
    Select(Box<[Self; 3]>),
    /// The condition a < b.
    Less(Box<[Self; 2]>),
    /// The condition a <= b.
    LessEqual(Box<[Self; 2]>),
    /// The condition a = b.
    Equal(Box<[Self; 2]>),
    /// Both conditions hold.
    And(Box<[Self; 2]>),
    /// One of the conditions holds.
    Or(Box<[Self; 2]>),
    /// The condition does not hold.
    Not(Box<Self>),
}

impl Expression {
    /// Checks whether the value is a condition and not a number.
    pub fn is_condition(&self) -> bool {
        matches!(self, Self::Less(_) | Self::LessEqual(_) | Self::Equal(_) | Self::And(_) | Self::Or(_) | Self::Not(_))
    }

    /// Returns the expressions that the operation combines.
    pub fn operands(&self) -> &[Self] {
        match self {
            Self::Number(_) | Self::NumberOf(_) | Self::Variable(_) | Self::Entry(_) => &[],
            Self::Negate(a) | Self::PowerInteger(a, _) | Self::Elementary(_, a) | Self::Not(a) => {
                std::slice::from_ref(a)
            }
            Self::Add(operands)
            | Self::Subtract(operands)
            | Self::Multiply(operands)
            | Self::Divide(operands)
            | Self::Power(operands)
            | Self::Atan2(operands)
            | Self::Less(operands)
            | Self::LessEqual(operands)
            | Self::Equal(operands)
            | Self::And(operands)
            | Self::Or(operands) => &operands[..],
            Self::PlusProduct(operands) | Self::MinusProduct(operands) | Self::Select(operands) => &operands[..],
        }
    }
}
