//! Which variables a step moves.

/// The variables that move and those that are held, by their indices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Split {
    pub moving: Vec<usize>,
    pub held: Vec<usize>,
}
