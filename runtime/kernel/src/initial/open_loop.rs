//! The error about constraints that no positions satisfy.

use std::collections::BTreeSet;

use super::constraints::Violation;
use super::system::StartSystem;
use costate_numerics::linalg::block::find;
use costate_numerics::scalar::Scalar;
use costate_system::model::{Argument, Description, Function};
use costate_system::problem::{InitialStateError, Involved};

/// Creates the error of positions at which the constraints of `violations` are violated, `worst` most of all, with all
/// parameters and coordinates that these constraints contain.
pub(super) fn open_loop<S: Scalar>(
    system: &StartSystem<'_, S>,
    mut violations: Vec<Violation>,
    worst: Violation,
) -> InitialStateError {
    /// Violation relative to the largest one from which on a constraint is named as well.
    const MIN_EXCESS: f64 = 1e-3;
    let description = system.description();
    violations.sort_by(|a, b| b.excess().total_cmp(&a.excess()));
    if let Some(first) = violations.first().copied() {
        let tied = tied_constraints(description, first.constraint);
        violations.retain(|other| tied.contains(&other.constraint) && other.excess() >= MIN_EXCESS * first.excess());
    }
    let concerned = |row: usize| violations.iter().any(|violation| violation.constraint == row);
    let part = |argument| -> Vec<usize> {
        let block = find(description.groups.linearization, Function::Constraint, Some(argument));
        let entries = block.entries.iter().filter(|(row, _)| concerned(*row as usize));
        let columns: BTreeSet<_> = entries.map(|&(_, column)| column as usize).collect();
        columns.into_iter().collect()
    };
    let parameters = part(Argument::Parameters).into_iter();
    let (specified, open): (Vec<usize>, Vec<usize>) =
        part(Argument::Coordinates).into_iter().partition(|&j| system.specified_coordinates()[j]);
    let names = |of: Vec<usize>| of.into_iter().map(|j| description.coordinates[j].name).collect();
    let involved = Involved {
        violated: violations.iter().map(|violation| description.constraints[violation.constraint].name).collect(),
        parameters: parameters.map(|k| (description.parameters[k].name, system.parameters[k])).collect(),
        specified: names(specified),
        open: names(open),
    };
    let Violation { constraint, value, limit } = worst;
    let constraint = description.constraints[constraint].name;
    InitialStateError::Positions { constraint, value, limit, involved: Box::new(involved) }
}

/// Returns the constraints that share open coordinates with the first one, directly or through others.
fn tied_constraints(description: &Description, first: usize) -> BTreeSet<usize> {
    let block = find(description.groups.linearization, Function::Constraint, Some(Argument::Coordinates));
    let entries = block.entries.iter().map(|&(row, column)| (row as usize, column as usize));
    let entries: Vec<_> = entries.filter(|(_, column)| !description.specified_coordinates[*column]).collect();
    let (mut rows, mut columns) = (BTreeSet::from([first]), BTreeSet::new());
    loop {
        let known = rows.len() + columns.len();
        for &(row, column) in &entries {
            if rows.contains(&row) || columns.contains(&column) {
                rows.insert(row);
                columns.insert(column);
            }
        }
        if rows.len() + columns.len() == known {
            return rows;
        }
    }
}
