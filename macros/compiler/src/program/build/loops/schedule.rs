//! Assignment of units to loops, and the order of loops.
//!
//! Units of the same shape and level become a part of a loop. A part joins an existing loop if its repetitions use,
//! one by one, the numbers that those of the loop use or compute: intermediate values need not be stored then.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::recurrence::{self, Item, Recurrence};
use super::shape::{Key, Place};
use super::unit::{Kind, MIN_UNITS, Unit, Units};
use crate::symbolic::Id;

/// Units that are computed by one statement, one in each repetition of a loop.
#[derive(Clone)]
pub struct Part {
    /// Unit of every repetition.
    pub units: Vec<usize>,
    pub places: Vec<Place>,
    /// The leaves of every place, by repetition.
    pub columns: Vec<Vec<Id>>,
}

impl Part {
    /// Returns the part with some of its repetitions.
    pub fn section(&self, repetitions: Range<usize>) -> Part {
        let section = |column: &Vec<Id>| column[repetitions.clone()].to_vec();
        Part {
            units: self.units[repetitions.clone()].to_vec(),
            places: self.places.clone(),
            columns: self.columns.iter().map(section).collect(),
        }
    }
}

/// A loop.
#[derive(Clone)]
pub struct Loop {
    /// Number of repetitions.
    pub count: usize,
    pub parts: Vec<Part>,
    /// For each of the first parts, the like unit before the first repetition, if its repetitions continue an earlier
    /// unit.
    pub before: Vec<Option<usize>>,
}

impl Loop {
    /// Checks whether the loop is one call for sines and cosines of many arguments.
    pub fn is_call(&self, units: &[Unit]) -> bool {
        self.parts.first().is_some_and(|part| units[part.units[0]].kind == Kind::SinCosEach)
    }
}

/// The position of a unit in the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Outside of loops, before the loop with this index.
    Straight(usize),
    /// In a repetition of a loop.
    Loop { index: usize, part: usize, repetition: usize },
}

/// All units in the order in which they are computed.
#[derive(Clone)]
pub struct Schedule {
    pub loops: Vec<Loop>,
    /// Units outside of loops: before the first loop, before the second one, ..., after the last one.
    pub straight: Vec<Vec<usize>>,
    pub positions: Vec<Position>,
}

/// Units of the same shape.
struct Class {
    units: Vec<usize>,
    places: Vec<Place>,
    /// Leaves of every unit.
    leaves: Vec<Vec<Id>>,
}

/// The property that a leaf shares with others of one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Source<'a> {
    /// An output of a part of a loop.
    Part { index: usize, part: usize, output: usize },
    /// An output of a unit outside of loops.
    Straight,
    /// A symbol of the quantity with this name, without indices.
    Family(Option<&'a str>),
}

/// The place in a loop where a leaf or an output occurs.
struct Occurrence {
    index: usize,
    column: usize,
    repetition: usize,
}

impl Schedule {
    pub fn new(units: &Units) -> Schedule {
        let mut work = Work {
            units,
            schedule: Schedule {
                loops: Vec::new(),
                straight: vec![Vec::new()],
                positions: vec![Position::Straight(0); units.units.len()],
            },
            occurrences: FxHashMap::default(),
            columns: Vec::new(),
        };
        let (recurrences, order) = recurrence::find(units);
        for items in order.into_values() {
            let unit = |item: &Item| if let Item::Unit(unit) = *item { Some(unit) } else { None };
            let mut rest: Vec<usize> = items.iter().filter_map(unit).collect();
            rest.sort_unstable();
            // from units that have most in common to units that have least
            for (of_one_name, loose) in [(true, false), (true, true), (false, false), (false, true)] {
                let (classes, others) = work.classes(rest, of_one_name, loose);
                classes.into_iter().for_each(|class| work.place(class));
                rest = others;
            }
            for unit in rest {
                let slot = work.schedule.earliest(units, unit);
                work.schedule.positions[unit] = Position::Straight(slot);
                work.schedule.straight[slot].push(unit);
            }
            for item in items {
                if let Item::Recurrence(index) = item {
                    work.repeat(&recurrences[index]);
                }
            }
        }
        for straight in &mut work.schedule.straight {
            straight.sort_unstable();
        }
        work.schedule
    }

