//! Recurrences: units that are computed one after the other in the same way, as in an elimination along a chain of
//! bodies, or a substitution.
//!
//! The level of a unit is the number of units that must be computed one after the other before it. Where the levels
//! repeat with a period, the units of one period form a round, and a round depends on earlier rounds only. Rounds can
//! therefore be the repetitions of a loop, in order.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::shape::Key;
use super::unit::{Kind, MIN_UNITS, Unit, Units};
use crate::symbolic::Id;

/// Rounds of units with equal shapes.
pub struct Recurrence {
    /// Units of every round, in the order in which they are computed; units at the same place of all rounds have the
    /// same shape.
    pub rounds: Vec<Vec<usize>>,
    /// Corresponding units before the first round, which are computed outside of the loop; empty if their shapes
    /// differ.
    pub before: Vec<usize>,
}

/// Finds all recurrences, and the order of the recurrences and of the units outside of them.
pub fn find(units: &Units) -> (Vec<Recurrence>, BTreeMap<usize, Vec<Item>>) {
    let mut found = Vec::new();
    let mut find = |members: &[(usize, usize)]| {
        let search = Search::new(units, members);
        search.find_in(0..search.levels.len(), &mut found);
    };
    let others = units.units.iter().enumerate().filter(|(_, unit)| unit.sum.is_none());
    find(&others.map(|(index, unit)| (index, unit.level)).collect::<Vec<_>>());
    // each sum is searched separately, since the terms of different sums have different periods
    let mut sums: BTreeMap<Id, Vec<usize>> = BTreeMap::new();
    for (index, unit) in units.units.iter().enumerate() {
        if let Some(sum) = unit.sum {
            sums.entry(sum).or_default().push(index);
        }
    }
    for sum in sums.into_values() {
        let places = sum.into_iter().enumerate().map(|(place, unit)| (unit, place));
        find(&places.collect::<Vec<_>>());
    }
    loop {
        let order = by_level(units, &found);
        // recurrences that depend on one another in both directions cannot both be loops
        if order.is_some() || found.pop().is_none() {
            return (found, order.unwrap_or_default());
        }
    }
}

struct Search<'a> {
    units: &'a Units<'a>,
    /// Units by level that are in no loop of their level, each after its shape and sorted by shape.
    levels: Vec<Vec<(usize, usize)>>,
    level_of: FxHashMap<usize, usize>,
    /// A number for every level that is equal for levels with the same shapes; 0 for a level without units.
    patterns: Vec<usize>,
}

/// A range of levels from `start` that consists of `rounds` times the same `period` levels.
#[derive(Clone, Copy)]
struct Repetition {
    start: usize,
    period: usize,
    rounds: usize,
}

