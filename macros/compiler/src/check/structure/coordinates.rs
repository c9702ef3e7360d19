//! Coordinates that nothing determines.

use super::matching::Pattern;
use super::samples;
use super::text::{count, names};
use crate::diagnostic::Diagnostics;
use crate::mechanics::Equations;
use crate::model::Model;
use crate::symbolic::{Graph, Id, Symbol};

/// Reports coordinates that are in no equation, and those whose own equation contains none.
pub fn check_each(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let n = model.coordinates.len();
    let (mut in_row, mut in_column, mut constrained) = (vec![false; n], vec![false; n], vec![false; n]);
    for (row, column) in without_multipliers(model, graph, equations) {
        in_row[row] = true;
        in_column[column] = true;
    }
    for (_, column, _) in equations.constraint_q.iter() {
        constrained[column] = true;
    }
    for (i, coordinate) in model.coordinates.iter().enumerate() {
        if constrained[i] || in_row[i] && in_column[i] {
            continue;
        }
        let name = &coordinate.name;
        let message = if model.turning.contains(&i) && !in_row[i] {
            format!(
                "`{name}` has neither inertia, stiffness, damping nor constraint, so that nothing determines how the \
                 body turns; give the body its `inertia`, or a joint that holds it"
            )
        } else if in_row[i] {
            format!("no equation depends on `{name}`; give it mass, stiffness, damping or a constraint, or remove it")
        } else {
            format!(
                "`{name}` has neither mass, stiffness, damping nor constraint, so that nothing determines its \
                 motion; add an entry to `mass` or `forces`, or remove the coordinate"
            )
        };
        let place = coordinate.field.span();
        if !diagnostics.has_error_at(place) {
            diagnostics.error(place, message);
        }
    }
}

/// Reports coordinates and constraints of which more are unknown than there are equations with them.
pub fn check_all(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let n = model.coordinates.len();
    let size = n + model.constraints.len();
    let step = without_multipliers(model, graph, equations).into_iter();
    let jacobian = equations.constraint_q.iter().flat_map(|(row, column, _)| [(n + row, column), (column, n + row)]);
    let columns = Pattern::new(size, size, step.chain(jacobian)).transposed();
    // A column that is left over, and all that compete with it for the same equations.
    let Some(part) = columns.overdetermined().into_iter().next() else { return };
    let split = |all: &[usize]| -> (Vec<usize>, Vec<usize>) {
        let (coordinates, constraints): (Vec<usize>, Vec<usize>) = all.iter().partition(|&&i| i < n);
        (coordinates, constraints.into_iter().map(|i| i - n).collect())
    };
    let (coordinates, multipliers) = split(&part.rows);
    let (forces, constraints) = split(&part.columns);
    let mut equations = Vec::new();
    if !forces.is_empty() {
        equations.push(format!("of motion of {}", names(&model.coordinates, &forces)));
    }
    if !constraints.is_empty() {
        equations.push(format!("of the constraint {}", names(&model.constraints, &constraints)));
    }
    let what = match multipliers.as_slice() {
        [] => format!("the motion of {}", names(&model.coordinates, &coordinates)),
        multipliers => format!(
            "the motion of {} with the forces of the constraints {}",
            names(&model.coordinates, &coordinates),
            names(&model.constraints, multipliers)
        ),
    };
    let turns = !coordinates.is_empty() && coordinates.iter().all(|i| model.turning.contains(i));
    let remedy =
        if turns { "give the body its `inertia`, or a joint that holds it" } else { "add mass, stiffness or damping" };
    let message = format!(
        "{what} can't be determined: {} in {} ({}); {remedy}",
        count(part.rows.len(), "unknown"),
        count(part.columns.len(), "equation"),
        equations.join(" and ")
    );
    let first = coordinates.first().and_then(|i| model.coordinates.get(*i));
    let place = first.or(multipliers.first().and_then(|i| model.constraints.get(*i)));
    diagnostics.error(place.map_or(model.name.span(), |quantity| quantity.field.span()), message);
}

/// Rows and columns of the step's matrix that do not vanish with the forces of the constraints, whose curvature is no
/// stiffness: it is none where they carry no load.
fn without_multipliers(model: &Model, graph: &Graph, equations: &Equations) -> Vec<(usize, usize)> {
    let entries: Vec<(usize, usize, Id)> = equations.step.iter().collect();
    let loaded = |id| graph.symbols(id).iter().any(|symbol| matches!(symbol, Symbol::Multiplier(_)));
    let mut remains: Vec<bool> = entries.iter().map(|entry| !loaded(entry.2)).collect();
    for sample in 0..samples::STATES {
        for (remains, value) in remains.iter_mut().zip(samples::unloaded(model, graph, &entries, sample)) {
            *remains |= value != 0.0;
        }
    }
    let remaining = entries.iter().zip(remains).filter(|(_, remains)| *remains);
    remaining.map(|(&(row, column, _), _)| (row, column)).collect()
}
