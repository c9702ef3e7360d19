//! Uses of the names of a component that are bound to something outside of it.

use super::{Bound, Names};
use crate::symbolic::Id;
use crate::syntax::ast::NameSyntax;
use crate::units::Unit;

impl Names {
    /// Adds the binding of a name that has just been declared.
    pub fn push_bound(&mut self, bound: Bound, unit: &Unit) {
        self.quantities.bound.push(bound);
        self.quantities.bound_units.push(unit.dimension);
    }

    /// Returns the coordinate of a connection in use, with `true` if its sign is changed.
    pub fn connected(&mut self, name: &NameSyntax, position: usize) -> Option<(usize, bool)> {
        match self.quantities.bound[position] {
            Bound::Coordinate(i, changes) => Some((i, changes)),
            bound => {
                self.refuse_later(name, bound);
                None
            }
        }
    }

    /// Returns the value of a bound parameter or input in use.
    pub fn bound_value(&mut self, name: &NameSyntax, position: usize) -> Option<Id> {
        match self.quantities.bound[position] {
            Bound::Value(id) => Some(id),
            bound => {
                self.refuse_later(name, bound);
                None
            }
        }
    }

    fn refuse_later(&mut self, name: &NameSyntax, bound: Bound) {
        // After an error, the binding may be above, in a loop that was not read to its end.
        if matches!(bound, Bound::Later) && !name.members.is_empty() && self.report.faults() == 0 {
            let message = format!(
                "`{}` is bound further below; move its `components` block above this entry",
                self.written(name)
            );
            self.report.error(name.place, message);
        }
    }
}
