//! Operations of a tape.

use costate_compiler::symbolic::Function as Elementary;

/// The operation of an instruction. Operands are results first, then arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Operation {
    /// `to = a`
    Copy,
    /// `to = -a`
    Negate,
    /// `to = a + b`
    Add,
    /// `to = a - b`
    Subtract,
    /// `to = a b`
    Multiply,
    /// `to = a/b`
    Divide,
    /// `to = sum + a b`, fused where the build fuses
    PlusProduct,
    /// `to = sum - a b`, fused where the build fuses
    MinusProduct,
    /// `to = sum + a b`, rounded twice
    AddProduct,
    /// `to = sum - a b`, rounded twice
    SubtractProduct,
    /// `to = a b - sum`, rounded twice
    ProductLess,
    /// `to = a b c`, from the left
    MultiplyThree,
    /// `to = a^n`; n is the position of the exponent
    PowerInteger,
    /// `to = a^b`
    Power,
    /// `to = atan2(y, x)`
    Atan2,
    /// `to = sin a`
    Sin,
    /// `to = cos a`
    Cos,
    /// `to = tan a`
    Tan,
    /// `to = asin a`
    Asin,
    /// `to = acos a`
    Acos,
    /// `to = atan a`
    Atan,
    /// `to = sinh a`
    Sinh,
    /// `to = cosh a`
    Cosh,
    /// `to = tanh a`
    Tanh,
    /// `to = 1/cosh^2 a`
    SechSquared,
    /// `to = e^a`
    Exp,
    /// `to = ln a`
    Ln,
    /// `to = log10 a`
    Log10,
    /// `to = sqrt a`
    Sqrt,
    /// `to = |a|`
    Abs,
    /// `to = sign a`
    Sign,
    /// `(sin, cos) = a`
    SinCos,
    /// Sines and cosines of several arguments together
    SinCosEach,
    /// `to = e^a`, several arguments together
    ExpEach,
    /// `mask = a < b`
    Less,
    /// `mask = a <= b`
    LessEqual,
    /// `mask = (a = b)`
    Equal,
    /// `mask = a and b`
    And,
    /// `mask = a or b`
    Or,
    /// `mask = not a`
    Not,
    /// `to = yes where mask, else no`
    Select,
    /// `to = yes if the parameter is selected, else no`; the parameter is a number
    Choose,
    /// Values of a table and of its derivatives; the first operand is the position of the lookup
    Lookup,
    /// The following batches are done only if a parameter is selected
    Guard,
}

impl Operation {
    /// All operations, in their order.
    pub const ALL: &[Self] = &[
        Self::Copy,
        Self::Negate,
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::PlusProduct,
        Self::MinusProduct,
        Self::AddProduct,
        Self::SubtractProduct,
        Self::ProductLess,
        Self::MultiplyThree,
        Self::PowerInteger,
        Self::Power,
        Self::Atan2,
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Sinh,
        Self::Cosh,
        Self::Tanh,
        Self::SechSquared,
        Self::Exp,
        Self::Ln,
        Self::Log10,
        Self::Sqrt,
        Self::Abs,
        Self::Sign,
        Self::SinCos,
        Self::SinCosEach,
        Self::ExpEach,
        Self::Less,
        Self::LessEqual,
        Self::Equal,
        Self::And,
        Self::Or,
        Self::Not,
        Self::Select,
        Self::Choose,
        Self::Lookup,
        Self::Guard,
    ];

    /// Returns the operation of an elementary function.
    pub fn elementary(function: Elementary) -> Self {
        match function {
            Elementary::Sin => Self::Sin,
            Elementary::Cos => Self::Cos,
            Elementary::Tan => Self::Tan,
            Elementary::Asin => Self::Asin,
            Elementary::Acos => Self::Acos,
            Elementary::Atan => Self::Atan,
            Elementary::Sinh => Self::Sinh,
            Elementary::Cosh => Self::Cosh,
            Elementary::Tanh => Self::Tanh,
            Elementary::SechSquared => Self::SechSquared,
            Elementary::Exp => Self::Exp,
            Elementary::Ln => Self::Ln,
            Elementary::Log10 => Self::Log10,
            Elementary::Sqrt => Self::Sqrt,
            Elementary::Abs => Self::Abs,
            Elementary::Sign => Self::Sign,
        }
    }

    /// Checks whether the result is a condition.
    pub fn gives_condition(self) -> bool {
        matches!(self, Self::Less | Self::LessEqual | Self::Equal | Self::And | Self::Or | Self::Not)
    }

    /// Checks whether instructions of one batch may use results of others in it.
    pub fn is_sequential(self) -> bool {
        !matches!(self, Self::SinCosEach | Self::ExpEach)
    }
}
