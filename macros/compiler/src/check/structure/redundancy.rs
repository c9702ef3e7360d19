//! Redundant and contradictory constraints.

use super::advice::{advice, too_many};
use super::matching::Pattern;
use super::matrix::{Matrix, driven};
use super::text::{count, names};
use crate::diagnostic::Diagnostics;
use crate::mechanics::Equations;
use crate::model::{Model, ModelBody};
use crate::symbolic::Graph;

/// Reports more constraints than coordinates.
pub fn check_count(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    let Some(constraint) = model.constraints.get(n) else { return };
    let (constraints, coordinates) = (count(m, "constraint"), count(n, "coordinate"));
    let matrix = Matrix::new(model, graph, equations);
    let found = matrix.as_ref().and_then(|matrix| matrix.dependent().last().map(|row| (matrix, *row)));
    let (place, remedy) = match found {
        Some((matrix, row)) => (model.constraints[row].field.span(), advice(model, graph, equations, matrix, row)),
        None => {
            let all: Vec<usize> = (0..m).collect();
            (constraint.field.span(), too_many(model, &all, m - n))
        }
    };
    diagnostics.error(place, format!("the model has {constraints} for {coordinates}; {remedy}"));
}

/// Reports sets of constraints that involve fewer coordinates than constraints.
pub fn check_pattern(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    let entries = equations.constraint_q.iter().map(|(row, column, _)| (row, column));
    let parts = Pattern::new(m, n, entries).overdetermined();
    if parts.is_empty() {
        return;
    }
    let matrix = Matrix::new(model, graph, equations);
    let dependent = matrix.as_ref().map(Matrix::dependent).unwrap_or_default();
    for part in parts {
        let found = part.rows.iter().rev().find(|row| dependent.contains(row));
        let Some(&row) = found.or(part.rows.last()) else { continue };
        let remedy = match (&matrix, found) {
            (Some(matrix), Some(_)) => advice(model, graph, equations, matrix, row),
            _ => too_many(model, &part.rows, part.rows.len() - part.columns.len()),
        };
        let message = format!(
            "the constraints {} are between {} only: {}; {remedy}",
            names(&model.constraints, &part.rows),
            count(part.columns.len(), "coordinate"),
            names(&model.coordinates, &part.columns),
        );
        let place = model.constraints[row].field.span();
        if !diagnostics.has_error_at(place) {
            diagnostics.error(place, message);
        }
    }
}

/// Reports constraints whose gradients are linearly dependent in every state that was tried.
pub fn check_rank(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    // Largest number of constraints that a message names; more are counted.
    const MAX_NAMED: usize = 3;
    let Some(matrix) = Matrix::new(model, graph, equations) else { return };
    for row in matrix.dependent() {
        let constraint = &model.constraints[row];
        let place = constraint.field.span();
        // One error for all constraints of a joint.
        if diagnostics.has_error_at(place) {
            continue;
        }
        let others = matrix.others(row);
        let others = match others.len() {
            1 => format!("{} does", names(&model.constraints, &others)),
            2..=MAX_NAMED => format!("{} do", names(&model.constraints, &others)),
            number => format!("{} do", count(number, "other")),
        };
        let (name, remedy) = (&constraint.name, advice(model, graph, equations, &matrix, row));
        diagnostics.error(
            place,
            format!("the constraint `{name}` restricts no motion that {others} not restrict already; {remedy}"),
        );
    }
}

/// Marks bodies that can turn, freely or driven; all `false` for a model that is too large to be checked.
pub fn turn(model: &Model, graph: &Graph, equations: &Equations, bodies: &[&ModelBody]) -> Vec<bool> {
    let Some(matrix) = Matrix::new(model, graph, equations) else { return vec![false; bodies.len()] };
    let orientation = |body: &ModelBody| {
        if body.spatial { body.first + 3..body.first + 7 } else { body.first + 2..body.first + 3 }
    };
    let columns: Vec<usize> = bodies.iter().flat_map(|body| orientation(body)).collect();
    let moves = matrix.moves(&driven(model, graph), &columns);
    bodies.iter().map(|body| orientation(body).any(|column| moves.contains(&column))).collect()
}
