//! The mass matrix: entries as written, and what energies and bodies add to them.

use std::collections::{BTreeMap, HashSet};

use super::context::Context;
use super::lower::Lowering;
use crate::diagnostic::Place;
use crate::dimension::Measured;
use crate::limits::{Limit, MOST_ENTRIES};
use crate::symbolic::Id;
use crate::syntax::ast::MassSyntax;

/// The entries so far.
#[derive(Default)]
pub struct Masses {
    /// Every entry of the mass matrix as written, with the place of its last mention.
    written: BTreeMap<(usize, usize), (Id, Place)>,
    /// The upper triangle of what energies and bodies add to the mass matrix.
    derived: BTreeMap<(usize, usize), Id>,
}

impl Lowering<'_> {
    pub(super) fn lower_mass(&mut self, entry: &MassSyntax) {
        let row = self.coordinate(&entry.row);
        let column = match &entry.column {
            Some(column) => self.coordinate(column),
            None => row,
        };
        let value = self.measured(&entry.value, Context::Mass);
        let (Some(row), Some(column), Some(Measured { id: value, unit })) = (row, column, value) else {
            return;
        };
        self.check_mass((row, column), unit, &entry.value);
        let place = entry.column.as_ref().map_or(entry.row.place, |column| entry.row.place.to(column.place));
        let zero = self.graph.zero();
        let sum = self.mass.written.get(&(row, column)).map_or(zero, |(sum, _)| *sum);
        let sum = self.graph.add(sum, value);
        self.bound_mass();
        let Some(sum) = self.bounded(sum, entry.value.place) else { return };
        self.mass.written.insert((row, column), (sum, place));
    }

    /// Adds to an entry of the mass matrix, and to the one that mirrors it, what energies and bodies give.
    pub(super) fn add_mass(&mut self, row: usize, column: usize, value: Id, place: Place) {
        let entry = (row.min(column), row.max(column));
        let zero = self.graph.zero();
        let sum = self.mass.derived.get(&entry).copied().unwrap_or(zero);
        let sum = self.graph.add(sum, value);
        self.bound_mass();
        if let Some(sum) = self.bounded(sum, place) {
            self.mass.derived.insert(entry, sum);
        }
    }

    /// Notes where the mass matrix has too many entries.
    fn bound_mass(&mut self) {
        if self.mass.written.len().max(self.mass.derived.len()) > MOST_ENTRIES {
            self.graph.pass(Limit::Entries);
        }
    }

    /// M is symmetric: a pair may be written once, or twice with the same value.
    pub(super) fn finish_mass(&mut self) {
        let mut pairs: BTreeMap<(usize, usize), Id> = BTreeMap::new();
        let mut reported = HashSet::new();
        for ((row, column), (value, place)) in std::mem::take(&mut self.mass.written) {
            if row == column {
                self.model.mass_places.insert(row, place);
            }
            let other = *pairs.entry((row.min(column), row.max(column))).or_insert(value);
            // Once for all uses of a component.
            let start = place.first.start();
            if other != value && reported.insert((start.line, start.column)) {
                let [a, b] = [row, column].map(|i| self.model.coordinates[i].name.clone());
                self.error_at(
                    place,
                    format!(
                        "the mass matrix is not symmetric: `({a}, {b})` and `({b}, {a})` differ; \
                         write the pair once, it stands for both entries"
                    ),
                );
            }
        }
        for (entry, value) in std::mem::take(&mut self.mass.derived) {
            let zero = self.graph.zero();
            let sum = self.graph.add(*pairs.get(&entry).unwrap_or(&zero), value);
            pairs.insert(entry, sum);
        }
        pairs.retain(|_, value| !self.graph.is_zero(*value));
        self.model.mass = pairs;
    }
}