    /// Finds the positions of all units again, in the order of the loops: units in no loop come as early as possible.
    pub fn ordered(mut self, units: &Units) -> Schedule {
        self.positions.fill(Position::Straight(0));
        for (index, group) in self.loops.iter().enumerate() {
            for (part, members) in group.parts.iter().enumerate() {
                for (repetition, &unit) in members.units.iter().enumerate() {
                    self.positions[unit] = Position::Loop { index, part, repetition };
                }
            }
        }
        self.straight = vec![Vec::new(); self.loops.len() + 1];
        for unit in 0..units.units.len() {
            if let Position::Straight(_) = self.positions[unit] {
                let slot = self.earliest(units, unit);
                self.positions[unit] = Position::Straight(slot);
                self.straight[slot].push(unit);
            }
        }
        self
    }

    /// Returns the earliest loop, or gap before a loop, in which a unit can be computed.
    fn earliest(&self, units: &Units, unit: usize) -> usize {
        units.units[unit].dependencies.iter().map(|&unit| self.after(unit)).max().unwrap_or(0)
    }

    fn after(&self, unit: usize) -> usize {
        match self.positions[unit] {
            Position::Straight(slot) => slot,
            Position::Loop { index, .. } => index + 1,
        }
    }
}

struct Work<'a> {
    units: &'a Units<'a>,
    schedule: Schedule,
    occurrences: FxHashMap<Id, Vec<Occurrence>>,
    /// Number of columns of every loop: leaves and outputs.
    columns: Vec<usize>,
}

