//! The variables with respect to which expressions are differentiated.

use super::id::Id;
use super::symbol::Symbol;

/// A variable of differentiation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Change {
    /// One symbol.
    Symbol(Symbol),
    /// The acceleration of a coordinate at the end of an implicit step, with the velocity and the position that
    /// depend on it.
    Step(usize),
    /// The value of a lookup in a table, as if the value did not depend on the arguments of the lookup.
    Lookup(Id),
}

impl Change {
    /// Returns the symbols that change; none for a lookup.
    pub fn symbols(self) -> ([Symbol; 3], usize) {
        match self {
            Change::Symbol(symbol) => ([symbol; 3], 1),
            Change::Step(i) => ([Symbol::Acceleration(i), Symbol::Velocity(i), Symbol::Coordinate(i)], 3),
            Change::Lookup(_) => ([Symbol::Time; 3], 0),
        }
    }
}