impl Search<'_> {
    /// Prepares the search among some units, given with their levels.
    fn new<'a>(units: &'a Units<'a>, members: &[(usize, usize)]) -> Search<'a> {
        let mut shapes: FxHashMap<Key, usize> = FxHashMap::default();
        let mut levels: Vec<BTreeMap<usize, Vec<usize>>> = Vec::new();
        for &(index, level) in members {
            let unit = &units.units[index];
            if matches!(unit.kind, Kind::Copy | Kind::SinCosEach) {
                continue;
            }
            let key = units.shape(unit.kind, &unit.roots, &unit.outputs, true).key;
            let next = shapes.len();
            let shape = *shapes.entry(key).or_insert(next);
            levels.resize_with(levels.len().max(level + 1), BTreeMap::new);
            levels[level].entry(shape).or_default().push(index);
        }
        let mut known: FxHashMap<Vec<usize>, usize> = FxHashMap::from_iter([(Vec::new(), 0)]);
        let (mut all, mut patterns) = (Vec::new(), Vec::new());
        for level in levels {
            let alone = level.into_iter().filter(|(_, units)| units.len() < MIN_UNITS);
            let level: Vec<(usize, usize)> =
                alone.flat_map(|(shape, units)| units.into_iter().map(move |unit| (shape, unit))).collect();
            let next = known.len();
            let pattern = level.iter().map(|&(shape, _)| shape).collect();
            patterns.push(*known.entry(pattern).or_insert(next));
            all.push(level);
        }
        Search { units, levels: all, level_of: members.iter().copied().collect(), patterns }
    }

    /// Finds the largest recurrence within a range of levels, and then others before and after it.
    fn find_in(&self, levels: Range<usize>, found: &mut Vec<Recurrence>) {
        let mut end = levels.end;
        while let Some(repetition) = self.largest(levels.start..end) {
            let Repetition { start, period, rounds } = self.in_phase(repetition);
            let stop = start + period * rounds;
            // a unit that depends on units of these levels, and that other units of these levels need, would have to
            // be computed inside the loop
            if let Some(level) = self.first_conflict(start..stop) {
                end = level;
                continue;
            }
            self.find_in(levels.start..start, found);
            found.push(self.recurrence(start, period, rounds));
            self.find_in(stop..levels.end, found);
            return;
        }
    }

    /// Returns the repetition with most units; among nearly equal ones, the repetition with the shortest period.
    fn largest(&self, levels: Range<usize>) -> Option<Repetition> {
        let mut best: Option<(usize, Repetition)> = None;
        for period in 1..=levels.len() / (MIN_UNITS + 1) {
            let mut start = levels.start;
            for level in levels.start..=levels.end - period {
                let repeats = level + period < levels.end && self.patterns[level] == self.patterns[level + period];
                if repeats {
                    continue;
                }
                let rounds = (level + period - start) / period;
                if rounds > MIN_UNITS {
                    let covered = &self.levels[start..start + period * rounds];
                    let units: usize = covered.iter().map(Vec::len).sum();
                    if best.is_none_or(|(most, _)| units > most + most / 20) && units > rounds {
                        best = Some((units, Repetition { start, period, rounds }));
                    }
                }
                start = level + 1;
            }
        }
        best.map(|(_, repetition)| repetition)
    }

    /// Shifts a repetition by part of a period, so that as few numbers as possible are passed from one round to the
    /// next.
    fn in_phase(&self, whole: Repetition) -> Repetition {
        let Repetition { start, period, rounds } = whole;
        // the rounds around the middle one, which may begin at any level of the period
        let middle = start + period * (rounds / 2);
        let around = middle - period..middle + 2 * period;
        let mut last_use: FxHashMap<usize, usize> = FxHashMap::default();
        for level in around.clone().take_while(|&level| level < self.levels.len()) {
            for &(_, unit) in &self.levels[level] {
                for &dependency in &self.units.units[unit].dependencies {
                    last_use.insert(dependency, level);
                }
            }
        }
        let mut carried = vec![0usize; period];
        for level in around.start..middle + period {
            let uses = self.levels[level].iter().filter_map(|(_, unit)| last_use.get(unit));
            for &last in uses {
                // counts numbers that are known before a round begins, and used in the round
                for begin in middle.max(level + 1)..(last + 1).min(middle + period) {
                    carried[begin - middle] += 1;
                }
            }
        }
        let shifted = carried.into_iter().enumerate().map(|(shift, carried)| (carried, shift));
        match shifted.min() {
            Some((_, shift)) if shift > 0 => Repetition { start: start + shift, period, rounds: rounds - 1 },
            _ => whole,
        }
    }

    /// Returns the first of `levels` in which a unit depends on a unit outside of `levels` that in turn depends on
    /// `levels`.
    fn first_conflict(&self, levels: Range<usize>) -> Option<usize> {
        let members = || self.levels[levels.clone()].iter().flatten().map(|&(_, unit)| unit);
        // units before the first member do not depend on members, and units after the last one are not needed by
        // members
        let (from, to) = (members().min()?, members().max()? + 1);
        let mut inside = vec![false; to - from];
        members().for_each(|unit| inside[unit - from] = true);
        let mut depends = vec![false; inside.len()];
        let at = |flags: &[bool], unit: usize| unit >= from && flags[unit - from];
        let mut first = None;
        for (index, unit) in self.units.units.iter().enumerate().take(to).skip(from) {
            let after = unit.dependencies.iter().any(|&dependency| at(&depends, dependency));
            if !inside[index - from] {
                depends[index - from] = after || unit.dependencies.iter().any(|&dependency| at(&inside, dependency));
            } else if after {
                let level = self.level_of[&index];
                first = Some(first.map_or(level, |first: usize| first.min(level)));
            }
        }
        first
    }

    fn recurrence(&self, start: usize, period: usize, rounds: usize) -> Recurrence {
        let mut order = Order { units: self.units, places: FxHashMap::default() };
        let (mut all, mut links) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            let first = start + round * period;
            let (units, linked) = order.round(round, &self.levels[first..first + period]);
            all.push(units);
            links.push(linked);
        }
        // the first rounds may read from elsewhere what the other rounds read from rounds before them
        let different = links.iter().rposition(|linked| *linked != links[rounds - 1]).map_or(0, |last| last + 1);
        let skipped = if different.max(1) + MIN_UNITS <= rounds { different.max(1) } else { 0 };
        let rounds = all.split_off(skipped);
        Recurrence { rounds, before: all.pop().unwrap_or_default() }
    }
}

