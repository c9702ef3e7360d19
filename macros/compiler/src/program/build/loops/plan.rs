//! Decision whether a function is written in loops, and in which.

use super::schedule::Schedule;
use super::unit::Units;
use crate::model::Model;
use crate::program::build::constants::Constants;
use crate::program::build::operations::needed;
use crate::symbolic::{Graph, Id};

/// Fewest operations of a function for which loops are sought: short functions are faster as straight-line code.
const MIN_OPERATIONS: usize = 600;

/// Checks whether a function with this number of operations may have loops.
pub fn is_long(operations: usize) -> bool {
    operations >= MIN_OPERATIONS
}

/// Checks whether at least half of the units are in loops, and no unit is missing.
fn is_worth_it(units: &Units, schedule: &Schedule) -> bool {
    let straight: usize = schedule.straight.iter().map(Vec::len).sum();
    let parts = schedule.loops.iter().flat_map(|group| &group.parts);
    let repeated: usize = parts.map(|part| part.units.len()).sum();
    2 * straight <= units.units.len() && straight + repeated == units.units.len()
}

/// Returns the number of statements of the function with the results `values`, in loops where these are worth it.
pub fn statements(model: &Model, graph: &Graph, constants: &Constants, values: &[Id]) -> usize {
    let is_constant = |id| constants.holds(id);
    let Some((_, schedule)) = plan(model, graph, values, &[values.len()], &is_constant) else {
        return needed(graph, values, is_constant).len();
    };
    let straight: usize = schedule.straight.iter().map(Vec::len).sum();
    let repeated: usize = schedule.loops.iter().map(|group| group.parts.len()).sum();
    straight + repeated
}

/// Plans the loops of the function with the results `values`; `None` where straight-line code is better.
pub fn plan<'a>(
    model: &'a Model,
    graph: &'a Graph,
    values: &[Id],
    lengths: &[usize],
    is_constant: &'a dyn Fn(Id) -> bool,
) -> Option<(Units<'a>, Schedule)> {
    let mut end = 0;
    let ends: Vec<usize> = lengths.iter().map(|length| (end += length, end).1).collect();
    let units = Units::new(model, graph, values, &ends, is_constant)?;
    let schedule = Schedule::new(&units);
    is_worth_it(&units, &schedule).then_some((units, schedule))
}
