//! Storage of intermediate values. Values that outlive a repetition are read from the results, if they are results,
//! or from an array of intermediate values; other values are in local variables.

use rustc_hash::{FxHashMap, FxHashSet};

use super::schedule::{Loop, Part, Position, Schedule};
use super::shape::Place;
use super::unit::Units;
use crate::symbolic::Id;

/// Places in the array of intermediate values.
pub struct Storage {
    /// Length of the array.
    pub length: usize,
    pub positions: FxHashMap<Id, usize>,
    /// Values that are read from the results: the array, and the position in it.
    results: FxHashMap<Id, (usize, usize)>,
    /// Values that units outside of loops read from one another.
    pub between_straight: FxHashSet<Id>,
    /// Values that parts of a loop read from one another within a repetition, as outputs of parts.
    pub within_loops: FxHashSet<Giver>,
}

/// An output of a part: index of the loop, of the part, and of the output.
pub type Giver = (usize, usize, usize);

impl Storage {
    pub fn new(units: &Units, schedule: &Schedule) -> Storage {
        let mut storage = Storage {
            length: 0,
            positions: FxHashMap::default(),
            results: FxHashMap::default(),
            between_straight: FxHashSet::default(),
            within_loops: FxHashSet::default(),
        };
        let mut stored: FxHashSet<Id> = FxHashSet::default();
        let mut columns: Vec<&[Id]> = Vec::new();
        for &index in schedule.straight.iter().flatten() {
            let unit = &units.units[index];
            for id in units.shape(unit.kind, &unit.roots, &[], true).leaves {
                match units.givers.get(id).map(|(giver, _)| schedule.positions[giver]) {
                    Some(Position::Straight(_)) => storage.between_straight.insert(id),
                    Some(Position::Loop { .. }) => stored.insert(id),
                    None => false,
                };
            }
        }
        for (index, part) in parts(schedule) {
            for (column, _) in part.columns.iter().zip(&part.places).filter(|(_, place)| **place == Place::Value) {
                match giver_within(units, schedule, index, column) {
                    Some(giver) => {
                        storage.within_loops.insert(giver);
                    }
                    None => {
                        stored.extend(column);
                        columns.push(column);
                    }
                }
            }
        }
        storage.find_results(units, &stored, &columns);
        stored.retain(|id| !storage.results.contains_key(id));
        storage.assign(units, schedule, &stored);
        storage
    }

    /// Returns the array of results from which a value is read, or `None` for the array of intermediate values, and
    /// the position.
    pub fn place_of(&self, id: Id) -> Option<(Option<usize>, usize)> {
        match self.results.get(&id) {
            Some(&(array, position)) => Some((Some(array), position)),
            None => Some((None, *self.positions.get(&id)?)),
        }
    }

    /// Finds the `stored` values that can be read from results: all values of a column must be results of the same
    /// array.
    fn find_results(&mut self, units: &Units, stored: &FxHashSet<Id>, columns: &[&[Id]]) {
        let outputs = units.units.iter().flat_map(|unit| &unit.outputs);
        for output in outputs {
            if let (Some(id), Some(&position)) = (output.id, output.destinations.first())
                && stored.contains(&id)
            {
                self.results.insert(id, units.array_of(position));
            }
        }
        // a column with values of different arrays is read from the array of values, which may change other columns
        loop {
            let before = self.results.len();
            for column in columns {
                let array = |id: &Id| self.results.get(id).map(|&(array, _)| array);
                if column.iter().any(|id| array(id) != array(&column[0])) {
                    for id in *column {
                        self.results.remove(id);
                    }
                }
            }
            if self.results.len() == before {
                return;
            }
        }
    }

    fn assign(&mut self, units: &Units, schedule: &Schedule, stored: &FxHashSet<Id>) {
        for (before, part) in schedule.loops.iter().flat_map(with_before) {
            for output in 0..units.units[part.units[0]].outputs.len() {
                let ids = part.units.iter().map(|&unit| units.units[unit].outputs[output].id);
                let ids: Vec<Option<Id>> = ids.collect();
                if !ids.iter().flatten().any(|id| stored.contains(id)) {
                    continue;
                }
                // the value that the first repetition continues is stored before those of the repetitions
                let before = before.and_then(|unit| units.units[unit].outputs[output].id);
                if let Some(id) = before.filter(|id| stored.contains(id) && !self.positions.contains_key(id)) {
                    self.positions.insert(id, self.length);
                    self.length += 1;
                }
                let at = |(i, id): (usize, Option<Id>)| Some((id?, self.length + i));
                self.positions.extend(ids.iter().copied().enumerate().filter_map(at));
                self.length += ids.len();
            }
        }
        for &index in schedule.straight.iter().flatten() {
            for id in units.units[index].outputs.iter().filter_map(|output| output.id) {
                if stored.contains(&id) && !self.positions.contains_key(&id) {
                    self.positions.insert(id, self.length);
                    self.length += 1;
                }
            }
        }
    }
}

/// Pairs the parts of a loop with the units that they continue.
fn with_before(group: &Loop) -> impl Iterator<Item = (Option<usize>, &Part)> {
    group.parts.iter().enumerate().map(|(place, part)| (group.before.get(place).copied().flatten(), part))
}

/// Lists the parts of all loops with the indices of their loops.
fn parts(schedule: &Schedule) -> impl Iterator<Item = (usize, &Part)> {
    schedule.loops.iter().enumerate().flat_map(|(index, group)| group.parts.iter().map(move |part| (index, part)))
}

/// Returns the output of a part of loop `index` that computes a column of leaves, each in its own repetition.
pub fn giver_within(units: &Units, schedule: &Schedule, index: usize, column: &[Id]) -> Option<Giver> {
    let mut givers = column.iter().enumerate().map(|(at, id)| {
        let (unit, output) = units.givers.get(*id)?;
        match schedule.positions[unit] {
            Position::Loop { index: other, part, repetition } if other == index && repetition == at => {
                Some((index, part, output))
            }
            _ => None,
        }
    });
    let first = givers.next()??;
    givers.all(|giver| giver == Some(first)).then_some(first)
}
