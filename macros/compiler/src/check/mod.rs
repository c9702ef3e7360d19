//! Checks of a model before it runs: structure and meaning.
//!
//! Structure is judged by patterns and at made-up states, so that a special number never makes a model wrong.

pub mod meaning;
mod size;
pub mod structure;

pub use meaning::impossible;
pub use size::check as size;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::mechanics::Equations;
use crate::model::Model;
use crate::symbolic::Graph;

/// Reports mistakes that concern the model as a whole.
pub fn check(model: &Model, graph: &Graph, equations: &Equations, diagnostics: &mut Diagnostics) {
    structure::check(model, graph, equations, diagnostics);
    meaning::check(model, graph, diagnostics);
}

/// Returns notes on parts of a model that are valid, but possibly not meant.
pub fn notes(model: &Model, graph: &Graph, equations: &Equations) -> Vec<Diagnostic> {
    let mut notes = meaning::forgotten(model, graph, equations);
    notes.extend(meaning::impossible(model, graph, model.defaults.clone()));
    notes.extend(meaning::kinks(model));
    notes
}
