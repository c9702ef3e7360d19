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

/// More constraints that another one depends on are counted.
const MOST_NAMED: usize = 3;

/// Joints that are taken out one after another, in search of one without which nothing is redundant.
const MOST_TRIED: usize = 16;

/// Reports more constraints than coordinates.
pub fn check_count(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let (n, m) = (model.coordinates.len(), model.constraints.len());
    let Some(constraint) = model.constraints.get(n) else { return };
    let (constraints, coordinates) = (count(m, "constraint"), count(n, "coordinate"));
    let matrix = Matrix::new(model, graph, equations);
    let found = matrix.as_ref().and_then(|matrix| matrix.dependent(&[]).last().map(|row| (matrix, *row)));
    let (place, remedy) = match found {
        Some((matrix, row)) => (model.constraints[row].field.span(), matrix.remedy(model, row)),
        None => {
            let freer = freer_joints(model, 0..m);
            (
                constraint.field.span(),
                format!("remove those that follow from others{freer}; at most {n} may remain"),
            )
        }
    };
    diagnostics.error(place, format!("the model has {constraints} for {coordinates}; {remedy}"));
}

/// Reports constraints that are between too few coordinates.
pub fn check_pattern(model: &Model, _: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let overdetermined = |without: &[usize]| {
        let (n, m) = (model.coordinates.len(), model.constraints.len());
        let entries = equations.constraint_q.iter().map(|(row, column, _)| (row, column));
        Pattern::new(m, n, entries.filter(|(row, _)| !without.contains(row))).overdetermined()
    };
    for part in overdetermined(&[]) {
        // Rows without entries count among those that are too many.
        let helps = |row: &usize| {
            let removed = owner(model, *row).rows;
            overdetermined(&removed).iter().all(|left| {
                left.rows.iter().all(|other| removed.contains(other) || !part.rows.contains(other))
            })
        };
        let last = part.rows.iter().rev().take(MOST_TRIED).find(|row| helps(row)).or(part.rows.last());
        let Some(&row) = last else { continue };
        let owner = owner(model, row);
        let message = format!(
            "the constraints {} are between {} only: {}; remove `{}`{}",
            names(&model.constraints, &part.rows),
            count(part.columns.len(), "coordinate"),
            names(&model.coordinates, &part.columns),
            owner.name,
            freer_joints(model, owner.rows.into_iter()),
        );
        let place = model.constraints[row].field.span();
        if !diagnostics.has_error_at(place) {
            diagnostics.error(place, message);
        }
    }
}

/// Reports constraints whose gradients depend on each other in every state that was tried.
pub fn check_rank(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let Some(matrix) = Matrix::new(model, graph, equations) else { return };
    for row in matrix.dependent(&[]) {
        let constraint = &model.constraints[row];
        let place = constraint.field.span();
        // Once for all constraints of a joint.
        if diagnostics.has_error_at(place) {
            continue;
        }
        let others = matrix.others(row);
        let others = match others.len() {
            1 => format!("{} does", names(&model.constraints, &others)),
            2..=MOST_NAMED => format!("{} do", names(&model.constraints, &others)),
            number => format!("{} do", count(number, "other")),
        };
        let (name, owner) = (&constraint.name, owner(model, row));
        diagnostics.error(
            place,
            format!(
                "the constraint `{name}` restricts no motion that {others} not restrict already; remove `{}`{}",
                owner.name,
                freer_joints(model, owner.rows.into_iter())
            ),
        );
    }
}

/// The gradients of the constraints in the states that are tried.
struct Matrix {
    rows: usize,
    samples: Vec<Vec<(usize, usize, f64)>>,
}

impl Matrix {
    /// `None` if the model is too large.
    fn new(model: &Model, graph: &Graph, equations: &Equations) -> Option<Matrix> {
        let rows = model.constraints.len();
        if rows > MOST_CONSTRAINTS {
            return None;
        }
        let entries: Vec<_> = equations.constraint_q.iter().collect();
        let samples = (0..samples::COUNT).map(|sample| samples::values(model, graph, &entries, sample));
        Some(Matrix { rows, samples: samples.collect() })
    }

    /// The rows that depend on those above them in every state, with some rows taken out.
    fn dependent(&self, without: &[usize]) -> Vec<usize> {
        let mut common: Option<Vec<usize>> = None;
        for sample in &self.samples {
            let left: Vec<_> = sample.iter().filter(|(row, ..)| !without.contains(row)).copied().collect();
            let found = rank::dependences(self.rows, &left);
            let rows: Vec<usize> =
                found.iter().map(|found| found.row).filter(|row| !without.contains(row)).collect();
            match &mut common {
                None => common = Some(rows),
                Some(common) => common.retain(|row| rows.contains(row)),
            }
            if common.as_ref().is_some_and(Vec::is_empty) {
                break;
            }
        }
        common.unwrap_or_default()
    }

    /// The rows that a row depends on.
    fn others(&self, row: usize) -> Vec<usize> {
        let found = self.samples.first().map(|sample| rank::dependences(self.rows, sample));
        let found = found.into_iter().flatten().find(|found| found.row == row);
        found.map(|found| found.others).unwrap_or_default()
    }

    /// What to do about a row that depends on others: the joint or the constraint that it belongs to is taken out.
    fn remedy(&self, model: &Model, row: usize) -> String {
        let owner = owner(model, row);
        let more =
            if self.dependent(&owner.rows).is_empty() { "" } else { " and what is redundant without it" };
        format!("remove `{}`{more}{}", owner.name, freer_joints(model, owner.rows.into_iter()))
    }
}

/// What can be taken out of a model by itself.
struct Owner<'m> {
    name: &'m str,
    rows: Vec<usize>,
}

/// The joint that a constraint belongs to, or the constraint itself.
fn owner(model: &Model, row: usize) -> Owner<'_> {
    let joint = |row: usize| {
        let of_joint = model.of_joints.contains(&row);
        model.constraints[row].name.rsplit_once('.').filter(|_| of_joint).map(|(joint, _)| joint)
    };
    match joint(row) {
        None => Owner { name: &model.constraints[row].name, rows: vec![row] },
        Some(name) => {
            let rows = (0..model.constraints.len()).filter(|row| joint(*row) == Some(name));
            Owner { name, rows: rows.collect() }
        }
    }
}
