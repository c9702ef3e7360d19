//! Fusion of loops: the repetitions of a loop follow those of an earlier loop, one by one.
//!
//! The search by levels leaves a loop of its own for what reads other symbols first, or what goes over the joints
//! between bodies. In a fused loop, values that later statements of the repetition use are in variables, in place of
//! arrays that are longer than the caches. Repetitions of one loop that have no counterpart in the other are computed
//! outside of the loop.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::schedule::{Loop, Position, Schedule};
use super::unit::{MIN_UNITS, Units};
use crate::symbolic::Id;

/// Fewest repetitions of a fused loop for each repetition that is computed outside of it, because its code is written
/// once more.
const MIN_REPETITIONS_PER_PEELED: usize = 32;

/// Fuses loops, those of equal lengths first, as long as a loop can follow another one of which it uses values or
/// symbols. With `peel`, some repetitions of loops of other lengths may be computed outside of the loop.
pub fn fuse(units: &Units, mut schedule: Schedule, peel: bool) -> Schedule {
    let pair = |schedule: &Schedule| {
        let equal = fused_pair(units, schedule, false);
        if peel { equal.or_else(|| fused_pair(units, schedule, true)) } else { equal }
    };
    while let Some(fused) = pair(&schedule) {
        schedule = fused;
    }
    schedule
}

/// Fuses the first pair of loops that can be fused: of equal lengths, or with `peel` of other lengths.
fn fused_pair(units: &Units, schedule: &Schedule, peel: bool) -> Option<Schedule> {
    let needs = Needs::new(units, schedule);
    (0..schedule.loops.len()).find_map(|later| {
        (0..later).find_map(|earlier| {
            let shift = shift(units, schedule, earlier, later)?;
            let (first, second) = (schedule.loops[earlier].count, schedule.loops[later].count);
            let count = first.checked_sub(shift)?.min(second);
            let peeled = first + second - 2 * count;
            if peeled == 0 {
                return if peel { None } else { fused(units, schedule, &needs, earlier, later) };
            }
            if !peel || count < MIN_UNITS || peeled * MIN_REPETITIONS_PER_PEELED > count {
                return None;
            }
            let mut shorter = schedule.clone();
            shorter.loops[earlier] = shorter.loops[earlier].section(shift..shift + count);
            shorter.loops[later] = shorter.loops[later].section(0..count);
            let shorter = shorter.ordered(units);
            fused(units, &shorter, &Needs::new(units, &shorter), earlier, later)
        })
    })
}

/// Returns how many repetitions later those of `earlier` begin that the repetitions of `later` can follow, one by one;
/// `None` if the loops have nothing in common.
fn shift(units: &Units, schedule: &Schedule, earlier: usize, later: usize) -> Option<usize> {
    let (first, second) = (&schedule.loops[earlier], &schedule.loops[later]);
    if first.count.abs_diff(second.count) > second.count / MIN_REPETITIONS_PER_PEELED
        || [first, second].iter().any(|group| group.is_call(&units.units))
    {
        return None;
    }
    let mut shift = 0;
    for part in &second.parts {
        for (repetition, &unit) in part.units.iter().enumerate() {
            for &dependency in &units.units[unit].dependencies {
                if let Position::Loop { index, repetition: given, .. } = schedule.positions[dependency]
                    && index == earlier
                {
                    shift = shift.max(given.saturating_sub(repetition));
                }
            }
        }
    }
    if shift >= first.count {
        return None;
    }
    let known = first.parts.iter().flat_map(|part| {
        let outputs = units.units[part.units[shift]].outputs.iter().filter_map(|output| output.id);
        part.columns.iter().map(|column| column[shift]).chain(outputs)
    });
    let known: FxHashSet<Id> = known.collect();
    let mut columns = second.parts.iter().flat_map(|part| &part.columns);
    columns.any(|column| column[0] != column[1] && known.contains(&column[0])).then_some(shift)
}

/// Appends the parts of the loop `later` to those of `earlier`, which has as many repetitions, and orders all other
/// loops around them. `None` if `later` needs something that needs `earlier`.
fn fused(units: &Units, schedule: &Schedule, needs: &Needs, earlier: usize, later: usize) -> Option<Schedule> {
    let members = schedule.loops[later].parts.iter().flat_map(|part| &part.units);
    let mut dependencies = members.flat_map(|&unit| &units.units[unit].dependencies);
    let is_between = |&dependency: &usize| match schedule.positions[dependency] {
        Position::Straight(_) => needs.straight[dependency].contains(earlier),
        Position::Loop { index, .. } => index != later && index != earlier && needs.loops[index].contains(earlier),
    };
    if dependencies.any(is_between) {
        return None;
    }
    let Schedule { loops, positions, .. } = schedule.clone();
    let (mut ahead, mut behind) = (Vec::new(), Vec::new());
    let (mut first, mut second) = (None, None);
    for (index, group) in loops.into_iter().enumerate() {
        if index == earlier {
            first = Some(group);
        } else if index == later {
            second = Some(group);
        } else if index > later || needs.loops[index].contains(earlier) {
            behind.push(group);
        } else {
            ahead.push(group);
        }
    }
    let (mut whole, second) = (first?, second?);
    whole.before.resize(whole.parts.len(), None);
    whole.before.extend(second.before);
    whole.parts.extend(second.parts);
    ahead.push(whole);
    ahead.extend(behind);
    Some(Schedule { loops: ahead, straight: Vec::new(), positions }.ordered(units))
}

impl Loop {
    /// Returns the loop with some of its repetitions.
    fn section(&self, repetitions: Range<usize>) -> Loop {
        let before = |place: usize| match repetitions.start.checked_sub(1) {
            Some(last) => Some(self.parts[place].units[last]),
            None => self.before.get(place).copied().flatten(),
        };
        Loop {
            count: repetitions.len(),
            before: (0..self.parts.len()).map(before).collect(),
            parts: self.parts.iter().map(|part| part.section(repetitions.clone())).collect(),
        }
    }
}

/// A set of loops by index.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    fn insert_all(&mut self, others: &Set) {
        self.0.iter_mut().zip(&others.0).for_each(|(set, others)| *set |= others);
    }
}

/// The loops that must come before each loop, and before each unit outside of loops.
struct Needs {
    loops: Vec<Set>,
    straight: Vec<Set>,
}

impl Needs {
    fn new(units: &Units, schedule: &Schedule) -> Needs {
        let empty = Set(vec![0; schedule.loops.len().div_ceil(64)]);
        let mut needs = Needs { loops: Vec::new(), straight: vec![Set(Vec::new()); units.units.len()] };
        for (index, straight) in schedule.straight.iter().enumerate() {
            for &unit in straight {
                let mut set = empty.clone();
                needs.add(units, schedule, unit, &mut set);
                needs.straight[unit] = set;
            }
            let Some(group) = schedule.loops.get(index) else { break };
            let mut set = empty.clone();
            for &unit in group.parts.iter().flat_map(|part| &part.units) {
                needs.add(units, schedule, unit, &mut set);
            }
            needs.loops.push(set);
        }
        needs
    }

    /// Adds what a unit needs outside of its own loop.
    fn add(&self, units: &Units, schedule: &Schedule, unit: usize, set: &mut Set) {
        for &dependency in &units.units[unit].dependencies {
            match schedule.positions[dependency] {
                Position::Straight(_) => set.insert_all(&self.straight[dependency]),
                Position::Loop { index, .. } => {
                    if let Some(needs) = self.loops.get(index) {
                        set.insert(index);
                        set.insert_all(needs);
                    }
                }
            }
        }
    }
}
