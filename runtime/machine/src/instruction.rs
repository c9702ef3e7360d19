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

/// A call of a function that the code does not have: it finds its arguments in neighbouring numbers and leaves its
/// results in those that follow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Call {
    /// The function, which is passed on.
    pub function: u32,
    /// The place of the first argument; no instruction writes to the places of arguments and results.
    pub cells: Place,
    /// The places of the arguments before they are there.
    pub arguments: Vec<Place>,
    /// The places to which the results go.
    pub results: Vec<Place>,
}

/// A step of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Arithmetic.
    Instruction(Instruction),
    /// A call.
    Call(Call),
}

/// An array of a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of entries.
    pub length: usize,
    /// True for one lane of an array of lanes, with code for plain numbers.
    pub is_lane: bool,
}

/// The places of a sequence: numbers first, then the entries of every array, which have one place as they are before
/// the sequence and another as they are after it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    numbers: Place,
    /// The first place of every array.
    arrays: Vec<(Place, Shape)>,
    end: Place,
}

impl Layout {
    /// Largest number of places: their offsets in bytes have 32 bits.
    const MAX_PLACES: usize = 1 << 24;

    /// Creates places for numbers and for arrays; `None` for more than have addresses.
    pub fn new(numbers: usize, shapes: &[Shape]) -> Option<Self> {
        let mut end = numbers;
        let mut arrays = Vec::with_capacity(shapes.len());
        for &shape in shapes {
            arrays.push((end as Place, shape));
            end = shape.length.checked_mul(2)?.checked_add(end).filter(|&end| end < Self::MAX_PLACES)?;
        }
        (end < Self::MAX_PLACES).then_some(Self { numbers: numbers as Place, arrays, end: end as Place })
    }

    /// Returns the number of numbers.
    pub fn numbers(&self) -> Place {
        self.numbers
    }

    /// Returns the number of all places.
    pub fn end(&self) -> Place {
        self.end
    }

    /// Returns the arrays.
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = Shape> {
        self.arrays.iter().map(|&(_, shape)| shape)
    }

    /// Returns an array.
    pub fn shape(&self, array: usize) -> Shape {
        self.arrays[array].1
    }

    /// Returns the place of an entry before the sequence.
    pub fn before(&self, array: usize, entry: usize) -> Place {
        self.arrays[array].0 + entry as Place
    }

    /// Returns the place of an entry after the sequence.
    pub fn after(&self, array: usize, entry: usize) -> Place {
        self.arrays[array].0 + (self.arrays[array].1.length + entry) as Place
    }

    /// Returns the array with this place, the entry, and `true` for one after the sequence; `None` for a number.
    pub fn entry(&self, place: Place) -> Option<(usize, Place, bool)> {
        let array = self.arrays.partition_point(|&(first, _)| first <= place).checked_sub(1)?;
        let (first, Shape { length, .. }) = self.arrays[array];
        let (entry, length) = (place - first, length as Place);
        Some(if entry < length { (array, entry, false) } else { (array, entry - length, true) })
    }
}

/// Steps that are done one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The places.
    pub layout: Layout,
    /// The steps; none of them writes to an entry as it is before the sequence, or reads one as it is after it without
    /// having written it.
    pub steps: Vec<Step>,
    /// Places that are read after the sequence; others that it writes have any value then.
    pub kept: Vec<Place>,
}

/// Arguments of a call that do not fit its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// An array that is too short, in lanes where the code has numbers, or given where the code fills it.
    Array {
        /// The position of the array.
        array: usize,
        /// The length that it has.
        found: usize,
    },
    /// Arrays that are missing, too few numbers, and numbers of another type.
    Call,
}
