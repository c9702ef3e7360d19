//! What a derivative is with respect to.

use super::id::Id;
use super::symbol::Symbol;

/// What changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Change {
    /// One symbol.
    Symbol(Symbol),
    /// The acceleration of a coordinate at the end of an implicit step, and with it the velocity and the position there.
    Step(usize),
    /// What a lookup in a table gives, as if it did not depend on its arguments.
    Lookup(Id),
}

impl Change {
    /// The symbols that change; none with a lookup.
    pub fn symbols(self) -> ([Symbol; 3], usize) {
        match self {
            Change::Symbol(symbol) => ([symbol; 3], 1),
            Change::Step(i) => ([Symbol::Acceleration(i), Symbol::Velocity(i), Symbol::Coordinate(i)], 3),
            Change::Lookup(_) => ([Symbol::Time; 3], 0),
        }
    }
}
