//! The gradients of the constraints in the states that are tried.

use std::collections::BTreeSet;

use super::rank;
use super::samples;
use crate::mechanics::Equations;
use crate::model::Model;
use crate::symbolic::{Graph, Id, Symbol};

/// Largest number of constraints of a model that is checked for dependences which the pattern does not show.
const MAX_CONSTRAINTS: usize = 5000;

/// Finds the constraints that depend on time.
pub fn driven(model: &Model, graph: &Graph) -> Vec<usize> {
    let of_time = |id: &Id| graph.symbols(*id).contains(&Symbol::Time);
    let constraints = model.constraint.iter().enumerate();
    constraints.filter(|(_, id)| of_time(id)).map(|(row, _)| row).collect()
}

/// The gradients of the constraints in the states that are tried.
pub struct Matrix {
    rows: usize,
    pub samples: Vec<Vec<(usize, usize, f64)>>,
}

impl Matrix {
    /// Evaluates the gradients; `None` if the model is too large.
    pub fn new(model: &Model, graph: &Graph, equations: &Equations) -> Option<Matrix> {
        let rows = model.constraints.len();
        if rows > MAX_CONSTRAINTS {
            return None;
        }
        let entries: Vec<_> = equations.constraint_q.iter().collect();
        let samples = (0..samples::STATES).map(|sample| samples::values(model, graph, &entries, sample));
        Some(Matrix { rows, samples: samples.collect() })
    }

    /// Finds the rows that depend on rows above them in every state.
    pub fn dependent(&self) -> Vec<usize> {
        let mut common: Option<Vec<usize>> = None;
        for sample in &self.samples {
            let found = rank::dependences(self.rows, &scaled(sample));
            let rows: Vec<usize> = found.iter().map(|found| found.row).collect();
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

    /// Finds those of `columns` whose coordinates can move in some state when the rows `without` are removed.
    pub fn moves(&self, without: &[usize], columns: &[usize]) -> BTreeSet<usize> {
        let mut moves = BTreeSet::new();
        for sample in &self.samples {
            let left: Vec<_> = sample.iter().filter(|(row, ..)| !without.contains(row)).copied().collect();
            let held = rank::held(self.rows, &scaled(&left), columns);
            moves.extend(columns.iter().zip(held).filter(|(_, held)| !held).map(|(column, _)| *column));
        }
        moves
    }

    /// Returns the rows on which a row depends.
    pub fn others(&self, row: usize) -> Vec<usize> {
        let found = self.samples.first().map(|sample| rank::dependences(self.rows, &scaled(sample)));
        let found = found.into_iter().flatten().find(|found| found.row == row);
        found.map(|found| found.others).unwrap_or_default()
    }
}

/// Scales rows and columns so that their largest entries are near 1.
fn scaled(entries: &[(usize, usize, f64)]) -> Vec<(usize, usize, f64)> {
    let mut scaled = entries.to_vec();
    samples::scale(&mut scaled);
    scaled
}
