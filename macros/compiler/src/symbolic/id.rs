//! References to expressions.

/// An expression in a [`Graph`](super::Graph); equal expressions have equal ids. Operands have smaller ids than
/// results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

impl Id {
    /// Stands for any expression, where only the operation on it counts.
    pub(super) const ANY: Id = Id(0);

    /// The expression at this position in the order of creation.
    pub(super) fn at(index: u32) -> Self {
        Id(index)
    }

    /// Position in the order of creation.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
