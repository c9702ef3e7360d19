//! Constraints that say the same, or contradict each other.

use super::matching::Pattern;
use super::rank;
use super::samples;
use super::text::{count, freer_joints, names};
use crate::diagnostic::Diagnostics;
use crate::mechanics::Equations;
use crate::model::Model;
use crate::symbolic::Graph;

/// Larger models are not looked at for dependences that the pattern does not show.
const MOST_CONSTRAINTS: usize = 5000;

/// Reports more constraints than coordinates.
pub fn check_count(model: &Model, _: &Graph, _: &Equations, diagnostics: &mut Diagnostics) {
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    if let (true, Some(constraint)) = (m > n, model.constraints.get(n)) {
        let message = format!(
            "the model has {} for {}; remove those that follow from others{}; at most {n} may remain",
            count(m, "constraint"),
            count(n, "coordinate"),
            freer_joints(model, 0..m),
        );
        diagnostics.error(constraint.field.span(), message);
    }
}

/// Reports constraints that are between too few coordinates.
pub fn check_pattern(model: &Model, _: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    let entries = equations.constraint_q.iter().map(|(row, column, _)| (row, column));
    for part in Pattern::new(m, n, entries).overdetermined() {
        let Some(constraint) = part.rows.last().and_then(|i| model.constraints.get(*i)) else { continue };
        let message = format!(
            "the constraints {} are between {} only: {}; remove what is redundant{}",
            names(&model.constraints, &part.rows),
            count(part.columns.len(), "coordinate"),
            names(&model.coordinates, &part.columns),
            freer_joints(model, part.rows.iter().copied()),
        );
        let place = constraint.field.span();
        if !diagnostics.has_error_at(place) {
            diagnostics.error(place, message);
        }
    }
}

/// Reports constraints whose gradients depend on each other in every state that was tried.
pub fn check_rank(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    if model.constraints.len() > MOST_CONSTRAINTS {
        return;
    }
    let entries: Vec<_> = equations.constraint_q.iter().collect();
    let mut common: Option<Vec<rank::Dependence>> = None;
    for sample in 0..samples::COUNT {
        let values = samples::values(model, graph, &entries, sample);
        let found = rank::dependences(model.constraints.len(), &values);
        let known = common.get_or_insert_with(|| found.clone());
        known.retain(|dependence| found.iter().any(|other| other.row == dependence.row));
        if known.is_empty() {
            return;
        }
    }
    for rank::Dependence { row, others } in common.into_iter().flatten() {
        let Some(constraint) = model.constraints.get(row) else { continue };
        let message = format!(
            "the constraint `{}` restricts no motion that {} {} not restrict already; remove one of them{}",
            constraint.name,
            names(&model.constraints, &others),
            if others.len() == 1 { "does" } else { "do" },
            freer_joints(model, others.iter().copied().chain([row])),
        );
        let place = constraint.field.span();
        if !diagnostics.has_error_at(place) {
            diagnostics.error(place, message);
        }
    }
}
