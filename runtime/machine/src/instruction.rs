//! Instructions of sequences.

/// A number in the array that a sequence works on, by its position.
pub type Place = u32;

/// An operation of one result. Conditions are numbers whose bits are all 1 or all 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// a
    Copy,
    /// -a
    Negate,
    /// |a|
    Abs,
    /// sqrt a
    Sqrt,
    /// a + b
    Add,
    /// a - b
    Subtract,
    /// a b
    Multiply,
    /// a/b
    Divide,
    /// c + a b, rounded once
    FusedAdd,
    /// c - a b, rounded once
    FusedSubtract,
    /// a < b
    Less,
    /// a <= b
    LessEqual,
    /// a = b
    Equal,
    /// a and b
    And,
    /// a or b
    Or,
    /// not a
    Not,
    /// b where a, else c
    Select,
}

impl Operation {
    /// Returns the number of arguments.
    pub const fn arguments(self) -> usize {
        match self {
            Self::Copy | Self::Negate | Self::Abs | Self::Sqrt | Self::Not => 1,
            Self::FusedAdd | Self::FusedSubtract | Self::Select => 3,
            _ => 2,
        }
    }
}

/// An operation with its places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// The operation.
    pub operation: Operation,
    /// The place of the result.
    pub to: Place,
    /// The places of the arguments a, b, c, as many as the operation has.
    pub arguments: [Place; 3],
}

/// Instructions that are done one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// Places that are read after the sequence; others that it writes have any value then.
    pub kept: Vec<Place>,
}
