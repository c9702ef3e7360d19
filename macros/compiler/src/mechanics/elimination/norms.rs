//! The norms of Euler parameters e.
//!
//! A body turns by three of its four Euler parameters: the mass matrix is singular along e, and no pivots on its
//! diagonal suffice. With e^T d from the row of the norm constraint, mu e (e^T d) is added to the equations of motion,
//! where d is the change of the accelerations. Only rows of the linear system are summed: its solution, the motion and
//! all multipliers are what they were. The mass matrix of the body, mu e e^T included, is positive definite, in every
//! orientation.

use rustc_hash::FxHashMap;

use super::steps::Sum;
use crate::mechanics::equations::Equations;
use crate::model::{Model, Norm};
use crate::symbolic::{Graph, Id};

/// Adds the rows of the norms to those of the Euler parameters, in the `entries` of the whole matrix.
pub fn add(model: &Model, graph: &mut Graph, equations: &Equations, entries: &mut Vec<(usize, usize, Id)>) -> Vec<Sum> {
    let n = model.coordinates.len();
    let mut places: FxHashMap<(usize, usize), usize> =
        entries.iter().enumerate().map(|(place, &(row, column, _))| ((row, column), place)).collect();
    let mut sums = Vec::with_capacity(model.norms.len());
    for &Norm { constraint, inertia } in &model.norms {
        if graph.is_zero(inertia) {
            continue;
        }
        let row = equations.constraint_q.iter().filter(|&(row, ..)| row == constraint);
        let row: Vec<(usize, Id)> = row.map(|(_, column, value)| (column, value)).collect();
        let mut lower = Vec::with_capacity(row.len());
        for &(i, slope) in &row {
            let factor = graph.multiply(inertia, slope);
            lower.push((i, graph.negate(factor)));
            for &(j, value) in &row {
                // the same for both halves of what is symmetric
                let (factor, value) = if j < i { (graph.multiply(inertia, value), slope) } else { (factor, value) };
                let term = graph.multiply(factor, value);
                match places.get(&(i, j)) {
                    Some(&place) => entries[place].2 = graph.add(entries[place].2, term),
                    None => {
                        places.insert((i, j), entries.len());
                        entries.push((i, j, term));
                    }
                }
            }
        }
        sums.push(Sum { row: n + constraint, lower });
    }
    sums
}
