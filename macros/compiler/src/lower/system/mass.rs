//! The block `mass`, and the mass matrix of all that adds to it.

use std::collections::{BTreeMap, HashSet};

use super::System;
use crate::dimension::{Measure, Measured};
use crate::lower::expressions::Context;
use crate::symbolic::Id;
use crate::syntax::ast::{Expr, MassSyntax};
use crate::units::Dimension;

impl System {
    pub fn lower_mass(&mut self, entry: &MassSyntax) {
        let row = self.expressions.coordinate(&entry.row);
        let column = match &entry.column {
            Some(column) => self.expressions.coordinate(column),
            None => row,
        };
        let value = self.expressions.measured(&entry.value, Context::Mass);
        let (Some((row, changes)), Some((column, other_changes)), Some(Measured { id: value, unit })) =
            (row, column, value)
        else {
            return;
        };
        let value = if changes != other_changes { self.expressions.graph.negate(value) } else { value };
        self.check_mass((row, column), unit, &entry.value);
        let place = entry.column.as_ref().map_or(entry.row.place, |column| entry.row.place.to(column.place));
        let zero = self.expressions.graph.zero();
        let sum = self.written.get(&(row, column)).map_or(zero, |(sum, _)| *sum);
        let sum = self.expressions.graph.add(sum, value);
        self.bound_mass();
        let Some(sum) = self.expressions.bounded(sum, entry.value.place) else { return };
        self.written.insert((row, column), (sum, place));
        self.expressions.totals.masses.insert((row, column), sum);
    }

    /// An entry of the mass matrix times two velocities is an energy.
    fn check_mass(&mut self, (row, column): (usize, usize), unit: Measure, expr: &Expr) {
        let (Some(a), Some(b)) = (self.coordinate_unit(row), self.coordinate_unit(column)) else { return };
        let velocities = || a.times(b)?.over(Dimension::TIME)?.over(Dimension::TIME);
        let Some(velocities) = velocities() else { return };
        self.expressions.findings.energies.extend(unit.known().and_then(|unit| unit.times(velocities)));
        if let Some(wanted) = self.expressions.energy().over(velocities) {
            let (row, column) = (self.coordinate_name(row), self.coordinate_name(column));
            let what =
                if row == column { format!("the mass of `{row}`") } else { format!("the mass of `({row}, {column})`") };
            self.expressions.expect(unit, wanted, expr, &what);
        }
    }

    /// M is symmetric: a pair may be written once, or twice with the same value.
    pub fn finish_mass(&mut self) {
        let mut pairs: BTreeMap<(usize, usize), Id> = BTreeMap::new();
        let mut reported = HashSet::new();
        for ((row, column), (value, place)) in std::mem::take(&mut self.written) {
            if row == column {
                self.mass_places.insert(row, place);
            }
            let other = *pairs.entry((row.min(column), row.max(column))).or_insert(value);
            // Once for all uses of a component.
            let start = place.first.start();
            if other != value && reported.insert((start.line, start.column)) {
                let [a, b] = [row, column].map(|i| self.expressions.names.quantities.coordinates[i].name.clone());
                self.error(
                    place,
                    format!(
                        "the mass matrix is not symmetric: `({a}, {b})` and `({b}, {a})` differ; \
                         write the pair once, it stands for both entries"
                    ),
                );
            }
        }
        for (entry, value) in std::mem::take(&mut self.derived) {
            let zero = self.expressions.graph.zero();
            let sum = self.expressions.graph.add(*pairs.get(&entry).unwrap_or(&zero), value);
            pairs.insert(entry, sum);
        }
        pairs.retain(|_, value| !self.expressions.graph.is_zero(*value));
        self.mass = pairs;
    }
}
