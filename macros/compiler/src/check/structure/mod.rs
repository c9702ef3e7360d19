//! Structural check whether the equations of motion determine the motion, by sparsity patterns and independent of
//! values.
//!
//! `matching` finds the rank that a matrix has by its pattern, and `rank` the rows of C_q (`matrix`) that depend on
//! other rows at made-up states (`samples`), where no number is special. `advice` proposes a change of the model only
//! after it has tried the change.

mod advice;
mod constraints;
mod coordinates;
mod matching;
mod matrix;
mod rank;
mod redundancy;
mod samples;
mod text;

#[cfg(test)]
mod tests;

pub use redundancy::turn;

use crate::diagnostic::Diagnostics;
use crate::mechanics::Equations;
use crate::model::Model;
use crate::symbolic::Graph;

/// Reports causes of a singular matrix of every step. The checks stop at the first kind of mistake, since later
/// checks would report the same mistake again.
pub fn check(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    let errors = diagnostics.len();
    for check in [
        constraints::check_each,
        coordinates::check_each,
        redundancy::check_count,
        redundancy::check_pattern,
        redundancy::check_rank,
        coordinates::check_all,
    ] {
        check(model, graph, equations, diagnostics);
        if diagnostics.len() > errors {
            return;
        }
    }
}
