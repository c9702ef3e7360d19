//! Whether the equations of motion can determine the motion: by their patterns, whatever the numbers are.

mod advice;
mod constraints;
mod coordinates;
mod matching;
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

/// Reports what makes the matrix of every step singular. The first kind of mistake hides those behind it: they would
/// say the same once more.
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
