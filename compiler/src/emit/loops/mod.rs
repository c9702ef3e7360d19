//! Loops in place of straight-line code where a long function computes the same over and over: for every body of a chain,
//! for every joint.
//!
//! `unit` cuts a function into units, what has a name of its own in straight-line code. `shape` tells which are alike: the
//! same operations, applied to other numbers. `schedule` puts like units together in loops and orders them; units that are
//! like few others go by themselves. `storage` says where intermediate values are kept, `write` writes it all, `read`
//! what statements take from arrays, at positions that are formulas or come from tables (`index`). Every number is computed by the same operations in the same
//! order as in straight-line code.

mod family;
mod index;
mod read;
mod recurrence;
mod schedule;
mod shape;
mod storage;
mod unit;
mod write;

use super::constants::Constants;
use super::operations::needed;
use crate::model::Model;
use crate::symbolic::{Graph, Id};

pub use write::{Written, write};

use family::Families;
use schedule::Schedule;
use unit::Units;

/// Fewest operations of a function for which loops are sought: short ones are faster straight away.
const LONG_FUNCTION: usize = 600;

/// Most statements of a function that is [short](is_short).
const SHORT_FUNCTION: usize = 5000;

/// Whether a function with this number of operations may have loops.
pub fn is_long(operations: usize) -> bool {
    operations >= LONG_FUNCTION
}

/// Whether enough of it is in loops, and nothing is missing.
fn is_worth_it(units: &Units, schedule: &Schedule) -> bool {
    let straight: usize = schedule.straight.iter().map(Vec::len).sum();
    let parts = schedule.loops.iter().flat_map(|group| &group.parts);
    let repeated: usize = parts.map(|part| part.units.len()).sum();
    2 * straight <= units.units.len() && straight + repeated == units.units.len()
}

/// Whether a function with the results `values` is short in loops, however many parts the model has.
pub fn is_short(model: &Model, graph: &Graph, constants: &Constants, values: &[Id]) -> bool {
    let families = Families::of(model);
    let is_constant = |id| constants.holds(id);
    let Some((_, schedule)) = plan(graph, values, &[values.len()], &is_constant, &families) else {
        return needed(graph, values, is_constant).len() <= SHORT_FUNCTION;
    };
    let straight: usize = schedule.straight.iter().map(Vec::len).sum();
    let repeated: usize = schedule.loops.iter().map(|group| group.parts.len()).sum();
    straight + repeated <= SHORT_FUNCTION
}

/// The function with the results `values` in loops; `None` where straight-line code serves it better.
fn plan<'a>(
    graph: &'a Graph,
    values: &[Id],
    lengths: &[usize],
    is_constant: &'a dyn Fn(Id) -> bool,
    names: &'a Families,
) -> Option<(Units<'a>, Schedule)> {
    let mut end = 0;
    let ends: Vec<usize> = lengths.iter().map(|length| (end += length, end).1).collect();
    let units = Units::new(graph, values, &ends, is_constant, names)?;
    let schedule = Schedule::new(&units);
    is_worth_it(&units, &schedule).then_some((units, schedule))
}
