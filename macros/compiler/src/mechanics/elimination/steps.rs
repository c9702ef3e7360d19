//! The operations of the elimination, in order.

use crate::symbolic::Id;

/// A row that is added to others before the elimination begins.
#[derive(Debug, Clone)]
pub struct Sum {
    /// Index of the row: n + the index of a constraint.
    pub row: usize,
    /// The rows from which this row is subtracted, each with its factor, as in a column of L.
    pub lower: Vec<(usize, Id)>,
}

/// One step of the elimination.
#[derive(Debug, Clone)]
pub struct Step {
    /// Row of the pivot: an equation of motion, or n + the index of a constraint.
    pub row: usize,
    /// Column of the pivot: a coordinate, or n + the index of a multiplier.
    pub column: usize,
    /// Reciprocal of the pivot.
    pub inverse: Id,
    /// Rest of the pivot row of U: (column, value).
    pub upper: Vec<(usize, Id)>,
    /// Column of L: (row, value).
    pub lower: Vec<(usize, Id)>,
}

impl Step {
    /// Checks whether both steps have their entries at the same places.
    pub fn has_the_places_of(&self, other: &Step) -> bool {
        let alike = |a: &[(usize, Id)], b: &[(usize, Id)]| a.iter().map(|a| a.0).eq(b.iter().map(|b| b.0));
        (self.row, self.column) == (other.row, other.column)
            && alike(&self.upper, &other.upper)
            && alike(&self.lower, &other.lower)
    }
}