impl Work<'_> {
    /// Groups units by shape, in the order of the first unit, and returns the remaining units as well. With
    /// `of_one_name`, units of a group also use quantities whose names are equal without indices, or outputs of the
    /// same part.
    fn classes(&self, members: Vec<usize>, of_one_name: bool, loose: bool) -> (Vec<Class>, Vec<usize>) {
        let mut found: Vec<Class> = Vec::new();
        let mut by_key: FxHashMap<(Key, Vec<Source>), usize> = FxHashMap::default();
        for index in members {
            let unit = &self.units.units[index];
            let shape = self.units.shape(unit.kind, &unit.roots, &unit.outputs, loose);
            let sources =
                if of_one_name { shape.leaves.iter().map(|&id| self.source(id)).collect() } else { Vec::new() };
            let class = *by_key.entry((shape.key, sources)).or_insert(found.len());
            if class == found.len() {
                found.push(Class { units: Vec::new(), places: shape.places, leaves: Vec::new() });
            }
            found[class].units.push(index);
            found[class].leaves.push(shape.leaves);
        }
        let (large, small): (Vec<Class>, Vec<Class>) =
            found.into_iter().partition(|class| class.units.len() >= MIN_UNITS);
        let mut rest: Vec<usize> = small.into_iter().flat_map(|class| class.units).collect();
        rest.sort_unstable();
        (large, rest)
    }

    fn source(&self, id: Id) -> Source<'_> {
        match self.units.givers.get(id) {
            Some((unit, output)) => match self.schedule.positions[unit] {
                Position::Straight(_) => Source::Straight,
                Position::Loop { index, part, .. } => Source::Part { index, part, output },
            },
            None => Source::Family(self.units.family(id)),
        }
    }

    /// Finds a loop for the class, or creates one.
    fn place(&mut self, class: Class) {
        let (index, order) = self
            .common_loop(&class)
            .unwrap_or_else(|| (self.new_loop(class.units.len(), Vec::new()), self.natural_order(&class)));
        let units: Vec<usize> = order.iter().map(|&member| class.units[member]).collect();
        let column = |place: usize| order.iter().map(|&member| class.leaves[member][place]).collect();
        let columns: Vec<Vec<Id>> = (0..class.places.len()).map(column).collect();
        self.add(index, Part { units, places: class.places, columns });
    }

    /// Creates a loop over the rounds of a recurrence.
    fn repeat(&mut self, recurrence: &Recurrence) {
        let Recurrence { rounds, before } = recurrence;
        let index = self.new_loop(rounds.len(), before.iter().copied().map(Some).collect());
        for place in 0..rounds[0].len() {
            let units: Vec<usize> = rounds.iter().map(|round| round[place]).collect();
            let shapes = units.iter().map(|&index| {
                let Unit { kind, roots, .. } = &self.units.units[index];
                self.units.shape(*kind, roots, &[], true)
            });
            let shapes: Vec<_> = shapes.collect();
            let column = |place: usize| shapes.iter().map(|shape| shape.leaves[place]).collect();
            let columns: Vec<Vec<Id>> = (0..shapes[0].leaves.len()).map(column).collect();
            let places = shapes[0].places.clone();
            self.add(index, Part { units, places, columns });
        }
    }

    fn new_loop(&mut self, count: usize, before: Vec<Option<usize>>) -> usize {
        self.schedule.loops.push(Loop { count, parts: Vec::new(), before });
        self.schedule.straight.push(Vec::new());
        self.columns.push(0);
        self.schedule.loops.len() - 1
    }

    /// Adds a part to a loop.
    fn add(&mut self, index: usize, part: Part) {
        let Part { units, columns, .. } = &part;
        let part_index = self.schedule.loops[index].parts.len();
        for (repetition, &unit) in units.iter().enumerate() {
            self.schedule.positions[unit] = Position::Loop { index, part: part_index, repetition };
        }
        let outputs = self.units.units[units[0]].outputs.len();
        for column in columns {
            self.note(index, column.iter().map(|&id| Some(id)));
        }
        for output in 0..outputs {
            let ids: Vec<Option<Id>> = units.iter().map(|&unit| self.units.units[unit].outputs[output].id).collect();
            self.note(index, ids.into_iter());
        }
        self.schedule.loops[index].parts.push(part);
    }

    /// Records a column of leaves or outputs, so that later parts can join the loop.
    fn note(&mut self, index: usize, ids: impl Iterator<Item = Option<Id>>) {
        let column = self.columns[index];
        self.columns[index] += 1;
        for (repetition, id) in ids.enumerate() {
            if let Some(id) = id {
                self.occurrences.entry(id).or_default().push(Occurrence { index, column, repetition });
            }
        }
    }

    /// Finds a loop in which every repetition uses or computes a leaf of one unit of the class, and the order of the
    /// units in this loop.
    fn common_loop(&self, class: &Class) -> Option<(usize, Vec<usize>)> {
        let kind = self.units.units[class.units[0]].kind;
        if matches!(kind, Kind::SinCosEach | Kind::Copy) {
            return None;
        }
        for place in 0..class.places.len() {
            let Some(occurrences) = self.occurrences.get(&class.leaves[0][place]) else { continue };
            for occurrence in occurrences.iter().rev() {
                let (index, column) = (occurrence.index, occurrence.column);
                if let Some(order) = self.order_in(class, place, index, column)
                    && self.may_join(class, &order, index)
                {
                    return Some((index, order));
                }
            }
        }
        None
    }

    /// Returns the units in the order of a loop's column, if their leaves at `place` are that column.
    fn order_in(&self, class: &Class, place: usize, index: usize, column: usize) -> Option<Vec<usize>> {
        let count = self.schedule.loops[index].count;
        if count != class.units.len() || self.schedule.loops[index].is_call(&self.units.units) {
            return None;
        }
        let mut order: Vec<Option<usize>> = vec![None; count];
        for (member, leaves) in class.leaves.iter().enumerate() {
            let occurrences = self.occurrences.get(&leaves[place])?;
            let same = |other: &&Occurrence| other.index == index && other.column == column;
            let repetition = occurrences.iter().find(same)?.repetition;
            if order[repetition].replace(member).is_some() {
                return None;
            }
        }
        order.into_iter().collect()
    }

    /// Checks whether all dependencies of the units are computed before the loop, or earlier in the same repetition.
    fn may_join(&self, class: &Class, order: &[usize], index: usize) -> bool {
        order.iter().enumerate().all(|(repetition, &member)| {
            self.units.units[class.units[member]].dependencies.iter().all(|&unit| {
                let same_repetition = |position| {
                    matches!(position, Position::Loop { index: other, repetition: at,
                .. } if other == index && at == repetition)
                };
                self.schedule.after(unit) <= index || same_repetition(self.schedule.positions[unit])
            })
        })
    }

    /// Orders the units by the positions of their leaves in arrays.
    fn natural_order(&self, class: &Class) -> Vec<usize> {
        let place = |id: &Id| match self.units.givers.get(*id) {
            Some((unit, _)) => match self.schedule.positions[unit] {
                Position::Straight(_) => (0, unit),
                Position::Loop { repetition, .. } => (1, repetition),
            },
            None => (2, self.units.array_index(*id).unwrap_or(0)),
        };
        let mut order: Vec<usize> = (0..class.units.len()).collect();
        order.sort_by_cached_key(|&member| class.leaves[member].iter().map(place).collect::<Vec<_>>());
        order
    }
}