/// The origin of a number in a round: how many rounds before, the place of the unit in that round, and the output;
/// `None` for a number from outside of the rounds.
type Link = Option<(usize, usize, usize)>;

/// A sorter of the units in rounds.
struct Order<'a> {
    units: &'a Units<'a>,
    /// Round and place of the units so far.
    places: FxHashMap<usize, (usize, usize)>,
}

impl Order<'_> {
    fn round(&mut self, round: usize, levels: &[Vec<(usize, usize)>]) -> (Vec<usize>, Vec<Vec<Link>>) {
        let (mut ordered, mut all_links) = (Vec::new(), Vec::new());
        for level in levels {
            let mut members: Vec<_> = level
                .iter()
                .map(|&(shape, unit)| {
                    let (links, others) = self.links(round, &self.units.units[unit]);
                    (shape, links, others, unit)
                })
                .collect();
            members.sort_unstable();
            for (_, links, _, unit) in members {
                self.places.insert(unit, (round, ordered.len()));
                ordered.push(unit);
                all_links.push(links);
            }
        }
        (ordered, all_links)
    }

    /// Returns the origins of a unit's leaves, and the leaves from outside of the rounds.
    fn links(&self, round: usize, unit: &Unit) -> (Vec<Link>, Vec<usize>) {
        let mut others = Vec::new();
        let leaves = self.units.shape(unit.kind, &unit.roots, &[], true).leaves;
        let links = leaves.iter().map(|id| {
            let giver = self.units.givers.get(*id);
            let link = giver.and_then(|(unit, output)| {
                let &(then, place) = self.places.get(&unit)?;
                Some((round - then, place, output))
            });
            if link.is_none() {
                others.push(id.index());
            }
            link
        });
        (links.collect(), others)
    }
}

/// An item in the order by levels: a unit outside of recurrences, or a recurrence as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    Unit(usize),
    Recurrence(usize),
}

/// Orders units and recurrences by level: the number of other items that must come one after the other before them.
/// `None` if there is no such order.
fn by_level(units: &Units, recurrences: &[Recurrence]) -> Option<BTreeMap<usize, Vec<Item>>> {
    let count = units.units.len();
    // the indices of recurrences follow those of the units
    let mut item_of: Vec<usize> = (0..count).collect();
    for (index, recurrence) in recurrences.iter().enumerate() {
        recurrence.rounds.iter().flatten().for_each(|&unit| item_of[unit] = count + index);
    }
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); count + recurrences.len()];
    let mut missing = vec![0usize; users.len()];
    for (index, unit) in units.units.iter().enumerate() {
        for &dependency in &unit.dependencies {
            let (from, to) = (item_of[dependency], item_of[index]);
            if from != to {
                users[from].push(to);
                missing[to] += 1;
            }
        }
    }
    let is_item = |&item: &usize| item >= count || item_of[item] == item;
    let mut left = (0..users.len()).filter(is_item).count();
    let mut ready: Vec<usize> = (0..users.len()).filter(is_item).filter(|&item| missing[item] == 0).collect();
    let mut levels = vec![0; users.len()];
    let mut found: BTreeMap<usize, Vec<Item>> = BTreeMap::new();
    while let Some(item) = ready.pop() {
        left -= 1;
        let level = levels[item];
        let entry = if item < count { Item::Unit(item) } else { Item::Recurrence(item - count) };
        found.entry(level).or_default().push(entry);
        for &user in &users[item] {
            levels[user] = levels[user].max(level + 1);
            missing[user] -= 1;
            if missing[user] == 0 {
                ready.push(user);
            }
        }
    }
    (left == 0).then_some(found)
}
